import { visibleText } from '../text/visible-text'
import { type HtmlText, readHtml } from './html-to-text'
import { mayHide } from './may-hide'

/** Visible text of a message. */
export interface ShownText {
  text: string
  /** Number of characters that its HTML hides. */
  hidden: number
  /** Number of comments in its HTML. */
  comments: number
  /** True if a passage of the text is missing in its HTML, which people see instead of the text. */
  isForeign: boolean
  /** True if styles of its HTML leave open whether they hide text. */
  isDoubted: boolean
}

const minLength = 4
const partLength = 12
const maxCompared = 256 * 1024

/**
 * Returns the visible text of a message. Takes it from the HTML if the text part is empty or a placeholder,
 * or contains text that the HTML hides.
 */
export function shownText(text: string, html: string | null, maxLength?: number): ShownText {
  if (!html) return { text, hidden: 0, comments: 0, isForeign: false, isDoubted: false }
  const page = readHtml(html, maxLength)
  const hidden = page.hidden.reduce((sum, piece) => sum + piece.length, 0)
  const isPage = isUnderPage(text, page)
  const isForeign = !isPage && hasForeignPassage(text, page.text)
  const { comments, isDoubted } = page
  return { text: isPage ? page.text : text, hidden, comments, isForeign, isDoubted }
}

/** Returns the text of {@link shownText} alone: skips the layout of a page that can hide nothing. */
export function textShown(text: string, html: string | null, maxLength?: number): string {
  if (!html || (text.trim() && !mayHide(html) && !mayBeStub(text))) return text
  const page = readHtml(html, maxLength)
  return isUnderPage(text, page) ? page.text : text
}

/** Returns whether the visible text of the page replaces a text. */
const isUnderPage = (text: string, { hidden, text: seen }: HtmlText): boolean =>
  !text.trim() || isStub(text, seen) || tells(text, hidden, seen)

const maxStub = 600
/** Texts that programs write beside HTML: a note that HTML is needed, or a part of their template. */
const stub =
  /\bhtml\b|\bbrowser\b|navegador|navigateur|webbrowser|броузер|браузер|浏览器|瀏覽器|ブラウザ|브라우저|(?:plain|text)[- ](?:text|only)(?: version| part| content)?|text version|textversion|version texte|versión (?:de )?texto|nur[- ]text|\{\{[^{}]{1,80}\}\}|\[\[[^[\]]{1,80}\]\]|%%[\w-]{1,60}%%|\*\|[\w:-]{1,60}\|\*|lorem ipsum|(?:cannot|can['’]t|unable to|not able to|does not|doesn['’]t) (?:be )?(?:display|view|show|read|support)|(?:to view|view) (?:this|the|your) (?:e-?mail|message)|view (?:it )?online|online[- ]version|web ?version|%[A-Z][A-Z_]{2,40}%|(?:ne peut|peut pas|no puede|no se puede|não (?:pode|consegue)|non (?:può|riesce a)) (?:\p{L}{1,12} )?(?:affich|mostrar|visuali|exibi|ver)|kann (?:\p{L}{1,12} ){0,4}(?:angezeigt|dargestellt|darstellen|anzeigen)|kan (?:\p{L}{1,12} ){0,3}(?:weergegeven|weergeven|vises|visas|visa|vise)|(?:nie|nem|не) (?:może|można|može|tud\p{L}{0,3}|может|можно|удается|вдається) (?:\p{L}{1,16} ){0,4}(?:wyświetl|zobraz|megjelen|отобраз|показ|відобраз)|görüntülenem|multi-part message in mime/iu

const mayBeStub = (text: string): boolean => text.length <= maxStub && (isTiny(text) || stub.test(text))

