import { createHmac, timingSafeEqual } from 'node:crypto'
import type { InboundProvider } from '../../../../protocol/records'
import { hourMs } from '../../../base'
import type { MailParser, PostedMail } from '../../../ports'
import type { ClaimedSpf } from '../../smtp'

/** A mail that somebody brings, and what they say of it. */
export interface Brought {
  /** Empty for the null sender of bounces (RFC 5321 section 4.5.5). */
  from: string
  to: readonly string[]
  /** The id that its source has for it. */
  sourceId?: string | null | undefined
  clientIp?: string | undefined
  helo?: string | undefined
  /** True where nobody can be told that it is too large: then its beginning is kept. */
  isCut?: boolean | undefined
  /** The verdict of a provider that saw the client. */
  spf?: ClaimedSpf | undefined
}

/** A request of a provider before its body. */
export interface ProviderHead {
  headers: Headers
  query: URLSearchParams
  nowMs: number
}

/** A request of a provider, as it came. */
export interface ProviderRequest extends ProviderHead {
  /** Byte for byte: what is signed, and has mail in it that is no text. */
  body: Buffer
}

/** The key that a provider posts under. */
export interface ProviderKey<Type extends InboundProvider['type'] = InboundProvider['type']> {
  secret: Extract<InboundProvider, { type: Type }>
  /** The API key itself, where the provider signs with it. */
  apiKey: string | null
  /** Tells whether a text is the API key. */
  isApiKey(text: string): boolean
}

/** A mail that a provider brought. */
export interface ProviderMail extends Brought {
  raw: Buffer
  /** What was signed in place of the mail: it is good for one mail only, whoever that is for. */
  token?: string
}

/** Fetches bytes with the address guard. @throws Error where the answer is not 200, or larger than `maxBytes` */
export type FetchBytes = (url: string, headers?: Record<string, string>, maxBytes?: number) => Promise<Buffer>

/** A translation of what one provider posts to mail. */
export interface Provider<Type extends InboundProvider['type'] = InboundProvider['type']> {
  /** The most that it posts. */
  maxBytes: number
  /**
   * Checks what can be checked before the body is read.
   *
   * @returns true where that shows who posts: the body of anybody else counts as a stranger's
   * @throws BadSignature
   */
  admit?(head: ProviderHead, key: ProviderKey<Type>): boolean
  /**
   * Checks who posted, and reads the mail; empty where the request was about none.
   *
   * @throws BadSignature where nothing shows that the provider posted this
   */
  read(request: ProviderRequest, key: ProviderKey<Type>, ports: ProviderPorts): Promise<ProviderMail[]>
}

/** The ports of providers. */
export interface ProviderPorts {
  fetchBytes: FetchBytes
  parser: Pick<MailParser, 'posted'>
}

/** Takes the mail that a thread read. @throws NotMail if it found none, and says why */
export function providerMailOf(posted: PostedMail | string): ProviderMail {
  if (typeof posted === 'string') throw new NotMail(posted)
  const { raw } = posted
  return { ...posted, raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength) }
}

/** A request that nothing shows to be of its provider; the message says what to look at. */
export class BadSignature extends Error {}

/** A request that is its provider's, with something else in it than mail: it must be set up in another way. */
export class NotMail extends Error {}

/** The most of a form, which may write each byte as three, or of a mail in JSON. */
export const maxFormBytes = 80 * 1024 * 1024
/** The most of a post that has no large mail in it. */
export const maxNoticeBytes = 1024 * 1024

/** The time that clocks may differ. */
const aheadMs = hourMs / 12

/** @throws BadSignature where a request was signed longer ago than `maxAgeMs` */
export function requireYoung(signedMs: number, nowMs: number, maxAgeMs: number): void {
  if (signedMs - nowMs <= aheadMs && nowMs - signedMs <= maxAgeMs) return
  const signed = new Date(signedMs)
  throw new BadSignature(
    `it was signed at ${Number.isNaN(signed.getTime()) ? 'no time' : signed.toISOString()}, too far from now: look at the clock`,
  )
}

/** Compares in constant time. */
export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other)

export const hmac = (key: string | Uint8Array, ...parts: (string | Uint8Array)[]): Buffer =>
  parts.reduce((mac, part) => mac.update(part), createHmac('sha256', key)).digest()

/** Reads an object of a provider. @throws NotMail */
export function readJson<T extends object>(body: Uint8Array | string): T {
  let found: unknown
  try {
    found = JSON.parse(body.toString())
  } catch {}
  if (typeof found !== 'object' || found === null) throw new NotMail('the body is not JSON')
  return found as T
}

/** The address in `Name <address>`, or in `<address>`. */
export const bareAddress = (text: string): string => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim()
