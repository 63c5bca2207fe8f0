import { attributesOf, eachToken } from './html/html-tokens'
import { escapeHtml, textToHtml } from './html/text-to-html'

/** A message to forward. */
export interface ForwardedMail {
  /** In readable form: `Ana <ana@example.com>`. */
  from: string
  to: readonly string[]
  cc: readonly string[]
  subject: string
  /** ISO 8601; null if unknown. */
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

/** Writes the text of a forward: the sender's words, a few header lines, then the original text. */
export function forwardText(written: string | undefined, mail: ForwardedMail): string {
  const head = fieldsOf(mail).map(([name, value]) => `${name}: ${value}`)
  const above = written ? `${written.trimEnd()}\n\n` : ''
  return `${above}${title}\n${head.join('\n')}\n\n${mail.text}`
}

/**
 * Writes the HTML of a forward, with the original HTML unchanged but without the document around it. It is
 * not sanitised: clients must do that anyway, and removed content would be lost to the recipient.
 */
export function forwardHtml(written: { text?: string; html?: string }, mail: ForwardedMail): string {
  const above = written.html ?? textToHtml(written.text ?? '')
  const head = fieldsOf(mail).map(([name, value]) => `<b>${name}:</b> ${escapeHtml(value)}<br>`)
  const body = mail.html === null ? textToHtml(mail.text) : bodyOf(mail.html)
  return `${above}\n<div>${title}<br>\n${head.join('\n')}\n</div>\n<br>\n<div>${body}</div>`
}

/** Attributes of the body that affect the look of its content. */
const bodyAttributes = ['style', 'class', 'dir', 'lang']

const attributesAsDiv = (attributes: string): string =>
  [...attributesOf(attributes)]
    .filter(([name]) => bodyAttributes.includes(name))
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')

/**
 * Returns the body of a page in a `div` with the style of the body, after the style sheets of its head.
 * Without these, text that they hide would show.
 */
function bodyOf(html: string): string {
  const styles: string[] = []
  let [bodyStart, bodyEnd, styleStart] = [-1, html.length, -1]
  let attributes = ''
  eachToken(html, (token, start, end) => {
    const isBefore = bodyStart === -1
    if (token.kind === 'open' && token.name === 'body' && isBefore) {
      bodyStart = end
      attributes = attributesAsDiv(token.attributes)
    } else if (token.kind === 'open' && token.name === 'style') styleStart = start
    else if (token.kind === 'style' && isBefore) styles.push(`${html.slice(styleStart, end)}</style>\n`)
    else if (token.kind === 'close' && token.name === 'body' && !isBefore) bodyEnd = start
    return true
  })
  if (bodyStart === -1) return html
  return `${styles.join('')}<div${attributes}>${html.slice(bodyStart, bodyEnd)}</div>`
}
