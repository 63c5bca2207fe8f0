import { Kept, type Setting, StyleRules } from './css'
import { attributesOf, eachToken } from './html-tokens'
import { OpenElements, VOID } from './open-elements'
import { isSpecial, type Look, lookedAs, lookOf, PAGE, showsPicture } from './visibility'

/** A piece of HTML, and whether its reader sees it; of text, `isDoubted` says that a style may hide it after all. */
export type SeenToken =
  | { kind: 'text'; text: string; isSeen: boolean; isDoubted: boolean }
  /** `isSeen` is false where the element takes no room; of a picture, it says whether the picture is seen. */
  | { kind: 'open'; name: string; attributes: ReadonlyMap<string, string>; isSeen: boolean }
  | { kind: 'close'; name: string; isSeen: boolean }
  | { kind: 'comment'; text: string }

type Attributes = ReadonlyMap<string, string>
const NO_ATTRIBUTES: Attributes = new Map()
const MAX_KEPT = 500
const MAX_LOOKS = 5_000

/**
 * Tells what of HTML a reader sees, by the styles that hide: without layout, scripts, or anything that is not in the
 * mail. Pictures count as seen where they have room. Linear time; never throws.
 *
 * @param take is given each piece in turn; the rest is left unread once it returns false
 */
export function eachSeen(html: string, take: (token: SeenToken) => boolean): void {
  const rules = rulesOf(html)
  const looks = new Looks()
  const kept = new Kept<string, Attributes>(MAX_KEPT)
  let settings: readonly Setting[] = []
  const page = { ...PAGE, variables: rules.initial, isForOutlook: !/<!(?:--)?\[if/i.test(html) }
  const elements = new OpenElements<Look>(page, {
    open: (name, attributes, parent) => {
      settings = rules.enter(name, attributes)
      return looks.of(parent, name, attributes, settings)
    },
    close: () => rules.leave(),
  })
  let isWritten = false
  let isFramed = false
  const seenText = (text: string): SeenToken => {
    if (text.trim()) {
      elements.startText()
      isWritten = true
    }
    const { showsText, isDoubted } = elements.state
    return { kind: 'text', text, isSeen: showsText && !rules.isTooMuch && !isFramed, isDoubted }
  }
  const seenOpen = (name: string, written: string): SeenToken => {
    // A page of frames has no body.
    if (name === 'frameset' && !isWritten) isFramed = true
    const attributes = written.trim() ? kept.get(written, attributesOf) : NO_ATTRIBUTES
    const look = elements.start(name, attributes)
    const isSeen = name === 'img' ? showsPicture(look, attributes, settings) : !look.isGone
    return { kind: 'open', name, attributes, isSeen }
  }
  const seenClose = (name: string): SeenToken => {
    const look = VOID.has(name) ? null : elements.end(name)
    return { kind: 'close', name, isSeen: !(look ?? elements.state).isGone }
  }
  eachToken(html, (token) => {
    if (token.kind === 'text') return take(seenText(token.text))
    if (token.kind === 'open') return take(seenOpen(token.name, token.attributes))
    if (token.kind === 'close') return take(seenClose(token.name))
    return token.kind === 'style' || take(token)
  })
}

/** The looks of a page's elements: each is found once, since pages set the same again and again. */
class Looks {
  readonly #known = new Map<Look, Map<readonly Setting[], Map<string, Look>>>()
  #count = 0

  /** Gives the look of an element within another, by what is set for it: the same list where the same is set. */
  of(parent: Look, element: string, attributes: Attributes, settings: readonly Setting[]): Look {
    if (parent.isGone) return parent
    const name = lookedAs(element, attributes)
    if (settings.length === 0 && !isSpecial(name)) return parent
    const known = this.#within(parent, settings)
    const found = known.get(name)
    if (found) return found
    const look = lookOf(parent, name, settings)
    known.set(name, look)
    this.#count++
    return look
  }

  #within(parent: Look, settings: readonly Setting[]): Map<string, Look> {
    if (this.#count > MAX_LOOKS) {
      this.#known.clear()
      this.#count = 0
    }
    const inParent = grown(this.#known, parent, () => new Map<readonly Setting[], Map<string, Look>>())
    return grown(inParent, settings, () => new Map<string, Look>())
  }
}

/** Gives what a map holds under a key, and puts it there first where it is missing. */
function grown<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = make()
  map.set(key, value)
  return value
}

function rulesOf(html: string): StyleRules {
  const rules = new StyleRules()
  let isRead = false
  let media = ''
  const hasData = /data:\s*text\/css/i.test(html)
  eachToken(html.slice(0, hasData ? html.length : endOfStyles(html)), (token) => {
    if (hasData && token.kind === 'open' && token.name === 'link')
      rules.add(sheetIn(attributesOf(token.attributes).get('href') ?? ''))
    else if (token.kind === 'open' && token.name === 'style') {
      const attributes = attributesOf(token.attributes)
      const type = attributes.get('type')?.trim().toLowerCase() ?? ''
      isRead = type === '' || type === 'text/css'
      media = attributes.get('media')?.trim() ?? ''
    } else if (token.kind === 'style' && isRead) {
      if (hasData) for (const [address] of token.text.matchAll(IN_ADDRESS)) rules.add(sheetIn(address))
      rules.add(media ? `@media ${media.replace(/[{};]/g, ' ')}{${token.text}\n}` : token.text)
    }
    return true
  })
  return rules
}

const IN_ADDRESS = /data:\s*text\/css[^"')]{1,10000}/gi

/** The style sheet that stands in an address; nothing where none does. */
function sheetIn(address: string): string {
  const [, kind = '', text = ''] = /^\s*data:\s*text\/css([^,]*),([\s\S]*)$/i.exec(address) ?? []
  try {
    return /;\s*base64/i.test(kind) ? atob(text) : decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Finds the end of the last style sheet of a page: so far it is read for them. */
function endOfStyles(html: string): number {
  let start = -1
  for (const { index } of html.matchAll(/<style/gi)) start = index
  if (start < 0) return 0
  const end = /<\/style[\s/>]/gi
  end.lastIndex = start
  return end.exec(html) ? end.lastIndex : html.length
}
