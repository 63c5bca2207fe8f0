import {
  type Author,
  type Attachment as ChatAttachment,
  Message as ChatMessage,
  codeBlock,
  paragraph,
  root,
  text,
} from 'chat'
import {
  type Attachment,
  type Mailbox,
  type Message,
  type MessageRecord,
  provenView,
  untrustedField,
  untrustedText,
} from 'restante'
import { userIdOf } from './thread-id'

/** Form in which the bot gets the text of a message. */
export type TextForm = 'fenced' | 'plain'

export interface Reading {
  readonly mailbox: Mailbox
  readonly form: TextForm
  readonly maxTokens: number
}

const addressOfInbox = ({ mailbox }: Reading, { inbox_id }: MessageRecord): string =>
  mailbox.inboxes.find(({ id }) => id === inbox_id)?.address ?? ''

/**
 * Returns whether the sender is proven. A message without a verdict counts as proven at a `.localhost` inbox,
 * to which no outsider can write.
 */
export const isProven = (reading: Reading, record: MessageRecord): boolean =>
  record.authentication?.from_verified ?? /[@.]localhost$/i.test(addressOfInbox(reading, record))

/** Returns whether a message is the bot's own: sent from here, or provably from an inbox of the mailbox. */
export const isOwn = (reading: Reading, record: MessageRecord): boolean =>
  record.direction === 'outbound' ||
  (isProven(reading, record) &&
    reading.mailbox.inboxes.some(({ address }) => address.toLowerCase() === record.from_addr.toLowerCase()))

const shown = (field: string): string => JSON.parse(untrustedField(field, 100)) as string

const authorOf = (reading: Reading, record: MessageRecord): Author => {
  const proven = isProven(reading, record)
  const address = shown(record.from_addr)
  return {
    userId: userIdOf(address, proven),
    userName: address,
    fullName: record.from_name === null ? address : shown(record.from_name),
    email: proven ? address : undefined,
    isBot: record.auto_submitted !== 'no' || isOwn(reading, record),
    isMe: isOwn(reading, record),
  }
}

/**
 * Returns whether the inbox is in To or Cc, plus addressing included. Automatic messages address nobody, nor
 * do the To and Cc of a verified message if they are unproven.
 */
const isAddressed = (reading: Reading, record: MessageRecord): boolean => {
  if (record.auto_submitted !== 'no') return false
  const own = addressOfInbox(reading, record).toLowerCase()
  const untagged = (address: string) => address.toLowerCase().replace(/^([^+@]*)\+[^@]*@/, '$1@')
  const { to_addrs, cc_addrs } = provenView(record)
  return [...to_addrs, ...cc_addrs].some((address) => untagged(address) === own)
}

const kindOf = (contentType: string): ChatAttachment['type'] => {
  const [kind] = contentType.split('/')
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file'
}

type AttachmentInfo = Attachment['record']

/** Returns a file whose bytes are read on demand, also after it was stored. */
export const toAttachment = (
  mailbox: Mailbox,
  { id, filename, content_type, size }: AttachmentInfo,
): ChatAttachment => ({
  type: kindOf(content_type),
  name: filename === null ? undefined : shown(filename),
  mimeType: content_type,
  size,
  fetchMetadata: { attachmentId: id },
  fetchData: async () => {
    const { content_base64: content } = await mailbox.client.attachments.get({ id })
    return Buffer.from(content, 'base64')
  },
})

/** Formats text as it is: Markdown in an email is what the sender typed, and must not take effect. */
const inert = ({ form }: Reading, { direction }: MessageRecord, written: string) =>
  form === 'fenced' && direction === 'inbound' ? codeBlock(written) : paragraph([text(written)])

const build = (reading: Reading, record: MessageRecord, threadId: string, written: string) =>
  new ChatMessage<MessageRecord>({
    id: record.id,
    threadId,
    text: written,
    formatted: root([inert(reading, record, written)]),
    raw: record,
    author: authorOf(reading, record),
    metadata: { dateSent: new Date(record.received_at ?? record.created_at), edited: false },
    attachments: record.attachments.map((info) => toAttachment(reading.mailbox, info)),
    isMention: record.direction === 'inbound' && isAddressed(reading, record),
  })

/** Builds a Chat SDK message from the record in events and lists: at most 4 KiB of its text. */
export function fromRecord(
  reading: Reading,
  record: MessageRecord,
  threadId: string,
): ChatMessage<MessageRecord> {
  const written = record.reply_text ?? record.preview
  if (reading.form === 'plain' || record.direction === 'outbound')
    return build(reading, record, threadId, written)
  const proof = isProven(reading, record) ? '' : ' SENDER NOT PROVEN: somebody else may have written it.'
  const introduction = `E-mail from ${untrustedField(record.from_addr, 100)}.${proof}`
  const { text: fenced } = untrustedText(written, { introduction, maxTokens: reading.maxTokens })
  return build(reading, record, threadId, fenced)
}

/** Length from which the text in an event may be cut, in characters. */
const maxCutTextLength = 2_000

/** Builds a Chat SDK message with the full text. */
export async function fromMessage(
  reading: Reading,
  message: Message,
  threadId: string,
): Promise<ChatMessage<MessageRecord>> {
  const isCut = message.text.length >= maxCutTextLength
  if (message.direction === 'outbound' || reading.form === 'plain')
    return build(reading, message.record, threadId, isCut ? (await message.body()).text : message.text)
  return build(reading, message.record, threadId, await message.toPrompt({ maxTokens: reading.maxTokens }))
}
