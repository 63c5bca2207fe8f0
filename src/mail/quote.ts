import { escapeHtml, htmlToText, textToHtml } from './html'
import { singleLine, truncated, withLineFeeds } from './text'

/** A message that is answered. */
interface QuotedMail {
  /** As a person reads it: `Ana <ana@example.com>`. */
  from: string
  /** ISO 8601; null where it is not known. */
  date: string | null
  text: string
}

/** An answer, above what it quotes. */
export interface WrittenContent {
  text?: string | undefined
  html?: string | undefined
}

/** UTF-16 code units of a message that an answer quotes: more, nobody reads. */
const MAX_QUOTED = 256 * 1024

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const BORDER = 'margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex'

/** The line above a quotation, which every mail program recognises, and so does `extractReplyText`. */
function attributionOf({ from, date }: QuotedMail): string {
  const who = singleLine(from)
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(date ?? '')
  if (!match) return `${who} wrote:`
  const [, year, month, day, time] = match
  return `On ${Number(day)} ${MONTHS[Number(month) - 1]} ${year} at ${time} UTC, ${who} wrote:`
}

const quotedLine = (line: string): string => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd())

/** The text that is quoted, with line feeds. A mark stands for what is left out at the end. */
const quotedText = ({ text }: QuotedMail): string =>
  withLineFeeds(text.length > MAX_QUOTED ? `${truncated(text, MAX_QUOTED)}\n[…]` : text)

/** Writes the text of an answer: its words, and the mail that it answers below, line by line behind `>`. */
export function quoteText(written: WrittenContent, mail: QuotedMail): string {
  const above = (written.text ?? htmlToText(written.html ?? '')).trimEnd()
  const below = quotedText(mail).trimEnd().split('\n').map(quotedLine)
  return `${above}\n\n${attributionOf(mail)}\n${below.join('\n')}\n`
}

/**
 * Writes the HTML of an answer. The quotation is made from the text of the mail: a stranger's markup could pretend to
 * be a part of the answer, and would go out under the name of the replier.
 */
export function quoteHtml(written: WrittenContent, mail: QuotedMail): string {
  const above = written.html ?? textToHtml(written.text ?? '')
  const body = textToHtml(quotedText(mail))
  const quoted = `<blockquote class="gmail_quote" type="cite" style="${BORDER}">\n${body}\n</blockquote>`
  return `${above}\n<br>\n<div class="gmail_quote">\n<div>${escapeHtml(attributionOf(mail))}</div>\n${quoted}\n</div>`
}
