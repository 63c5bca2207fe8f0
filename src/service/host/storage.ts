import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs } from '../base'
import type { HostPorts } from './ports'

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

type Parts = Pick<HostPorts, 'store' | 'clock' | 'logger'>

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

/** Checks the free space every minute, and logs a warning if it is low. */
export function watchStorage(parts: Parts, folder?: string): StorageWatch {
  const { clock, logger } = parts
  let probed: { atMs: number; works: Promise<boolean> } | undefined
  let toldAtMs = Number.NEGATIVE_INFINITY
  let cancel = () => {}
  let closed = false

  function tryToWrite(): Promise<boolean> {
    let cancelTimer = () => {}
    const late = new Promise<boolean>((resolve) => {
      cancelTimer = clock.background(probeTimeoutMs, () => resolve(false))
    })
    const written = probe(parts, folder).then(
      () => true,
      (error) => {
        logger.error({ error }, 'nothing can be written')
        return false
      },
    )
    return Promise.race([written, late]).finally(() => cancelTimer())
  }

  async function look(): Promise<void> {
    const { bavail, bsize, blocks } = await statfs(folder!)
    const freeBytes = bavail * bsize
    if (freeBytes >= lowMark(blocks * bsize)) toldAtMs = Number.NEGATIVE_INFINITY
    else if (clock.now() - toldAtMs >= remindEveryMs) {
      toldAtMs = clock.now()
      logger.warn(
        { folder, freeBytes },
        'the disk of the data folder is nearly full: make room, or mail is put off',
      )
    }
  }

  function lookAgain(): void {
    look()
      .catch((error) => logger.debug({ error }, 'free space cannot be read'))
      .finally(() => {
        if (!closed) cancel = clock.background(lookEveryMs, lookAgain)
      })
  }

  if (folder !== undefined) lookAgain()
  return {
    canWrite() {
      const nowMs = clock.now()
      if (!probed || nowMs - probed.atMs >= probeEveryMs || nowMs < probed.atMs)
        probed = { atMs: nowMs, works: tryToWrite() }
      return probed.works
    },
    async freeBytes() {
      if (folder === undefined) return null
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    close() {
      closed = true
      cancel()
    },
  }
}
