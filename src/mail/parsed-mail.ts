import type { MailAddress, MailHeader, MailList } from './headers'
import type { ParsedAttachment } from './mime'
import type { AutoReason, AutoSubmitted, Bounce, Complaint, Via } from './reports'

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
  /** The addresses at which its writer wants the answers: without the list that it came through, which got it as well. */
  replyTo: MailAddress[]
  /** The list that it came through; null where it came through none. */
  list: MailList | null
  /** Decoded, on one line; empty when missing. */
  subject: string
  /** The Date header as ISO 8601 in UTC with milliseconds; null when missing or nonsense. */
  sentAt: string | null
  /** Body text; made from the HTML when the mail has no text part. */
  text: string
  /** Offset of the text in the mail, where it stands there as it is but for line ends; else null. */
  textStart: number | null
  html: string | null
  /** The words that the person wrote now, without quotes and signature. */
  replyText: string
  /** The first 200 code points of `replyText` on one line. */
  preview: string
  autoSubmitted: AutoSubmitted
  /** The reason why it counts as a program's; null for a person's. */
  autoReason: AutoReason | null
  /** The program that submitted the words of a person; null for other messages. */
  via: Via | null
  /** Set for a message that reports that another was not delivered. */
  bounce: Bounce | null
  /** Set for a message that reports a complaint about another. */
  complaint: Complaint | null
  /** At most 1,000. */
  headers: MailHeader[]
  attachments: ParsedAttachment[]
  /**
   * Bytes that another reading of the body would show and this one does not, without white space: outside the parts of a
   * multipart, around a uuencoded file, or in HTML that begins as text. Missing for other messages.
   */
  outsideParts?: number | undefined
  /** The field that decides this reading. */
  outsideField?: 'content-type' | 'content-transfer-encoding' | undefined
  /** Names of what could not be read, such as `too-deep` or `body-truncated`; empty for a sound mail. */
  flaws: string[]
}
