import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { foldLabelName, type IncludeAway, leftOutOf } from '../../protocol/records'
import type { Caller, Scope } from '../accounts'
import { dayMs, firstIdAt } from '../base'
import { isThere } from '../inboxes'
import { labelled, notLabelled } from '../store'
import type { Database } from '../store/tables'
import { isOfMessagesOnly } from './system-labels'

/** The filters of a list of messages. */
export interface MessageFilters {
  inbox_id?: string | undefined
  thread_id?: string | undefined
  direction?: string | undefined
  labelId?: string | undefined
  withoutLabelId?: string | undefined
  include?: IncludeAway | undefined
  has_attachment?: boolean | undefined
  after?: string | undefined
  before?: string | undefined
  after_seq?: number | undefined
  to_seq?: number | undefined
}

type Builder = ExpressionBuilder<Database, 'messages'>

/** A label by its name or id. */
export const named = (label: string) => (where: ExpressionBuilder<Database, 'labels'>) =>
  where.or([where('labels.folded', '=', foldLabelName(label)), where('labels.id', '=', label)])

/** The condition that a message has a label. */
export const withLabel = (labelId: string): RawBuilder<boolean> =>
  isOfMessagesOnly(labelId)
    ? labelled('messages', labelId)
    : sql<boolean>`exists (select 1 from message_labels where message_labels.tenant_id = messages.tenant_id
    and message_labels.label_id = ${labelId} and message_labels.message_id = messages.id)`

/** The most that a clock may be set back without a message being lost between two times. */
const clockSlackMs = dayMs

/**
 * The place in the order of lists of the message that is next to a time: ids go by time, so that they lead there, and
 * what is beyond is not looked through. It is well beyond what is asked for, since ids that several nodes make in one
 * millisecond have any order; the times themselves are compared beside it.
 */
function placeOf({ selectFrom }: Builder, tenantId: string, side: '<' | '>=', timeMs: number) {
  return selectFrom('messages as edge')
    .select('edge.created_seq')
    .where('edge.tenant_id', '=', tenantId)
    .where('edge.id', side, firstIdAt('msg', timeMs))
    .orderBy('edge.id', side === '<' ? 'desc' : 'asc')
    .limit(1)
}

function since(where: Builder, { tenantId }: Pick<Scope, 'tenantId'>, time: string) {
  const last = placeOf(where, tenantId, '<', Date.parse(time) - clockSlackMs)
  return where('messages.created_seq', '>', where.fn.coalesce(last, sql.lit(0)))
}

function until(where: Builder, { tenantId }: Pick<Scope, 'tenantId'>, time: string) {
  const first = placeOf(where, tenantId, '>=', Date.parse(time) + clockSlackMs)
  return where('messages.created_seq', '<', where.fn.coalesce(first, sql.lit(Number.MAX_SAFE_INTEGER)))
}

/** The condition that these filters are. */
export function matches(scope: Pick<Caller, 'tenantId' | 'inboxId' | 'account'>, filters: MessageFilters) {
  return (where: Builder) => {
    const { direction, labelId, has_attachment, after, before, after_seq, to_seq } = filters
    const conditions: Expression<SqlBool>[] = isThere(scope)
    if (scope.inboxId) conditions.push(where('messages.inbox_id', '=', scope.inboxId))
    for (const column of ['inbox_id', 'thread_id'] as const) {
      const value = filters[column]
      if (value !== undefined) conditions.push(where(`messages.${column}`, '=', value))
    }
    conditions.push(...notLabelled('messages', leftOutOf({ label: labelId, include: filters.include })))
    if (labelId !== undefined) conditions.push(withLabel(labelId))
    if (filters.withoutLabelId !== undefined) conditions.push(where.not(withLabel(filters.withoutLabelId)))
    // As literals, which is what leads to the indexes of those with files, and of those sent.
    if (direction !== undefined) conditions.push(where('messages.direction', '=', sql.lit(direction)))
    if (has_attachment !== undefined)
      conditions.push(where('messages.has_attachment', '=', sql.lit(has_attachment ? 1 : 0)))
    if (after !== undefined)
      conditions.push(where('messages.created_at', '>=', after), since(where, scope, after))
    if (before !== undefined)
      conditions.push(where('messages.created_at', '<', before), until(where, scope, before))
    if (after_seq !== undefined) conditions.push(where('messages.created_seq', '>', after_seq))
    if (to_seq !== undefined) conditions.push(where('messages.created_seq', '<=', to_seq))
    return where.and(conditions)
  }
}

/**
 * The condition on a message that something was sent in its thread after it.
 *
 * @param until The `created_seq` up to which mail counts. Default: all of it.
 */
export const isAnswered = (until?: number): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from messages later where later.tenant_id = messages.tenant_id
    and later.thread_id = messages.thread_id and later.direction = 'outbound'
    and later.created_seq > messages.created_seq${until === undefined ? sql`` : sql` and later.created_seq <= ${until}`})`
