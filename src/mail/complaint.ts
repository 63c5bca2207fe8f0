import { parseAddressList } from './address'
import { describeReturned } from './bounce'
import { headerValue, headerValues } from './header-reader'
import type { Complaint, MailHeader } from './parsed-mail'
import type { ReportParts } from './report-parts'

const MAX_RECIPIENTS = 200

/**
 * Reads a complaint in the Abuse Reporting Format (RFC 5965), or as Outlook.com sends it: the mail complained about with
 * a field that names who did. Null for what is none.
 */
export function readComplaint({ feedback, returned }: ReportParts): Complaint | null {
  const reporter = returned && headerValue(returned, 'x-hmxmroriginalrecipient')
  if (!feedback && !reporter) return null
  const type = feedback ? headerValue(feedback, 'feedback-type')?.toLowerCase().trim() : 'abuse'
  const told = feedback ? headerValues(feedback, 'original-rcpt-to') : [reporter ?? '']
  return {
    type: /^[\w-]{1,40}$/.test(type ?? '') ? (type as string) : 'other',
    recipients: told.slice(0, MAX_RECIPIENTS).flatMap(addressesIn).slice(0, MAX_RECIPIENTS),
    returned: returned ? describeReturned(returned) : null,
  }
}

const addressesIn = (value: string) =>
  parseAddressList(value.replace(/^rfc822\s*;/i, '')).map(({ address }) => address)

/** Whether a report may be a complaint, from its header alone. */
export const mayBeComplaint = (headers: readonly MailHeader[]): boolean =>
  /^complaint about message/i.test(headerValue(headers, 'subject') ?? '')
