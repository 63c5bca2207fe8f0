import { sql } from 'kysely'
import type { ParsedMail } from '../../mail'
import { verbatimText, withoutEnd } from '../../mail/text'

// The text of a message is stored once: in `body_text`, or, where the body of a small original is the text as it
// stands, in the original alone, from `text_start` on.

/** The columns that store the text of a mail. */
export const storedText = ({ text, textStart }: ParsedMail, { raw }: { raw: Uint8Array | null }) =>
  raw === null || textStart === null
    ? { body_text: text, text_start: null }
    : { body_text: '', text_start: textStart }

/** The most of the reply text that lists and events carry, in bytes. */
const shortBytes = 4_096

const begin = sql`cast(messages.text_start as integer) + 1`

/** Selects the column that {@link bodyTextOf} needs besides `body_text`. */
export const selectVerbatim = sql<Uint8Array | null>`case when messages.text_start is not null
  then substr(messages.raw, ${begin}) end`.as('verbatim')

/** Selects the columns that {@link shortTextOf} needs. A line end may take two bytes. */
export const selectShortText = [
  sql<string>`substr(coalesce(messages.reply_text, messages.body_text), 1, ${sql.lit(shortBytes)})`.as(
    'short_text',
  ),
  sql<Uint8Array | null>`case when messages.text_start is not null and messages.reply_text is null
    then substr(messages.raw, ${begin}, ${sql.lit(2 * shortBytes)}) end`.as('verbatim'),
]

export const bodyTextOf = ({ body_text, verbatim }: { body_text: string; verbatim: Uint8Array | null }) =>
  verbatim ? verbatimText(verbatim) : body_text

/** The first bytes of a text, cut between characters. */
function cutBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  return withoutEnd(Buffer.from(text).subarray(0, bytes).toString(), /\uFFFD/)
}

/** The reply text as lists and events carry it. */
export const shortReplyText = (text: string): string => cutBytes(text, shortBytes).trimEnd()

/** A row of {@link selectShortText}. */
export interface ShortTextRow {
  short_text: string
  verbatim: Uint8Array | null
}

/** The reply text of a message in the database, as lists and events carry it. */
export const shortTextOf = ({ short_text, verbatim }: ShortTextRow): string =>
  shortReplyText(verbatim ? verbatimText(verbatim) : short_text)

/** The most of the body text that lists carry, in bytes. */
const listedBytes = 65_536

/** Selects the columns that {@link listedTextOf} needs: one character more than is carried tells that there is more. */
export const selectListedText = [
  sql<string>`substr(messages.body_text, 1, ${sql.lit(listedBytes + 1)})`.as('body_text'),
  selectVerbatim,
]

/** The body text as lists carry it. */
export function listedTextOf(row: { body_text: string; verbatim: Uint8Array | null }) {
  const text = bodyTextOf(row)
  const body_text = cutBytes(text, listedBytes)
  return { body_text, body_truncated: body_text.length < text.length }
}
