import type { SentBy } from '../../protocol/records/message'

/** Sender or approver of a message, as stored. */
export type StoredSender = {
  kind: 'operator' | 'key' | 'consumer'
  /** Id of the operator or key, or name of the consumer; null for a person at the command line. */
  id: string | null
  name: string | null
  /** The run of a program that wrote the message. */
  run?: StoredRun
}

/** A run: number of messages it had read, and its time in ms; null if unknown. */
type StoredRun = {
  messages_read: number | null
  duration_ms: number | null
}

/** The administrator at the command line, of whom no more is known. */
export const administrator: StoredSender = { kind: 'operator', id: null, name: null }

/** Returns the JSON of a column; null without a sender. */
export const senderColumn = (sender: StoredSender | null | undefined): string | null =>
  sender
    ? JSON.stringify({
        ...{ kind: sender.kind, id: sender.id, name: sender.name },
        ...(sender.run && { run: sender.run }),
      })
    : null

/** Reads a column. */
export const storedSender = (column: string | null): StoredSender | null =>
  column === null ? null : JSON.parse(column)

/** Reader of a message or an event. */
interface Reader {
  readonly scopes: readonly string[]
  /** The one inbox of its key; null for the whole account. */
  readonly inboxId: string | null
}

/** Checks whether a reader may see more of a sender than its kind: it manages the whole account. */
export const seesNames = ({ scopes, inboxId }: Reader): boolean =>
  inboxId === null && scopes.includes('manage')

const kindOnly = (sender: SentBy | null): SentBy | null => sender && { kind: sender.kind }

/** Returns the fields of a message about its sender, approver and run. @param names If false, only the kinds. */
export const senderFields = (
  row: { sent_by: string | null; approved_by: string | null },
  names: boolean,
): { sent_by: SentBy | null; approved_by: SentBy | null; run: StoredRun | null } => {
  const approved_by = storedSender(row.approved_by)
  const { run = null, ...sender } = storedSender(row.sent_by) ?? {}
  const sent_by = 'kind' in sender ? sender : null
  if (names) return { sent_by, approved_by, run }
  return { sent_by: kindOnly(sent_by), approved_by: kindOnly(approved_by), run }
}

/** Returns a record as a reader may see it. */
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
        ...('run' in record && { run: null }),
      }

/** Returns a note as a reader may see it. */
export const narrowAuthor = <T extends { by: SentBy }>(record: T, reader: Reader): T =>
  seesNames(reader) ? record : { ...record, by: { kind: record.by.kind } }

/** A record of a thread, as far as it names people. */
interface NamingThread {
  hold?: { by: SentBy } | null | undefined
  assignee?: SentBy | null | undefined
}

/** Returns a thread as a reader may see it. */
export function narrowThread<T extends NamingThread>(record: T, reader: Reader): T {
  const { hold, assignee } = record
  if (seesNames(reader) || (!hold && !assignee)) return record
  return {
    ...record,
    ...(hold && { hold: { ...hold, by: kindOnly(hold.by) } }),
    ...(assignee && { assignee: kindOnly(assignee) }),
  }
}

/** Returns the JSON of an event as a reader may see it; unchanged if nothing is hidden. */
export function narrowEvent(json: string, reader: Reader): string {
  if (seesNames(reader) || !/"(?:sent_by|approved_by|hold|assignee)":\{/.test(json)) return json
  const event = JSON.parse(json)
  event.data = narrowThread(narrowSenders(event.data, reader), reader)
  return JSON.stringify(event)
}
