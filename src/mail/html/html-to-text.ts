import { visibleText } from '../text/visible-text'
import { eachSeen, type SeenToken } from './seen-html'
import { TextLines } from './text-lines'

const paragraphs = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'dl', 'table', 'pre', 'figure'])
const lineElements = new Set(
  'div tr li blockquote section article header footer main aside nav address center form dt dd fieldset caption body option'.split(
    ' ',
  ),
)
// Rule that Outlook draws above the message that it answers.
const outlookRule = /border-top:\s{0,3}solid #(?:e1e1e1|b5c4df)/i
/** Names that mail programs give the signature below a message. */
const signature =
  /(?:^|\s)(?:x_){0,8}(?:[a-z]{2,20}[-_]){0,3}signature(?:[-_](?:block|container|wrapper|user|proton|html|content))*(?:$|\s)|(?:^|\s)ydp[\da-f]{1,20}signature(?:$|\s)/i
const signatureId =
  /^(?:x_){0,8}(?:signature|zm-_id_-sgn\d{0,3}|applemailsignature|ms-outlook-mobile-signature|messagesignaturesection)$/i
/** Named parts of a signature. */
const signaturePart = /signature[-_](?:[a-z]{2,10}[-_])?(?:user|proton|html|content)(?:$|\s)/i
const maxLinkLength = 2000
const maxLists = 20

/** HTML in readable form. */
export interface HtmlText {
  text: string
  /** Hidden text, piece by piece, with white space folded. */
  hidden: readonly string[]
  /** True if styles leave open whether all of the text is visible. */
  isDoubted: boolean
  comments: number
}

interface Link {
  href: string
  start: number
  hasPicture: boolean
}

type Attributes = ReadonlyMap<string, string>

/**
 * Turns the HTML of a message into text: paragraphs, lists, links (`text <https://…>`), and quotations with
 * `> ` before each line. Leaves out hidden content. One pass without recursion, so the time is linear for any
 * input; never throws.
 *
 * @param maxLength limit of the text in UTF-16 code units; default 2 Mi
 * @param pages number of pages of the message, which share the steps for style rules; default 1
 */
export const htmlToText = (html: string, maxLength?: number, pages?: number): string =>
  readHtml(html, maxLength, pages).text

/** Returns what stands for the picture at an address; null for its `alt` text. */
type MarkPicture = (address: string) => string | null

/** As {@link htmlToText}, with the hidden content. */
export function readHtml(
  html: string,
  maxLength = 2 * 1024 * 1024,
  pages = 1,
  markPicture?: MarkPicture,
): HtmlText {
  const renderer = new Renderer(maxLength, markPicture)
  eachSeen(
    html,
    (token) => {
      renderer.take(token)
      return !renderer.lines.isFull
    },
    pages,
  )
  const text = renderer.lines.toString().slice(0, maxLength)
  return {
    text,
    hidden: renderer.hidden.pieces(),
    isDoubted: renderer.isDoubted,
    comments: renderer.comments,
  }
}

/** Collects hidden text: a piece ends at the next visible text. */
class HiddenPieces {
  readonly #pieces: string[][] = [[]]

  add(text: string): void {
    this.#pieces.at(-1)!.push(text)
  }

  end(): void {
    if (this.#pieces.at(-1)!.length > 0) this.#pieces.push([])
  }

  pieces(): string[] {
    return this.#pieces.flatMap((parts) => visibleText(parts.join('')).text.replace(/\s+/g, ' ').trim() || [])
  }
}

class Renderer {
  readonly lines: TextLines
  readonly hidden = new HiddenPieces()
  isDoubted = false
  comments = 0
  #quotes: boolean[] = []
  #lists: { next: number | null }[] = []
  #preformatted = 0
  #isWord = false
  #link: Link | null = null
  #isSignatureDue = false
  #hasSignature = false

  readonly #markPicture: MarkPicture | undefined

  constructor(maxLength: number, markPicture?: MarkPicture) {
    this.lines = new TextLines(maxLength)
    this.#markPicture = markPicture
  }

  take(token: SeenToken): void {
    if (token.kind === 'comment') this.comments++
    else if (token.kind === 'text') {
      this.#text(token.text, token.isSeen)
      this.isDoubted ||= token.isDoubted && token.isSeen && token.text.trim() !== ''
    } else if (token.isSeen) {
      if (token.kind === 'open') this.#open(token.name, token.attributes)
      else this.#close(token.name)
    } else if (token.name === 'img' && token.kind === 'open')
      this.hidden.add(token.attributes.get('alt') ?? '')
    else if (breaksLine(token.name)) this.hidden.add(' ')
    if (token.kind === 'open') this.isDoubted ||= token.isDoubted
  }

  #text(text: string, isSeen: boolean): void {
    if (isSeen) {
      this.#startSignature(text)
      this.lines.text(text, this.#preformatted > 0)
      if (text.trim()) this.hidden.end()
    } else this.hidden.add(text)
  }

