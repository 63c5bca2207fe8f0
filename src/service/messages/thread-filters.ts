import { type RawBuilder, sql } from 'kysely'
import type { ThreadStatus } from '../../protocol/records/thread'
import type { Scope } from '../accounts/keys'
import { refuse } from '../base/refuse'
import { seesNames } from '../base/sender'

/** Filters of a list of threads by their state. */
export interface ThreadStateFilters {
  held?: boolean | undefined
  /** Id of an operator or name of a consumer; `me` or `none`. */
  assignee?: string | undefined
  status?: ThreadStatus | undefined
  waiting_for_agent?: boolean | undefined
  has_suggestion?: boolean | undefined
}

/**
 * A suggestion waits in the thread: a reply in it, or a forward of one of its messages. They are read first,
 * since they are fewer than the threads.
 */
const hasSuggestion = (tenantId: string) => sql<boolean>`threads.id in (
  select coalesce(drafts.thread_id, forwarded.thread_id) from drafts
  left join messages as forwarded
    on forwarded.tenant_id = ${tenantId} and forwarded.id = drafts.forward_message_id
  where drafts.tenant_id = ${tenantId} and drafts.suggested = 1 and drafts.status = 'draft'
  and (drafts.thread_id is not null or forwarded.thread_id is not null))`

/**
 * Ends a correlated subquery. PostgreSQL keeps one with an offset as it is, and reads threads in their order
 * until the page is full. Otherwise it would join all threads, or read all messages, before.
 */
export const oneByOne = sql`limit 1 offset 0`

/** The newest message of the thread is in a partial index of messages, so its row is not read. */
const newestIsIn = (condition: RawBuilder<boolean>) => sql<boolean>`exists (select 1 from messages
  where messages.tenant_id = threads.tenant_id and messages.created_seq = threads.last_message_created_seq
  and ${condition} ${oneByOne})`

/** Nobody but an agent keeps the newest message waiting. */
const waitsForAgent = (
  tenantId: string,
) => sql<boolean>`(threads.hold is null and threads.typing_job_id is null
  and not ${newestIsIn(sql`messages.thread_id = threads.id and messages.direction = 'outbound'`)}
  and not ${newestIsIn(sql`messages.unanswerable is not null`)}
  and exists (select 1 from inboxes where inboxes.tenant_id = threads.tenant_id
    and inboxes.id = threads.inbox_id and coalesce(inboxes.agent, '') <> 'off' ${oneByOne})
  and threads.status <> 'closed' and not ${hasSuggestion(tenantId)})`

const isOrNot = (condition: RawBuilder<boolean>, wanted: boolean): RawBuilder<boolean> =>
  wanted ? condition : sql<boolean>`not ${condition}`

/** @throws ServiceError `invalid_request` for `me` of a key; `insufficient_scope` if it is not shown assignees */
function assignedTo(assignee: string, scope: Scope): RawBuilder<boolean> {
  const { sender } = scope
  if (assignee === 'none') return sql<boolean>`threads.assignee is null`
  if (!seesNames(scope))
    throw refuse(
      'insufficient_scope',
      'This key is not shown who has a thread: filter by assignee=none, or use a key with manage for the whole account.',
    )
  if (assignee !== 'me')
    return sql<boolean>`threads.assignee in (${`operator:${assignee}`}, ${`consumer:${assignee}`})`
  if (sender?.kind === 'operator') return sql<boolean>`threads.assignee = ${`operator:${sender.id}`}`
  throw refuse(
    'invalid_request',
    'Only a signed-in operator is `me`: name an operator by its id, or a consumer by its name.',
    [{ field: 'assignee', problem: 'is me, but a key calls' }],
  )
}

// Literals, so that the planner can use the partial indexes.
const statusIs = (status: ThreadStatus): RawBuilder<boolean> =>
  status === 'open'
    ? sql<boolean>`threads.status = 'open'`
    : sql<boolean>`(threads.status <> 'open' and threads.status = ${status})`

/** Returns the conditions of these filters. @throws ServiceError `invalid_request`, `insufficient_scope` */
export function threadConditions(
  scope: Scope,
  { held, assignee, status, waiting_for_agent, has_suggestion }: ThreadStateFilters,
): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = []
  if (held !== undefined)
    conditions.push(held ? sql<boolean>`threads.hold is not null` : sql<boolean>`threads.hold is null`)
  if (assignee !== undefined) conditions.push(assignedTo(assignee, scope))
  if (status !== undefined) conditions.push(statusIs(status))
  if (waiting_for_agent !== undefined)
    conditions.push(isOrNot(waitsForAgent(scope.tenantId), waiting_for_agent))
  if (has_suggestion !== undefined) conditions.push(isOrNot(hasSuggestion(scope.tenantId), has_suggestion))
  return conditions
}
