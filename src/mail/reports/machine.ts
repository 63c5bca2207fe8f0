import type { MailHeader } from '../headers'
import { findParts, type ParsedAttachment, textOf } from '../mime'
import { detectOrigin, type Origin } from './auto-submitted'
import { type Bounce, mayBeReport, readBounce } from './bounce'
import { type Complaint, mayBeComplaint, readComplaint } from './complaint'
import { readReportParts } from './report-parts'
import { readSesNotice } from './ses-notice'

/** The kind of a mail that a program wrote. */
export interface Machine extends Origin {
  bounce: Bounce | null
  complaint: Complaint | null
}

const MAX_CALENDAR_DEPTH = 10
const MAX_CALENDAR_BYTES = 16 * 1024
const CALENDAR_METHOD = /^method[;:][^\n]{0,100}?\b(?:reply|counter|declinecounter|refresh)\s*$/im

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
  { text, attachments }: { text: string; attachments: readonly ParsedAttachment[] },
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

/**
 * Tells whether a mail holds what a calendar sends by itself when a person accepts or declines an invitation (RFC 5546
 * §3.2.3). With words beside it, it is that person's answer.
 */
const isCalendarReply = (raw: Uint8Array): boolean =>
  findParts(raw, MAX_CALENDAR_DEPTH).some(
    (part) => part.type === 'text/calendar' && CALENDAR_METHOD.test(textOf(part, MAX_CALENDAR_BYTES)),
  )
