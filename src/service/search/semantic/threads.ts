import { oneThread } from '../../base'
import type { ThreadTask, ThreadWork, WorkName } from './thread'

/** The threads that learn, embed and search, so that the service's own has nothing of it to do. None runs unasked. */
export interface Threads {
  /** Asks the thread that a search waits for. */
  search<Name extends WorkName>(
    name: Name,
    asked: ThreadWork[Name]['asked'],
  ): Promise<ThreadWork[Name]['answer']>
  /** Asks the thread that leaves the processor to others. */
  background<Name extends WorkName>(
    name: Name,
    asked: ThreadWork[Name]['asked'],
  ): Promise<ThreadWork[Name]['answer']>
  /** Ends them, whatever they are at. */
  close(): Promise<void>
}

/** Make the threads. */
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
