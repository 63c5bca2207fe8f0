import type { Calendar } from './calendar'
import type { MailAddress } from './headers/address'
import type { MailHeader } from './headers/header-reader'
import type { MailList } from './headers/list'
import type { ParsedAttachment } from './mime/attachment'
import type { AutoReason, AutoSubmitted } from './reports/auto-submitted'
import type { Bounce } from './reports/bounce'
import type { Complaint } from './reports/complaint'
import type { Via } from './reports/via'

/**
 * A message as far as it could be read. No string holds U+0000 or a lone surrogate, which databases refuse.
 */
export interface ParsedMail {
  /** Message-ID with angle brackets, as on the wire. */
  messageId: string | null
  /** The first id of In-Reply-To, with angle brackets. */
  inReplyTo: string | null
  /** Ids with angle brackets in order, at most 100: the first and the last 99. */
  references: string[]
  from: MailAddress | null
  sender: MailAddress | null
  to: MailAddress[]
  cc: MailAddress[]
  /** Addresses where the sender wants replies, without a list that the message came through. */
  replyTo: MailAddress[]
  /** The mailing list that the message came through; null for none. */
  list: MailList | null
  /** Decoded, on one line; empty when missing. */
  subject: string
  /** Date header as ISO 8601 in UTC with milliseconds; null if missing or invalid. */
  sentAt: string | null
  /** Body text; made from the HTML if the message has no text part. */
  text: string
  /** Offset of the text in the message, if it is there unchanged except for line ends; else null. */
  textStart: number | null
  html: string | null
  /** The words that the person wrote now, without quotes and signature. */
  replyText: string
  /** The first 200 code points of `replyText` on one line. */
  preview: string
  autoSubmitted: AutoSubmitted
  /** Why the message counts as automatic; null for a person's. */
  autoReason: AutoReason | null
  /** The program that submitted the words of a person; null for other messages. */
  via: Via | null
  /** Set for a report that another message was not delivered. */
  bounce: Bounce | null
  /** Set for a report of a complaint about another message. */
  complaint: Complaint | null
  /** The calendar in it, read in a task of its own; missing for other messages. */
  calendar?: Calendar | undefined
  /** At most 1,000. */
  headers: MailHeader[]
  attachments: ParsedAttachment[]
  /**
   * Bytes that another reading of the body would show and this one does not, without white space. They are
   * outside the parts of a multipart, around a uuencoded file, or in HTML that starts as text. Missing for
   * other messages.
   */
  outsideParts?: number | undefined
  /** Field that decides this reading. */
  outsideField?: 'content-type' | 'content-transfer-encoding' | undefined
  /** Names of what could not be read, such as `too-deep` or `body-truncated`; empty for a sound message. */
  flaws: string[]
}
