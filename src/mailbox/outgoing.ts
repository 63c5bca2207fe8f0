import type { RouteInput, Routes, SendResult } from '../protocol'
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
export const contentFields = ({ text, html, attachments }: OutgoingContent) =>
  ({
    text,
    html,
    attachments: attachments?.map(({ filename, content, contentType, contentId }) => ({
      filename,
      content_base64: encodeBase64(content),
      content_type: contentType,
      content_id: contentId,
    })),
  }) satisfies Pick<SendInput, 'text' | 'html' | 'attachments'>

/** What became of a send, from the answer. */
export const sentMessage = (record: SendResult): SentMessage => ({
  id: record.id,
  threadId: record.thread_id,
  messageId: record.message_id,
  idempotent: record.idempotent,
  record,
})

/** An id for a send that has no reason to be repeated by anybody but the client itself. */
export const randomClientId = (): string =>
  `send:${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
