import { anchorsIn } from './links'

const maxLength = 512 * 1024
const maxLinks = 50
/** Links of a page that are looked for in the text; each of them takes a pass over it. */
const maxSought = 500
/** Characters after a caption that may already hold its address. */
const near = 300
/** An anchor with a short caption, found without laying out the page. */
const anchor =
  /<a\s[^<>]{0,1000}?href\s{0,3}=\s{0,3}["']?(https?:[^<>"'\s]{1,2000})[^<>]{0,1000}>(?:\s{0,20}<[^<>]{0,300}>){0,5}\s{0,20}([^<>]{2,80})</gi

/** Words that point to a link beside them, in the main languages. */
const points =
  /(?<!\p{L})(?:button|links?|click|tap|schaltfläche|klick\p{L}{0,4}|bouton|lien|cliqu\p{L}{1,4}|botón|enlace|clic|botão|pulsante|knop|klik\p{L}{0,4}|knapp\p{L}{0,2}|przycisk\p{L}{0,3}|кнопк\p{L}{1,2}|ссылк\p{L}{1,2}|нажмите)(?!\p{L})|ボタン|リンク|按钮|按鈕|链接|連結|버튼|링크/iu
/** Length in which such a word must be before the link, and the number of words that text and page share. */
const [POINTER_LENGTH, POINTER_WORDS] = [120, 5]

/**
 * Adds to a text the link addresses that only its HTML has, each after the words common to text and link:
 * `Download your data <https://…>`. If the text only points to a button, its address follows those words.
 * Leaves out hidden links. Linear time.
 */
export function withLinks(text: string, html: string): string {
  if (text === '' || !mayLack(text, html)) return text
  let [shown, end, count, sought] = ['', 0, 0, 0]
  for (const { url, text: words, context } of anchorsIn(html.slice(0, maxLength))) {
    if (sought++ === maxSought) break
    if (text.includes(url) || url.length > 1000 || count === maxLinks) continue
    const caption = words.replace(/\s+/g, ' ').trim()
    const at = placeOf(caption, text, end)
    const place = at === -1 ? endOfPointer(context, text, end) : at + caption.length
    if (place === -1) continue
    count++
    shown += `${text.slice(end, place)} <${url}>`
    end = place
  }
  return shown + text.slice(end)
}

/** Returns cheaply whether an address may be missing: most texts have those of their links, or no caption. */
function mayLack(text: string, html: string): boolean {
  if (!/https?:/.test(text) && points.test(text.slice(0, maxLength))) return true
  let count = 0
  for (const [, url, caption] of html.slice(0, maxLength).matchAll(anchor)) {
    if (count++ === maxLinks) return false
    const isThere = text.includes(url!) || text.includes(url!.replaceAll('&amp;', '&'))
    if (!isThere && placeOf(caption!.replace(/\s+/g, ' ').trim(), text, 0) !== -1) return true
  }
  return false
}

/** Finds the end of the words before a link that point to it; -1 for none, or if an address follows. */
function endOfPointer(context: string, text: string, start: number): number {
  const before = context.replace(/\s+/g, ' ').trim()
  const words = before.split(' ').slice(-POINTER_WORDS)
  if (words.length < POINTER_WORDS || !points.test(before.slice(-POINTER_LENGTH))) return -1
  const shared = words.map((word) => word.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('\\s{1,3}')
  const found = new RegExp(`${shared}(?=\\s{0,3}(?:\\n|$))`, 'g')
  found.lastIndex = start
  const match = found.exec(text)
  if (!match) return -1
  const end = match.index + match[0].length
  return /https?:/.test(text.slice(end, end + near)) ? -1 : end
}

const isWord = /[\p{L}\p{N}]/u
const minCaption = 3
/** An address in the same line, or alone in one of the next two lines. */
const isFollowedByAddress = /^[^\n]*https?:|^[^\n]*\n(?:[^\p{L}\p{N}\n]*\n)?[^\p{L}\p{N}\n]*https?:/u

/** Finds whole words outside quotes with no address after them; -1 for none. */
function placeOf(caption: string, text: string, start: number): number {
  if (caption.length < minCaption || /https?:|[<>]|@/.test(caption)) return -1
  const found = text.indexOf(caption, start)
  // Programs that make the text write buttons in capitals.
  const at = found === -1 ? text.indexOf(caption.toUpperCase(), start) : found
  if (at === -1) return -1
  const end = at + caption.length
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at)
  const isApart = !isWord.test(text[at - 1] ?? ' ') && !isWord.test(text[end] ?? ' ')
  const hasAddress = isFollowedByAddress.test(text.slice(end, end + near))
  return isApart && !hasAddress && !line.startsWith('>') ? at : -1
}
