import { hourMs } from '../../../base'
import { readForm } from './form'
import { BadSignature, hmac, isSame, maxFormBytes, NotMail, type Provider, requireYoung } from './provider'

/** Mailgun repeats for 8 hours, and does not say that it signs anew. */
const maxAgeMs = 12 * hourMs

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
  async read({ body, headers, nowMs }, { secret }) {
    const form = readForm(body, headers.get('content-type') ?? '')
    const text = (name: string) => form.get(name)?.toString() ?? ''
    const [timestamp, token] = [text('timestamp'), text('token')]
    const signature = Buffer.from(text('signature'), 'hex')
    if (token === '' || !isSame(signature, hmac(secret.signing_key, timestamp, token)))
      throw new BadSignature(
        'the signature does not fit: look at the HTTP webhook signing key of the Mailgun account',
      )
    requireYoung(Number(timestamp) * 1_000, nowMs, maxAgeMs)
    const raw = form.get('body-mime')
    if (!raw) throw new NotMail('there is no body-mime: let the URL of the route end in mailgun-mime')
    const to = addressesOf(text('recipient'))
    return [{ from: text('sender'), to, sourceId: token.slice(0, 255), token, raw }]
  },
}
