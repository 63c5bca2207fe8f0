import type { SentBy } from '../../protocol/records'

/** Who sends a message or approves it, as the database stores it. */
export type StoredSender = {
  kind: 'operator' | 'key' | 'consumer'
  /** Id of the operator or key, or the name of the consumer; null for a person at the command line. */
  id: string | null
  name: string | null
}

/** The administrator at the command line, of whom no more is known. */
export const administrator: StoredSender = { kind: 'operator', id: null, name: null }

/** The JSON of a column; null for nobody. */
export const senderColumn = (sender: StoredSender | null | undefined): string | null =>
  sender ? JSON.stringify({ kind: sender.kind, id: sender.id, name: sender.name }) : null

/** Reads a column. */
export const storedSender = (column: string | null): StoredSender | null =>
  column === null ? null : JSON.parse(column)

/** The reader of a message or an event. */
interface Reader {
  readonly scopes: readonly string[]
  /** The one inbox of its key; null for the whole account. */
  readonly inboxId: string | null
}

/** Whether a reader may see more of a sender than its kind: it manages the whole account. */
export const seesNames = ({ scopes, inboxId }: Reader): boolean =>
  inboxId === null && scopes.includes('manage')

const kindOnly = (sender: SentBy | null): SentBy | null => sender && { kind: sender.kind }

/** The fields of a message that say who sent it and who approved it. @param names Without them only the kinds. */
export const senderFields = (
  row: { sent_by: string | null; approved_by: string | null },
  names: boolean,
): { sent_by: SentBy | null; approved_by: SentBy | null } => {
  const [sent_by, approved_by] = [storedSender(row.sent_by), storedSender(row.approved_by)]
  if (names) return { sent_by, approved_by }
  return { sent_by: kindOnly(sent_by), approved_by: kindOnly(approved_by) }
}

/** A record as a reader may see it. */
export const narrowSenders = <T extends Partial<Record<'sent_by' | 'approved_by', SentBy | null>>>(
  record: T,
  reader: Reader,
): T =>
  seesNames(reader) || record.sent_by === undefined
    ? record
    : {
        ...record,
        sent_by: kindOnly(record.sent_by),
        approved_by: kindOnly(record.approved_by ?? null),
      }

/** The JSON of an event as a reader may see it: every other reader gets the same bytes. */
export function narrowEvent(json: string, reader: Reader): string {
  if (seesNames(reader) || !json.includes('"sent_by":')) return json
  const event = JSON.parse(json)
  const { sent_by, approved_by } = event.data
  if (!sent_by && !approved_by) return json
  event.data.sent_by = kindOnly(sent_by)
  event.data.approved_by = kindOnly(approved_by)
  return JSON.stringify(event)
}
