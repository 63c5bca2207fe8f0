import { detectOrigin, type Origin } from './auto-submitted'
import { mayBeReport, readBounce } from './bounce'
import { isCalendarReply } from './calendar-reply'
import { mayBeComplaint, readComplaint } from './complaint'
import type { Bounce, Complaint, MailHeader, ParsedMail } from './parsed-mail'
import { readReportParts } from './report-parts'
import { readSesNotice } from './ses-notice'

/** What a mail is, where a program wrote it. */
export interface Machine extends Origin {
  bounce: Bounce | null
  complaint: Complaint | null
}

const fromCalendar: Origin = { autoSubmitted: 'auto-generated', autoReason: 'notification' }

const none = { bounce: null, complaint: null }

function readReport(raw: Uint8Array, headers: readonly MailHeader[]): Pick<Machine, 'bounce' | 'complaint'> {
  const parts = readReportParts(raw)
  const complaint = readComplaint(headers, parts)
  return { complaint, bounce: complaint ? null : readBounce(headers, parts) }
}

const FEEDBACK_TYPE = 'message/feedback-report'

/**
 * Tells whether a program wrote a mail, and reads the reports of programs. A mail whose header is not that of a report is
 * not taken apart for this, unless it has the feedback of a complaint attached.
 *
 * @param mail the body and what is attached
 * @param mailFrom the envelope sender, which whoever delivers a mail writes on top of it (RFC 5321 §4.4)
 */
export function describeMachine(
  raw: Uint8Array,
  fields: readonly MailHeader[],
  { text, attachments }: Pick<ParsedMail, 'text' | 'attachments'>,
  mailFrom?: string,
): Machine {
  const headers =
    mailFrom === undefined ? fields : [{ name: 'Return-Path', value: `<${mailFrom}>` }, ...fields]
  const hasFeedback = attachments.some(({ contentType }) => contentType === FEEDBACK_TYPE)
  const isReport = hasFeedback || mayBeReport(headers) || mayBeComplaint(headers)
  const { bounce, complaint } = readSesNotice(headers, text) ?? (isReport ? readReport(raw, headers) : none)
  const origin = detectOrigin(headers, { bounce, complaint, text })
  const isPersons = origin.autoSubmitted === 'no'
  return { bounce, complaint, ...(isPersons && !text.trim() && isCalendarReply(raw) ? fromCalendar : origin) }
}
