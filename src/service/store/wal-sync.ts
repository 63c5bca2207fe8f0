import fs from 'node:fs'

/** Syncs the write-ahead log of a SQLite file to disk, outside the event loop. */
export interface WalSync {
  /** Notes that a statement may have written. */
  wrote(): void
  /**
   * Resolves once earlier commits are on disk.
   *
   * @throws the error of the disk, and from then on always, since a system forgets failed writes.
   */
  settled(): Promise<void>
  close(): void
}

const syncData = (file: number): Promise<void> =>
  new Promise((resolve, reject) => fs.fdatasync(file, (error) => (error ? reject(error) : resolve())))

/**
 * Replaces `synchronous=FULL`, with which each commit blocks the process until the disk answers. Here the
 * next transaction runs meanwhile, and one sync covers all commits before it.
 *
 * @param file The database, which is open in WAL mode.
 */
export function createWalSync(file: string): WalSync {
  const log = fs.openSync(`${file}-wal`, 'r+')
  let isDirty = false
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let failure: unknown

  async function sync(): Promise<void> {
    isDirty = false
    try {
      await syncData(log)
    } catch (error) {
      failure = error
      throw error
    } finally {
      running = undefined
    }
  }
  function start(): Promise<void> {
    next = undefined
    running = failure === undefined ? sync() : Promise.reject(failure)
    return running
  }

  return {
    wrote() {
      isDirty = true
    },
    async settled() {
      if (failure !== undefined) throw failure
      if (!isDirty) return running
      if (!running) return start()
      // A running sync may miss later writes.
      next ??= running.then(start, start)
      return next
    },
    close: () => fs.closeSync(log),
  }
}
