import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs } from '../base/time'
import type { HttpPorts } from '../http/handlers/ports'

/** Watch on the storage that the service writes to. */
export interface StorageWatch {
  /** Checks by a write to the database and the data folder, at most every 10 s. */
  canWrite(): Promise<boolean>
  /** Returns the free bytes on the disk of the data folder; null without one. */
  freeBytes(): Promise<number | null>
  close(): void
}

const probeEveryMs = 10_000
/** With the database check before it, `/readyz` answers within five seconds. */
const probeTimeoutMs = 2_500
const probeBytes = 64 * 1024
const lookEveryMs = 60_000
/** Time in ms between two warnings. */
const remindEveryMs = hourMs
const lowBytes = 1024 ** 3
const lowShare = 0.1

/** Returns the free bytes below which a disk counts as low: a tenth of it, at most 1 GiB. */
const lowMark = (totalBytes: number): number => Math.min(lowBytes, totalBytes * lowShare)

type Parts = Pick<HttpPorts, 'store' | 'clock' | 'logger'>

async function probe({ store, clock }: Parts, folder: string | undefined): Promise<void> {
  const value = new Date(clock.now()).toISOString()
  await store.write((tx) =>
    tx
      .insertInto('host')
      .values({ key: 'probe', value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute(),
  )
  if (folder === undefined) return
  const file = join(folder, 'probe')
  await writeFile(file, new Uint8Array(probeBytes), { mode: 0o600 }).finally(() => rm(file, { force: true }))
}

class DiskWatch implements StorageWatch {
  readonly #parts: Parts
  readonly #folder
  readonly #clock
  readonly #logger
  #probed: { atMs: number; works: Promise<boolean> } | undefined
  #warnedAtMs = Number.NEGATIVE_INFINITY
  #closed = false

  constructor(parts: Parts, folder?: string) {
    this.#parts = parts
    this.#folder = folder
    const { clock, logger } = parts
    this.#clock = clock
    this.#logger = logger
    if (folder !== undefined) this.#lookAgain()
  }

  readonly #lookAgain = (): void => {
    this.#look()
      .catch((error) => this.#logger.debug({ error }, 'free space cannot be read'))
      .finally(() => {
        if (!this.#closed) this.#cancel = this.#clock.background(lookEveryMs, this.#lookAgain)
      })
  }

  canWrite() {
    const nowMs = this.#clock.now()
    if (!this.#probed || nowMs - this.#probed.atMs >= probeEveryMs || nowMs < this.#probed.atMs)
      this.#probed = { atMs: nowMs, works: this.#tryToWrite() }
    return this.#probed.works
  }

  async freeBytes() {
    if (this.#folder === undefined) return null
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize
  }

  close() {
    this.#closed = true
    this.#cancel()
  }

  #cancel = () => {}

  #tryToWrite(): Promise<boolean> {
    let cancelTimer = () => {}
    const late = new Promise<boolean>((resolve) => {
      cancelTimer = this.#clock.background(probeTimeoutMs, () => resolve(false))
    })
    const written = probe(this.#parts, this.#folder).then(
      () => true,
      (error) => {
        this.#logger.error({ error }, 'nothing can be written')
        return false
      },
    )
    return Promise.race([written, late]).finally(() => cancelTimer())
  }

  async #look(): Promise<void> {
    const { bavail, bsize, blocks } = await statfs(this.#folder!)
    const freeBytes = bavail * bsize
    if (freeBytes >= lowMark(blocks * bsize)) this.#warnedAtMs = Number.NEGATIVE_INFINITY
    else if (this.#clock.now() - this.#warnedAtMs >= remindEveryMs) {
      this.#warnedAtMs = this.#clock.now()
      this.#logger.warn(
        { folder: this.#folder, freeBytes },
        'the disk of the data folder is nearly full: make room, or mail is put off',
      )
    }
  }
}

/** Checks the free space every minute, and logs a warning if it is low. */
export const watchStorage = (parts: Parts, folder?: string): StorageWatch => new DiskWatch(parts, folder)
