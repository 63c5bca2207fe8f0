import { htmlToText } from './html/html-to-text'
import { escapeHtml, textToHtml } from './html/text-to-html'
import { singleLine, truncated, withLineFeeds } from './text/safe-text'

/** A message to answer. */
interface QuotedMail {
  /** In readable form: `Ana <ana@example.com>`. */
  from: string
  /** ISO 8601; null if unknown. */
  date: string | null
  text: string
}

/** Content of a reply, above its quotation. */
export interface WrittenContent {
  text?: string | undefined
  html?: string | undefined
}

/** UTF-16 code units of a message that a reply quotes; nobody reads more. */
const maxQuoted = 256 * 1024

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const border = 'margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex'

/** Returns the line above a quotation, in a form that mail programs and `extractReplyText` recognise. */
function attributionOf({ from, date }: QuotedMail): string {
  const who = singleLine(from)
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(date ?? '')
  if (!match) return `${who} wrote:`
  const [, year, month, day, time] = match
  return `On ${Number(day)} ${months[Number(month) - 1]} ${year} at ${time} UTC, ${who} wrote:`
}

const quotedLine = (line: string): string => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd())

/** Returns the quoted text with line feeds. A mark replaces what is left out at the end. */
const quotedText = ({ text }: QuotedMail): string =>
  withLineFeeds(text.length > maxQuoted ? `${truncated(text, maxQuoted)}\n[…]` : text)

/** Writes the text of a reply: its words, then the original message, each line after `>`. */
export function quoteText(written: WrittenContent, mail: QuotedMail): string {
  const above = (written.text ?? htmlToText(written.html ?? '')).trimEnd()
  const below = quotedText(mail).trimEnd().split('\n').map(quotedLine)
  return `${above}\n\n${attributionOf(mail)}\n${below.join('\n')}\n`
}

/**
 * Writes the HTML of a reply. The quotation is made from the text of the original: a stranger's markup could
 * imitate a part of the reply, and would be sent under the replier's name.
 */
export function quoteHtml(written: WrittenContent, mail: QuotedMail): string {
  const above = written.html ?? textToHtml(written.text ?? '')
  const body = textToHtml(quotedText(mail))
  const quoted = `<blockquote class="gmail_quote" type="cite" style="${border}">\n${body}\n</blockquote>`
  return `${above}\n<br>\n<div class="gmail_quote">\n<div>${escapeHtml(attributionOf(mail))}</div>\n${quoted}\n</div>`
}
