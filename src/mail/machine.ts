import { detectOrigin, type Origin } from './auto-submitted'
import { mayBeReport, readBounce } from './bounce'
import { isCalendarReply } from './calendar-reply'
import { mayBeComplaint, readComplaint } from './complaint'
import type { Bounce, Complaint, MailHeader } from './parsed-mail'
import { readReportParts } from './report-parts'

/** What a mail is, where a program wrote it. */
export interface Machine extends Origin {
  bounce: Bounce | null
  complaint: Complaint | null
}

const fromCalendar: Origin = { autoSubmitted: 'auto-generated', autoReason: 'notification' }

/**
 * Tells whether a program wrote a mail, and reads the reports of programs. A mail whose header is not that of a report is
 * not taken apart for this.
 *
 * @param text the body
 * @param mailFrom the envelope sender, which whoever delivers a mail writes on top of it (RFC 5321 §4.4)
 */
export function describeMachine(
  raw: Uint8Array,
  fields: readonly MailHeader[],
  text: string,
  mailFrom?: string,
): Machine {
  const headers =
    mailFrom === undefined ? fields : [{ name: 'Return-Path', value: `<${mailFrom}>` }, ...fields]
  const isReport = mayBeReport(headers) || mayBeComplaint(headers)
  const parts = isReport ? readReportParts(raw) : null
  const complaint = parts && readComplaint(parts)
  const bounce = parts && !complaint ? readBounce(headers, parts) : null
  const origin = detectOrigin(headers, { bounce, complaint, text })
  const isPersons = origin.autoSubmitted === 'no'
  return { bounce, complaint, ...(isPersons && !text.trim() && isCalendarReply(raw) ? fromCalendar : origin) }
}
