import { createHmac, timingSafeEqual } from 'node:crypto'
import type { InboundProvider } from '../../../../protocol/records/inbound/provider'
import { hourMs } from '../../../base/time'
import type { MailParser, PostedMail } from '../../../ports'
import type { ClaimedSpf } from '../../smtp/sender-check'

/** Incoming message with the envelope and origin that its sender reports. */
export interface PostedEnvelope {
  /** Empty for the null sender of bounces (RFC 5321 section 4.5.5). */
  from: string
  to: readonly string[]
  /** Id of the message at its source. */
  sourceId?: string | null | undefined
  clientIp?: string | undefined
  helo?: string | undefined
  /** True if the source cannot be refused for size: then only the first part is kept. */
  isCut?: boolean | undefined
  /** SPF result of a provider that saw the client. */
  spf?: ClaimedSpf | undefined
}

/** Request of a provider, without its body. */
export interface ProviderHead {
  headers: Headers
  query: URLSearchParams
  nowMs: number
}

/** Original request of a provider. */
export interface ProviderRequest extends ProviderHead {
  /** Original bytes: they are signed, and may contain messages that are no text. */
  body: Buffer
}

/** Key that a provider posts under. */
export interface ProviderKey<Type extends InboundProvider['type'] = InboundProvider['type']> {
  secret: Extract<InboundProvider, { type: Type }>
  /** API key itself, if the provider signs with it. */
  apiKey: string | null
  /** Returns true if a text is the API key. */
  isApiKey(text: string): boolean
}

/** Message that a provider delivered. */
export interface ProviderMail extends PostedEnvelope {
  raw: Buffer
  /** Signed token that stands for the message; valid for one message only, for all its recipients. */
  token?: string
}

/** Fetches bytes with the address guard. @throws Error if the answer is not 200, or larger than `maxBytes` */
export type FetchBytes = (url: string, headers?: Record<string, string>, maxBytes?: number) => Promise<Buffer>

/** Adapter that extracts messages from the requests of one provider. */
export interface Provider<Type extends InboundProvider['type'] = InboundProvider['type']> {
  /** Maximum size of its requests. */
  maxBytes: number
  /**
   * Verifies as much as possible before the body is read.
   *
   * @returns true if that proves the sender; otherwise the body counts as a stranger's
   * @throws BadSignature
   */
  admit?(head: ProviderHead, key: ProviderKey<Type>): boolean
  /**
   * Verifies the sender and extracts the messages; none if the request is about something else.
   *
   * @throws BadSignature if nothing proves that the provider sent it
   */
  read(request: ProviderRequest, key: ProviderKey<Type>, ports: ProviderPorts): Promise<ProviderMail[]>
}

/** Ports of providers. */
interface ProviderPorts {
  fetchBytes: FetchBytes
  parser: Pick<MailParser, 'posted'>
}

/** Converts the result of a worker thread. @throws NotMail with the reason if there is no message */
export function providerMailOf(posted: PostedMail | string): ProviderMail {
  if (typeof posted === 'string') throw new NotMail(posted)
  const { raw } = posted
  return { ...posted, raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength) }
}

/** Request that nothing proves to be from its provider; the message names the likely cause. */
export class BadSignature extends Error {}

/** Request of the provider without a message in it: the provider must be configured differently. */
export class NotMail extends Error {}

/** Maximum size of a form, which may encode each byte as three, or of a message in JSON. */
export const maxFormBytes = 80 * 1024 * 1024
/** Maximum size of a request without a large message. */
export const maxNoticeBytes = 1024 * 1024

/** Maximum time in ms that a clock may be ahead. */
const aheadMs = hourMs / 12

/** @throws BadSignature if a request was signed longer ago than `maxAgeMs` */
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

/** Parses an object of a provider. @throws NotMail */
export function readJson<T extends object>(body: Uint8Array | string): T {
  let found: unknown
  try {
    found = JSON.parse(body.toString())
  } catch {}
  if (typeof found !== 'object' || found === null) throw new NotMail('the body is not JSON')
  return found as T
}

/** Returns the address in `Name <address>`, or in `<address>`. */
export const bareAddress = (text: string): string => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim()
