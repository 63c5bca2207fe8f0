import { anchorsIn } from './links'

const MAX_LENGTH = 512 * 1024
const MAX_LINKS = 50
/** Characters after a caption that may already hold its address. */
const NEAR = 300
/** An anchor with a short caption, found without laying out the page. */
const ANCHOR =
  /<a\s[^<>]{0,1000}?href\s{0,3}=\s{0,3}["']?(https?:[^<>"'\s]{1,2000})[^<>]{0,1000}>(?:\s{0,20}<[^<>]{0,300}>){0,5}\s{0,20}([^<>]{2,80})</gi

/**
 * Adds to a text the link addresses that only its HTML has, each after the words common to text and link:
 * `Download your data <https://…>`. Leaves out hidden links. Linear time.
 */
export function withLinks(text: string, html: string): string {
  if (text === '' || !mayLack(text, html)) return text
  let [shown, end, count] = ['', 0, 0]
  for (const { url, text: words } of anchorsIn(html.slice(0, MAX_LENGTH))) {
    const caption = words.replace(/\s+/g, ' ').trim()
    const at = text.includes(url) || url.length > 1000 ? -1 : placeOf(caption, text, end)
    if (at === -1 || count++ === MAX_LINKS) continue
    shown += `${text.slice(end, at + caption.length)} <${url}>`
    end = at + caption.length
  }
  return shown + text.slice(end)
}

/** Returns cheaply whether an address may be missing: most texts have those of their links, or no caption. */
function mayLack(text: string, html: string): boolean {
  let count = 0
  for (const [, url, caption] of html.slice(0, MAX_LENGTH).matchAll(ANCHOR)) {
    if (count++ === MAX_LINKS) return false
    const isThere = text.includes(url!) || text.includes(url!.replaceAll('&amp;', '&'))
    if (!isThere && placeOf(caption!.replace(/\s+/g, ' ').trim(), text, 0) !== -1) return true
  }
  return false
}

const IS_WORD = /[\p{L}\p{N}]/u
const MIN_CAPTION = 3

/** Finds whole words outside quotes with no address after them; -1 for none. */
function placeOf(caption: string, text: string, start: number): number {
  if (caption.length < MIN_CAPTION || /https?:|[<>]|@/.test(caption)) return -1
  const at = text.indexOf(caption, start)
  if (at === -1) return -1
  const end = at + caption.length
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  const isApart = !IS_WORD.test(text[at - 1] ?? ' ') && !IS_WORD.test(text[end] ?? ' ')
  const hasAddress = /https?:/.test(
    text
      .slice(end, end + NEAR)
      .split('\n', 3)
      .join('\n'),
  )
  return isApart && !hasAddress && !line.startsWith('>') ? at : -1
}
