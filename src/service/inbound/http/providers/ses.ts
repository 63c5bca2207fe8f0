import { hourMs } from '../../../base/time'
import { noContent, type S3Keys, s3Path, signS3 } from '../../../net/sign-s3'
import {
  BadSignature,
  type FetchBytes,
  maxNoticeBytes,
  NotMail,
  type Provider,
  type ProviderKey,
  readJson,
  requireYoung,
} from './provider'
import { requireSns, type SnsMessage, snsUrl } from './sns'

/** Object in S3, with the credentials to read it. */
export interface S3Object extends S3Keys {
  bucket: string
  key: string
}

/** Signs a request for an object. A provider names the object, so the URL must lead to AWS only. */
export function signedGet(
  { bucket, key, ...keys }: S3Object,
  nowMs: number,
  headers: Record<string, string> = {},
) {
  const isPlain = /^[a-z\d][a-z\d-]{1,61}[a-z\d]$/.test(bucket) && /^[a-z\d-]+$/.test(keys.region)
  if (!isPlain)
    throw new Error(`the bucket ${bucket.slice(0, 80)} in ${keys.region.slice(0, 40)} cannot be asked`)
  const url = new URL(`https://${bucket}.s3.${keys.region}.amazonaws.com/${s3Path(key)}`)
  return {
    url: url.href,
    headers: signS3({ method: 'GET', url, contentHash: noContent, headers }, keys, nowMs),
  }
}

/** Maximum age in ms that AWS recommends. */
const maxAgeMs = hourMs

interface Notification {
  notificationType?: string
  content?: string
  mail?: { messageId?: string; source?: string }
  receipt?: {
    recipients?: string[]
    spfVerdict?: { status?: string }
    action?: { type?: string; encoding?: string; bucketName?: string; objectKey?: string }
  }
}

const spfResults: Record<string, string> = { PASS: 'pass', FAIL: 'fail', GRAY: 'neutral' }

async function rawOf(
  { content, receipt }: Notification,
  { secret }: ProviderKey<'ses'>,
  nowMs: number,
  fetchBytes: FetchBytes,
): Promise<Buffer> {
  const { type, encoding, bucketName, objectKey } = receipt?.action ?? {}
  if (type === 'SNS' && content !== undefined)
    return Buffer.from(content, encoding?.toUpperCase() === 'BASE64' ? 'base64' : 'utf8')
  if (type !== 'S3' || bucketName === undefined || objectKey === undefined)
    throw new NotMail('there is no mail in it: let the rule publish to SNS, in Base64, or to S3')
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, topic_arn } = secret
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error('email in S3 needs an access key that can read it. Create the key again with one')
  const object = { bucket: bucketName, key: objectKey, region: topic_arn.split(':')[3]! }
  const { url, headers } = signedGet({ ...object, accessKeyId, secretAccessKey }, nowMs)
  return fetchBytes(url, headers)
}

/**
 * Amazon SES: a receipt rule that publishes to SNS, or to S3 with a topic.
 *
 * https://docs.aws.amazon.com/ses/latest/dg/receiving-email-notifications-contents.html
 *
 * Anyone with an AWS account can have SNS sign a message, so it must come from the topic of this key.
 */
export const ses: Provider<'ses'> = {
  // SNS messages have at most 256 KiB.
  maxBytes: maxNoticeBytes,
  async read({ body, nowMs }, key, { fetchBytes }) {
    const message = readJson<SnsMessage>(body)
    if (message.TopicArn !== key.secret.topic_arn)
      throw new BadSignature(`it is of another topic than ${key.secret.topic_arn}`)
    await requireSns(message, nowMs, fetchBytes)
    requireYoung(Date.parse(message.Timestamp), nowMs, maxAgeMs)
    if (message.Type === 'SubscriptionConfirmation') {
      await fetchBytes(snsUrl(message.SubscribeURL ?? '').href)
      return []
    }
    const notification = readJson<Notification>(Buffer.from(message.Message))
    // SES sends one such notification to confirm that it may publish to the topic.
    if (notification.notificationType !== 'Received') return []
    const { mail = {}, receipt = {} } = notification
    const from = mail.source === '<>' ? '' : (mail.source ?? '')
    const result = spfResults[receipt.spfVerdict?.status ?? ''] ?? 'none'
    return [
      {
        from,
        to: receipt.recipients ?? [],
        sourceId: mail.messageId,
        spf: { result, domain: from.slice(from.lastIndexOf('@') + 1) },
        raw: await rawOf(notification, key, nowMs, fetchBytes),
      },
    ]
  },
}
