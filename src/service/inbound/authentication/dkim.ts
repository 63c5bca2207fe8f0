import { createHash } from 'node:crypto'
import { asciiDomain } from '../../../mail/headers/address'
import { headerValues, type MailHeader } from '../../../mail/headers/header-reader'
import { isDomainName, listOf, readTags } from './tag-list'

// RFC 8301 section 3.1 does not accept rsa-sha1.
const algorithms = /^(?:rsa|ed25519)-sha256$/i
const required = ['v', 'a', 'b', 'bh', 'd', 'h', 's']
// Fields of which readers use the first or last occurrence, while only one is signed (RFC 6376 section 8.15).
const single = new Set([
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date', 'message-id', 'in-reply-to', 'references'],
  ...['mime-version', 'content-type', 'content-transfer-encoding', 'content-disposition'],
])

const bare = (text: string | undefined) => (text ?? '').replace(/\s+/g, '')
const isWithin = (domain: string, other: string) => domain === other || domain.endsWith(`.${other}`)
const identityDomain = (tags: Map<string, string>) =>
  asciiDomain(bare(tags.get('i') ?? `@${tags.get('d')}`).replace(/^.*@/, ''))

/** Returns whether a verifier must consider a signature at all (RFC 6376 sections 3.5 and 6.1.1). */
function isUsable(tags: Map<string, string>): boolean {
  if (required.some((name) => !tags.get(name)) || tags.get('v') !== '1') return false
  if (!algorithms.test(bare(tags.get('a'))) || !listOf(tags.get('h')).includes('from')) return false
  if (tags.has('q') && !listOf(tags.get('q')).includes('dns/txt')) return false
  if (['l', 't', 'x'].some((name) => tags.has(name) && !/^\d{1,76}$/.test(tags.get(name)!))) return false
  return isWithin(identityDomain(tags), asciiDomain(bare(tags.get('d'))))
}

/** Returns whether the key allows this signature (RFC 6376 section 3.6.1). Keys in test mode allow none. */
function keyAllows(record: string, tags: Map<string, string>): boolean {
  const key = readTags(record)
  if (!key || (key.has('v') && ([...key.keys()][0] !== 'v' || key.get('v') !== 'DKIM1'))) return false
  const flags = listOf(key.get('t'))
  const services = listOf(key.get('s') ?? '*')
  const hashes = listOf(key.get('h') ?? 'sha256')
  if (flags.includes('y') || !hashes.includes('sha256')) return false
  if (!services.includes('*') && !services.includes('email')) return false
  return !flags.includes('s') || identityDomain(tags) === asciiDomain(bare(tags.get('d')))
}

/** Returns whether a signed field occurs more often than it is signed: a reader may see the unsigned one. */
function isDoubled(fields: readonly MailHeader[], tags: Map<string, string>): boolean {
  const signed = counted(listOf(tags.get('h')))
  const present = counted(fields.map(({ name }) => name.toLowerCase()))
  return [...single].some((name) => {
    const signedTimes = signed.get(name) ?? 0
    return signedTimes > 0 && (present.get(name) ?? 0) > signedTimes
  })
}

/** Counts each name. */
function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Signature that proves its message: made as RFC 6376 requires, over the whole body, by an allowed key. */
export interface SoundSignature {
  /** `d=`, in its ASCII form. */
  domain: string
  /** Lower-case names of `h=` whose fields are all signed, or must be absent. */
  fields: string[]
  /** `t=`, in seconds since 1970; null if the signature has none. */
  signedAt: number | null
  /** SHA-256 of the bytes of `b=`, in hexadecimal. */
  hash: string
}

function coveredFields(fields: readonly MailHeader[], tags: Map<string, string>): string[] {
  const present = counted(fields.map(({ name }) => name.toLowerCase()))
  const signed = [...counted(listOf(tags.get('h')))]
  return signed.filter(([name, times]) => times >= (present.get(name) ?? 0)).map(([name]) => name)
}

function evidenceOf(fields: readonly MailHeader[], tags: Map<string, string>): SoundSignature {
  const value = Buffer.from(bare(tags.get('b')), 'base64')
  return {
    domain: asciiDomain(bare(tags.get('d'))),
    fields: coveredFields(fields, tags),
    signedAt: tags.has('t') ? Number(tags.get('t')) : null,
    hash: createHash('sha256').update(value).digest('hex'),
  }
}

/** Maximum length of a signature field; longer ones are skipped. */
export const maxSignatureLength = 8 * 1024
/** Maximum number of signatures of a message that count. */
const maxSignatures = 5

/** Signature that is worth verifying. */
export interface WrittenSignature {
  /** Value of its field, unfolded. */
  text: string
  tags: Map<string, string>
  /** `d=`, in its ASCII form. */
  domain: string
  /** DNS name of its key. */
  keyName: string
}

/** Reads a DKIM-Signature field, or one of a chain; null if it names no key. */
export function readSignature(value: string): WrittenSignature | null {
  const tags = value.length > maxSignatureLength ? null : readTags(value)
  const domain = asciiDomain(bare(tags?.get('d')))
  const keyName = `${asciiDomain(bare(tags?.get('s')))}._domainkey.${domain}`
  const isNamed = isDomainName(domain) && isDomainName(keyName)
  return tags && isNamed ? { text: value, tags, domain, keyName } : null
}

/**
 * Chooses the signatures that count: first those that may be aligned with the domain of From, then from the
 * top. The others are skipped, so that many signatures neither raise the cost nor displace those that count.
 */
export function chooseSignatures(
  fields: readonly MailHeader[],
  isOfSender: (domain: string) => boolean,
): WrittenSignature[] {
  const read = headerValues(fields, 'dkim-signature').flatMap((value) => readSignature(value) ?? [])
  const [first, then] = [
    read.filter(({ domain }) => isOfSender(domain)),
    read.filter(({ domain }) => !isOfSender(domain)),
  ]
  return [...first, ...then].slice(0, maxSignatures)
}

/** Returns the evidence of a verified signature; null if it still proves nothing. */
export function soundSignature(
  fields: readonly MailHeader[],
  { tags }: WrittenSignature,
  key: string,
): SoundSignature | null {
  const isSound = isUsable(tags) && keyAllows(key, tags) && !isDoubled(fields, tags)
  return isSound ? evidenceOf(fields, tags) : null
}

/**
 * Returns the written signatures of these domains, for a message with one that another server says passed.
 * That server does not say which of several did. So each gets only the fields that all of them cover, and one
 * unsound signature disqualifies all. So do more than five: the one that passed may be any of them.
 */
export function writtenSignatures(
  fields: readonly MailHeader[],
  isSigner: (domain: string) => boolean,
): SoundSignature[] {
  const read = headerValues(fields, 'dkim-signature').flatMap((value) => readSignature(value) ?? [])
  const its = read.filter(({ domain }) => isSigner(domain)).map(({ tags }) => tags)
  if (its.length > maxSignatures) return []
  if (its.some((tags) => !isUsable(tags) || tags.has('l') || isDoubled(fields, tags))) return []
  const found = its.map((tags) => evidenceOf(fields, tags))
  const sets = found.map((one) => new Set(one.fields))
  const common = found[0]?.fields.filter((name) => sets.every((one) => one.has(name))) ?? []
  return found.map((one) => ({ ...one, fields: common }))
}
