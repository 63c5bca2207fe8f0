import type { PostedMail } from '../../../ports'
import { BadSignature, bareAddress, maxFormBytes, type Provider, providerMailOf, readJson } from './provider'

interface Posted {
  MessageID?: string
  OriginalRecipient?: string
  From?: string
  RawEmail?: string
  Headers?: { Name: string; Value: string }[]
}

/** Returns the password of Basic authentication (RFC 7617). */
function passwordOf(authorization: string): string {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1] ?? ''
  const pair = Buffer.from(encoded, 'base64').toString()
  return pair.slice(pair.indexOf(':') + 1)
}

/**
 * Postmark: an inbound webhook with the raw email included, and the API key as the password in its URL.
 *
 * https://postmarkapp.com/developer/webhooks/inbound-webhook
 *
 * The message is a JSON string, so bytes that are not UTF-8 are lost.
 */
export const postmark: Provider<'postmark'> = {
  maxBytes: maxFormBytes,
  admit({ headers }, { isApiKey }) {
    if (isApiKey(passwordOf(headers.get('authorization') ?? ''))) return true
    throw new BadSignature('the password in the URL of the webhook is not the API key')
  },
  read: async ({ body }, _key, { parser }) => [providerMailOf(await parser.posted('postmark', body, ''))],
}

/**
 * Extracts the message from JSON. Runs in a worker thread: it may have 80 MB, and strangers write most of it.
 */
export function mailOfPostmark(body: Buffer): PostedMail | string {
  const posted = readJson<Posted>(body)
  if (!posted.RawEmail)
    return 'there is no RawEmail: switch on "Include raw email content" of the inbound stream'
  const header = (name: string) => posted.Headers?.find((one) => one.Name.toLowerCase() === name)?.Value ?? ''
  // Postmark's own header comes first (its documentation, "Parse an email").
  const [spf] = [header('received-spf')]
  return {
    from: bareAddress(header('return-path') || (posted.From ?? '')),
    to: [posted.OriginalRecipient ?? ''],
    sourceId: posted.MessageID,
    clientIp: /\bclient-ip=([\da-f.:]+)/i.exec(spf)?.[1],
    helo: /\bhelo=([^\s;]+)/i.exec(spf)?.[1],
    raw: Buffer.from(posted.RawEmail),
  }
}
