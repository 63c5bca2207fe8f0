import { createPublicKey, type KeyObject } from 'node:crypto'
import { readTags } from './tag-list'

/** DER prefix that makes a key of 32 bytes an Ed25519 `SubjectPublicKeyInfo` (RFC 8410). */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex')

function rsaKey(key: Buffer): KeyObject {
  try {
    return createPublicKey({ key, format: 'der', type: 'spki' })
  } catch {
    // RFC 6376 specifies the bare key; nearly all domains publish it with its algorithm.
    return createPublicKey({ key, format: 'der', type: 'pkcs1' })
  }
}

/** Reads the key of a record (RFC 6376 section 3.6.1, RFC 8463); null if missing or of another type. */
export function readPublicKey(record: string): KeyObject | null {
  const tags = readTags(record)
  const bytes = Buffer.from((tags?.get('p') ?? '').replace(/\s+/g, ''), 'base64')
  const type = tags?.get('k')?.toLowerCase() ?? 'rsa'
  try {
    if (type === 'rsa') return ofType(rsaKey(bytes), 'rsa')
    if (type !== 'ed25519' || bytes.length !== 32) return null
    return createPublicKey({ key: Buffer.concat([ed25519Prefix, bytes]), format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

const ofType = (key: KeyObject, type: string) => (key.asymmetricKeyType === type ? key : null)
