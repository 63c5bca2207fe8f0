import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { digitsOf } from './ids'

/** The server's secrets, newest first; older ones can still decrypt. */
export interface Secrets {
  /** Id of the secret that new keys are derived from. */
  readonly currentId: string
  /** Derives 32 bytes from a secret, purpose and context, as base64url; null for an unknown secret. */
  derive(secretId: string, purpose: string, context: string): string | null
  /** Encrypts with the newest secret; can be opened only for the same purpose and context. */
  seal(purpose: string, context: string, content: Uint8Array): string
  /** Decrypts; null if the secret is no longer set or the text was changed. */
  open(purpose: string, context: string, sealed: string): Buffer | null
  /** Signs a text, to prove that it is ours: base32 digits, 5 bits each. */
  sign(purpose: string, text: string, digits: number): string
  /** Checks a signature against each of the secrets. */
  isSigned(purpose: string, text: string, signature: string): boolean
  /** Checks whether a text was sealed with the newest secret. */
  isFresh(sealed: string): boolean
}

export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** Compares two texts in constant time. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Sizes of AES-256-GCM. */
const nonceBytes = 12
const tagBytes = 16

const idOf = (secret: string) => sha256(`restante secret id\n${secret}`).slice(0, 12)

/** @param list One or more secrets, separated by commas, newest first. */
export function createSecrets(list: string): Secrets {
  const secrets = new Map(
    list
      .split(',')
      .map((secret) => secret.trim())
      .filter(Boolean)
      .map((secret) => [idOf(secret), secret]),
  )
  const [currentId] = secrets.keys()
  if (!currentId) throw new Error('no secret')
  function keyOf(secretId: string, purpose: string, context: string): Buffer | null {
    const secret = secrets.get(secretId)
    if (secret === undefined) return null
    return Buffer.from(hkdfSync('sha256', secret, context, `restante ${purpose}`, 32))
  }

  function signWith(secretId: string, purpose: string, text: string, digits: number): string {
    const mac = createHmac('sha256', keyOf(secretId, purpose, '')!)
      .update(text)
      .digest()
    return digitsOf(mac, digits)
  }

  return {
    currentId,
    sign: (purpose, text, digits) => signWith(currentId, purpose, text, digits),
    isSigned: (purpose, text, signature) =>
      [...secrets.keys()].some((id) =>
        isSameSecret(signWith(id, purpose, text, signature.length), signature),
      ),
    derive: (secretId, purpose, context) => keyOf(secretId, purpose, context)?.toString('base64url') ?? null,
    seal(purpose, context, content) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keyOf(currentId, purpose, context)!, nonce)
      const parts = [nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]
      return `${currentId}.${Buffer.concat(parts).toString('base64url')}`
    },
    open(purpose, context, sealed) {
      const [secretId = '', text = ''] = sealed.split('.')
      const key = keyOf(secretId, purpose, context)
      const bytes = Buffer.from(text, 'base64url')
      if (!key || bytes.length < nonceBytes + tagBytes) return null
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
      } catch {
        return null
      }
    },
    isFresh: (sealed) => sealed.startsWith(`${currentId}.`),
  }
}
