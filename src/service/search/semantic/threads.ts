import { oneThread } from '../../base/one-thread'
import type { SearchTask, SearchTasks, TaskName } from './search-thread'

type Run = <Name extends TaskName>(
  name: Name,
  asked: SearchTasks[Name]['asked'],
  signal?: AbortSignal,
) => Promise<SearchTasks[Name]['answer']>

/** Threads for the work of searches, which start on first use and end when they are idle. */
export interface SearchThreads {
  /** Runs a task in the thread that queries wait for. */
  readonly query: Run
  /** Runs a task in the thread of low priority. */
  readonly background: Run
  /** Ends the threads, even during a task. */
  close(): Promise<void>
}

/** Idle time in ms after which the thread of queries ends. */
const queryIdleMs = 60_000
/** The same for the background, where work comes in bursts. */
const backgroundIdleMs = 120_000

/** Creates the two threads. */
export function createSearchThreads(): SearchThreads {
  const query = oneThread('#search-thread', queryIdleMs)
  const background = oneThread('#search-thread', backgroundIdleMs)
  const runIn =
    (thread: typeof query, isBackground: boolean): Run =>
    async <Name extends TaskName>(name: Name, asked: SearchTasks[Name]['asked'], signal?: AbortSignal) => {
      const task: SearchTask<Name> = { name, asked, isBackground }
      return (await thread.run(task, signal)) as SearchTasks[Name]['answer']
    }
  return {
    query: runIn(query, false),
    background: runIn(background, true),
    async close() {
      await Promise.all([query.close(), background.close()])
    },
  }
}
