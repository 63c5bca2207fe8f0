import type { MailAddress } from '../mail/headers/address'
import type { MailHeader } from '../mail/headers/header-reader'
import { parseMail, readAttachments } from '../mail/parse'

/** A file of a message. */
export interface ReceivedFile {
  filename: string | null
  contentType: string
  content: Uint8Array
}

/** A message as a person sees it, parsed from the bytes that the service sent. */
export interface ReceivedMail {
  from: MailAddress | null
  to: readonly string[]
  cc: readonly string[]
  subject: string
  /** Whole text, with quotes. */
  text: string
  html: string | null
  /** New text, without quotes and signature. */
  replyText: string
  attachments: readonly ReceivedFile[]
  headers: readonly MailHeader[]
  /** With angle brackets, as the other ids. */
  messageId: string | null
  inReplyTo: string | null
  references: readonly string[]
  /** On the clock of the world. */
  receivedAt: Date
  /** Original, byte for byte. */
  raw: Uint8Array
}

const addresses = (list: readonly MailAddress[]) => list.map(({ address }) => address)

/** Parses a received message. */
export async function readReceived(raw: Uint8Array, receivedAtMs: number): Promise<ReceivedMail> {
  const mail = await parseMail(raw)
  const contents = await readAttachments(raw, [...mail.attachments.keys()])
  const attachments = mail.attachments.map(({ filename, contentType }, index) => {
    return { filename, contentType, content: contents[index]?.content ?? new Uint8Array() }
  })
  const { from, subject, text, html, replyText, headers, messageId, inReplyTo, references } = mail
  return {
    ...{ from, subject, text, html, replyText, headers, messageId, inReplyTo, references, raw },
    to: addresses(mail.to),
    cc: addresses(mail.cc),
    attachments,
    receivedAt: new Date(receivedAtMs),
  }
}
