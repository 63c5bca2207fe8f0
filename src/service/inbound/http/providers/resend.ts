import { isIP } from 'node:net'
import { minuteMs } from '../../../base/time'
import {
  BadSignature,
  bareAddress,
  hmac,
  isSame,
  maxNoticeBytes,
  NotMail,
  type Provider,
  type ProviderRequest,
  readJson,
  requireYoung,
} from './provider'

/** Maximum age in ms of a signature; Svix signs each attempt. */
const maxAgeMs = 5 * minuteMs
const maxAnswerBytes = 8 * 1024 * 1024

interface Posted {
  type?: string
  data?: { email_id?: string; from?: string; to?: string[]; received_for?: string[] }
}

interface Received {
  raw?: { download_url?: string } | null
  received_for?: string[]
}

/** @throws BadSignature (https://docs.svix.com/receiving/verifying-payloads/how-manual) */
function requireSigned({ body, headers, nowMs }: ProviderRequest, secret: string): void {
  const header = (name: string) => headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? ''
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const mac = hmac(key, `${header('id')}.${header('timestamp')}.`, body)
  const given = header('signature').split(' ')
  const isGood = given.some(
    (one) => one.startsWith('v1,') && isSame(Buffer.from(one.slice(3), 'base64'), mac),
  )
  if (!isGood) throw new BadSignature('the signature does not fit: look at the signing secret of the webhook')
  requireYoung(Number(header('timestamp')) * 1_000, nowMs, maxAgeMs)
}

/** Returns the URL of a download that Resend names. @throws Error if it is not https, or has an IP address */
function downloadUrl(text: string): string {
  const url = new URL(text)
  const isName = isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0
  if (url.protocol !== 'https:' || !isName) throw new Error('Resend told an address that is not https')
  return url.href
}

/**
 * Resend: a webhook for `email.received`; the message is fetched.
 *
 * https://resend.com/docs/webhooks/emails/received,
 * https://resend.com/docs/api-reference/emails/retrieve-received-email
 */
export const resend: Provider<'resend'> = {
  maxBytes: maxNoticeBytes,
  async read(request, { secret }, { fetchBytes }) {
    requireSigned(request, secret.signing_secret)
    const { type, data } = readJson<Posted>(request.body)
    if (type !== 'email.received' || !/^[\w-]{8,64}$/.test(data?.email_id ?? ''))
      throw new NotMail('it is no email.received: subscribe the webhook to that alone')
    const id = data!.email_id!
    const answer = await fetchBytes(
      `https://api.resend.com/emails/receiving/${id}`,
      { authorization: `Bearer ${secret.api_key}` },
      maxAnswerBytes,
    )
    const { raw, received_for } = readJson<Received>(answer)
    if (!raw?.download_url) throw new Error(`Resend has no raw mail of ${id}`)
    const to = received_for ?? data!.received_for ?? data!.to ?? []
    return [
      {
        // Resend does not report the envelope sender.
        from: bareAddress(data!.from ?? ''),
        to: to.map(bareAddress),
        sourceId: id,
        raw: await fetchBytes(downloadUrl(raw.download_url)),
      },
    ]
  },
}
