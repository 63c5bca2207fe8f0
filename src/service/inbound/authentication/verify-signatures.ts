import { createHash, type KeyObject, verify } from 'node:crypto'
import { loadLater } from '../../base/load-later'
import type { SignatureResult, SignatureResults, SignatureTask } from '../../ports'
import { type BodyForm, type BodyHash, bodyHash } from './body-hash'
import { readPublicKey } from './public-key'
import { listOf, readTags } from './tag-list'

// Runs only in the threads of `createMailParser`: it takes up to a second, and touches each byte.

const loadMailauth = loadLater(() => import('#mailauth'))

/** Shorter keys prove nothing (RFC 8301 section 3.2); longer ones cost too much. */
const rsaBits = { min: 1024, max: 8192 }

/** Header field as written, one character for each byte, without its last line end. */
interface WrittenField {
  /** In lower case. */
  name: string
  text: string
}

function writtenFields(header: Uint8Array): WrittenField[] {
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('latin1')
  const folded: string[][] = []
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line)) folded.at(-1)?.push(line)
    else if (line !== '') folded.push([line])
  }
  return folded.map((lines) => {
    const field = lines.join('\r\n')
    return {
      name: field
        .slice(0, Math.max(0, field.indexOf(':')))
        .trim()
        .toLowerCase(),
      text: field,
    }
  })
}

const textAfterColon = ({ text }: WrittenField) => text.slice(text.indexOf(':') + 1)
/** Returns the value as the header reader does. */
const unfoldedText = (field: WrittenField) =>
  Buffer.from(textAfterColon(field).replaceAll('\r\n', ''), 'latin1').toString().trim()
const bare = (text: string | undefined) => (text ?? '').replace(/\s+/g, '')

/** Returns a field in the canonical form `relaxed` (RFC 6376 section 3.4.2). */
function relaxed({ name, text }: WrittenField): string {
  const value = textAfterColon({ name, text })
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
  return `${name}:${value.slice(value.startsWith(' ') ? 1 : 0, value.endsWith(' ') ? -1 : undefined)}`
}

/** Returns a signature field with an empty `b=`, the form that is signed. */
function withoutSignature({ name, text }: WrittenField): WrittenField {
  const colon = text.indexOf(':') + 1
  const specs = text.slice(colon).split(';')
  const emptied = specs.map((spec) => /^\s*b\s*=/.exec(spec)?.[0] ?? spec)
  return { name, text: text.slice(0, colon) + emptied.join(';') }
}

/** Returns the signed bytes: the last fields of each name in `h=`, then its own (RFC 6376 section 3.7). */
function signedBytes(fields: readonly WrittenField[], own: WrittenField, tags: Map<string, string>): Buffer {
  const left = new Map<string, WrittenField[]>()
  for (const field of fields) {
    if (field === own) continue
    const same = left.get(field.name)
    if (same) same.push(field)
    else left.set(field.name, [field])
  }
  const signed = listOf(tags.get('h')).flatMap((name) => left.get(name)?.pop() ?? [])
  const isRelaxed = /^relaxed/i.test(tags.get('c') ?? '')
  const form = isRelaxed ? relaxed : ({ text }: WrittenField) => text
  return Buffer.from([...signed, withoutSignature(own)].map(form).join('\r\n'), 'latin1')
}

function isRight(key: KeyObject, algorithm: string, signed: Buffer, signature: Buffer): boolean {
  if (algorithm === 'rsa-sha256') return verify('sha256', signed, key, signature)
  return verify(null, createHash('sha256').update(signed).digest(), key, signature)
}

const keyTypes: Record<string, string> = { 'rsa-sha256': 'rsa', 'ed25519-sha256': 'ed25519' }
const canonicalization = /^(simple|relaxed)(?:\/(simple|relaxed))?$/i

type HashOf = (form: BodyForm) => BodyHash

/** Returns a function that hashes a body in each form once, on first use. */
function hashesOf(body: Uint8Array): HashOf {
  const made = new Map<BodyForm, BodyHash>()
  return (form) => {
    const hash = made.get(form) ?? bodyHash(body, form)
    made.set(form, hash)
    return hash
  }
}

