import { sql } from 'kysely'
import type { ParsedMail } from '../../mail/parsed-mail'
import { verbatimText, withoutEnd } from '../../mail/text/safe-text'

// The text of a message is stored once: in `body_text`, or, if a small original has it verbatim, only in the
// original, from `text_start` on.

/** Returns the columns that store the text of a message. */
export const storedText = ({ text, textStart }: ParsedMail, { raw }: { raw: Uint8Array | null }) =>
  raw === null || textStart === null
    ? { body_text: text, text_start: null }
    : { body_text: '', text_start: textStart }

/** Maximum bytes of the reply text in lists and events. */
const shortBytes = 4_096

const begin = sql`cast(messages.text_start as integer) + 1`

/** Column that {@link bodyTextOf} needs besides `body_text`. */
export const selectVerbatim = sql<Uint8Array | null>`case when messages.text_start is not null
  then substr(messages.raw, ${begin}) end`.as('verbatim')

/** Columns that {@link shortTextOf} needs. A line end may take two bytes. */
export const selectShortText = [
  sql<string>`substr(coalesce(messages.reply_text, messages.body_text), 1, ${sql.lit(shortBytes)})`.as(
    'short_text',
  ),
  sql<Uint8Array | null>`case when messages.text_start is not null and messages.reply_text is null
    then substr(messages.raw, ${begin}, ${sql.lit(2 * shortBytes)}) end`.as('verbatim'),
]

export const bodyTextOf = ({ body_text, verbatim }: { body_text: string; verbatim: Uint8Array | null }) =>
  verbatim ? verbatimText(verbatim) : body_text

/** Returns the first bytes of a text, cut between characters. */
function cutBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || (text.length <= bytes && Buffer.byteLength(text) <= bytes)) return text
  const start = Buffer.from(text.slice(0, bytes)).subarray(0, bytes)
  return withoutEnd(start.toString(), /\uFFFD/)
}

/** Returns the reply text for lists and events. */
export const shortReplyText = (text: string): string => cutBytes(text, shortBytes).trimEnd()

/** A row of {@link selectShortText}. */
export interface ShortTextRow {
  short_text: string
  verbatim: Uint8Array | null
}

/** Returns the reply text of a stored message for lists and events. */
export const shortTextOf = ({ short_text, verbatim }: ShortTextRow): string =>
  shortReplyText(verbatim ? verbatimText(verbatim) : short_text)

/** Maximum bytes of the body text in lists. */
const listedBytes = 65_536

/** Columns that {@link listedTextOf} needs: one extra character shows that there is more. */
export const selectListedText = [
  sql<string>`substr(messages.body_text, 1, ${sql.lit(listedBytes + 1)})`.as('body_text'),
  selectVerbatim,
]

/** Returns the body text for lists. */
export function listedTextOf(row: { body_text: string; verbatim: Uint8Array | null }) {
  const text = bodyTextOf(row)
  const body_text = cutBytes(text, listedBytes)
  return { body_text, body_truncated: body_text.length < text.length }
}
