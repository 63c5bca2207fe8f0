import type { Client } from '../../client'
import { UsageError } from '../../protocol/errors'
import type { Draft, ReplyTarget, SendResult } from '../../protocol/records'
import type { RouteInput, Routes } from '../../protocol/routes'
import { checkOptions, type OptionNames, randomId } from '../base'
import { attachmentFields, type OutgoingAttachment } from './outgoing-file'

/** The content of a mail: at least one of `text`, `html`, `markdown` and `attachments`. */
export interface OutgoingContent {
  text?: string
  html?: string
  /**
   * In place of `text` and `html`: Markdown (CommonMark, tables, `~~struck~~`), which goes out as HTML and as plain text.
   * HTML within it is text, links lead to `http`, `https` and `mailto` only, and of a picture its description is left.
   */
  markdown?: string
  attachments?: readonly OutgoingAttachment[]
  /** The addresses that answers to the mail go to, in place of the inbox that sends, with or without a name. */
  replyTo?: string | readonly string[]
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
  /**
   * On a mail that came through a list: the person who wrote it (`sender`), or all who read the list (`list`). By default
   * the person, or the list where nothing names the person: see `message.list`.
   */
  to?: ReplyTarget
  /** Also to everybody else who got the message. Default false. */
  replyAll?: boolean
  /** Put the text of this message below the reply, as a quotation. Default false: people have it already. */
  quote?: boolean
  /** In addition to those the reply goes to anyway. */
  cc?: readonly string[]
  bcc?: readonly string[]
  /** Refuse with `thread_moved` when the thread has a newer message than this one. */
  onlyIfLatest?: boolean
  /** Answer also what a program wrote; refused with `automatic_mail` otherwise. Default false. */
  allowAutoReply?: boolean
  /** Tells several replies of one turn apart. Default `reply`. */
  key?: string
}

/** A message that is passed on: what is written goes on top of it, its attachments go along. */
export interface ForwardOptions extends OutgoingContent {
  /** Addresses, with or without a name. */
  to: string | readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
  /** Tells several forwards of one turn apart. Default `forward`. */
  key?: string
}

const contentNames: OptionNames<OutgoingContent> = {
  ...{
    text: true,
    html: true,
    markdown: true,
    attachments: true,
    replyTo: true,
    headers: true,
    clientId: true,
    signal: true,
  },
}
const recipientNames = { to: true, cc: true, bcc: true }
const sendNames: OptionNames<SendOptions> = { ...recipientNames, subject: true, ...contentNames, inbox: true }
const replyNames: OptionNames<ReplyOptions> = {
  ...contentNames,
  ...{
    to: true,
    replyAll: true,
    quote: true,
    cc: true,
    bcc: true,
    onlyIfLatest: true,
    allowAutoReply: true,
    key: true,
  },
}
const forwardNames: OptionNames<ForwardOptions> = { ...recipientNames, ...contentNames, key: true }

/** Refuses a mail that says nothing, such as where a model gave `undefined`. */
function requireContent(call: string, { text, html, markdown, attachments }: OutgoingContent): void {
  if (attachments?.length || [text, html, markdown].some((body) => body && String(body).trim() !== '')) return
  throw new UsageError(
    'message_empty',
    `${call} has nothing to say, and nothing was sent: give text, html, markdown or attachments`,
  )
}

/** Reads the options of a reply; a string is its text. @throws UsageError `invalid_options`, `message_empty` */
export function replyOptionsOf(given: ReplyOptions | string): ReplyOptions {
  const options = typeof given === 'string' ? { text: given } : given
  checkOptions('reply()', options, replyNames)
  requireContent('reply()', options)
  return options
}

/** Checks the options of a forward. @throws UsageError `invalid_options` */
export const checkForward = (options: ForwardOptions): void =>
  checkOptions('forward()', options, forwardNames)

/** The outcome of a send. */
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

/** The wire's form of what a mail says, its large files handed over. @throws as {@link attachmentFields} */
export const contentFields = async (
  client: Client,
  { text, html, markdown, attachments, replyTo, headers, signal, clientId }: OutgoingContent,
): Promise<Pick<SendInput, 'text' | 'html' | 'markdown' | 'attachments' | 'reply_to' | 'headers'>> => ({
  text,
  html,
  markdown,
  // Under the caller's id the same send must look the same: an upload gives another id each time.
  attachments: await attachmentFields(client, attachments, { signal, inline: clientId !== undefined }),
  reply_to: replyTo === undefined ? undefined : [replyTo].flat(),
  headers: headers && { ...headers },
})

/** The wire's form of whom a mail goes to. */
export const recipientFields = ({
  to,
  cc,
  bcc,
}: {
  to?: string | readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
}) => ({ to: to === undefined ? undefined : [to].flat(), cc: cc && [...cc], bcc: bcc && [...bcc] })

/**
 * Reads the outcome of a send from the answer.
 *
 * @throws UsageError `not_sent_yet` where the caller's client_id belongs to a mail that is sent later
 */
export function sentMessage(answer: SendResult | Draft): SentMessage {
  const record = answer as SendResult
  if (record.message_id === undefined)
    throw new UsageError(
      'not_sent_yet',
      `the clientId belongs to the draft ${answer.id}, which is sent at its scheduled_at: give another mail a clientId of its own`,
      { details: { draft_id: answer.id } },
    )
  const { id, thread_id: threadId, message_id: messageId, idempotent } = record
  return { id, threadId, messageId, idempotent, record }
}

/** Makes an id for a send that only the client itself repeats. */
export const randomClientId = (): string => `send:${randomId()}`

/**
 * Sends a mail that starts a conversation.
 *
 * @param senderOf Finds the inbox that sends, by what the options say.
 * @throws UsageError `invalid_options`, `message_empty`, and what `senderOf` throws
 */
export async function sendMail(
  client: Client,
  senderOf: (wanted: string | undefined) => { readonly id: string },
  options: SendOptions,
): Promise<SentMessage> {
  checkOptions('send()', options, sendNames)
  requireContent('send()', options)
  const inboxId = senderOf(options.inbox).id
  const { subject, clientId = randomClientId(), signal } = options
  const content = await contentFields(client, options)
  const input = { inbox_id: inboxId, ...recipientFields(options), subject, ...content, client_id: clientId }
  return sentMessage(await client.messages.send(input, { signal }))
}
