/** One mailbox of an address header (RFC 5322 §3.4). Groups are flattened to their members. */
export interface MailAddress {
  /** Trimmed; the domain is in lower case, the local part as written. */
  address: string
  /** Display name, decoded; null when there is none. */
  name: string | null
}

/** What is known of an attachment without its content; `readAttachments` gives that. */
export interface ParsedAttachment {
  /** Position in the mail, from 0; the argument of `readAttachments`. */
  index: number
  /** The last path segment of the name the sender gave, without control characters. */
  filename: string | null
  /** Lower case, without parameters, such as `application/pdf`. */
  contentType: string
  /** Decoded size in bytes. */
  size: number
  /** True for parts that are shown within the HTML body. */
  inline: boolean
  /** Content-ID without angle brackets, as `cid:` links spell it (RFC 2392). */
  contentId: string | null
}

/** A header field in its original order and case, unfolded and decoded (RFC 2047). */
export interface MailHeader {
  name: string
  value: string
}

/** RFC 3834 §5: who wrote the mail, a person (`no`) or a program. */
export type AutoSubmitted = 'no' | 'auto-generated' | 'auto-replied'

/** What made a mail count as a program's. */
export type AutoReason = 'bounce' | 'complaint' | 'receipt' | 'auto-reply' | 'list' | 'bulk' | 'notification'

/** What a report says of one recipient (RFC 3464 §2.3). */
export interface BounceRecipient {
  /** The address as it was sent to, as far as the report tells it. */
  address: string
  /** `delayed`: it is still being tried. `delivered` stands beside others that were not. */
  action: 'failed' | 'delayed' | 'delivered'
  /** `hard`: the address will not work tomorrow either. `soft`: it may, as with a full mailbox. */
  kind: 'hard' | 'soft'
  /** The code of RFC 3463, such as `5.1.1`; null where none is told. */
  status: string | null
  /** Why, in the words of the report; at most 500 characters. */
  diagnostic: string | null
}

/** The mail that a report is about, as far as its header came back. */
export interface ReturnedMail {
  /** With angle brackets. */
  messageId: string | null
  from: string | null
  to: string[]
  subject: string
}

/** A mail that says that another mail was not delivered. */
export interface Bounce {
  /** At most 200; empty where the report does not say who. */
  recipients: BounceRecipient[]
  returned: ReturnedMail | null
}

/** A mail that says that a recipient complained about another mail (ARF, RFC 5965). */
export interface Complaint {
  /** The Feedback-Type in lower case: `abuse`, `fraud`, `virus`, `not-spam`, `auth-failure`, `other` and so on. */
  type: string
  /** Who complained, where that is told. */
  recipients: string[]
  returned: ReturnedMail | null
}

/**
 * A mail as far as it could be read. No string holds U+0000 or a lone surrogate, which databases refuse.
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
  replyTo: MailAddress[]
  /** Decoded, on one line; empty when missing. */
  subject: string
  /** The Date header as ISO 8601 in UTC with milliseconds; null when missing or nonsense. */
  sentAt: string | null
  /** Body text; made from the HTML when the mail has no text part. */
  text: string
  /** Where the text begins in the mail, where it stands there as it is but for line ends. */
  textStart: number | null
  html: string | null
  /** What the person wrote now, without quotes and signature. */
  replyText: string
  /** The first 200 code points of `replyText` on one line. */
  preview: string
  autoSubmitted: AutoSubmitted
  /** Why it counts as a program's; null for a person's. */
  autoReason: AutoReason | null
  /** Set for a mail that reports that another was not delivered. */
  bounce: Bounce | null
  /** Set for a mail that reports a complaint about another. */
  complaint: Complaint | null
  /** At most 1,000. */
  headers: MailHeader[]
  attachments: ParsedAttachment[]
  /** What could not be read, such as `too-deep` or `body-truncated`; empty for a sound mail. */
  flaws: string[]
}

/** The decoded content of one attachment. */
export interface AttachmentContent {
  filename: string | null
  contentType: string
  content: Uint8Array
}

/** What a stranger's mail may cost. All limits have defaults that ordinary mail never meets. */
export interface ParseLimits {
  /** Bytes of the whole mail; default 50 MiB. */
  maxBytes?: number
  /** Lines of the whole mail; default 500,000. */
  maxLines?: number
  /** Bytes read of the top header; default 256 KiB. */
  maxHeaderBytes?: number
  /** Nesting of MIME parts; default 30. */
  maxDepth?: number
  /** UTF-16 code units each of text and HTML; default 2 Mi. */
  maxBodyLength?: number
  /** Attachments listed; default 1,000. */
  maxAttachments?: number
}
