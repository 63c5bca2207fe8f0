import { type Draft, type RouteInput, type Routes, type SendResult, UsageError } from '../protocol'
import { encodeBase64 } from './base64'

/** A file to send. */
export interface OutgoingAttachment {
  filename: string
  /** The bytes; text is sent as UTF-8. */
  content: Uint8Array | string
  /** Such as `application/pdf`. The service guesses by the filename where it is left out. */
  contentType?: string
  /** For an inline image: the `cid:` that the HTML names. */
  contentId?: string
}

/** What a mail says. At least one of `text` and `html`. */
export interface OutgoingContent {
  text?: string
  html?: string
  attachments?: readonly OutgoingAttachment[]
  /** Header fields by name, such as `X-Ticket` or `List-Unsubscribe`; the service refuses those it writes itself. */
  headers?: Readonly<Record<string, string>>
  /** Makes the send safe to repeat, for good: one mail per id and account. */
  clientId?: string
  /** Ends the call at once; the mail may have gone out all the same. */
  signal?: AbortSignal
}

/** A mail to send with `mailbox.send()`. */
export interface SendOptions extends OutgoingContent {
  /** Addresses, with or without a name. */
  to: string | readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
  subject?: string
  /** Id or address of the inbox that sends; may be left out where the mailbox has exactly one. */
  inbox?: string
}

/** A reply. */
export interface ReplyOptions extends OutgoingContent {
  /** Also to everybody else who got the message. Default false. */
  replyAll?: boolean
  /** In addition to those the reply goes to anyway. */
  cc?: readonly string[]
  bcc?: readonly string[]
  /** Refuse with `thread_moved` when the thread has a newer message than this one. */
  onlyIfLatest?: boolean
  /** Answer also what a program wrote; refused with `automatic_mail` otherwise. Default false. */
  allowAutoReply?: boolean
  /** Tells several replies to one delivery apart. Default `reply`. */
  key?: string
}

/** A message that is passed on: what is written goes on top of it, its attachments go along. */
export interface ForwardOptions extends OutgoingContent {
  /** Addresses, with or without a name. */
  to: string | readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
  /** Tells several forwards of one delivery apart. Default `forward`. */
  key?: string
}

/** What became of a send. */
export interface SentMessage {
  /** Of the sent message. */
  readonly id: string
  readonly threadId: string
  /** The RFC 5322 Message-ID. */
  readonly messageId: string
  /** True where this very send had been carried out before, and nothing was sent now. */
  readonly idempotent: boolean
  /** The answer as it came. */
  readonly record: SendResult
}

type SendInput = RouteInput<Routes['messages']['send']>

/** The wire's form of what a mail says. */
export const contentFields = ({ text, html, attachments, headers }: OutgoingContent) =>
  ({
    text,
    html,
    attachments: attachments?.map(({ filename, content, contentType, contentId }) => ({
      filename,
      content_base64: encodeBase64(content),
      content_type: contentType,
      content_id: contentId,
    })),
    headers: headers && { ...headers },
  }) satisfies Pick<SendInput, 'text' | 'html' | 'attachments' | 'headers'>

/**
 * What became of a send, from the answer.
 *
 * @throws UsageError `not_sent_yet` where the caller's client_id belongs to a mail that is sent later
 */
export function sentMessage(answer: SendResult | Draft): SentMessage {
  const record = answer as SendResult
  if (record.message_id === undefined)
    throw new UsageError(
      'not_sent_yet',
      `the clientId belongs to the draft ${answer.id}, which is sent at its scheduled_at: give another mail a clientId of its own`,
    )
  const { id, thread_id: threadId, message_id: messageId, idempotent } = record
  return { id, threadId, messageId, idempotent, record }
}

/** An id for a send that has no reason to be repeated by anybody but the client itself. */
export const randomClientId = (): string =>
  `send:${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
