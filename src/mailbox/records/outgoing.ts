import type { Client } from '../../client'
import { UsageError } from '../../protocol/errors'
import type { Draft, ReplyTarget, SendResult } from '../../protocol/records'
import type { RouteInput, Routes } from '../../protocol/routes'
import { checkOptions, loadLater, type OptionNames, randomId } from '../base'
import type { OutgoingAttachment } from './outgoing-file'
import type { Recipient, Recipients } from './recipients'

// Few mails have files, or several addresses in one text.
const loadFiles = loadLater(() => import('./outgoing-file'))
const loadRecipients = loadLater(() => import('./recipients'))

/** The answer to a repeat with other content: a refusal, or the result of the first. */
export type Replay = 'strict' | 'first_wins'

/** The content of a message: at least one of `text`, `html`, `markdown` and `attachments`. */
export interface OutgoingContent {
  text?: string | undefined
  html?: string | undefined
  /**
   * In place of `text` and `html`: Markdown (CommonMark, tables, `~~struck~~`), which goes out as HTML and as plain text.
   * HTML within it is text, links lead to `http`, `https` and `mailto` only, and of a picture its description is left.
   */
  markdown?: string | undefined
  attachments?: readonly OutgoingAttachment[] | undefined
  /** The addresses that answers to the mail go to, in place of the inbox that sends, with or without a name. */
  replyTo?: Recipients | undefined
  /** Header fields by name, such as `X-Ticket` or `List-Unsubscribe`; the service refuses those it writes itself. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Makes the send safe to repeat, for good: one message per id and account. */
  clientId?: string | undefined
  /**
   * Answer to a repeat with other content: `strict` refuses it, `first_wins` gives the result of the first. Default
   * `strict`; `first_wins` for a message that a loop or a handler has.
   */
  replay?: Replay | undefined
  /** Ends the call at once; the mail may have gone out all the same. */
  signal?: AbortSignal | undefined
}

/** A message to send with `mailbox.send()`. */
export interface SendOptions extends OutgoingContent {
  to: Recipients
  cc?: Recipients | undefined
  bcc?: Recipients | undefined
  subject?: string | undefined
  /** Id or address of the inbox that sends; may be left out where the mailbox has exactly one. */
  inbox?: string | undefined
}

/** A reply. */
export interface ReplyOptions extends OutgoingContent {
  /**
   * On a message that came through a list: the person who wrote it (`sender`), or all who read the list (`list`). By default
   * the person, or the list where nothing names the person: see `message.list`.
   */
  to?: ReplyTarget | undefined
  /** Also to everybody else who got the message. Default false. */
  replyAll?: boolean | undefined
  /** Put the text of this message below the reply, as a quotation. Default false: people have it already. */
  quote?: boolean | undefined
  /** In addition to those the reply goes to anyway. */
  cc?: Recipients | undefined
  bcc?: Recipients | undefined
  /** Refuse with `thread_moved` when the thread has a newer message than this one. */
  onlyIfLatest?: boolean | undefined
  /** Answer also what a program wrote; refused with `automatic_mail` otherwise. Default false. */
  allowAutoReply?: boolean | undefined
  /** Tells several replies of one turn apart. Default `reply`. */
  key?: string | undefined
}

