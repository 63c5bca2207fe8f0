import { type RawBuilder, sql } from 'kysely'
import { type AwayLabelId, awayLabelIds, type SystemLabelId } from '../../protocol/records'

type OfLabels = 'messages' | 'threads'

/** Condition that a row has a label of the service. The id is inlined: it is never a stranger's text. */
export const labelled = (table: OfLabels, id: SystemLabelId): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${table}.label_ids`)} like ${sql.lit(`%"${id}"%`)}`

/** Conditions that a row has none of these labels, by default spam and trash. */
export const notLabelled = (
  table: OfLabels,
  ids: readonly AwayLabelId[] = awayLabelIds,
): RawBuilder<boolean>[] =>
  ids.map((id) => sql<boolean>`${sql.ref(`${table}.label_ids`)} not like ${sql.lit(`%"${id}"%`)}`)
