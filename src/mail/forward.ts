import { escapeHtml, textToHtml } from './html'

/** A mail that is passed on. */
export interface ForwardedMail {
  /** As a person reads it: `Ana <ana@example.com>`. */
  from: string
  to: readonly string[]
  cc: readonly string[]
  subject: string
  /** ISO 8601; null where it is not known. */
  date: string | null
  text: string
  html: string | null
}

const title = '---------- Forwarded message ---------'

function fieldsOf({ from, to, cc, subject, date }: ForwardedMail): [string, string][] {
  const fields: [string, string][] = [
    ['From', from],
    ['Date', date ?? ''],
    ['Subject', subject],
    ['To', to.join(', ')],
    ['Cc', cc.join(', ')],
  ]
  return fields.filter(([, value]) => value !== '')
}

/** Writes the text of a forwarded mail: what its sender adds, then the mail below a few lines of its header. */
export function forwardText(written: string | undefined, mail: ForwardedMail): string {
  const head = fieldsOf(mail).map(([name, value]) => `${name}: ${value}`)
  const above = written ? `${written.trimEnd()}\n\n` : ''
  return `${above}${title}\n${head.join('\n')}\n\n${mail.text}`
}

/**
 * Writes the HTML of a forwarded mail; the mail's own HTML is put there as it is, without the document around it. It is
 * not sanitised: whoever shows a mail has to do that with any mail, and what is taken out here the recipient never gets
 * to see.
 */
export function forwardHtml(written: { text?: string; html?: string }, mail: ForwardedMail): string {
  const above = written.html ?? textToHtml(written.text ?? '')
  const head = fieldsOf(mail).map(([name, value]) => `<b>${name}:</b> ${escapeHtml(value)}<br>`)
  const body = mail.html === null ? textToHtml(mail.text) : bodyOf(mail.html)
  return `${above}\n<div>${title}<br>\n${head.join('\n')}\n</div>\n<br>\n<div>${body}</div>`
}

/** The HTML between the tags of the body. It is found by position: a pattern over a stranger's text may hang. */
function bodyOf(html: string): string {
  const lower = html.toLowerCase()
  const tag = lower.indexOf('<body')
  const start = tag < 0 ? -1 : lower.indexOf('>', tag)
  if (start < 0) return html
  const end = lower.lastIndexOf('</body')
  return html.slice(start + 1, end > start ? end : undefined)
}
