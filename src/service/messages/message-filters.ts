import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { foldLabelName, type IncludeAway, leftOutOf } from '../../protocol/records/label-names'
import type { Caller, Scope } from '../accounts/keys'
import { firstIdAt } from '../base/ids'
import { dayMs } from '../base/time'
import { isThere } from '../inboxes/inboxes'
import { labelled, notLabelled } from '../store/prepared'
import type { Database } from '../store/tables/schema'
import { isOfMessagesOnly } from './system-labels'

/** Filters of a list of messages. */
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

/** Condition that a label has this name or id. */
export const named = (label: string) => (where: ExpressionBuilder<Database, 'labels'>) =>
  where.or([where('labels.folded', '=', foldLabelName(label)), where('labels.id', '=', label)])

/** Condition that a message has a label. */
export const withLabel = (labelId: string): RawBuilder<boolean> =>
  isOfMessagesOnly(labelId)
    ? labelled('messages', labelId)
    : sql<boolean>`exists (select 1 from message_labels where message_labels.tenant_id = messages.tenant_id
    and message_labels.label_id = ${labelId} and message_labels.message_id = messages.id)`

/** Maximum setback of the clock that must not hide messages from a time filter. */
const clockSlackMs = dayMs

/**
 * Returns the list position of the message next to a time. Ids are ordered by time, so the index leads there,
 * and older or newer rows are not read. The range has slack, since ids that several nodes make in one
 * millisecond are unordered. The times themselves are also compared.
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

/** Returns the condition of these filters. */
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
    // Literals, so that the planner can use the partial indexes of messages with files and of sent ones.
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
 * Condition on a message that a later message was sent in its thread.
 *
 * @param until maximum `created_seq` of the messages that count; default: all
 */
export const isAnswered = (until?: number): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from messages later where later.tenant_id = messages.tenant_id
    and later.thread_id = messages.thread_id and later.direction = 'outbound'
    and later.created_seq > messages.created_seq${until === undefined ? sql`` : sql` and later.created_seq <= ${until}`})`
