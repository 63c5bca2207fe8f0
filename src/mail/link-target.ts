import { parse } from 'tldts'

const maxTarget = 2000
/** Query values and path pieces that are examined. */
const maxPieces = 20
/** Nested trackers, such as the receiver's scanner around a newsletter's. */
const maxDepth = 4

/** Hosts that only redirect: inside an address of theirs, the inner address counts. */
const trackers =
  /(?:^|\.)(?:safelinks\.protection\.outlook\.com|urldefense\.(?:proofpoint\.)?com|google\.[a-z]{2,3}|awstrack\.me|pstmrk\.it|mandrillapp\.com|cudasvc\.com|slack-redir\.net|secure-web\.cisco\.com|clicktime\.symantec\.com|lnkd\.in|l\.facebook\.com|mjt\.lu)$/
/** Parameters for the page to open afterwards: such a link is not a tracked one. */
const afterwards =
  /^(?:next|continue|return|return_?(?:to|url)|redirect_?ur[il]|callback(?:_?url)?|after|back)$/i

/**
 * Returns the address inside a link that counts or checks clicks: plain, percent-encoded or in base64, in the
 * query or the path. Fetches nothing, so trackers that keep the address to themselves give null.
 *
 * @returns null if there is none
 */
export function targetOf(url: string): string | null {
  let target: string | null = null
  for (let depth = 0; depth < maxDepth; depth++) {
    const outer: URL = new URL(target ?? url)
    const inner = depth === 0 || trackers.test(outer.hostname) ? insideOf(outer) : null
    if (inner === null) break
    target = inner
  }
  return target
}

function insideOf(url: URL): string | null {
  const known = ofKnownTracker(url)
  if (known) return known
  const isElsewhere = (inner: string) => domainOf(new URL(inner)) !== domainOf(url)
  let count = 0
  for (const [name, value] of url.searchParams) {
    if (count++ === maxPieces) break
    const inner = addressIn(value)
    if (inner && (!afterwards.test(name) || isElsewhere(inner))) return inner
  }
  return inPath(url)
}

const domainOf = ({ hostname }: URL): string =>
  parse(hostname, { allowPrivateDomains: true }).domain ?? hostname

function inPath({ pathname, search }: URL): string | null {
  const bare = /\/(https?:\/\/.*)$/is.exec(pathname + search)?.[1]
  if (bare) return asAddress(bare)
  for (const piece of pathname.split('/').slice(1, maxPieces)) {
    const inner = addressIn(decoded(piece))
    if (inner) return inner
  }
  return null
}

/** Returns the address from trackers that encode it in their own way. */
function ofKnownTracker({ href, hostname, pathname, searchParams }: URL): string | null {
  if (/(?:^|\.)pstmrk\.it$/.test(hostname)) {
    const bare = decoded(/^\/\d\w?\/([^/]+)/.exec(pathname)?.[1] ?? '')
    return bare === '' || scheme.test(bare) ? null : asAddress(`https://${bare}`)
  }
  if (!/(?:^|\.)urldefense\.(?:proofpoint\.)?com$/.test(hostname)) return null
  if (pathname.startsWith('/v2/')) {
    const written = searchParams.get('u') ?? ''
    return asAddress(decoded(written.replace(/-/g, '%').replace(/_/g, '/')))
  }
  return asAddress(ofProofpoint3(href))
}

/** Decodes Proofpoint's form: `*` for special characters, which follow in base64. */
function ofProofpoint3(href: string): string {
  const start = href.indexOf('/v3/__')
  const end = href.indexOf('__;', start)
  // Two signs and a letter stand for a run of characters, which is not decoded here: better none than a wrong
  // address.
  if (start === -1 || end === -1 || href.slice(start, end).includes('**')) return ''
  const signs = [...fromBase64(/^[\w+/-]{0,500}/.exec(href.slice(end + 3))?.[0] ?? '')]
  const written = href.slice(start + 6, end).replace(/^(https?):\/(?!\/)/i, '$1://')
  return signs.length === 0 ? written : written.replace(/\*/g, () => signs.shift() ?? '*')
}

/** Returns the address that a value is, or holds in base64; null for none. */
function addressIn(value: string): string | null {
  const once = schemeEncoded.test(value) ? decoded(value) : value
  return asAddress(once) ?? inBase64(once)
}

const scheme = /^https?:\/\//i
const schemeEncoded = /^https?%3a/i
/** Base64 of `http`, which some write after two other characters, and of the start of JSON. */
const address64 = /^(?:\w\d)?(aHR0c[\w+/-]{8,})={0,2}$/
const json64 = /^eyJ[\w+/-]{8,}={0,2}$/
const inJson = /https?:\/\/[^\s"'<>]{1,2000}/i

function inBase64(value: string): string | null {
  const address = address64.exec(value)?.[1]
  if (address) return asAddress(fromBase64(address))
  for (const piece of value.split('.').slice(0, 3)) {
    const found = json64.test(piece) && inJson.exec(fromBase64(piece).replaceAll('\\', ''))
    if (found) return asAddress(found[0])
  }
  return null
}

function asAddress(text: string): string | null {
  if (text.length > maxTarget || !scheme.test(text) || !URL.canParse(text)) return null
  const { href } = new URL(text)
  return href.length > maxTarget ? null : href
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function fromBase64(text: string): string {
  try {
    const bytes = atob(text.replace(/-/g, '+').replace(/_/g, '/').replace(/=/g, ''))
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return ''
  }
}
