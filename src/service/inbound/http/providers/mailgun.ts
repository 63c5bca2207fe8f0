import { hourMs } from '../../../base/time'
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

/** Mailgun retries for 8 hours, and does not document that it signs each attempt. */
const maxAgeMs = 12 * hourMs
/** Far more bytes than any signature field has. */
const maxSignedBytes = 1_000

/** Splits a list such as `a@example.com, "b,c"@example.com`: a catch-all route sends them in one request. */
const addressesOf = (recipient: string): string[] =>
  recipient.match(/(?:"[^"]{0,64}"|[^\s,"]){1,64}@[^\s,"]{1,255}/g) ?? []

/**
 * Mailgun: a route that forwards to a URL which ends in `mime`.
 *
 * https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http
 *
 * Its signature covers the time and the token, not the message. The token is therefore stored, and refused
 * with any other message.
 */
export const mailgun: Provider<'mailgun'> = {
  maxBytes: maxFormBytes,
  async read({ body, headers, nowMs }, { secret }, { parser }) {
    const contentType = headers.get('content-type') ?? ''
    const form = await readForm(body, contentType)
    // Nothing else is decoded before these prove the sender.
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

/** Extracts the message from a form. Runs in a worker thread, since strangers write most of it. */
export async function mailOfMailgun(body: Buffer, contentType: string): Promise<PostedMail | string> {
  const form = await readForm(body, contentType)
  const text = (name: string) => form.get(name)?.toString() ?? ''
  const raw = form.get('body-mime')
  if (!raw) return 'there is no body-mime: let the URL of the route end in mailgun-mime'
  return { from: text('sender'), to: addressesOf(text('recipient')), raw }
}
