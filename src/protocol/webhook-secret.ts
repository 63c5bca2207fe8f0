import { UsageError } from './errors/error'

const secretPrefix = 'whsec_'

/** Encodes bytes as base64. */
export const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
/** Decodes base64; null if it is none. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/**
 * Formats a secret: `whsec_` and the base64 of its bytes.
 *
 * @example
 * ```ts
 * const secret = webhookSecret(crypto.getRandomValues(new Uint8Array(24)))
 * ```
 */
export const webhookSecret = (bytes: Uint8Array): string => secretPrefix + toBase64(bytes)

/** Returns the bytes of a secret; null if it is none. */
export const bytesOfSecret = (secret: string) =>
  fromBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret)

/**
 * Requires one or several secrets that are valid.
 *
 * @param what Name of the calling function, for the error text.
 * @throws UsageError `invalid_secret`
 */
export function requireWebhookSecret(secret: unknown, what: string): void {
  const secrets = [secret].flat()
  const isGood = (one: unknown) => typeof one === 'string' && (bytesOfSecret(one)?.length ?? 0) > 0
  if (secrets.length > 0 && secrets.every(isGood)) return
  const isEmpty =
    secrets.length === 0 || secrets.some((one) => one === '' || one === undefined || one === null)
  throw new UsageError(
    'invalid_secret',
    `${what} ${isEmpty ? 'has no secret: is WEBHOOK_SECRET set?' : 'got a value that is not a secret.'} It is whsec_…, as \`restante webhooks add\` shows it once.`,
  )
}
