import { isDark } from './css/colors'
import { importedSheets, sheetIn } from './css/data-sheets'
import { Kept } from './css/kept'
import { areOver, type Cell } from './css/overlap'
import type { Setting } from './css/properties'
import { StyleRules } from './css/style-rules'
import { decodeEntities } from './html-entities'
import { attributesOf, eachToken } from './html-tokens'
import { OpenElements, voidElements } from './open-elements'
import {
  cellIn,
  darkPage,
  isOffBackground,
  isSpecial,
  type Look,
  lookedAs,
  lookOf,
  mayCover,
  pageLook,
  showsPicture,
} from './visibility'

/**
 * A piece of HTML and its visibility. `isDoubted` is true if a style may hide it after all, or if it may
 * cover other content.
 */
export type SeenToken =
  | { kind: 'text'; text: string; isSeen: boolean; isDoubted: boolean }
  /** `isSeen` is false if the element takes no space; for a picture, if the picture is hidden. */
  | {
      kind: 'open'
      name: string
      attributes: ReadonlyMap<string, string>
      isSeen: boolean
      isDoubted: boolean
    }
  | { kind: 'close'; name: string; isSeen: boolean }
  | { kind: 'comment'; text: string }

type Attributes = ReadonlyMap<string, string>
const noAttributes: Attributes = new Map()
const maxKept = 500
const maxLooks = 5_000
const maxCells = 100
/** Styles that insert content before text, or enlarge its start. */
const added = /:(?:before|first-l|[a-z-]*\\)/i
/** Inline elements. */
const inLine = new Set('a abbr b bdi em font i span strong u wbr'.split(' '))

/** Cells of the page so far, to find those that lie over another. */
class Cells {
  readonly #cells: Cell[] = []

  isOver(look: Look, settings: readonly Setting[]): boolean {
    const cell = look.isGone ? null : cellIn(look, settings)
    if (!cell) return false
    const isOver = this.#cells.length >= maxCells || this.#cells.some((one) => areOver(one, cell))
    this.#cells.push(cell)
    return isOver
  }
}

