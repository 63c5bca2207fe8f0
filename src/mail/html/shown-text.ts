import { visibleText } from '../text'
import { readHtml } from './html-to-text'
import { mayHide } from './may-hide'

/** The text of a mail as its reader sees it. */
export interface ShownText {
  text: string
  /** Number of characters that its HTML hides. */
  hidden: number
  /** Number of comments in its HTML. */
  comments: number
  /** True where the text says in a passage what its HTML, which people see instead of it, does not. */
  isForeign: boolean
  /** True where its HTML has styles of which nobody here can tell whether they hide what it says. */
  isDoubted: boolean
}

const MIN_LENGTH = 4
const LENGTH = 12
const MAX_COMPARED = 256 * 1024

/**
 * Gives the text of a mail as its reader sees it. Where a mail has text beside its HTML, and that text says what the HTML
 * hides, what the HTML shows stands in its place.
 */
export function shownText(text: string, html: string | null, maxLength?: number): ShownText {
  if (!html) return { text, hidden: 0, comments: 0, isForeign: false, isDoubted: false }
  const page = readHtml(html, maxLength)
  const hidden = page.hidden.reduce((sum, piece) => sum + piece.length, 0)
  const isPage = !text.trim() || tells(text, page.hidden, page.text)
  const isForeign = !isPage && hasForeignPassage(text, page.text)
  const { comments, isDoubted } = page
  return { text: isPage ? page.text : text, hidden, comments, isForeign, isDoubted }
}

/** The text of {@link shownText} alone: a page that can hide nothing is not laid out beside a text. */
export function textShown(text: string, html: string | null, maxLength?: number): string {
  if (!html || (text.trim() && !mayHide(html))) return text
  return shownText(text, html, maxLength).text
}

const ADDRESS = /<?(?:https?:\/\/|mailto:|cid:)[^\s>\])]+>?/gi
const WORD = /[\p{L}\p{N}]{4,8}/gu
const MIN_WORDS = 6
const MIN_SHARE = 0.3

const wordsOf = (text: string): string[] =>
  text.slice(0, MAX_COMPARED).replace(ADDRESS, ' ').toLowerCase().match(WORD) ?? []

/** Tells whether a paragraph of a text is hardly in what is seen, by its words. Linear time. */
function hasForeignPassage(text: string, seen: string): boolean {
  const known = new Set(wordsOf(seen))
  return text.split(/\n[\s>]*\n/).some((passage) => {
    const words = wordsOf(passage)
    return (
      words.length >= MIN_WORDS && words.filter((word) => known.has(word)).length < MIN_SHARE * words.length
    )
  })
}

/** Tells whether a text has parts of hidden pieces that are not seen elsewhere. Linear time. */
function tells(text: string, hidden: readonly string[], seen: string): boolean {
  const parts = new Map<number, Set<string>>()
  for (const piece of hidden.map(squeezed)) {
    const length = Math.min(piece.length, LENGTH)
    if (length < MIN_LENGTH) continue
    const known = parts.get(length) ?? new Set()
    for (let at = 0; at + length <= piece.length; at++) known.add(piece.slice(at, at + length))
    parts.set(length, known)
  }
  if (parts.size === 0) return false
  const [compared, shown] = [squeezed(text), squeezed(seen)]
  for (const [length, known] of parts) {
    for (let at = 0; at + length <= shown.length && known.size > 0; at++)
      known.delete(shown.slice(at, at + length))
    for (let at = 0; at + length <= compared.length && known.size > 0; at++)
      if (known.has(compared.slice(at, at + length))) return true
  }
  return false
}

/** Takes out of a text what depends on its layout. */
const squeezed = (text: string): string =>
  visibleText(text.slice(0, MAX_COMPARED))
    .text.replace(/[\s>*_|-]+/g, '')
    .toLowerCase()
