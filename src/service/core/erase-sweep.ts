import { type Core, timeOf } from './context'

/** Topic that is woken when something was erased. */
export const erasedTopic = 'erased'

/** Long enough for a mail that is on its way in to be committed: it may be the same one. */
const settledMs = 10 * 60_000
const sweepAfterMs = 15 * 60_000
const mostAtOnce = 100

/** Every table whose rows name blobs. */
const naming = ['messages', 'draft_files', 'uploads'] as const

async function isNamed(core: Core, hash: string): Promise<boolean> {
  for (const table of naming) {
    const row = await core.store.db
      .selectFrom(table)
      .select('blob_hash')
      .where('blob_hash', '=', hash)
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}

/** Removes the originals of erased messages that nothing names any more. False where some have to wait. */
async function sweepBlobs(core: Core): Promise<boolean> {
  const settled = timeOf(core.clock.now() - settledMs)
  for (;;) {
    const rows = await core.store.db.selectFrom('erased_blobs').selectAll().limit(mostAtOnce).execute()
    const due = rows.filter((row) => row.erased_at <= settled)
    for (const { hash, erased_at } of due) {
      if (!(await isNamed(core, hash))) await core.blobs.delete(hash, new Date(settled))
      await core.store.write((tx) =>
        tx.deleteFrom('erased_blobs').where('hash', '=', hash).where('erased_at', '=', erased_at).execute(),
      )
    }
    if (due.length === 0 || rows.length < mostAtOnce) return due.length === rows.length
  }
}

/** Removes what is left of erased mail outside of the rows. False where some has to wait. */
export async function sweepErased(core: Core): Promise<boolean> {
  const done = await sweepBlobs(core)
  return (await core.store.scrub()) && done
}

/** Sweeps at the start, for what an earlier process left, and a while after each erasure. */
export class EraseSweeper {
  readonly #core: Core
  readonly #unsubscribe: () => void
  #cancel: (() => void) | undefined
  #running: Promise<void>
  #closed = false
  #heldUntilMs = 0

  constructor(core: Core) {
    this.#core = core
    this.#unsubscribe = core.signals.subscribe(erasedTopic, () => this.#schedule())
    this.#running = this.#run()
  }

  /** Removes nothing for so long: somebody copies the blobs. Resolves once nothing is being removed. */
  async hold(forMs: number): Promise<void> {
    this.#heldUntilMs = this.#core.clock.now() + forMs
    await this.#running
  }

  /** Lets a sweep that runs come to its end. */
  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    this.#cancel?.()
    await this.#running
  }

  #schedule(): void {
    if (this.#closed || this.#cancel) return
    this.#cancel = this.#core.clock.after(sweepAfterMs, () => {
      this.#cancel = undefined
      this.#running = this.#run()
    })
  }

  async #run(): Promise<void> {
    if (this.#core.clock.now() < this.#heldUntilMs) return this.#schedule()
    try {
      if (!(await sweepErased(this.#core))) this.#schedule()
    } catch (error) {
      this.#core.logger.error({ error }, 'what was erased could not be swept')
      this.#schedule()
    }
  }
}