/** Look of the page, before any element. */
const pageOf = (html: string, rules: StyleRules): Look => ({
  ...(isDarkPage(html) ? darkPage : pageLook),
  variables: rules.initial,
  isForOutlook: !/<!(?:--)?\[if/i.test(html),
})

/**
 * Determines the visible parts of HTML by its own styles: without layout, scripts or remote content. Pictures
 * count as visible if they have a size. Linear time; never throws.
 *
 * @param take called for each piece in order; returning false stops the pass
 * @param pages number of pages of the message, which share the steps for style rules
 */
export function eachSeen(html: string, take: (token: SeenToken) => boolean, pages = 1): void {
  const rules = rulesOf(html, pages)
  const looks = new Looks()
  const kept = new Kept<string, Attributes>(maxKept)
  let settings: readonly Setting[] = []
  const elements = new OpenElements<Look>(pageOf(html, rules), {
    open: (name, attributes, parent) => {
      settings = rules.enter(name, attributes)
      return looks.of(parent, name, attributes, settings)
    },
    close: () => rules.leave(),
  })
  let isWritten = false
  let isFramed = false
  /** Letters so far in the element that clips its overflow; infinite once it has more than a line. */
  let filled = 0
  const cells = new Cells()
  const isAdded = added.test(html)
  const seenText = (text: string): SeenToken => {
    if (text.trim()) {
      elements.startText()
      isWritten = true
    }
    const { showsText, isDoubted, room } = elements.state
    if (room < Number.POSITIVE_INFINITY) filled += lengthIn(text, elements.state)
    const isSeen = showsText && !rules.isTooMuch && !isFramed
    return { kind: 'text', text, isSeen, isDoubted: isDoubted || filled > room }
  }
  const seenOpen = (name: string, written: string): SeenToken => {
    // A page of frames has no body.
    if (name === 'frameset' && !isWritten) isFramed = true
    const attributes = written.trim() ? kept.get(written, attributesOf) : noAttributes
    const { room } = elements.state
    const look = elements.start(name, attributes)
    // A slash ends only drawings and formulas.
    if ((name === 'svg' || name === 'math') && /(?:^|[\s"'])\/$/.test(written)) elements.end(name)
    if (room === Number.POSITIVE_INFINITY) filled = isAdded ? Number.POSITIVE_INFINITY : 0
    else if (!inLine.has(name) || settings.some(({ property }) => property !== 'color'))
      filled = Number.POSITIVE_INFINITY
    const isSeen = name === 'img' ? showsPicture(look, attributes, settings) : !look.isGone
    return {
      kind: 'open',
      name,
      attributes,
      isSeen,
      isDoubted: mayCover(look, name) || cells.isOver(look, settings),
    }
  }
  const seenClose = (name: string): SeenToken => {
    const look = voidElements.has(name) ? null : elements.end(name)
    return { kind: 'close', name, isSeen: !(look ?? elements.state).isGone }
  }
  eachToken(html, (token) => {
    if (token.kind === 'text') return take(seenText(token.text))
    if (token.kind === 'open') return take(seenOpen(token.name, token.attributes))
    if (token.kind === 'close') return take(seenClose(token.name))
    return token.kind === 'style' || take(token)
  })
}

/** Returns whether a page declares itself dark for every reader. */
function isDarkPage(html: string): boolean {
  for (const [, attributes = ''] of html.matchAll(meta))
    if (scheme.test(attributes)) return isDark(attributesOf(attributes).get('content') ?? '')
  return false
}
const meta = /<meta\b([^>]{0,300})/gi
const scheme = /\bname\s{0,9}=\s{0,9}["']?\s{0,9}color-scheme\b/i

/** Returns the width of a text, in letters. */
function lengthIn(text: string, { keepsBreaks }: Look): number {
  if (keepsBreaks && /[\n\t]/.test(text.trimEnd())) return Number.POSITIVE_INFINITY
  const drawn = keepsBreaks ? text : text.replace(/[ \t\r\n\f]+/g, ' ')
  return drawn.length + (drawn.match(/[\u2e80-\uffef]/g)?.length ?? 0)
}

/** Looks of a page's elements: each is computed once, since pages repeat the same styles. */
class Looks {
  readonly #known = new Map<Look, Map<readonly Setting[], Map<string, Look>>>()
  #count = 0

  /** Returns the look of an element within another, by its settings. Equal settings must be the same list. */
  of(parent: Look, element: string, attributes: Attributes, settings: readonly Setting[]): Look {
    if (parent.isGone) return parent
    const name = lookedAs(element, attributes)
    if (settings.length === 0 && !isSpecial(name) && !isOffBackground(name, parent)) return parent
    const known = this.#within(parent, settings)
    const found = known.get(name)
    if (found) return found
    const look = lookOf(parent, name, settings)
    known.set(name, look)
    this.#count++
    return look
  }

  #within(parent: Look, settings: readonly Setting[]): Map<string, Look> {
    if (this.#count > maxLooks) {
      this.#known.clear()
      this.#count = 0
    }
    const inParent = grown(this.#known, parent, () => new Map<readonly Setting[], Map<string, Look>>())
    return grown(inParent, settings, () => new Map<string, Look>())
  }
}

/** Returns the value of a key; adds it first if missing. */
function grown<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = make()
  map.set(key, value)
  return value
}

function rulesOf(html: string, pages: number): StyleRules {
  const rules = new StyleRules(html.length, pages)
  const open = new Map(['template', 'svg', 'math'].map((name) => [name, 0]))
  const isIn = (name: string) => open.get(name)! > 0
  let sheet: SheetAttributes | null = null
  let preferred: string | null = null
  /**
   * If sheets have titles, those with the first title count (HTML §4.2.6): no mail program documents its
   * choice.
   */
  const isOtherSet = (title: string): boolean => {
    preferred ??= title || null
    return title !== '' && title !== preferred
  }
  eachToken(html.slice(0, endOfStyles(html)), (token) => {
    const name = token.kind === 'open' || token.kind === 'close' ? token.name : ''
    const around = open.get(name)
    if (around !== undefined) open.set(name, Math.max(0, around + (token.kind === 'open' ? 1 : -1)))
    if (token.kind === 'open' && name === 'link') {
      const linked = linkedSheet(token.attributes)
      if (linked) rules.add(linked.text, { ...linked, isDoubted: isOtherSet(linked.title) })
    } else if (token.kind === 'open' && name === 'style') sheet = sheetAttributes(token.attributes)
    else if (token.kind === 'style' && sheet) {
      const isForeign = (isIn('svg') || isIn('math')) && /[<&]/.test(token.text)
      const isDoubted = isOtherSet(sheet.title) || isIn('template') || isForeign
      const texts = isForeign ? [token.text, foreignText(token.text)] : [token.text]
      for (const text of [...texts.flatMap(importedSheets), ...texts])
        rules.add(text, { media: sheet.media, isDoubted })
    }
    return true
  })
  return rules
}

interface SheetAttributes {
  title: string
  media: string
}

/** Null if a `style` element is no sheet. */
function sheetAttributes(written: string): SheetAttributes | null {
  const attributes = attributesOf(written)
  const type = attributes.get('type')?.trim().toLowerCase() ?? ''
  if (type !== '' && type !== 'text/css') return null
  return { title: attributes.get('title') ?? '', media: attributes.get('media') ?? '' }
}

/** Reads a `style` element of a drawing, which can contain markup. */
const foreignText = (text: string): string =>
  decodeEntities(text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(/<!\[CDATA\[|\]\]>/g, ''))

/** Returns the style sheet in the address of a link; null if it is elsewhere. */
export function linkedSheet(written: string): (SheetAttributes & { text: string }) | null {
  if (!/data|&|[\t\n]/i.test(written)) return null
  const attributes = attributesOf(written)
  const rel = attributes.get('rel') ?? ''
  if (!/\bstylesheet\b/i.test(rel) || /\balternate\b/i.test(rel) || attributes.has('disabled')) return null
  const text = sheetIn(attributes.get('href') ?? '')
  return text ? { text, title: attributes.get('title') ?? '', media: attributes.get('media') ?? '' } : null
}

/**
 * Finds the end of the last style sheet of a page, or of the last link to one, which limits the search for
 * them.
 */
function endOfStyles(html: string): number {
  const [style, link] = [lastOf(stylePattern, html), lastOf(linkPattern, html)]
  const start = Math.max(style, link)
  if (start < 0) return 0
  const end = link > style ? /<link(?:"[^"]*"|'[^']*'|[^'">])*>/iy : /<\/style[\s/>]/gi
  end.lastIndex = start
  return end.exec(html) ? end.lastIndex : html.length
}

const stylePattern = /<style/gi
const linkPattern = /<link\b/gi

function lastOf(tag: RegExp, html: string): number {
  let last = -1
  for (const { index } of html.matchAll(tag)) last = index
  return last
}
