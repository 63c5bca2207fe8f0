import type { Kysely } from 'kysely'
import { systemLabelIds } from '../../protocol/records/label-names'
import type { Database } from '../store/tables/schema'

/** Names of labels by id. */
export type LabelNames = ReadonlyMap<string, string>

interface Labelled {
  label_ids: string
}

/** Labels that every account has. */
const ofService: LabelNames = new Map(systemLabelIds.map((id) => [id, id]))

/** Returns the label fields of a record, in the order of its ids, without deleted labels. */
export function labelFields({ label_ids }: Labelled, names: LabelNames) {
  const ids = (JSON.parse(label_ids) as string[]).filter((id) => names.has(id))
  return { labels: ids.map((id) => names.get(id)!), label_ids: ids }
}

/** Returns the names that these rows need. Without labels of the account, no query is made. */
export async function labelNamesOf(
  db: Kysely<Database>,
  tenantId: string,
  rows: readonly Labelled[],
): Promise<LabelNames> {
  const all = new Set(rows.flatMap((row) => JSON.parse(row.label_ids) as string[]))
  const ids = [...all].filter((id) => !ofService.has(id))
  if (ids.length === 0) return ofService
  const found = await db
    .selectFrom('labels')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids)
    .execute()
  return new Map([...ofService, ...found.map((row) => [row.id, row.name] as const)])
}
