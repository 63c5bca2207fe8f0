import { verify, X509Certificate } from 'node:crypto'
import { boundedMap } from '../../../base/bounded-map'
import { BadSignature, type FetchBytes } from './provider'

/** Request body of SNS. */
export interface SnsMessage {
  Type: string
  MessageId: string
  TopicArn: string
  Message: string
  Timestamp: string
  SignatureVersion: string
  Signature: string
  SigningCertURL: string
  Subject?: string
  SubscribeURL?: string
  Token?: string
}

const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    ...['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  ],
} as const

const algorithms: Record<string, string> = { 1: 'sha1', 2: 'sha256' }
const maxCertificateBytes = 64 * 1024
const certificates = boundedMap<X509Certificate>(20)

/** Returns a URL, if it is one of SNS itself. @throws BadSignature */
export function snsUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isSns = /^sns\.[a-z\d-]+\.amazonaws\.com(\.cn)?$/.test(url?.hostname ?? '')
  if (url && isSns && url.protocol === 'https:' && url.port === '' && !url.username) return url
  throw new BadSignature('an address in it is not one of SNS')
}

async function certificateAt(url: URL, fetchBytes: FetchBytes): Promise<X509Certificate> {
  if (!/^\/SimpleNotificationService-[\w-]+\.pem$/.test(url.pathname))
    throw new BadSignature('the address of the certificate is not one of SNS')
  const known = certificates.get(url.href)
  if (known) return known
  const pem = await fetchBytes(url.href, {}, maxCertificateBytes)
  const certificate = new X509Certificate(pem)
  certificates.set(url.href, certificate)
  return certificate
}

/** Returns the text that is signed. */
function signedText(message: SnsMessage): string {
  const names = signedFields[message.Type as keyof typeof signedFields]
  if (!names) throw new BadSignature(`it is a message of the type ${String(message.Type).slice(0, 40)}`)
  return names
    .flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`]))
    .join('')
}

/**
 * Verifies that a message is from SNS.
 *
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 *
 * @throws BadSignature
 */
export async function requireSns(message: SnsMessage, nowMs: number, fetchBytes: FetchBytes): Promise<void> {
  const algorithm = algorithms[message.SignatureVersion]
  if (algorithm === undefined) throw new BadSignature('it has no signature of a version that SNS has')
  const content = Buffer.from(signedText(message))
  const certificate = await certificateAt(snsUrl(message.SigningCertURL), fetchBytes)
  const isValid = Date.parse(certificate.validFrom) <= nowMs && nowMs <= Date.parse(certificate.validTo)
  const isOfSns = /^CN=sns\.(?:[a-z\d-]+\.)?amazonaws\.com(\.cn)?$/m.test(certificate.subject)
  const signature = Buffer.from(message.Signature, 'base64')
  if (isValid && isOfSns && verify(algorithm, content, certificate.publicKey, signature)) return
  throw new BadSignature(
    isValid && isOfSns ? 'the signature does not fit' : 'the certificate is not one of SNS, or too old',
  )
}
