import { splitAddress } from '../headers/address'
import { parseAddressList } from '../headers/address-list'
import type { MailHead } from '../headers/mail-head'
import { extractMessageIds } from '../headers/message-id'
import { singleLine, truncated } from '../text/safe-text'
import type { Bounce, BounceRecipient, ReturnedMail } from './bounce'
import type { Complaint } from './complaint'
import { maxRecipients } from './report-recipients'

const maxLength = 256 * 1024
const maxWords = 500

/** A notice of Amazon SES about a message sent through it. */
interface SesNotice {
  bounce: Bounce | null
  complaint: Complaint | null
}

type Fields = Record<string, unknown>

/**
 * Reads an Amazon SES notice that SNS sent by email: JSON that reports a bounce or a complaint. Null for
 * other messages, including delivery notices.
 *
 * @see https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
 */
export function readSesNotice(head: MailHead, text: string): SesNotice | null {
  if (!head.has('x-amz-sns-message-id')) return null
  const outer = jsonAtStart(text)
  const notice = typeof outer.Message === 'string' ? jsonAtStart(outer.Message) : outer
  const kind = notice.notificationType ?? notice.eventType
  const returned = returnedOf(fieldsOf(notice.mail))
  if (kind === 'Bounce') return { bounce: bounceOf(fieldsOf(notice.bounce), returned), complaint: null }
  if (kind === 'Complaint')
    return { bounce: null, complaint: complaintOf(fieldsOf(notice.complaint), returned) }
  return null
}

/**
 * Returns the JSON object at the start of a text, before the footer of SNS; rejoins lines that a relay broke.
 */
function jsonAtStart(text: string): Fields {
  const [json = ''] = text.slice(0, maxLength).split(/\r?\n-- ?\r?\n/, 1)
  try {
    return fieldsOf(JSON.parse(json.replace(/!\r?\n /g, '').replace(/[\r\n]/g, '')))
  } catch {
    return {}
  }
}

function bounceOf(bounce: Fields, returned: ReturnedMail): Bounce {
  const kind = bounce.bounceType === 'Permanent' ? 'hard' : 'soft'
  const recipients = listOf(bounce.bouncedRecipients).flatMap((recipient): BounceRecipient[] => {
    const address = addressIn(recipient.emailAddress)
    const status = /^[245]\.\d{1,3}\.\d{1,3}$/.exec(textOf(recipient.status))?.[0] ?? null
    const words = textOf(recipient.diagnosticCode).replace(/^[\w-]{1,20};\s*/, '')
    const diagnostic = words ? truncated(singleLine(words), maxWords) : null
    return address ? [{ address, action: 'failed', kind, status, diagnostic }] : []
  })
  return { recipients, returned }
}

function complaintOf(complaint: Fields, returned: ReturnedMail): Complaint {
  const type = textOf(complaint.complaintFeedbackType) || 'abuse'
  const recipients = listOf(complaint.complainedRecipients).flatMap(
    (recipient) => addressIn(recipient.emailAddress) ?? [],
  )
  return { type: /^[\w-]{1,40}$/.test(type) ? type.toLowerCase() : 'other', recipients, returned }
}

/** Describes the message. SES assigns its own message ids; the sender's id is in the header, if included. */
function returnedOf(mail: Fields): ReturnedMail {
  const common = fieldsOf(mail.commonHeaders)
  const header = listOf(mail.headers).find(({ name }) => textOf(name).toLowerCase() === 'message-id')
  const to = Array.isArray(mail.destination) ? mail.destination : []
  return {
    messageId: extractMessageIds(textOf(header?.value ?? common.messageId))[0] ?? null,
    from: addressIn(mail.source),
    to: to.slice(0, maxRecipients).flatMap((one) => addressIn(one) ?? []),
    subject: truncated(singleLine(textOf(common.subject)), maxWords),
  }
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const listOf = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.slice(0, maxRecipients).map(fieldsOf) : []
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
function addressIn(value: unknown): string | null {
  const address = parseAddressList(textOf(value))[0]?.address
  return address && splitAddress(address) ? address : null
}
