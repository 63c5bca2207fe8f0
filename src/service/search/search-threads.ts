import { requireReader } from '../accounts/account'
import type { Caller } from '../accounts/keys'
import { decodeNumbersCursor, pageOf, positionOfNumbers } from '../base/cursor'
import type { ThreadStateFilters } from '../messages/thread-filters'
import { filteredThreads, threadsByIds } from '../messages/threads'
import { resolved, type Selection } from './list-messages'
import { type Hit, type SearchPorts, searchMessages } from './search'

const list = 'threads-by-relevance'
/** Messages that are searched: each thread ranks by its best one. */
const maxMessages = 1_000

const isBehind = (one: Hit, [, score = 0, seq = 0]: readonly number[]) =>
  one.score < score || (one.score === score && one.seq < seq)

type ThreadSelection = Selection & ThreadStateFilters

/** Returns the threads with the best matching messages, each once. */
export async function searchThreads(
  ports: SearchPorts,
  scope: Caller,
  { cursor, limit, held, assignee, status, waiting_for_agent, has_suggestion, ...selection }: ThreadSelection,
) {
  requireReader(ports, scope)
  const after = cursor === undefined ? undefined : decodeNumbersCursor(list, cursor)
  const query = await resolved(ports, scope, { ...selection, limit: maxMessages, toSeq: after?.[0] })
  const found = query && (await searchMessages(ports, scope, query))
  if (!found) return { threads: [], next_cursor: null, mode_used: 'keyword' as const, warnings: [] }
  const best = new Map<string, Hit>()
  for (const hit of found.hits) if (!best.has(hit.thread_id)) best.set(hit.thread_id, hit)
  const filters = { held, assignee, status, waiting_for_agent, has_suggestion }
  const passing = await filteredThreads(ports, scope, [...best.keys()], filters)
  const rest = [...best.values()].filter(
    (hit) => passing.has(hit.thread_id) && (after === undefined || isBehind(hit, after)),
  )
  const { page, next_cursor } = pageOf(list, rest, limit, ({ score, seq }) =>
    positionOfNumbers([found.toSeq, score, seq]),
  )
  const ids = page.map(({ thread_id }) => thread_id)
  return {
    threads: await threadsByIds(ports, scope, ids),
    next_cursor,
    mode_used: found.modeUsed,
    warnings: [...found.warnings],
  }
}
