import { oneThread } from '../../base'
import type { ThreadTask, ThreadWork, WorkName } from './thread'

/** Threads that learn, embed and search, to keep that off the main thread. They start on first use. */
export interface Threads {
  /** Runs a task in the thread that searches wait for. */
  search<Name extends WorkName>(
    name: Name,
    asked: ThreadWork[Name]['asked'],
  ): Promise<ThreadWork[Name]['answer']>
  /** Runs a task in the low-priority thread. */
  background<Name extends WorkName>(
    name: Name,
    asked: ThreadWork[Name]['asked'],
  ): Promise<ThreadWork[Name]['answer']>
  /** Ends the threads, even during a task. */
  close(): Promise<void>
}

/** Creates the threads. */
export function createThreads(): Threads {
  const threads = { search: oneThread('#semantic-thread'), background: oneThread('#semantic-thread') }
  const asking =
    (which: keyof typeof threads) =>
    async <Name extends WorkName>(name: Name, asked: ThreadWork[Name]['asked']) => {
      const task: ThreadTask<Name> = { name, asked, background: which === 'background' }
      return (await threads[which].run(task)) as ThreadWork[Name]['answer']
    }
  return {
    search: asking('search'),
    background: asking('background'),
    async close() {
      await Promise.all([threads.search.close(), threads.background.close()])
    },
  }
}
