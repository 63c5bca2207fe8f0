import type { RecipientOutcome } from './outcome'

const SES_HOST = /^email-smtp(?:-fips)?\.([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com$/i
const SES_ID = /^250 Ok ([\da-f]{16}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-\d{6})\b/i

/**
 * The Message-ID under which a relay passes a mail on, where that is not the mail's own: answers and bounces name it.
 * Amazon SES gives each mail one, and tells a part of it.
 *
 * @see https://docs.aws.amazon.com/ses/latest/dg/header-fields.html
 */
export function renamedTo({
  outcome,
  remote,
  response,
}: Pick<RecipientOutcome, 'outcome' | 'remote' | 'response'>): string | undefined {
  const region = SES_HOST.exec(remote ?? '')?.[1]?.toLowerCase()
  const id = SES_ID.exec(response)?.[1]
  if (outcome !== 'sent' || !region || !id) return undefined
  return `<${id}@${region === 'us-east-1' ? 'email' : region}.amazonses.com>`
}
