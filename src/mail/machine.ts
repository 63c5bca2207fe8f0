import { detectOrigin, type Origin } from './auto-submitted'
import { mayBeReport, readBounce } from './bounce'
import { mayBeComplaint, readComplaint } from './complaint'
import type { Bounce, Complaint, MailHeader } from './parsed-mail'
import { readReportParts } from './report-parts'

/** What a mail is, where a program wrote it. */
export interface Machine extends Origin {
  bounce: Bounce | null
  complaint: Complaint | null
}

/**
 * Tells whether a program wrote a mail, and reads the reports of programs. A mail whose header is not that of a report is
 * not taken apart for this.
 *
 * @param text the body
 */
export function describeMachine(raw: Uint8Array, headers: readonly MailHeader[], text: string): Machine {
  const isReport = mayBeReport(headers) || mayBeComplaint(headers)
  const parts = isReport ? readReportParts(raw) : null
  const complaint = parts && readComplaint(parts)
  const bounce = parts && !complaint ? readBounce(headers, parts) : null
  return { bounce, complaint, ...detectOrigin(headers, { bounce, complaint, text }) }
}
