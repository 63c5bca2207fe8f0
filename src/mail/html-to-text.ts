import { attributeOf, type HtmlToken, htmlTokens } from './html-tokens'
import { TextLines } from './text-lines'

const PARAGRAPHS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dl', 'table', 'pre', 'figure'])
const LINES = new Set(
  'div tr li blockquote section article header footer main aside nav address center form dt dd fieldset caption body option'.split(
    ' ',
  ),
)
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const HIDDEN =
  /display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden|mso-hide\s{0,5}:\s{0,5}all|opacity\s{0,5}:\s{0,5}0(?![.\d])|max-height\s{0,5}:\s{0,5}0(?![.\d])/i
// What Outlook draws above the mail that it answers.
const OUTLOOK_RULE = /border-top:\s{0,3}solid #(?:e1e1e1|b5c4df)/i
const MAX_LINK_LENGTH = 2000
const MAX_LISTS = 20

interface Link {
  href: string
  start: number
}

/**
 * Turns the HTML of a mail into text: paragraphs, lists, links (`text <https://…>`), quotations with `> ` before each
 * line; what `display: none` hides is left out. Takes one pass without recursion, so its time is linear for any
 * input; never throws.
 *
 * @param maxLength where the text is cut, in UTF-16 code units; default 2 Mi
 */
export function htmlToText(html: string, maxLength = 2 * 1024 * 1024): string {
  const renderer = new Renderer(maxLength)
  for (const token of htmlTokens(html)) {
    if (renderer.lines.isFull) break
    renderer.take(token)
  }
  return renderer.lines.toString().slice(0, maxLength)
}

/** Whether a tag hides what is in it from the reader. */
export const isHiddenTag = (name: string, attributes: string): boolean =>
  HIDDEN.test(attributes.slice(0, 2048)) && !VOID.has(name)

class Renderer {
  readonly lines: TextLines
  #quotes: boolean[] = []
  #lists: { next: number | null }[] = []
  #preformatted = 0
  #isWord = false
  #link: Link | null = null
  #hidden: { name: string; depth: number } | null = null

  constructor(maxLength: number) {
    this.lines = new TextLines(maxLength)
  }

  take(token: HtmlToken): void {
    if (this.#hidden) this.#skip(token)
    else if (token.kind === 'text') this.lines.text(token.text, this.#preformatted > 0)
    else if (token.kind === 'open') this.#open(token.name, token.attributes)
    else this.#close(token.name)
  }

  // Counts only tags of the name that hides, so unclosed tags within do not matter.
  #skip(token: HtmlToken): void {
    const hidden = this.#hidden
    if (!hidden || token.kind === 'text' || token.name !== hidden.name) return
    hidden.depth += token.kind === 'open' ? 1 : -1
    if (hidden.depth === 0) this.#hidden = null
  }

  #open(name: string, attributes: string): void {
    if (isHiddenTag(name, attributes)) {
      this.#hidden = { name, depth: 1 }
      return
    }
    this.#breakBefore(name, attributes)
    if (name === 'br') this.lines.lineBreak()
    else if (name === 'a') this.#openLink(attributes)
    else if (name === 'li') this.#openItem()
    else if (name === 'ul' || name === 'ol') this.#openList(name, attributes)
    else if (name === 'blockquote') this.#openQuote(attributes)
    else if (name === 'pre') this.#preformatted++
    else if (name === 'td' || name === 'th') this.lines.space()
    else if (name === 'hr' || (name === 'div' && OUTLOOK_RULE.test(attributes.slice(0, 2048)))) this.#rule()
    else if (name === 'img') this.lines.text(attributeOf(attributes, 'alt'))
  }

  #close(name: string): void {
    if (name === 'a') this.#closeLink()
    else if ((name === 'ul' || name === 'ol') && this.#lists.length > 0) this.#lists.pop()
    else if (name === 'blockquote' && this.#quotes.pop()) this.lines.quote(-1)
    else if (name === 'li') this.lines.mark('')
    else if (name === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1)
    else if (name === 'td' || name === 'th') this.lines.space()
    this.#breakBefore(name, '')
  }

  #breakBefore(name: string, attributes: string): void {
    if (name === 'p') this.lines.block(this.#paragraphBreaks(attributes))
    else if (name === 'ul' || name === 'ol') this.lines.block(this.#lists.length > 0 ? 1 : 2)
    else if (PARAGRAPHS.has(name)) this.lines.block(2)
    else if (LINES.has(name)) this.lines.block(1)
  }

  // Word's paragraphs have no margin; their empty lines are paragraphs of their own. A closing tag is as its opening.
  #paragraphBreaks(attributes: string): 1 | 2 {
    if (attributes) this.#isWord = /class=["']?Mso/i.test(attributes.slice(0, 2048))
    return this.#isWord ? 1 : 2
  }

  #openLink(attributes: string): void {
    this.#closeLink()
    this.#link = { href: attributeOf(attributes, 'href'), start: this.lines.position }
  }

  #closeLink(): void {
    const link = this.#link
    this.#link = null
    if (!link?.href) return
    const target = linkTarget(link.href)
    const text = this.lines.since(link.start)
    if (target && !showsTarget(text, target)) this.lines.text(text.trim() ? ` <${target}>` : ` ${target}`)
  }

  #openList(name: string, attributes: string): void {
    if (this.#lists.length >= MAX_LISTS) return
    const start = /^\d{1,6}$/.exec(attributeOf(attributes, 'start'))?.[0] ?? '1'
    this.#lists.push({ next: name === 'ol' ? Number(start) : null })
  }

  #openItem(): void {
    const list = this.#lists.at(-1)
    const indent = '  '.repeat(Math.max(0, this.#lists.length - 1))
    this.lines.mark(list && list.next !== null ? `${indent}${list.next++}. ` : `${indent}- `)
  }

  // Composers indent with borderless blockquotes; those are the writer's own words.
  #openQuote(attributes: string): void {
    const isIndent = /border\s{0,5}:\s{0,5}(none|0)/i.test(attributes) && !/quote|cite/i.test(attributes)
    this.#quotes.push(!isIndent)
    if (!isIndent) this.lines.quote(1)
  }

  #rule(): void {
    this.lines.block(1)
    this.lines.text('----------')
    this.lines.block(1)
  }
}

function linkTarget(href: string): string | null {
  const target = href.replace(/\s+/g, '')
  if (target.length > MAX_LINK_LENGTH) return null
  if (/^mailto:/i.test(target)) return target.slice(7).split('?')[0] || null
  return /^(https?|tel|ftp):/i.test(target) ? target : null
}

function showsTarget(text: string, target: string): boolean {
  const bare = (url: string) =>
    url
      .replace(/^https?:\/\/(www\.)?/i, '')
      .replace(/\/$/, '')
      .toLowerCase()
  return text.toLowerCase().includes(target.toLowerCase()) || bare(text.trim()) === bare(target)
}
