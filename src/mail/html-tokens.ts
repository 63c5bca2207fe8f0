import { decodeEntities } from './html-entities'

/** What a mail's HTML is made of, as far as text needs to know. */
export type HtmlToken =
  | { kind: 'text'; text: string }
  | { kind: 'open'; name: string; attributes: string }
  | { kind: 'close'; name: string }

const RAW = new Set(['script', 'style', 'title', 'template', 'textarea', 'xmp', 'iframe'])
const NAME = /[a-z][^\s/>]{0,40}/iy
const ATTRIBUTE = /([^\s"'<>/=]{1,60})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g

/**
 * Splits HTML into texts and tags in one forward pass, so that no input takes more than linear time or any depth of
 * stack. Comments, declarations and the contents of `script`, `style` and the like are left out. Never throws.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const textEnd = open === -1 ? html.length : open
    if (textEnd > at) yield { kind: 'text', text: decodeEntities(html.slice(at, textEnd)) }
    if (open === -1) return
    const markup = readMarkup(html, open)
    if (markup.token) yield markup.token
    at = markup.end
    const isRaw = markup.token?.kind === 'open' && RAW.has(markup.token.name)
    if (isRaw && markup.token?.kind === 'open') at = endOfRaw(html, at, markup.token.name)
  }
}

/** The decoded value of an attribute; empty when missing. `attributes` is cut to 4 Ki characters before. */
export function attributeOf(attributes: string, name: string): string {
  for (const match of attributes.slice(0, 4096).matchAll(ATTRIBUTE)) {
    if (match[1]?.toLowerCase() === name) return decodeEntities(match[2] ?? match[3] ?? match[4] ?? '').trim()
  }
  return ''
}

function readMarkup(html: string, open: number): { token?: HtmlToken; end: number } {
  if (html.startsWith('<!--', open)) return { end: after(html, '-->', open + 4) }
  const next = html[open + 1]
  if (next === '!' || next === '?') return { end: after(html, '>', open) }
  const isClose = next === '/'
  NAME.lastIndex = open + (isClose ? 2 : 1)
  const name = NAME.exec(html)?.[0]
  if (!name) return { token: { kind: 'text', text: '<' }, end: open + 1 }
  const end = endOfTag(html, NAME.lastIndex)
  const lower = name.toLowerCase()
  if (isClose) return { token: { kind: 'close', name: lower }, end }
  return { token: { kind: 'open', name: lower, attributes: html.slice(NAME.lastIndex, end - 1) }, end }
}

// A quote opens an attribute value only after `=`: mail holds many stray apostrophes.
function endOfTag(html: string, from: number): number {
  let quote = ''
  let previous = ''
  for (let at = from; at < html.length; at++) {
    const character = html[at] as string
    if (quote) {
      if (character === quote) quote = ''
    } else if (character === '>') return at + 1
    else if ((character === '"' || character === "'") && previous === '=') quote = character
    if (character > ' ') previous = character
  }
  return html.length
}

function endOfRaw(html: string, from: number, name: string): number {
  const close = new RegExp(`</${name}`, 'gi')
  close.lastIndex = from
  return close.exec(html)?.index ?? html.length
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}