const maxTiny = 40
/** Returns whether a text has at most two words: a sign, a name, `null`. */
const isTiny = (text: string): boolean =>
  text.length <= maxTiny && (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= 2

/** Words of the notes themselves, which a page may have by chance. */
const ofNotes = new Set(
  'your this that email mail message messages please view with from have does client program programm reader version online link click here open display shown show read diese dieser ihre ihren bitte kann nicht votre cette peut este esta mensaje correo puede questo messaggio deze bericht wiadomoś'.split(
    ' ',
  ),
)

/**
 * Returns whether a text only refers to the page or is a placeholder: it shares hardly a word with the page.
 */
function isStub(text: string, seen: string): boolean {
  if (!mayBeStub(text)) return false
  const known = new Set(wordsOf(seen))
  if (isTiny(text)) return known.size >= minPage
  const words = wordsOf(text)
  if (known.size >= minSeen && isForeignTo(known, words)) return true
  const rest = words.filter((word) => !ofNotes.has(word))
  const seenRest = [...known].filter((word) => !ofNotes.has(word))
  return seenRest.length >= minPage && (rest.length === 0 || isForeignTo(known, rest))
}

const isForeignTo = (known: ReadonlySet<string>, words: readonly string[]): boolean =>
  words.filter((word) => known.has(word)).length < minShare * words.length

/** Words of a page that says more than a note, and more than two words. */
const [minSeen, minPage] = [4, 10]

const address = /<?(?:https?:\/\/|mailto:|cid:)[^\s>\])]+>?/gi
const wordPattern = /[\p{L}\p{N}]{4,8}/gu
const minWords = 6
const minShare = 0.3

const wordsOf = (text: string): string[] =>
  text.slice(0, maxCompared).replace(address, ' ').toLowerCase().match(wordPattern) ?? []

/** Returns whether a paragraph of a text shares hardly a word with the visible text. Linear time. */
function hasForeignPassage(text: string, seen: string): boolean {
  const known = new Set(wordsOf(seen))
  return text.split(/\n[\s>]*\n/).some((passage) => {
    const words = wordsOf(passage)
    return words.length >= minWords && isForeignTo(known, words)
  })
}

/** Returns whether a text has parts of hidden pieces that are visible nowhere. Linear time. */
function tells(text: string, hidden: readonly string[], seen: string): boolean {
  const parts = partsOf(hidden.map(squeezed))
  if (parts.size === 0) return false
  const found = new Map<number, Set<string>>()
  const compared = squeezed(text)
  for (const [length, known] of parts) {
    const both = new Set<string>()
    eachPart(compared, length, known, (part) => both.add(part))
    if (both.size > 0) found.set(length, both)
  }
  if (found.size === 0) return false
  const shown = squeezed(seen)
  for (const [length, known] of found) {
    eachPart(shown, length, known, (part) => known.delete(part))
    if (known.size > 0) return true
  }
  return false
}

/** Splits pieces into parts, grouped by length. */
function partsOf(pieces: readonly string[]): Map<number, Set<string>> {
  const parts = new Map<number, Set<string>>()
  for (const piece of pieces) {
    const length = Math.min(piece.length, partLength)
    if (length < minLength) continue
    const known = parts.get(length) ?? new Set()
    for (let at = 0; at + length <= piece.length; at++) known.add(piece.slice(at, at + length))
    parts.set(length, known)
  }
  return parts
}

const maxMarks = 4096

/** Finds parts of one length in a text. Cuts out a candidate only if its first characters start some part. */
function eachPart(
  text: string,
  length: number,
  parts: ReadonlySet<string>,
  found: (part: string) => void,
): void {
  const markAt = (from: string, at: number) =>
    (from.charCodeAt(at) * 961 + from.charCodeAt(at + 1) * 31 + from.charCodeAt(at + 3)) % maxMarks
  const marks = new Uint8Array(maxMarks)
  for (const part of parts) marks[markAt(part, 0)] = 1
  for (let at = 0; at + length <= text.length; at++) {
    if (marks[markAt(text, at)] === 0) continue
    const part = text.slice(at, at + length)
    if (parts.has(part)) found(part)
  }
}

/** Removes everything from a text that depends on its layout. */
const squeezed = (text: string): string =>
  visibleText(text.slice(0, maxCompared))
    .text.replace(/[\s>*_|-]+/g, '')
    .toLowerCase()
