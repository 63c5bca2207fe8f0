import { parseAddressList } from '../headers/address-list'
import { headerValue, headerValues } from '../headers/header-reader'
import type { MailHead } from '../headers/mail-head'
import { isForward, isReply } from '../headers/subject'
import { describeReturned, isFromClient, isFromMachine, type ReturnedMail } from './bounce'
import type { ReportParts } from './report-parts'
import { maxRecipients } from './report-recipients'

/** A report that a recipient complained about another message (ARF, RFC 5965). */
export interface Complaint {
  /**
   * Feedback-Type in lower case: `abuse`, `fraud`, `virus`, `not-spam`, `auth-failure`, `other` and so on.
   */
  type: string
  /** Addresses of the complainants, if named. */
  recipients: string[]
  returned: ReturnedMail | null
}

/** Local parts of complaint senders at providers that mark their reports in no better way. */
const desk = /^(?:staff|arf|fbl|abuse(?:[._-]?reports?)?|complaints?|feedback(?:[._-]?loops?)?)(?:$|[+._@-])/i
const maybeDesk = /staff|arf|fbl|abuse|complaint|feedback/i
const aboutMessage = /^complaint about message from /i

/**
 * Reads a complaint. Null for other messages, such as a complaint that a person forwards. Knows these forms:
 *
 * - Abuse Reporting Format (RFC 5965), also wrapped by a list or a help desk
 * - the original message alone, as Outlook.com and Amazon SES send it
 * - an unsubscribe request of Apple's programs
 *
 * @param head header of the report itself
 */
export function readComplaint(head: MailHead, parts: ReportParts): Complaint | null {
  if (isUnsubscription(head)) return complaintOf('opt-out', head.values('from'), parts)
  if (parts.feedback) {
    const type = headerValue(parts.feedback, 'feedback-type')?.toLowerCase().trim() ?? ''
    const isKnown = /^[\w-]{1,40}$/.test(type)
    const recipients = headerValues(parts.feedback, 'original-rcpt-to')
    return isPassedOn(head, parts) ? null : complaintOf(isKnown ? type : 'other', recipients, parts)
  }
  const reporters = parts.returned ? headerValues(parts.returned, 'x-hmxmroriginalrecipient') : []
  const isReport = parts.returned !== null && isFromDesk(head) && isAboutMessage(head)
  return reporters.length > 0 || isReport ? complaintOf('abuse', reporters, parts) : null
}

/** Returns from the header alone whether a message may be a complaint outside the report format. */
export const mayBeComplaint = (head: MailHead): boolean =>
  isUnsubscription(head) || isAboutMessage(head) || isFromDesk(head)

const complaintOf = (type: string, recipients: string[], { returned }: ReportParts): Complaint => ({
  type,
  recipients: recipients.slice(0, maxRecipients).flatMap(addressesIn).slice(0, maxRecipients),
  returned: returned ? describeReturned(returned) : null,
})

const addressesIn = (value: string) =>
  parseAddressList(value.replace(/^rfc822\s*;/i, '')).map(({ address }) => address)

/** Returns whether a person forwards a report, whole or in parts: it has lost the form of a report. */
function isPassedOn(head: MailHead, { isEnclosed, isFormal }: ReportParts): boolean {
  const subject = head.value('subject')
  if (isEnclosed) return !isFromMachine(head) && !isFromDesk(head)
  return !isFormal && (isFromClient(head) || isForward(subject) || isReply(subject))
}

const isAboutMessage = (head: MailHead) => aboutMessage.test(head.value('subject').trim())

function isFromDesk(head: MailHead): boolean {
  const from = head.value('from')
  // Most messages need no parsed sender for this.
  return maybeDesk.test(from) && desk.test(head.sender?.address ?? '')
}

/** Recognises a message of Apple Mail to the address of a List-Unsubscribe field. */
const isUnsubscription = (head: MailHead) => head.value('x-apple-unsubscribe').trim().toLowerCase() === 'true'
