import fs from 'node:fs'

/** Brings the write-ahead log of a SQLite file to disk, beside the event loop. */
export interface WalSync {
  /** Notes that a statement may have written. */
  wrote(): void
  /**
   * Resolves once all that was committed until now is on disk.
   *
   * @throws the error of the disk; from then on always, since a system forgets what it could not write.
   */
  settled(): Promise<void>
  close(): void
}

const syncData = (file: number): Promise<void> =>
  new Promise((resolve, reject) => fs.fdatasync(file, (error) => (error ? reject(error) : resolve())))

/**
 * Stands in for `synchronous=FULL`, with which each commit holds up the whole process until the disk has answered:
 * here the next transaction runs meanwhile, and one answer serves all that committed before it was asked for.
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
      // What is written while a sync runs may not be part of it.
      next ??= running.then(start, start)
      return next
    },
    close: () => fs.closeSync(log),
  }
}
