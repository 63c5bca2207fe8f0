import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { InboundProvider } from '../../../../src/protocol/records/inbound/provider'
import { createSelfSigned } from '../../../../src/service/inbound/smtp/certificate'

const hourMs = 3_600_000
export const boundary = 'xYzZY'
/** The keys of SendGrid’s signatures. */
export const sendgridKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const sns = createSelfSigned('sns.amazonaws.com')
export const topic = 'arn:aws:sns:eu-west-1:123456789012:mail'
export const certificateUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123abcd.pem'

export interface Mail {
  from: string
  to: string
  raw: Buffer
  id: string
}

export interface Posted {
  headers: Record<string, string>
  body: Buffer
  query?: string
}

/** Writes what a provider posts, at a time. */
type Post = (mail: Mail, nowMs: number, key: { apiKey: string }, wrong: boolean) => Posted

export const seconds = (ms: number) => String(Math.floor(ms / 1_000))
export const form = (fields: Record<string, string | Buffer>) =>
  Buffer.concat([
    ...Object.entries(fields).flatMap(([name, value]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
export const formType = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** The fields of https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html. */
export function snsPost(
  message: object | string,
  nowMs: number,
  type: string,
  key: string | KeyObject,
  more = {},
): Posted {
  const fields: Record<string, string> = {
    Type: type,
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: topic,
    Message: typeof message === 'string' ? message : JSON.stringify(message),
    Timestamp: new Date(nowMs).toISOString(),
    ...more,
  }
  const names = ['Message', 'MessageId', 'SubscribeURL', 'Subject', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const text = names.flatMap((name) => (fields[name] ? [`${name}\n${fields[name]}\n`] : [])).join('')
  const body = {
    ...fields,
    SignatureVersion: '2',
    Signature: sign('sha256', Buffer.from(text), key).toString('base64'),
    SigningCertURL: certificateUrl,
  }
  return { headers: { 'content-type': 'text/plain' }, body: Buffer.from(JSON.stringify(body)) }
}

const otherKey = createSelfSigned('sns.amazonaws.com').key
/** https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-examples.html */
export const sesNotice = ({ from, to, id, raw }: Mail) => ({
  notificationType: 'Received',
  mail: { source: from, messageId: id, destination: [to] },
  receipt: {
    recipients: [to],
    spfVerdict: { status: 'PASS' },
    action: { type: 'SNS', topicArn: topic, encoding: 'BASE64' },
  },
  content: raw.toString('base64'),
})

interface Row {
  provider: InboundProvider
  path: string
  post: Post
  /** How old a request may be. */
  maxAgeMs: number
  /** Changes the mail in what was posted, as somebody on the way might. */
  signsBody: boolean
  keepsBytes: boolean
}

const svixKey = Buffer.from('a signing secret of svix')
export const files = new Map<string, Buffer>()

export const rows: Record<string, Row> = {
  cloudflare: {
    provider: { type: 'cloudflare' },
    path: 'cloudflare',
    maxAgeMs: hourMs / 12,
    signsBody: true,
    keepsBytes: true,
    post({ from, to, raw }, nowMs, { apiKey }, wrong) {
      const query = new URLSearchParams({ from, to }).toString()
      const hash = createHash('sha256').update(raw).digest('hex')
      const mac = createHmac('sha256', wrong ? 'rst_other' : apiKey)
      const headers = {
        'restante-timestamp': seconds(nowMs),
        'restante-content-sha256': hash,
        'restante-signature': mac.update(`${seconds(nowMs)}.${query}.${hash}`).digest('hex'),
      }
      return { query: `?${query}`, headers, body: raw }
    },
  },
  ses: {
    provider: { type: 'ses', topic_arn: topic },
    path: 'ses',
    maxAgeMs: hourMs,
    signsBody: true,
    keepsBytes: true,
    post: (mail, nowMs, _key, wrong) =>
      snsPost(sesNotice(mail), nowMs, 'Notification', wrong ? otherKey : sns.key),
  },
  mailgun: {
    provider: { type: 'mailgun', signing_key: 'key-of-mailgun' },
    path: 'mailgun-mime',
    maxAgeMs: 12 * hourMs,
    signsBody: false,
    keepsBytes: true,
    post({ from, to, id, raw }, nowMs, _key, wrong) {
      const timestamp = seconds(nowMs)
      const token = createHmac('sha256', 'token').update(id).digest('hex').slice(0, 50)
      const mac = createHmac('sha256', wrong ? 'other' : 'key-of-mailgun').update(timestamp + token)
      const signature = mac.digest('hex')
      const fields = { timestamp, token, signature, sender: from, recipient: to, 'body-mime': raw }
      return { headers: formType, body: form(fields) }
    },
  },
  postmark: {
    provider: { type: 'postmark' },
    path: 'postmark',
    maxAgeMs: Number.POSITIVE_INFINITY,
    signsBody: false,
    keepsBytes: false,
    /** https://postmarkapp.com/developer/user-guide/inbound/parse-an-email */
    post({ from, to, id, raw }, _nowMs, { apiKey }, wrong) {
      const password = wrong ? 'rst_other' : apiKey
      const posted = {
        From: from,
        MessageID: id,
        OriginalRecipient: to,
        Headers: [{ Name: 'Return-Path', Value: `<${from}>` }],
        RawEmail: raw.toString(),
      }
      return {
        headers: { authorization: `Basic ${Buffer.from(`restante:${password}`).toString('base64')}` },
        body: Buffer.from(JSON.stringify(posted)),
      }
    },
  },
  sendgrid: {
    provider: {
      type: 'sendgrid',
      public_key: sendgridKeys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    },
    path: 'sendgrid',
    maxAgeMs: 73 * hourMs,
    signsBody: true,
    keepsBytes: true,
    post({ from, to, raw }, nowMs, _key, wrong) {
      const body = form({ envelope: JSON.stringify({ to: [to], from }), sender_ip: '192.0.2.1', email: raw })
      const key = wrong
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : sendgridKeys.privateKey
      const signature = sign('sha256', Buffer.concat([Buffer.from(seconds(nowMs)), body]), key)
      return {
        headers: {
          ...formType,
          'x-twilio-email-event-webhook-timestamp': seconds(nowMs),
          'x-twilio-email-event-webhook-signature': signature.toString('base64'),
        },
        body,
      }
    },
  },
  resend: {
    provider: {
      type: 'resend',
      signing_secret: `whsec_${svixKey.toString('base64')}`,
      api_key: 're_12345678',
    },
    path: 'resend',
    maxAgeMs: hourMs / 12,
    signsBody: true,
    keepsBytes: true,
    /** https://resend.com/docs/webhooks/emails/received */
    post({ from, to, id, raw }, nowMs, _key, wrong) {
      const email_id = `mail-${id.replace(/[^\w]/g, '')}`
      files.set(`https://cdn.example.com/${email_id}`, raw)
      const download = { raw: { download_url: `https://cdn.example.com/${email_id}` }, received_for: [to] }
      files.set(`https://api.resend.com/emails/receiving/${email_id}`, Buffer.from(JSON.stringify(download)))
      const data = { email_id, from: `Somebody <${from}>`, to: [to] }
      const body = Buffer.from(JSON.stringify({ type: 'email.received', data }))
      const mac = createHmac('sha256', wrong ? 'other' : svixKey)
        .update(`msg_1.${seconds(nowMs)}.`)
        .update(body)
      const signature = `v1,${Buffer.from('x').toString('base64')} v1,${mac.digest('base64')}`
      return {
        headers: { 'svix-id': 'msg_1', 'svix-timestamp': seconds(nowMs), 'svix-signature': signature },
        body,
      }
    },
  },
}
