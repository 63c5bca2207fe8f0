import { parseAddressList } from './address'
import { describeReturned, isFromClient, isFromMachine } from './bounce'
import { headerValue, headerValues } from './header-reader'
import type { Complaint, MailHeader } from './parsed-mail'
import type { ReportParts } from './report-parts'
import { isForward, isReply } from './subject'

const MAX_RECIPIENTS = 200
/** Whose mail is about complaints, where a provider has no better name for it. */
const DESK = /^(?:staff|arf|fbl|abuse(?:[._-]?reports?)?|complaints?|feedback(?:[._-]?loops?)?)(?:$|[+._@-])/i
const MAYBE_DESK = /staff|arf|fbl|abuse|complaint|feedback/i
const ABOUT_MESSAGE = /^complaint about message from /i

/**
 * Reads a complaint: in the Abuse Reporting Format (RFC 5965), also where a list or a desk wrapped it; as Outlook.com and
 * Amazon SES send it, the mail complained about alone; or as Apple's programs ask to be taken off a list. Null for what
 * is none, such as a complaint that a person passes on.
 *
 * @param headers of the report itself
 */
export function readComplaint(headers: readonly MailHeader[], parts: ReportParts): Complaint | null {
  if (isUnsubscription(headers)) return complaintOf('opt-out', headerValues(headers, 'from'), parts)
  if (parts.feedback) {
    const type = headerValue(parts.feedback, 'feedback-type')?.toLowerCase().trim() ?? ''
    const isKnown = /^[\w-]{1,40}$/.test(type)
    const told = headerValues(parts.feedback, 'original-rcpt-to')
    return isPassedOn(headers, parts) ? null : complaintOf(isKnown ? type : 'other', told, parts)
  }
  const reporters = parts.returned ? headerValues(parts.returned, 'x-hmxmroriginalrecipient') : []
  const isTold = parts.returned !== null && isFromDesk(headers) && isAboutMessage(headers)
  return reporters.length > 0 || isTold ? complaintOf('abuse', reporters, parts) : null
}

/** Whether a mail, from its header alone, may be a complaint that is not in the form of reports. */
export const mayBeComplaint = (headers: readonly MailHeader[]): boolean =>
  isUnsubscription(headers) || isAboutMessage(headers) || isFromDesk(headers)

const complaintOf = (type: string, told: string[], { returned }: ReportParts): Complaint => ({
  type,
  recipients: told.slice(0, MAX_RECIPIENTS).flatMap(addressesIn).slice(0, MAX_RECIPIENTS),
  returned: returned ? describeReturned(returned) : null,
})

const addressesIn = (value: string) =>
  parseAddressList(value.replace(/^rfc822\s*;/i, '')).map(({ address }) => address)

/** A person passes parts on, or the mail whole: what was a report is then no report in its form. */
function isPassedOn(headers: readonly MailHeader[], { isEnclosed, isFormal }: ReportParts): boolean {
  const subject = headerValue(headers, 'subject') ?? ''
  if (isEnclosed) return !isFromMachine(headers) && !isFromDesk(headers)
  return !isFormal && (isFromClient(headers) || isForward(subject) || isReply(subject))
}

const isAboutMessage = (headers: readonly MailHeader[]) =>
  ABOUT_MESSAGE.test(headerValue(headers, 'subject')?.trim() ?? '')

function isFromDesk(headers: readonly MailHeader[]): boolean {
  const from = headerValue(headers, 'from') ?? ''
  // Most mail need not have its sender read for this.
  return MAYBE_DESK.test(from) && DESK.test(parseAddressList(from)[0]?.address ?? '')
}

/** What Apple Mail sends to the address of a List-Unsubscribe field. */
const isUnsubscription = (headers: readonly MailHeader[]) =>
  headerValue(headers, 'x-apple-unsubscribe')?.trim().toLowerCase() === 'true'
