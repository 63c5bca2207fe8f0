import { createPublicKey, createVerify } from 'node:crypto'
import { dayMs, hourMs } from '../../../base/time'
import { updated } from '../../../base/turns'
import { readForm } from './form'
import { BadSignature, maxFormBytes, NotMail, type Provider, readJson, requireYoung } from './provider'

/** SendGrid retries for three days, and does not document that it signs each attempt. */
const maxAgeMs = 3 * dayMs + hourMs

async function isSigned(
  publicKey: string,
  timestamp: string,
  body: Buffer,
  signature: Buffer,
): Promise<boolean> {
  try {
    const der = publicKey.replace(/-----[^-]+-----|\s/g, '')
    const key = createPublicKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'spki' })
    return (await updated(createVerify('sha256').update(timestamp), body)).verify(key, signature)
  } catch {
    return false
  }
}

const signedIn = (headers: Headers) => ({
  timestamp: headers.get('x-twilio-email-event-webhook-timestamp') ?? '',
  signature: headers.get('x-twilio-email-event-webhook-signature') ?? '',
})

/**
 * SendGrid Inbound Parse: "POST the raw, full MIME message", with a security policy that signs.
 *
 * https://www.twilio.com/docs/sendgrid/for-developers/parsing-email/securing-your-parse-webhooks
 */
export const sendgrid: Provider<'sendgrid'> = {
  maxBytes: maxFormBytes,
  admit({ headers, nowMs }) {
    const { timestamp, signature } = signedIn(headers)
    if (signature === '')
      throw new BadSignature('it has no signature: attach a security policy that signs to the parse webhook')
    requireYoung(Number(timestamp) * 1_000, nowMs, maxAgeMs)
    // The signature covers the body too, so it is checked later.
    return false
  },
  async read({ body, headers }, { secret }) {
    const { timestamp, signature } = signedIn(headers)
    if (!(await isSigned(secret.public_key, timestamp, body, Buffer.from(signature, 'base64'))))
      throw new BadSignature('the signature does not fit: look at the public key of the security policy')
    const form = await readForm(body, headers.get('content-type') ?? '')
    const raw = form.get('email')
    if (!raw) throw new NotMail('there is no field email: switch on "POST the raw, full MIME message"')
    const { from = '', to = [] } = readJson<{ from?: string; to?: string[] }>(form.get('envelope') ?? '{}')
    const clientIp = form.get('sender_ip')?.toString() || undefined
    return [{ from, to, clientIp, raw }]
  },
}
