import type { MailHeader } from '../../../mail/headers/header-reader'
import { maxSignatureLength, readSignature } from './dkim'
import { listOf, readTags } from './tag-list'

const algorithm = /^(?:rsa|ed25519)-sha256$/
const name = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?$/u
const base64 = /^[a-z0-9+/\s]+(?:=+\s*)?$/i
const instance = /^(?:[1-9]|[1-4]\d|50)$/

const required = {
  'arc-seal': ['i', 'a', 'b', 'cv', 'd', 's'],
  'arc-message-signature': ['i', 'a', 'b', 'bh', 'd', 's'],
}

const isKind = (kind: string): kind is keyof typeof required => Object.hasOwn(required, kind)

/** Returns whether a field of a chain has the syntax of RFC 8617 section 4.1. */
function isWellFormed(kind: keyof typeof required, value: string): boolean {
  const tags = readTags(value)
  if (!tags || required[kind].some((tag) => !tags.get(tag))) return false
  const of = (tag: string) => tags.get(tag)!
  if (!instance.test(of('i')) || !algorithm.test(of('a')) || !base64.test(of('b'))) return false
  if (!name.test(of('d')) || !name.test(of('s'))) return false
  if (tags.has('t') && !/^\d{1,12}$/.test(of('t'))) return false
  if (kind === 'arc-seal') return /^(?:none|pass|fail)$/.test(of('cv')) && !tags.has('h') && !tags.has('bh')
  return base64.test(of('bh')) && tags.has('h') && !listOf(of('h')).includes('arc-seal')
}

const chainFields = new Set(['arc-seal', 'arc-message-signature', 'arc-authentication-results'])
/** Three fields for each of 50 forwarders (RFC 8617 section 4.2.1). */
const maxChainFields = 150

/** Returns the fields of the chain of forwarders (ARC). */
export const chainOf = (fields: readonly MailHeader[]): MailHeader[] =>
  fields.filter(({ name: field }) => chainFields.has(field.toLowerCase()))

/** Returns whether all seals and signatures of a chain of forwarders (ARC) are strictly well-formed. */
export const isChainWellFormed = (chain: readonly MailHeader[]): boolean =>
  chain.length <= maxChainFields &&
  chain.every(({ name: field, value }) => {
    const kind = field.toLowerCase()
    return value.length <= maxSignatureLength && (!isKind(kind) || isWellFormed(kind, value))
  })

/** Returns the DNS names of the keys of a chain. */
export const chainKeyNames = (chain: readonly MailHeader[]): string[] => [
  ...new Set(chain.flatMap(({ value }) => readSignature(value)?.keyName ?? [])),
]
