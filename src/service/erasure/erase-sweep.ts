import { boundedMap } from '../base/bounded-map'
import { minuteMs, timeOf } from '../base/time'
import { erasedTopic } from '../messages/originals'
import type { MessagePorts } from '../messages/ports'

/** Age from which a blob may be removed: by then a message with the same bytes in progress is committed. */
const settledMs = 10 * minuteMs
const sweepAfterMs = 15 * minuteMs
const maxAtOnce = 100
/** Consecutive failed removals after which the sweep stops. */
const maxFailures = 5
const maxLogged = 1_000

interface ErasedBlob {
  hash: string
  erased_at: string
}

/** Tables whose rows refer to blobs. */
const naming = ['messages', 'draft_files', 'uploads'] as const

/** Returns whether any row refers to these bytes. */
export async function isBlobNamed(ports: Pick<MessagePorts, 'store'>, hash: string): Promise<boolean> {
  for (const table of naming) {
    const row = await ports.store.db
      .selectFrom(table)
      .select('blob_hash')
      .where('blob_hash', '=', hash)
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}

/** Removes the originals of erased messages that nothing refers to. */
class BlobSweep {
  readonly #ports: MessagePorts
  readonly #logged = boundedMap<true>(maxLogged)
  /** Hash after which the next sweep starts. */
  #after = ''

  constructor(ports: MessagePorts) {
    this.#ports = ports
  }

  /** Returns false if some must wait: they are too young, or could not be removed. */
  async run(): Promise<boolean> {
    const settled = timeOf(this.#ports.clock.now() - settledMs)
    let done = this.#after === ''
    let failed = 0
    for (;;) {
      const rows = await this.#ports.store.db
        .selectFrom('erased_blobs')
        .selectAll()
        .where('hash', '>', this.#after)
        .orderBy('hash')
        .limit(maxAtOnce)
        .execute()
      for (const row of rows) {
        this.#after = row.hash
        const isGone = row.erased_at <= settled && (await this.#remove(row, settled))
        done &&= isGone
        if (row.erased_at <= settled) failed = isGone ? 0 : failed + 1
        // The blob store is unavailable: the next sweep goes on behind these.
        if (failed === maxFailures) return false
      }
      if (rows.length === maxAtOnce) continue
      this.#after = ''
      return done
    }
  }

  /** Removes one blob; false if that fails, which is logged once and retried. */
  async #remove({ hash, erased_at }: ErasedBlob, settled: string): Promise<boolean> {
    const { blobs, logger, store } = this.#ports
    try {
      if (!(await isBlobNamed(this.#ports, hash))) await blobs.delete(hash, new Date(settled))
    } catch (error) {
      if (!this.#logged.has(hash)) logger.error({ hash, error }, 'an erased mail could not be removed yet')
      this.#logged.set(hash, true)
      return false
    }
    await store.write((tx) =>
      tx.deleteFrom('erased_blobs').where('hash', '=', hash).where('erased_at', '=', erased_at).execute(),
    )
    return true
  }
}

/** Sweeps at the start, for the remains of an earlier process, and some time after each erasure. */
export class EraseSweeper {
  readonly #ports: MessagePorts
  readonly #blobs: BlobSweep
  readonly #unsubscribe: () => void
  #cancel: (() => void) | undefined
  #running: Promise<void>
  #closed = false
  #heldUntilMs = 0

  constructor(ports: MessagePorts) {
    this.#ports = ports
    this.#blobs = new BlobSweep(ports)
    this.#unsubscribe = ports.signals.subscribe(erasedTopic, () => this.#schedule())
    this.#running = this.#run()
  }

  /** Pauses removals for this many ms while the blobs are copied. Resolves when no removal is running. */
  async hold(forMs: number): Promise<void> {
    this.#heldUntilMs = this.#ports.clock.now() + forMs
    await this.#running
  }

  /** Lets a running sweep finish. */
  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    this.#cancel?.()
    await this.#running
  }

  #schedule(): void {
    if (this.#closed || this.#cancel) return
    this.#cancel = this.#ports.clock.background(sweepAfterMs, () => {
      this.#cancel = undefined
      this.#running = this.#run()
    })
  }

  async #run(): Promise<void> {
    if (this.#ports.clock.now() < this.#heldUntilMs) return this.#schedule()
    try {
      const done = await this.#blobs.run()
      if (!(await this.#ports.store.scrub()) || !done) this.#schedule()
    } catch (error) {
      this.#ports.logger.error({ error }, 'what was erased could not be swept')
      this.#schedule()
    }
  }
}
