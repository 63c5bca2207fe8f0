import { asciiDomain, type MailHeader } from '../../../mail/headers'
import { listOf, readTags } from './tag-list'

/** A signature whose sums are right, as the library that checks them tells it. */
export interface CheckedSignature {
  /** `b=` without white space. */
  signature?: string
  signingDomain: string
  /** Bytes of the body as it was canonicalized, and how many of them are signed. */
  canonBodyLength?: number
  canonBodyLengthTotal?: number
  /** The record of its key. */
  rr?: string
}

// RFC 8301 section 3.1 takes rsa-sha1 for no proof.
const algorithms = /^(?:rsa|ed25519)-sha256$/i
const required = ['v', 'a', 'b', 'bh', 'd', 'h', 's']
// What a reader looks at in its first or last occurrence, of which only one is signed (RFC 6376 section 8.15).
const single = new Set([
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date', 'message-id', 'in-reply-to', 'references'],
  ...['mime-version', 'content-type', 'content-transfer-encoding', 'content-disposition'],
])

// Comments and quotations, which not every reader of a tag list knows.
const puzzling = /["'()\\]/

const bare = (text: string | undefined) => (text ?? '').replace(/\s+/g, '')
const isWithin = (domain: string, other: string) => domain === other || domain.endsWith(`.${other}`)
const identityDomain = (tags: Map<string, string>) =>
  asciiDomain(bare(tags.get('i') ?? `@${tags.get('d')}`).replace(/^.*@/, ''))

/** Tells whether a verifier has to look at a signature at all (RFC 6376 sections 3.5 and 6.1.1). */
function isUsable(tags: Map<string, string> | null): tags is Map<string, string> {
  if (!tags || required.some((name) => !tags.get(name)) || tags.get('v') !== '1') return false
  if (!algorithms.test(bare(tags.get('a'))) || !listOf(tags.get('h')).includes('from')) return false
  if (tags.has('q') && !listOf(tags.get('q')).includes('dns/txt')) return false
  if (['l', 't', 'x'].some((name) => tags.has(name) && !/^\d{1,76}$/.test(tags.get(name)!))) return false
  return isWithin(identityDomain(tags), asciiDomain(bare(tags.get('d'))))
}

/** Tells whether the record lets its key sign this (RFC 6376 section 3.6.1): a domain that only tests signs nothing. */
function keyAllows(record: string | undefined, tags: Map<string, string>): boolean {
  const key = readTags(record ?? '')
  if (!key || (key.has('v') && ([...key.keys()][0] !== 'v' || key.get('v') !== 'DKIM1'))) return false
  const flags = listOf(key.get('t'))
  const services = listOf(key.get('s') ?? '*')
  const hashes = listOf(key.get('h') ?? 'sha256')
  if (flags.includes('y') || !hashes.includes('sha256')) return false
  if (!services.includes('*') && !services.includes('email')) return false
  return !flags.includes('s') || identityDomain(tags) === asciiDomain(bare(tags.get('d')))
}

/** Tells whether a signed field stands there more often than it is signed: a reader may see the other one. */
function isDoubled(fields: readonly MailHeader[], tags: Map<string, string>): boolean {
  const signed = listOf(tags.get('h'))
  return [...single].some((name) => {
    const signedTimes = signed.filter((one) => one === name).length
    return signedTimes > 0 && fields.filter((one) => one.name.toLowerCase() === name).length > signedTimes
  })
}

/**
 * The domains that stand for this mail by their signatures. Each is one that holds (`passing`), and more: made as
 * RFC 6376 demands it, by a key that may, over a header that cannot be read in two ways and over the whole body.
 */
export function vouchingDomains(
  fields: readonly MailHeader[],
  passing: readonly CheckedSignature[],
): string[] {
  const written = fields.filter(({ name }) => name.toLowerCase() === 'dkim-signature')
  const isSound = (value: string, record: string | undefined) => {
    const tags = puzzling.test(value) ? null : readTags(value)
    return isUsable(tags) && keyAllows(record, tags) && !isDoubled(fields, tags)
  }
  return passing
    .filter(({ signature, canonBodyLength, canonBodyLengthTotal, rr }) => {
      // Two fields may carry the same sum, and only one of them holds.
      const same = signature ? written.filter(({ value }) => bare(value).includes(signature)) : []
      const isWhole = canonBodyLength !== undefined && canonBodyLength === canonBodyLengthTotal
      return isWhole && same.length > 0 && same.every(({ value }) => isSound(value, rr))
    })
    .map(({ signingDomain }) => asciiDomain(signingDomain))
}