  #open(name: string, attributes: Attributes): void {
    this.#breakBefore(name, attributes)
    if (attributes.size > 0 && lineElements.has(name)) this.#noteSignature(attributes)
    if (name === 'br') this.lines.lineBreak()
    else if (name === 'a') this.#openLink(attributes)
    else if (name === 'li') this.#openItem()
    else if (name === 'ul' || name === 'ol') this.#openList(name, attributes)
    else if (name === 'blockquote') this.#openQuote(attributes)
    else if (name === 'pre') this.#preformatted++
    else if (name === 'td' || name === 'th') this.lines.space()
    else if (name === 'hr' || (name === 'div' && outlookRule.test(attributes.get('style') ?? '')))
      this.#rule()
    else if (name === 'img') this.#picture(attributes)
  }

  #close(name: string): void {
    if (name === 'a') this.#closeLink()
    else if ((name === 'ul' || name === 'ol') && this.#lists.length > 0) this.#lists.pop()
    else if (name === 'blockquote' && this.#quotes.pop()) this.lines.quote(-1)
    else if (name === 'li') this.lines.mark('')
    else if (name === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1)
    else if (name === 'td' || name === 'th') this.lines.space()
    this.#breakBefore(name, null)
  }

  #breakBefore(name: string, attributes: Attributes | null): void {
    if (name === 'p') this.lines.block(this.#paragraphBreaks(attributes))
    else if (name === 'ul' || name === 'ol') this.lines.block(this.#lists.length > 0 ? 1 : 2)
    else if (paragraphs.has(name)) this.lines.block(2)
    else if (lineElements.has(name)) this.lines.block(1)
  }

  // In plain text a line of dashes marks the signature (RFC 3676 §4.3).
  #noteSignature(attributes: Attributes): void {
    const names = `${attributes.get('class') ?? ''} ${attributes.get('data-smartmail') ?? ''}`.slice(0, 500)
    const isNamed =
      names.length > 9 && signature.test(names) && !(this.#hasSignature && signaturePart.test(names))
    const isMarked = /^__SIG_(?:PRE|POST)__$/.test(attributes.get('data-marker') ?? '')
    if (isNamed || isMarked || signatureId.test(attributes.get('id') ?? attributes.get('name') ?? ''))
      this.#isSignatureDue = !this.#quotes.includes(true)
  }

  #startSignature(text: string): void {
    if (!this.#isSignatureDue || !text.trim()) return
    this.#isSignatureDue = false
    const { position } = this.lines
    if (position === 0 || /^\s*[-–—]/.test(text) || /[-–—]\s*$/.test(this.lines.since(position - 1))) return
    this.lines.block(1)
    this.#hasSignature = true
    this.lines.text('--')
    this.lines.block(1)
  }

  // Word's paragraphs have no margin; empty lines are paragraphs of their own. A closing tag counts like its
  // opening tag.
  #paragraphBreaks(attributes: Attributes | null): 1 | 2 {
    if (attributes && attributes.size > 0) this.#isWord = /^Mso/i.test(attributes.get('class') ?? '')
    return this.#isWord ? 1 : 2
  }

  // A picture shows its `alt` text: readers without pictures see nothing else.
  #picture(attributes: Attributes): void {
    const mark = this.#markPicture?.(attributes.get('src') ?? '') ?? null
    if (mark !== null) this.#startSignature(mark)
    this.lines.text(mark ?? (attributes.get('alt') ?? '').trim())
    if (this.#link) this.#link.hasPicture = true
  }

  #openLink(attributes: Attributes): void {
    this.#closeLink()
    const href = attributes.get('href') ?? ''
    this.#link = { href, start: this.lines.position, hasPicture: false }
  }

  #closeLink(): void {
    const link = this.#link
    this.#link = null
    if (!link?.href) return
    const target = linkTarget(link.href)
    const text = this.lines.since(link.start)
    if (!target || showsTarget(text, target)) return
    if (text.trim()) this.lines.text(` <${target}>`)
    else if (link.hasPicture) this.lines.text(` ${target}`)
  }

  #openList(name: string, attributes: Attributes): void {
    if (this.#lists.length >= maxLists) return
    const start = /^\d{1,6}$/.exec(attributes.get('start')?.trim() ?? '')?.[0] ?? '1'
    this.#lists.push({ next: name === 'ol' ? Number(start) : null })
  }

  #openItem(): void {
    const list = this.#lists.at(-1)
    const indent = '  '.repeat(Math.max(0, this.#lists.length - 1))
    this.lines.mark(list && list.next !== null ? `${indent}${list.next++}. ` : `${indent}- `)
  }

  // Composers indent with borderless blockquotes; these are the writer's own words.
  #openQuote(attributes: Attributes): void {
    const style = attributes.get('style') ?? ''
    const says = [style, attributes.get('class'), attributes.get('type')].join(' ')
    const isIndent = /border\s{0,5}:\s{0,5}(none|0)/i.test(style) && !/quote|cite/i.test(says)
    this.#quotes.push(!isIndent)
    if (!isIndent) this.lines.quote(1)
  }

  #rule(): void {
    this.lines.block(1)
    this.lines.text('----------')
    this.lines.block(1)
  }
}

const breaksLine = (name: string): boolean =>
  lineElements.has(name) || paragraphs.has(name) || /^(?:br|p|ul|ol|td|th|hr)$/.test(name)

function linkTarget(href: string): string | null {
  const target = href.replace(/\s+/g, '')
  if (target.length > maxLinkLength) return null
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
