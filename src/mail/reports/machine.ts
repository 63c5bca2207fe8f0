import type { MailHead } from '../headers/mail-head'
import type { ParsedAttachment } from '../mime/attachment'
import { leavesOf, type MimePart } from '../mime/mime-part'
import { textOf } from '../mime/part-content'
import { forwardedFrom } from '../text/quote-lines'
import { detectOrigin, type Origin } from './auto-submitted'
import { type Bounce, mayBeReport, readBounce } from './bounce'
import { type Complaint, mayBeComplaint, readComplaint } from './complaint'
import { readReportParts } from './report-parts'
import { readSesNotice } from './ses-notice'

/** Content of a message below its header. */
interface Contents {
  root: MimePart
  /** Visible text. */
  text: string
  attachments: readonly ParsedAttachment[]
}

/** Results of automatic-mail detection for a message. */
export interface Machine extends Origin {
  bounce: Bounce | null
  complaint: Complaint | null
}

const maxCalendarBytes = 16 * 1024
const calendarMethod = /^method[;:][^\n]{0,100}?\b(?:reply|counter|declinecounter|refresh)\s*$/im

const fromCalendar: Origin = { autoSubmitted: 'auto-generated', autoReason: 'notification', via: null }

const none = { bounce: null, complaint: null }

function readReport(
  raw: Uint8Array,
  head: MailHead,
  { root, text }: Contents,
): Pick<Machine, 'bounce' | 'complaint'> {
  const parts = readReportParts(raw, root, text)
  const complaint = readComplaint(head, parts)
  return { complaint, bounce: complaint ? null : readBounce(head, parts) }
}

const feedbackType = 'message/feedback-report'

/**
 * Returns whether a program wrote a message, and reads reports of programs. Parses only messages with the
 * header of a report, or with the feedback of a complaint attached.
 */
export function describeMachine(raw: Uint8Array, head: MailHead, contents: Contents): Machine {
  const { root, text, attachments } = contents
  const hasFeedback = attachments.some(({ contentType }) => contentType === feedbackType)
  const isReport = hasFeedback || mayBeReport(head) || mayBeComplaint(head)
  const { bounce, complaint } =
    readSesNotice(head, text) ?? (isReport ? readReport(raw, head, contents) : none)
  const origin = detectOrigin(head, { bounce, complaint, text, forwardedFrom })
  const isPersons = origin.autoSubmitted === 'no'
  return {
    bounce,
    complaint,
    ...(isPersons && !text.trim() && isCalendarReply(root) ? fromCalendar : origin),
  }
}

/**
 * Returns whether a message holds the automatic answer of a calendar to an invitation (RFC 5546 §3.2.3). With
 * words beside it, it is the person's answer.
 */
const isCalendarReply = (root: MimePart): boolean =>
  leavesOf(root).some(
    (part) => part.type === 'text/calendar' && calendarMethod.test(textOf(part, maxCalendarBytes)),
  )
