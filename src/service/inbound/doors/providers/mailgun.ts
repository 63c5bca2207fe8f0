import { hourMs } from '../../../base'
import type { PostedMail } from '../../../ports'
import { readForm } from './form'
import {
  BadSignature,
  hmac,
  isSame,
  maxFormBytes,
  type Provider,
  providerMailOf,
  requireYoung,
} from './provider'

/** Mailgun repeats for 8 hours, and does not say that it signs anew. */
const maxAgeMs = 12 * hourMs
/** Each field of the signature has far fewer bytes. */
const maxSignedBytes = 1_000

/** The addresses of `a@example.com, "b,c"@example.com`: a route that catches all has them in one request. */
const addressesOf = (recipient: string): string[] =>
  recipient.match(/(?:"[^"]{0,64}"|[^\s,"]){1,64}@[^\s,"]{1,255}/g) ?? []

/**
 * Mailgun: a route that forwards to a URL which ends in `mime`.
 *
 * https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http
 *
 * Its signature is of the time and the token, not of the mail: the token is therefore remembered, and another mail
 * under it is refused.
 */
export const mailgun: Provider<'mailgun'> = {
  maxBytes: maxFormBytes,
  async read({ body, headers, nowMs }, { secret }, { parser }) {
    const contentType = headers.get('content-type') ?? ''
    const form = readForm(body, contentType)
    // Until these prove who posts, nothing else is decoded.
    const signed = (name: string) => form.get(name, maxSignedBytes)?.toString() ?? ''
    const [timestamp, token] = [signed('timestamp'), signed('token')]
    const signature = Buffer.from(signed('signature'), 'hex')
    if (token === '' || !isSame(signature, hmac(secret.signing_key, timestamp, token)))
      throw new BadSignature(
        'the signature does not fit: look at the HTTP webhook signing key of the Mailgun account',
      )
    requireYoung(Number(timestamp) * 1_000, nowMs, maxAgeMs)
    const mail = providerMailOf(await parser.posted('mailgun', body, contentType))
    return [{ ...mail, sourceId: token.slice(0, 255), token }]
  },
}

/** Reads the mail in a form, in a thread: a stranger wrote most of it. */
export function mailOfMailgun(body: Buffer, contentType: string): PostedMail | string {
  const form = readForm(body, contentType)
  const text = (name: string) => form.get(name)?.toString() ?? ''
  const raw = form.get('body-mime')
  if (!raw) return 'there is no body-mime: let the URL of the route end in mailgun-mime'
  return { from: text('sender'), to: addressesOf(text('recipient')), raw }
}
