import { getDomain, parse } from 'tldts'
import type { FoundLink } from '../protocol/records/message'
import { eachSeen } from './html/seen-html'
import { kindOfWords } from './link-kinds'
import { targetOf } from './link-target'
import { singleLine, truncated, withoutEnd } from './text/safe-text'

const maxLength = 512 * 1024
const maxLinks = 10
const maxLookedAt = 1000
const maxUrl = 2000
const maxText = 200
const maxShown = 1000
const urls = /https?:\/\/[^\s<>"'`\\^{|}]{1,2000}/giu
const shownHost = /(?:https?:\/\/)?(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,8}\p{L}{2,24}(?=[/\s:?#]|$)/iu

/** A link and its words. */
export interface Anchor {
  url: string
  text: string
  /** Text before the link, which shows its kind if its own words do not. */
  context: string
}

/**
 * Finds the links of a message that confirm, reset, sign in, invite or unsubscribe, with their positions.
 * Also returns whether they lead to the sender's own domain (by the public suffix list). Ignores hidden HTML.
 * Linear time.
 *
 * @param senderDomain the domain of the From address, which may be forged: see `authentication.from_verified`
 * @returns at most 10
 */
export function findLinks(text: string, html: string | null, senderDomain: string | null): FoundLink[] {
  const found = new Map<string, FoundLink>()
  for (const anchor of [...anchorsIn(html?.slice(0, maxLength) ?? ''), ...urlsIn(text.slice(0, maxLength))]) {
    if (found.size === maxLinks) break
    if (found.has(anchor.url)) continue
    const kind = kindOf(anchor)
    const link = kind && linkOf(anchor, kind, senderDomain, text)
    if (link) found.set(anchor.url, link)
  }
  return [...found.values()]
}

function kindOf({ url, text, context }: Anchor): FoundLink['kind'] | null {
  const { pathname, search } = new URL(url)
  const path = safelyDecoded(pathname + search).replace(/([a-z])(?=[A-Z])/g, '$1 ')
  return kindOfWords(`${text} ${path}`.toLowerCase()) ?? kindOfWords(context.toLowerCase())
}

function safelyDecoded(path: string): string {
  try {
    return decodeURIComponent(path).slice(0, 500)
  } catch {
    return path.slice(0, 500)
  }
}

function linkOf(
  { url, text }: Anchor,
  kind: FoundLink['kind'],
  senderDomain: string | null,
  body: string,
): FoundLink {
  const { hostname } = new URL(url)
  const domain = getDomain(hostname, { allowPrivateDomains: true })
  const sender = senderDomain && getDomain(senderDomain, { allowPrivateDomains: true })
  const offset = body.indexOf(url)
  return {
    url,
    target: targetOf(url),
    kind,
    text: truncated(singleLine(text), maxText),
    offset: offset < 0 ? null : offset,
    domain: domain ?? hostname,
    from_sender: domain !== null && domain === sender,
    warnings: warningsOf(new URL(url), domain, sender, text),
  }
}

function warningsOf(
  url: URL,
  domain: string | null,
  sender: string | null,
  text: string,
): FoundLink['warnings'] {
  const warnings: FoundLink['warnings'] = []
  const shownDomain = domainShown(text)
  if (shownDomain && shownDomain !== domain) warnings.push('shows-other-domain')
  if (sender && domain !== sender && looksLike(url.hostname, domain, sender))
    warnings.push('looks-like-sender')
  if (/(?:^|\.)xn--/.test(url.hostname)) warnings.push('international-domain')
  if (url.username || url.password) warnings.push('name-before-host')
  if (domain === null) warnings.push('no-domain')
  return warnings
}

/** Returns the domain that a link's words name; only under a known suffix, so that `Node.js` is none. */
function domainShown(text: string): string | null {
  const host = shownHost.exec(text.slice(0, maxShown))?.[0]
  const shown = host ? parse(host, { allowPrivateDomains: true }) : null
  return shown?.isIcann || shown?.isPrivate ? shown.domain : null
}

/** Characters that pass for others at a glance. */
const looks: Record<string, string> = { '0': 'o', '1': 'l', i: 'l', '3': 'e', '5': 's', '8': 'b', '9': 'g' }
const skeleton = (name: string) =>
  name
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/cl/g, 'd')
    .replace(/[-_]/g, '')
    .replace(/[0135i89]/g, (letter) => looks[letter]!)

/** Returns whether a host imitates the sender's: its name misspelled, or as part of another. */
function looksLike(host: string, domain: string | null, sender: string): boolean {
  const label = (name: string) => name.split('.')[0]!
  const [own, theirs] = [label(domain ?? host), label(sender)]
  if (`.${host}.`.includes(`.${sender}.`)) return true
  if (theirs.length < 4) return false
  const [a, b] = [skeleton(own), skeleton(theirs)]
  if (own !== theirs && a === b) return true
  return own !== theirs && (own.includes(theirs) || isOneEditAway(own, theirs))
}

function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1 || long.length < 5) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  const rest = long.slice(at + 1)
  const isSwap =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  return rest === short.slice(at + (short.length === long.length ? 1 : 0)) || isSwap
}

const mayLink = /<a[\s/]/i
const hasAddress = /href/i

/** Returns the visible links of a page, with their words. */
export function anchorsIn(html: string): Anchor[] {
  const found: Anchor[] = []
  if (!mayLink.test(html) || !hasAddress.test(html)) return found
  let open: Anchor | null = null
  let context = ''
  eachSeen(html, (token) => {
    if (token.kind === 'comment' || !token.isSeen) return true
    if (token.kind === 'text') {
      if (open) open.text += ` ${token.text.slice(0, maxText)}`.slice(0, maxText)
      else context = `${context} ${token.text.slice(-maxText)}`.slice(-maxText)
    } else if (token.kind === 'open' && token.name === 'img') {
      if (open) open.text += ` ${token.attributes.get('alt') ?? ''}`.slice(0, maxText)
    } else if (token.name === 'a') {
      const url = token.kind === 'open' ? usable(token.attributes.get('href') ?? '') : null
      open = url ? { url, text: '', context } : null
      if (open) found.push(open)
      context = ''
    }
    return found.length <= maxLookedAt
  })
  return found.slice(0, maxLookedAt)
}

function* urlsIn(text: string): Generator<Anchor> {
  let count = 0
  let end = 0
  for (const match of text.matchAll(urls)) {
    if (count++ > maxLookedAt) return
    const url = usable(withoutEnd(match[0], /[.,;:!?)\]}'*_>]/))
    const before = text.slice(Math.max(end, match.index - maxText), match.index)
    end = match.index + match[0].length
    // Its own line and the one above show its purpose.
    if (url) yield { url, text: '', context: before.trimEnd().split('\n').slice(-2).join(' ') }
  }
}

function usable(href: string): string | null {
  const url = href.replace(/\s+/g, '')
  if (url.length > maxUrl || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  return url
}
