import type { Client } from '../../client/client'
import { UsageError } from '../../protocol/errors/error'
import { checkOptions, type OptionNames } from '../../protocol/options'
import type { Draft } from '../../protocol/records/draft'
import type { ReplyTarget, SendResult } from '../../protocol/records/message'
import type { RouteInput } from '../../protocol/routes/route'
import type { Routes } from '../../protocol/routes/routes'
import { randomId } from '../base/bytes'
import { loadLater } from '../base/load-later'
import type { OutgoingAttachment } from './outgoing-file'
import type { Recipient, Recipients } from './recipients'

// Few messages have files, or several addresses in one text.
const loadFiles = loadLater(() => import('./outgoing-file'))
const loadRecipients = loadLater(() => import('./recipients'))

/** Result of a repeat with other content: a refusal, or the first result. */
export type Replay = 'strict' | 'first_wins'

/** Content of a message: at least one of `text`, `html`, `markdown` and `attachments`. */
export interface OutgoingContent {
  text?: string | undefined
  html?: string | undefined
  /**
   * In place of `text` and `html`: Markdown (CommonMark, tables, `~~struck~~`), sent as HTML and plain text.
   * HTML in it becomes text, and a picture its description. Links may be `http`, `https` and `mailto`.
   */
  markdown?: string | undefined
  attachments?: readonly OutgoingAttachment[] | undefined
  /** Addresses that receive the answers, instead of the inbox that sends, with or without a name. */
  replyTo?: Recipients | undefined
  /** Header fields by name, such as `X-Ticket` or `List-Unsubscribe`, but none that the service writes. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Makes the send safe to repeat, for good: one message per id and account. */
  clientId?: string | undefined
  /**
   * For a repeat with other content: `strict` refuses it, `first_wins` returns the first result. Default
   * `strict`; `first_wins` for a message in a loop or a handler.
   */
  replay?: Replay | undefined
  /**
   * In a thread that people hold, `refuse` fails with `thread_held`; `draft` leaves the reply or forward to
   * them as a suggestion. Default `refuse`.
   */
  whenHeld?: 'refuse' | 'draft' | undefined
  /** Ends the call at once; the message may still be sent. */
  signal?: AbortSignal | undefined
}

/** A message to send with `mailbox.send()`. */
export interface SendOptions extends OutgoingContent {
  to: Recipients
  cc?: Recipients | undefined
  bcc?: Recipients | undefined
  subject?: string | undefined
  /** Id or address of the inbox that sends. Optional if the mailbox has exactly one. */
  inbox?: string | undefined
}

/** Options of a reply. */
export interface ReplyOptions extends OutgoingContent {
  /**
   * For a message of a mailing list: reply to its author (`sender`), or to the list (`list`). Default: the
   * author, or the list if nothing names the author: see `message.list`.
   */
  to?: ReplyTarget | undefined
  /** Reply to everybody else on the message, too. Default false. */
  replyAll?: boolean | undefined
  /** Quote the text of this message below the reply. Default false: the recipients already have it. */
  quote?: boolean | undefined
  /** In addition to the recipients of the reply. */
  cc?: Recipients | undefined
  bcc?: Recipients | undefined
  /** Refuse with `thread_moved` if the thread has a newer message than this one. */
  onlyIfLatest?: boolean | undefined
  /** Also answer messages of programs, which are otherwise refused with `automatic_mail`. Default false. */
  allowAutoReply?: boolean | undefined
  /** Distinguishes several replies of one turn. Default `reply`. */
  key?: string | undefined
}

/** Options of a forward. Its text stands above the forwarded message, whose attachments it keeps. */
export interface ForwardOptions extends OutgoingContent {
  to: Recipients
  cc?: Recipients | undefined
  bcc?: Recipients | undefined
  /** Distinguishes several forwards of one turn. Default `forward`. */
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
    whenHeld: true,
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

/** Refuses a message without content, such as when a model returned `undefined`. */
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

/** Result of a send. */
export interface SentMessage {
  /** Id of the sent message. */
  readonly id: string
  readonly threadId: string
  /** The RFC 5322 Message-ID. */
  readonly messageId: string
  /** True if this send had been carried out before, and nothing was sent now. */
  readonly idempotent: boolean
  /**
   * True if nothing was sent: people get it as a suggestion, which `id` names as a draft. `messageId` is empty.
   * Set if the inbox lets agents suggest only, or by `whenHeld: 'draft'`.
   */
  readonly suggested?: true | undefined
  /** Record as the service returned it. */
  readonly record: SendResult
}

export type SendInput = RouteInput<Routes['messages']['send']>

/**
 * Converts content for the wire, and uploads its large files.
 *
 * @param inline Keeps files in the request: a repeat must be identical, and each upload has a new id.
 * @throws as `attachmentFields`, and UsageError `invalid_address`
 */
export const contentFields = async (
  client: Client,
  { text, html, markdown, attachments, replyTo, headers, whenHeld, signal, clientId }: OutgoingContent,
  inline = clientId !== undefined,
): Promise<
  Pick<SendInput, 'text' | 'html' | 'markdown' | 'attachments' | 'reply_to' | 'headers' | 'when_held'>
> => ({
  text,
  html,
  markdown,
  attachments:
    attachments && (await (await loadFiles()).attachmentFields(client, attachments, { signal, inline })),
  reply_to: await recipientsOf('replyTo', replyTo),
  headers: headers && { ...headers },
  when_held: whenHeld,
})

/** Returns whether a recipient is a text with exactly one address: nothing in it can separate two. */
const isSingle = (one: Recipient): one is string => typeof one === 'string' && !/[,;]/.test(one)

/**
 * Converts recipients for the wire, one address each. The service validates a text with one address.
 *
 * @param field Name of the option.
 * @throws UsageError `invalid_address`
 */
const recipientsOf = async (field: string, given: Recipients | undefined): Promise<string[] | undefined> => {
  if (given === undefined) return undefined
  const list = [given].flat() as Recipient[]
  return list.every(isSingle) ? list : (await loadRecipients()).readRecipients(field, list)
}

/**
 * Splits recipients into single addresses, as `send()` does. Use it before your own rule checks them.
 *
 * @throws UsageError `invalid_address` if any part is not an address
 * @example
 * ```ts
 * const [first] = await splitRecipients('Ana <ana@example.com>, bo@example.com')
 * ```
 */
export const splitRecipients = async (given: Recipients): Promise<string[]> =>
  (await loadRecipients()).readRecipients('to', [given].flat() as Recipient[])

/** Converts the recipients of a message for the wire. */
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
 * Reads the result of a send.
 *
 * @throws UsageError `not_sent_yet` if the caller's client_id belongs to a message that is sent later
 */
export function sentMessage(answer: SendResult | Draft): SentMessage {
  const record = answer as SendResult & Draft
  const { id, thread_id: threadId, message_id: messageId, idempotent } = record
  if (record.suggestion) return { id, threadId, messageId: '', idempotent: false, suggested: true, record }
  if (messageId === undefined)
    throw new UsageError(
      'not_sent_yet',
      `the clientId belongs to the scheduled draft ${id}: use another clientId for another message`,
      { details: { draft_id: id } },
    )
  return { id, threadId, messageId, idempotent, record }
}

/** Returns an id for a send that only the client itself repeats. */
export const randomClientId = (): string => `send:${randomId()}`

/**
 * Sends a message that starts a conversation.
 *
 * @param senderOf Finds the inbox that sends, by the option `inbox`.
 * @throws UsageError `invalid_options`, `message_empty`, and errors of `senderOf`
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
