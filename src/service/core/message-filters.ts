import { type ExpressionBuilder, sql } from 'kysely'
import { spamLabelId } from '../../protocol/label'
import type { Database } from '../store/schema'
import type { Core } from './context'
import { foldLabelName } from './label-names'
import { markedSpam } from './spam-label'

/** What a list of messages is narrowed by. */
export interface MessageFilters {
  inbox_id?: string | undefined
  thread_id?: string | undefined
  direction?: string | undefined
  from?: string | undefined
  to?: string | undefined
  subject?: string | undefined
  label?: string | undefined
  include?: 'spam' | undefined
  has_attachment?: boolean | undefined
  after?: string | undefined
  before?: string | undefined
}

type Builder = ExpressionBuilder<Database, 'messages'>

/** A text as it stands inside of a JSON string. */
const insideJson = (text: string) => JSON.stringify(text).slice(1, -1)

function containing(core: Core, columns: readonly string[], text: string) {
  const find = sql.raw(core.store.dialect === 'postgres' ? 'strpos' : 'instr')
  const all = sql.join(
    columns.map((column) => sql`coalesce(${sql.ref(`messages.${column}`)}, '')`),
    sql` || ' ' || `,
  )
  return sql<boolean>`${find}(lower(${all}), lower(${text})) > 0`
}

/** A label by its name or id. */
export const named = (label: string) => (where: ExpressionBuilder<Database, 'labels'>) =>
  where.or([where('labels.folded', '=', foldLabelName(label)), where('labels.id', '=', label)])

function withLabel({ exists, selectFrom }: Builder, label: string) {
  return exists(
    selectFrom('message_labels')
      .innerJoin('labels', (join) =>
        join
          .onRef('labels.tenant_id', '=', 'message_labels.tenant_id')
          .onRef('labels.id', '=', 'message_labels.label_id'),
      )
      .select('labels.id')
      .whereRef('message_labels.tenant_id', '=', 'messages.tenant_id')
      .whereRef('message_labels.message_id', '=', 'messages.id')
      .where(named(label)),
  )
}

function withAttachment({ exists, not, selectFrom }: Builder, wanted: boolean) {
  const found = exists(
    selectFrom('attachments')
      .select('attachments.id')
      .whereRef('attachments.tenant_id', '=', 'messages.tenant_id')
      .whereRef('attachments.message_id', '=', 'messages.id'),
  )
  return wanted ? found : not(found)
}

/** By the id of the thread, or one that it had before it was joined with another. */
function inThread(where: Builder, id: string) {
  const alias = where
    .selectFrom('thread_aliases')
    .select('thread_aliases.thread_id')
    .whereRef('thread_aliases.tenant_id', '=', 'messages.tenant_id')
    .where('thread_aliases.id', '=', id)
  return where.or([where('messages.thread_id', '=', id), where('messages.thread_id', '=', alias)])
}

/** Spam shows only where somebody asks for it. */
export const leavesSpamOut = ({ label, include }: Pick<MessageFilters, 'label' | 'include'>): boolean =>
  include !== 'spam' && (label === undefined || foldLabelName(label) !== spamLabelId)

/** The condition that these filters are. */
export function matches(core: Core, filters: MessageFilters) {
  return (where: Builder) => {
    const { from, to, subject, label, has_attachment, after, before } = filters
    const conditions = []
    if (filters.thread_id !== undefined) conditions.push(inThread(where, filters.thread_id))
    for (const column of ['inbox_id', 'direction'] as const) {
      const value = filters[column]
      if (value !== undefined) conditions.push(where(column, '=', value))
    }
    if (from !== undefined) conditions.push(containing(core, ['from_addr', 'from_name'], from))
    if (to !== undefined)
      conditions.push(containing(core, ['to_addrs', 'cc_addrs', 'bcc_addrs'], insideJson(to)))
    if (subject !== undefined) conditions.push(containing(core, ['subject'], subject))
    if (leavesSpamOut(filters)) conditions.push(where.not(markedSpam('messages')))
    if (label !== undefined) conditions.push(withLabel(where, label))
    if (has_attachment !== undefined) conditions.push(withAttachment(where, has_attachment))
    if (after !== undefined) conditions.push(where('created_at', '>=', after))
    if (before !== undefined) conditions.push(where('created_at', '<', before))
    return where.and(conditions)
  }
}
