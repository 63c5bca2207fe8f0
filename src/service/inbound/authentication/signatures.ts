import { headerValues, type MailHeader } from '../../../mail/headers/header-reader'
import type { MailParser, Resolver, SignatureResult, SignatureResults, SignatureTask } from '../../ports'
import { chainKeyNames, chainOf, isChainWellFormed } from './arc'
import { chooseSignatures, type SoundSignature, soundSignature, type WrittenSignature } from './dkim'
import { loadOrganizations, readTags } from './tag-list'

/** The part of {@link MailParser} that verifies signatures. */
export type SignatureVerifier = Pick<MailParser, 'verifySignatures'>

/** Message whose header every program reads in the same way. */
interface SignedMessage {
  raw: Uint8Array
  fields: readonly MailHeader[]
  bodyStart: number
  /** Domain of the one address in From, in its ASCII form; null if there is not exactly one. */
  domain: string | null
}

/** Signatures of a message to verify, with their keys. */
interface SignatureJob {
  signatures: (WrittenSignature & { key: string })[]
  chainKeys: SignatureTask['chainKeys']
  /** Result of each chosen signature whose key cannot be read. */
  failures: ('neutral' | 'temperror')[]
  /** Result of the chain if it is not verified. */
  chain: SignatureResults['chain']
}

/** Verdict on the signatures of a message. */
export interface SignatureVerdict {
  /** Result as in RFC 8601 section 2.7.1; `policy` if signatures are valid but prove nothing. */
  dkim: SignatureResult | 'none' | 'temperror'
  /** Result of the chain of forwarders. */
  arc: SignatureResults['chain'] | 'temperror'
  /** Signatures that prove the message for their domains. */
  sound: SoundSignature[]
}

const maxKeyLength = 8 * 1024
const isMissing = (error: unknown) =>
  ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Queries DNS for the record of a key. Rejects if DNS does not answer. */
async function keyRecord(resolver: Resolver, name: string): Promise<string | null> {
  try {
    const texts = (await resolver.txt(name)).map((strings) => strings.join(''))
    return texts.find((text) => text.length <= maxKeyLength && readTags(text)?.has('p')) ?? null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Maximum number of keys of a chain: no honest message passes more forwarders. */
const maxChainKeys = 20

/** Queries DNS for the keys of a chain; null if it is not verified. */
async function chainKeysOf(
  resolver: Resolver,
  chain: readonly MailHeader[],
): Promise<SignatureJob['chainKeys']> {
  const names = isChainWellFormed(chain) ? chainKeyNames(chain) : []
  if (names.length === 0 || names.length > maxChainKeys) return null
  const named = names.map(async (name) => {
    const key = await keyRecord(resolver, name).catch(() => null)
    return key === null ? [] : [[name, key] as const]
  })
  return Object.fromEntries((await Promise.all(named)).flat())
}

/** Chooses the signatures to verify, and queries DNS for their keys. */
export async function prepareSignatures(
  resolver: Resolver,
  { fields, domain }: Pick<SignedMessage, 'fields' | 'domain'>,
): Promise<SignatureJob> {
  const organizationOf = await loadOrganizations()
  const isOfSender = (one: string) => domain !== null && organizationOf(one) === organizationOf(domain)
  const chosen = chooseSignatures(fields, isOfSender)
  const failures: SignatureJob['failures'] = []
  const keyed = chosen.map(async (signature) => {
    try {
      const key = await keyRecord(resolver, signature.keyName)
      if (key !== null) return [{ ...signature, key }]
      failures.push('neutral')
    } catch {
      failures.push('temperror')
    }
    return []
  })
  const chain = chainOf(fields)
  const chainKeys = await chainKeysOf(resolver, chain)
  const signatures = (await Promise.all(keyed)).flat()
  return { signatures, chainKeys, failures, chain: chain.length > 0 ? 'fail' : 'none' }
}

/** Verifies the signatures in a thread, if there are any, and decides what they prove. */
export async function judgeSignatures(
  verifier: SignatureVerifier,
  { raw, fields, bodyStart }: Omit<SignedMessage, 'domain'>,
  { signatures, chainKeys, failures, chain }: SignatureJob,
): Promise<SignatureVerdict> {
  const isSigned = headerValues(fields, 'dkim-signature').length > 0
  const unread = isSigned ? (failures[0] ?? 'neutral') : 'none'
  if (signatures.length === 0 && chainKeys === null) return { dkim: unread, arc: chain, sound: [] }
  const asked = signatures.map(({ text, key }) => ({ text, key }))
  try {
    const results = await verifier.verifySignatures(raw, { bodyStart, signatures: asked, chainKeys })
    const right = signatures.filter((_, index) => results.signatures[index] === 'pass')
    const sound = right.flatMap((one) => soundSignature(fields, one, one.key) ?? [])
    const failure = results.signatures[0] ?? unread
    const dkim = sound.length > 0 ? 'pass' : right.length > 0 ? 'policy' : failure
    return { dkim, arc: chainKeys ? results.chain : chain, sound }
  } catch {
    return { dkim: isSigned ? 'temperror' : 'none', arc: chainKeys ? 'temperror' : chain, sound: [] }
  }
}
