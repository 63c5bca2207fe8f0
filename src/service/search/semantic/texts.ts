import type { Kysely } from 'kysely'
import { bodyTextOf, selectVerbatim } from '../../store/message-text'
import type { Database } from '../../store/tables/schema'
import { isForeign } from '../terms/language'
import { tokensOf } from '../terms/tokens'

/** A message for the embedder. */
export interface MessageText {
  readonly seq: number
  readonly inboxId: string
  readonly subject: string
  readonly sender: string
  /** The newly written part; null if it is the whole body. */
  readonly reply: string | null
  readonly body: string
}

/** Maximum characters: the topic comes early, and models accept no more. */
const maxCharacters = 8_000

/** Returns the text for models that embed whole messages; the newly written part counts twice beside a quote. */
export const wholeText = ({ subject, sender, reply, body }: MessageText): string =>
  [subject, sender, reply ?? '', body].join('\n').slice(0, maxCharacters)

const wordsPerPassage = 45
const maxPassages = 4

/**
 * Returns the first passages of what a person wrote, with the subject in front of each; none if the message is
 * not English.
 */
export function passagesOf({ subject, reply, body }: MessageText): string[] {
  const text = (reply ?? body).slice(0, maxCharacters)
  if (isForeign(tokensOf(`${subject} ${text}`))) return []
  const words = text.split(/\s+/).filter((word) => word !== '')
  const count = Math.max(1, Math.min(maxPassages, Math.ceil(words.length / wordsPerPassage)))
  return Array.from({ length: count }, (_, i) =>
    [subject, ...words.slice(i * wordsPerPassage, (i + 1) * wordsPerPassage)].join(' ').trim(),
  ).filter((passage) => passage !== '')
}

/** Messages that are embedded one after the other: those of people, or bulk mail. */
export type Share = 'reached' | 'reached_bulk'

/** Returns the messages after a log position, oldest first. */
export async function textsAfter(
  db: Kysely<Database>,
  tenantId: string,
  share: Share,
  after: number,
  limit: number,
): Promise<MessageText[]> {
  const rows = await db
    .selectFrom('messages')
    .select(['created_seq', 'inbox_id', 'subject', 'from_name', 'reply_text', 'body_text'])
    .select(selectVerbatim)
    .where('tenant_id', '=', tenantId)
    .where('auto_submitted', share === 'reached' ? '=' : '!=', 'no')
    .where('created_seq', '>', after)
    .orderBy('created_seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...{ seq: row.created_seq, inboxId: row.inbox_id, subject: row.subject, sender: row.from_name ?? '' },
    ...{ reply: row.reply_text, body: bodyTextOf(row) },
  }))
}