/** A message that is passed on: what is written goes on top of it, its attachments go along. */
export interface ForwardOptions extends OutgoingContent {
  to: Recipients
  cc?: Recipients | undefined
  bcc?: Recipients | undefined
  /** Tells several forwards of one turn apart. Default `forward`. */
  key?: string | undefined
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
    replay: true,
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

/** Refuses a message that says nothing, such as where a model gave `undefined`. */
function requireContent(call: string, { text, html, markdown, attachments }: OutgoingContent): void {
  if (attachments?.length || [text, html, markdown].some((body) => body && String(body).trim() !== '')) return
  throw new UsageError(
    'message_empty',
    `${call} has no content, so nothing was sent: give text, html, markdown or attachments`,
  )
}

/** Reads the options of a reply; a string is its text. @throws UsageError `invalid_options`, `message_empty` */
export function replyOptionsOf(given: ReplyOptions | string): ReplyOptions {
  const options = typeof given === 'string' ? { text: given } : given
  checkOptions('reply()', options, replyNames)
  requireContent('reply()', options)
  return options
}

const { replyAll: _replyAll, ...replyAllNames } = replyNames

/** Reads the options of a reply to all; a string is its text. @throws UsageError `invalid_options` */
export function replyAllOptionsOf(given: Omit<ReplyOptions, 'replyAll'> | string): ReplyOptions {
  const options = typeof given === 'string' ? { text: given } : given
  checkOptions('replyAll()', options, replyAllNames)
  return { ...options, replyAll: true }
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

export type SendInput = RouteInput<Routes['messages']['send']>

/**
 * The wire's form of what a message says, its large files handed over.
 *
 * @param inline Keeps files in the request: a repeat must look the same, and an upload gives another id each time.
 * @throws as `attachmentFields`, and UsageError `invalid_address`
 */
export const contentFields = async (
  client: Client,
  { text, html, markdown, attachments, replyTo, headers, signal, clientId }: OutgoingContent,
  inline = clientId !== undefined,
): Promise<Pick<SendInput, 'text' | 'html' | 'markdown' | 'attachments' | 'reply_to' | 'headers'>> => ({
  text,
  html,
  markdown,
  attachments:
    attachments && (await (await loadFiles()).attachmentFields(client, attachments, { signal, inline })),
  reply_to: await recipientsOf('replyTo', replyTo),
  headers: headers && { ...headers },
})

/** Tells whether a text names one address, or nothing that could be read as several. */
const isSingle = (one: Recipient): one is string => typeof one === 'string' && !/[,;]/.test(one)

/**
 * Recipients as the wire has them, each by itself. A text with one address stays as it is, for the service to judge.
 *
 * @param field The name of the option.
 * @throws UsageError `invalid_address`
 */
export const recipientsOf = async (
  field: string,
  given: Recipients | undefined,
): Promise<string[] | undefined> => {
  if (given === undefined) return undefined
  const list = [given].flat() as Recipient[]
  return list.every(isSingle) ? list : (await loadRecipients()).readRecipients(field, list)
}

/**
 * Recipients as `send()` reads them, each address by itself: before a rule of your own judges whom a message goes to.
 *
 * @throws UsageError `invalid_address` if any part is no address
 * @example
 * ```ts
 * const [first] = await splitRecipients('Ana <ana@example.com>, bo@example.com')
 * ```
 */
export const splitRecipients = async (given: Recipients): Promise<string[]> =>
  (await loadRecipients()).readRecipients('to', [given].flat() as Recipient[])

/** The wire's form of whom a message goes to. */
export const recipientFields = async ({
  to,
  cc,
  bcc,
}: {
  to?: Recipients | undefined
  cc?: Recipients | undefined
  bcc?: Recipients | undefined
}) => ({
  to: await recipientsOf('to', to),
  cc: await recipientsOf('cc', cc),
  bcc: await recipientsOf('bcc', bcc),
})

/**
 * Reads the outcome of a send from the answer.
 *
 * @throws UsageError `not_sent_yet` where the caller's client_id belongs to a message that is sent later
 */
export function sentMessage(answer: SendResult | Draft): SentMessage {
  const record = answer as SendResult
  if (record.message_id === undefined)
    throw new UsageError(
      'not_sent_yet',
      `the clientId belongs to the scheduled draft ${answer.id}: use another clientId for another message`,
      { details: { draft_id: answer.id } },
    )
  const { id, thread_id: threadId, message_id: messageId, idempotent } = record
  return { id, threadId, messageId, idempotent, record }
}

/** Makes an id for a send that only the client itself repeats. */
export const randomClientId = (): string => `send:${randomId()}`

/**
 * Sends a message that starts a conversation.
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
  const { subject, clientId = randomClientId(), replay, signal } = options
  const content = await contentFields(client, options)
  const input = {
    inbox_id: inboxId,
    ...(await recipientFields(options)),
    subject,
    ...content,
    client_id: clientId,
    replay,
  }
  return sentMessage(await client.messages.send(input, { signal }))
}
