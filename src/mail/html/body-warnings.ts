import { normalized } from '../text/normalized'
import { readHtml } from './html-to-text'
import { attributesOf, eachToken } from './html-tokens'

const maxShown = 8
const maxShownLength = 200
const maxCompared = 1024 * 1024
/** Characters of an address that hold its host; a URL takes the square of the letters of a host. */
const urls = /\bhttps?:\/\/[^\s<>"'`\\{}|^]{1,2000}/gi
const controls = new Set(['form', 'input', 'button', 'select', 'textarea'])
const embedded = new Set(['iframe', 'frame', 'object', 'embed', 'applet', 'audio', 'video', 'svg', 'math'])

const quoted = (pieces: readonly string[]) => {
  const shown = pieces.slice(0, maxShown).map((piece) => `“${shortened(piece)}”`)
  const more = pieces.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
/** Shortens a piece. The marks around a piece are not in it, so a warning can be divided at them. */
const shortened = (text: string) =>
  (text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text).replace(/[“”]/g, '"')
const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

const linksOf = (text: string): Set<string> =>
  new Set([...text.matchAll(urls)].map(([url]) => url.replace(/[.,;:!?)\]}*_/]{1,20}$/, '')))

/** Returns the words of a text in order, in lower case, without links and punctuation. */
const wordsOf = (text: string): string[] =>
  normalized(text, 'NFKC')
    .toLowerCase()
    .replace(urls, ' ')
    .match(/[\p{L}\p{N}\p{M}@]+/gu) ?? []

/** Returns words that `words` has more often than `others`, each once, in order. */
function surplus(words: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1)
  const found = new Set<string>()
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count === 0) found.add(word)
    else left.set(word, count - 1)
  }
  return [...found]
}

/** Warns about words and links that only one of the two bodies has. */
function differences(text: string, shown: string): string[] {
  const [textWords, htmlWords] = [wordsOf(text), wordsOf(shown)]
  const [onlyHtml, onlyText] = [surplus(htmlWords, textWords), surplus(textWords, htmlWords)]
  const isReordered =
    onlyHtml.length + onlyText.length === 0 && textWords.some((word, at) => word !== htmlWords[at])
  const [textLinks, htmlLinks] = [linksOf(text), linksOf(shown)]
  const linksIn = (some: Set<string>, others: Set<string>) => [...some].filter((link) => !others.has(link))
  const [htmlOnlyLinks, textOnlyLinks] = [linksIn(htmlLinks, textLinks), linksIn(textLinks, htmlLinks)]
  return [
    onlyHtml.length > 0 && `Only the HTML has these words: ${quoted(onlyHtml)}.`,
    onlyText.length > 0 && `Only the plain text has these words: ${quoted(onlyText)}.`,
    isReordered && 'The HTML and the plain text have the same words in another order.',
    htmlOnlyLinks.length > 0 && `Only the HTML has these links: ${quoted(htmlOnlyLinks)}.`,
    textOnlyLinks.length > 0 && `Only the plain text has these links: ${quoted(textOnlyLinks)}.`,
  ].filter((one) => one !== false)
}

interface Active {
  forms: number
  scripts: number
  embedded: number
  remote: Set<string>
  sheets: number
  conditional: number
}

const isRemote = (address: string) => /^\s*(?:https?:)?\/\//i.test(address)
/** Scheme and authority of an address. A longer authority could name another host behind its end. */
const authority = /^(?:https?:)?\/\/[^/?#\\]{1,1000}(?=$|[/?#\\])/i
const hostOf = (address: string) => {
  const url = authority.exec(address.trim())?.[0].replace(/^\/\//, 'https://') ?? ''
  return URL.canParse(url) ? new URL(url).hostname : 'an unreadable address'
}

function noteStyle(css: string, active: Active): void {
  for (const [, address] of css.matchAll(/url\(\s{0,20}["']?([^"')\s]{1,2000})/gi))
    if (isRemote(address!)) active.remote.add(hostOf(address!))
  if (/@import/i.test(css)) active.sheets++
}

/** Counts active and remote content in HTML. */
function activeIn(html: string): Active {
  const active: Active = { forms: 0, scripts: 0, embedded: 0, remote: new Set(), sheets: 0, conditional: 0 }
  eachToken(html, (token) => {
    if (token.kind === 'comment' && /^\s*\[if\b/i.test(token.text)) active.conditional++
    if (token.kind === 'style') noteStyle(token.text, active)
    if (token.kind !== 'open') return true
    const attributes = attributesOf(token.attributes)
    if (controls.has(token.name)) active.forms++
    if (embedded.has(token.name)) active.embedded++
    if (token.name === 'link') active.sheets++
    const isScript = token.name === 'script'
    const acts = [...attributes].some(
      ([name, value]) => name.startsWith('on') || /^\s*(?:javascript|vbscript):/i.test(value),
    )
    if (isScript || acts) active.scripts++
    for (const name of ['src', 'background', 'srcset', 'poster'])
      if (isRemote(attributes.get(name) ?? '')) active.remote.add(hostOf(attributes.get(name)!))
    if (attributes.has('style')) noteStyle(attributes.get('style')!, active)
    return true
  })
  return active
}

/** Warns about content that a safe preview of HTML leaves out, and some mail programs show. */
function leftOut(html: string): string[] {
  const { forms, scripts, embedded, remote, sheets, conditional } = activeIn(html)
  return [
    forms > 0 && `The HTML has ${counted(forms, 'form element')}: some mail programs show them.`,
    scripts > 0 &&
      `The HTML has ${counted(scripts, 'script or event handler', 'scripts or event handlers')}.`,
    remote.size > 0 &&
      `The HTML loads pictures from ${[...remote].slice(0, maxShown).map(shortened).join(', ')}: what they show is not known.`,
    sheets > 0 && `The HTML loads ${counted(sheets, 'style sheet')} from elsewhere.`,
    embedded > 0 && `The HTML embeds ${counted(embedded, 'document or drawing', 'documents or drawings')}.`,
    conditional > 0 && `The HTML has ${counted(conditional, 'part')} that only Outlook shows.`,
  ].filter((one) => one !== false)
}

/**
 * Warns about content that an approver could miss:
 *
 * - words and links that only the HTML or only the plain text has
 * - text that styles hide
 * - content that a safe preview leaves out: forms, scripts, remote pictures, parts for Outlook
 *
 * Empty if the HTML is harmless and matches the plain text, or if there is no HTML. Linear time. The warnings
 * quote the message: treat them as text of a stranger.
 */
export function bodyWarnings({
  text,
  html,
}: {
  text?: string | null | undefined
  html?: string | null | undefined
}): string[] {
  if (!html) return []
  const whole = html.slice(0, maxCompared)
  const { text: shown, hidden, isDoubted } = readHtml(whole)
  return [
    ...leftOut(whole),
    ...(text === null || text === undefined ? [] : differences(text.slice(0, maxCompared), shown)),
    ...(hidden.length > 0 ? [`The HTML hides this text: ${quoted(hidden)}.`] : []),
    ...(isDoubted ? ['Styles of the HTML may hide or cover a part of it.'] : []),
    ...(html.length > maxCompared ? ['The HTML is longer than what was compared.'] : []),
  ]
}
