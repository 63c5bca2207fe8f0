import { decodeEntities } from './html-entities'

/** A piece of a message's HTML that can affect its text. */
export type HtmlToken =
  | { kind: 'text'; text: string }
  | { kind: 'open'; name: string; attributes: string }
  | { kind: 'close'; name: string }
  | { kind: 'comment'; text: string }
  /** Content of a `style` element. */
  | { kind: 'style'; text: string }

/** Treatment of the content of an element without markup. */
type Raw = 'none' | 'style' | 'decoded' | 'verbatim'
/** Elements whose content is not parsed as markup (HTML §13.1.2). */
const rawElements: ReadonlyMap<string, Raw> = new Map<string, Raw>([
  ['script', 'none'],
  ['title', 'none'],
  ['style', 'style'],
  ['textarea', 'decoded'],
  ['xmp', 'verbatim'],
  ['iframe', 'verbatim'],
  ['noembed', 'verbatim'],
  ['noframes', 'verbatim'],
])
const namePattern = /[a-z][^\s/>]{0,40}/iy
const commentEnd = /--!?>/g
const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r /][^\t\n\f\r /=]*)[\t\n\f\r ]*(?:=[\t\n\f\r ]*(?:"([^"]*)"?|'([^']*)'?|([^\t\n\f\r ]*)))?/y

/**
 * Splits HTML into texts, tags and comments in one forward pass, with linear time and constant stack for any
 * input. Leaves out declarations and the contents of `script` and `title`. Never throws.
 *
 * @param take called for each token in order, with its position in the HTML; returning false stops the pass
 */
export function eachToken(
  html: string,
  take: (token: HtmlToken, start: number, end: number) => boolean,
): void {
  let textStart = 0
  let at = 0
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', at)) {
    const markup = readMarkup(html, open)
    at = markup?.end ?? open + 1
    if (!markup) continue
    if (open > textStart && !take(textOf(html.slice(textStart, open)), textStart, open)) return
    const { token } = markup
    if (token && !take(token, open, at)) return
    const raw = token?.kind === 'open' && rawElements.get(token.name)
    if (raw) {
      const start = at
      at = endOfRaw(html, start, token.name)
      const content = contentOf(raw, html.slice(start, at))
      if (content && !take(content, start, at)) return
    }
    textStart = at
  }
  if (html.length > textStart) take(textOf(html.slice(textStart)), textStart, html.length)
}

const textOf = (written: string): HtmlToken => ({ kind: 'text', text: decodeEntities(written) })

/** Returns the content of an element without markup as a token. */
function contentOf(raw: Raw, text: string): HtmlToken | null {
  if (raw === 'style') return { kind: 'style', text }
  if (raw === 'none' || text === '') return null
  return raw === 'decoded' ? textOf(text) : { kind: 'text', text }
}

/** Reads the attributes of a tag and decodes their values; the first of a name counts. Linear time. */
export function attributesOf(written: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  attribute.lastIndex = 0
  for (let match = attribute.exec(written); match; match = attribute.exec(written)) {
    const name = match[1]!.toLowerCase()
    if (!found.has(name)) found.set(name, decodeEntities(match[2] ?? match[3] ?? match[4] ?? ''))
  }
  return found
}

interface Markup {
  token?: HtmlToken
  end: number
}

/** Null if the sign is text. */
function readMarkup(html: string, open: number): Markup | null {
  const next = html[open + 1]
  if (next === '!' || next === '?') return readComment(html, open)
  const isClose = next === '/'
  namePattern.lastIndex = open + (isClose ? 2 : 1)
  const name = namePattern.exec(html)?.[0]
  // To a browser, `</` without a name after it starts a comment.
  if (!name && isClose && open + 2 < html.length) return readComment(html, open)
  if (!name) return null
  const end = endOfTag(html, namePattern.lastIndex)
  const lower = name.toLowerCase()
  if (isClose) return { token: { kind: 'close', name: lower }, end }
  return { token: { kind: 'open', name: lower, attributes: html.slice(namePattern.lastIndex, end - 1) }, end }
}

/** Reads a comment, or markup that browsers treat as one; a declaration gives no token. */
function readComment(html: string, open: number): Markup {
  if (!html.startsWith('<!--', open)) {
    const end = after(html, '>', open)
    const isDeclaration = /^<(?:!(?:doctype|\[(?:if|endif)\b)|\?xml)/i.test(html.slice(open, open + 9))
    return isDeclaration || end - open <= 3
      ? { end }
      : { token: { kind: 'comment', text: html.slice(open + 2, end - 1) }, end }
  }
  const isEmpty = /^-?>/.exec(html.slice(open + 4, open + 6))?.[0]
  if (isEmpty) return { token: { kind: 'comment', text: '' }, end: open + 4 + isEmpty.length }
  commentEnd.lastIndex = open + 4
  const found = commentEnd.exec(html)
  const [stop, end] = found ? [found.index, commentEnd.lastIndex] : [html.length, html.length]
  return { token: { kind: 'comment', text: html.slice(open + 4, stop) }, end }
}

const [DOUBLE, SINGLE, EQUALS, GREATER, BLANK] = [34, 39, 61, 62, 32]

// A quote opens an attribute value only after `=`: messages contain many stray apostrophes.
function endOfTag(html: string, from: number): number {
  let previous = 0
  for (let at = from; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (code === GREATER) return at + 1
    if ((code === DOUBLE || code === SINGLE) && previous === EQUALS) {
      at = html.indexOf(code === DOUBLE ? '"' : "'", at + 1)
      if (at === -1) return html.length
    }
    if (code > BLANK) previous = code
  }
  return html.length
}

function endOfRaw(html: string, from: number, name: string): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  close.lastIndex = from
  return close.exec(html)?.index ?? html.length
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}