/** Verifies one signature (RFC 6376 section 6.1.3), which may also be an ARC-Message-Signature (RFC 8617). */
function verifyOne(
  fields: readonly WrittenField[],
  own: WrittenField,
  record: string,
  hashOf: HashOf,
): SignatureResult {
  const tags = readTags(textAfterColon(own))
  if (!tags) return 'neutral'
  const algorithm = bare(tags.get('a')).toLowerCase()
  const usual = own.name === 'dkim-signature' ? 'simple/simple' : 'relaxed/relaxed'
  const form = canonicalization.exec(bare(tags.get('c') ?? usual))
  const key = readPublicKey(record)
  if (!form || !key || keyTypes[algorithm] !== key.asymmetricKeyType) return 'neutral'
  const { modulusLength } = key.asymmetricKeyDetails ?? {}
  if (modulusLength && (modulusLength < rsaBits.min || modulusLength > rsaBits.max)) return 'policy'
  const { hash, length } = hashOf((form[2] ?? 'simple').toLowerCase() as BodyForm)
  // A signature of a part proves nothing of the rest, so its hash is not computed.
  if (tags.has('l') && Number(tags.get('l')) !== length) return 'policy'
  if (bare(tags.get('bh')) !== hash) return 'neutral'
  const signed = signedBytes(fields, own, new Map(tags).set('c', tags.get('c') ?? usual))
  if (!isRight(key, algorithm, signed, Buffer.from(bare(tags.get('b')), 'base64'))) return 'fail'
  return Number(tags.get('x') ?? Number.POSITIVE_INFINITY) * 1_000 < Date.now() ? 'neutral' : 'pass'
}

/** Verifies the chain of forwarders (RFC 8617 section 5.2): the newest message signature, and all seals. */
async function verifyChain(
  fields: readonly WrittenField[],
  keys: Readonly<Record<string, string>>,
  hashOf: HashOf,
): Promise<SignatureResults['chain']> {
  const { arc, getARChain } = await loadMailauth()
  const resolver = async (name: string) => {
    if (Object.hasOwn(keys, name)) return [[keys[name]!]]
    throw Object.assign(new Error('no key'), { code: 'ENOTFOUND' })
  }
  try {
    const parsed = fields.map(({ name, text }) => ({ key: name, line: Buffer.from(text, 'latin1') }))
    const chain = getARChain({ parsed }) || []
    const newest = chain.at(-1)
    if (!newest) return 'none'
    const written = newest['arc-message-signature'].original.toString('latin1')
    const own = fields.find(({ text }) => text === written)!
    const tags = readTags(textAfterColon(own))
    const record = keys[`${bare(tags?.get('s'))}._domainkey.${bare(tags?.get('d'))}`] ?? ''
    const result = verifyOne(fields, own, record, hashOf)
    for (const link of chain) {
      const seal = link['arc-seal']
      seal.algorithm = seal.parsed.a!.value
      seal.signAlgo = seal.algorithm.split('-')[0]!
    }
    const lastEntry = Object.assign(newest, { messageSignature: { status: { result } } })
    return (await arc({ chain, lastEntry }, { resolver })).status.result === 'pass' ? 'pass' : 'fail'
  } catch {
    return 'fail'
  }
}

/** Verifies the signatures that {@link SignatureTask} names. Each form of the body is hashed once at most. */
export async function verifySignatures(raw: Uint8Array, task: SignatureTask): Promise<SignatureResults> {
  const fields = writtenFields(raw.subarray(0, task.bodyStart))
  const hashOf = hashesOf(raw.subarray(task.bodyStart))
  const written = fields.filter(({ name }) => name === 'dkim-signature')
  // Found by text, never by position: only the signature that was chosen can prove its content.
  const texts = written.map(unfoldedText)
  const resultOf = ({ text, key }: SignatureTask['signatures'][number]): SignatureResult => {
    const own = written[texts.indexOf(text)]
    try {
      return own ? verifyOne(fields, own, key, hashOf) : 'neutral'
    } catch {
      return 'neutral'
    }
  }
  return {
    signatures: task.signatures.map(resultOf),
    chain: task.chainKeys ? await verifyChain(fields, task.chainKeys, hashOf) : 'none',
  }
}
