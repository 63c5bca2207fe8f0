import { type Draft, type Mailbox, type Message, type Thread, UsageError } from 'restante'
import { FlowGuard, type FlowOptions } from './guard'
import { type PictureOptions, Pictures } from './pictures/pictures'
import type { ShownMail } from './shown'

/** Risk of a tool: it only reads, changes what only its owner sees, or writes to people. */
export type ToolRisk = 'read' | 'write' | 'send'

/** Tool call that a human may be asked about. */
export interface ToolCall {
  readonly name: string
  readonly risk: ToolRisk
  readonly input: unknown
  /** Reasons why it breaks the flow rule, such as a recipient who was not part of everything read. */
  readonly reasons: readonly string[]
}

/** Options that limit the tools. */
export interface ToolSessionOptions extends FlowOptions {
  /**
   * Calls that need a human's approval, in addition to `flow`. `none`, the default: no calls; `send`: calls
   * that write to people; `all`: calls that change anything. A function returns true for such calls. If the
   * framework cannot ask, the message becomes a draft.
   */
  approve?: 'none' | 'send' | 'all' | ((call: ToolCall) => boolean | Promise<boolean>) | undefined
  /** Reads the model's text, also the final one, as Markdown; sends HTML and plain text. Default false. */
  markdown?: boolean | undefined
  /** Maximum number of tokens of one answer to the model, 400 or more. Default 4,000. */
  maxTokens?: number | undefined
  /** Maximum wait of a waiting tool, in seconds. Default 60. */
  maxWaitSeconds?: number | undefined
  /**
   * Shows the model pictures (JPEG, PNG, GIF, WebP) by `read_attachment`, with these limits. Default true in
   * adapters whose tool results have pictures, else false: your code gives the `pictures` of an output to the
   * model.
   */
  pictures?: PictureOptions | boolean | undefined
}

/** Messages and number of pictures that the model of a run saw before its toolbox was created. */
export interface RunSoFar {
  /** Messages, as in `Toolbox.shown`. */
  shown?: ShownMail | undefined
  /** Number of pictures. */
  pictures?: number | undefined
}

/** Error codes if the message has an answer or a draft of one from elsewhere. */
export const answeredCodes: ReadonlySet<unknown> = new Set([
  'already_replied',
  'already_drafted',
  'replied_before',
  'drafted_before',
])
const bareAddress = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,255}$/

/** Reads `ana@example.com` or `Ana <ana@example.com>`. @throws UsageError `invalid_address` */
const readAddress = (text: string): string => {
  const trimmed = text.trim()
  const open = trimmed.lastIndexOf('<')
  const address = open >= 0 && trimmed.endsWith('>') ? trimmed.slice(open + 1, -1).trim() : trimmed
  if (bareAddress.test(address)) return address
  throw new UsageError(
    'invalid_address',
    `give addresses such as ana@example.com, each by itself in the list`,
  )
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

interface Sends {
  threadId: string
  count: number
}

/** Maximum number of answers to one message, and of forwards, no matter what a message suggests. */
const maxSends = 3

const alreadySent = (what: 'replied' | 'forwarded', handle: string) =>
  new UsageError(
    `already_${what}`,
    `${handle} was ${what === 'replied' ? 'answered' : 'passed on'} already, and nothing was sent now: end your turn, or set again to true where a second mail is really meant`,
  )

const tooOften = (handle: string) =>
  new UsageError(
    'sent_too_often',
    `${maxSends} mails went out for ${handle}, and nothing was sent now: end your turn, and tell the person who asked you`,
  )

/** Messages that the tools sent for a mailbox, in all runs. */
class Sent {
  /** Messages that were answered or passed on here, and how often. */
  readonly replied = new Map<string, Sends>()
  readonly forwarded = new Map<string, Sends>()
  /** Messages whose code was given. */
  readonly usedCodes = new Set<string>()
}

/** State shared by the tools of one toolbox: the mailbox, the limits, and what was shown and answered. */
export class ToolSession {
  readonly mailbox: Mailbox
  readonly options: ToolSessionOptions
  readonly maxTokens: number
  readonly guard: FlowGuard
  readonly #sent: Sent
  /** Reads pictures; undefined if the model sees none. */
  readonly pictures: Pictures | undefined
  /** Why the current message needs no answer, once the model has given a reason. */
  silence: string | undefined
  /** Why people take the current conversation over, once the agent has handed it over. */
  handedOver: string | undefined

  constructor(mailbox: Mailbox, options: ToolSessionOptions, sent = new Sent(), seenPictures = 0) {
    this.mailbox = mailbox
    this.options = options
    this.#sent = sent
    this.maxTokens = options.maxTokens ?? 4_000
    if (!(this.maxTokens >= 400))
      throw new UsageError('invalid_options', `maxTokens is ${this.maxTokens}: give it 400 or more`)
    this.guard = new FlowGuard(mailbox, options)
    const { pictures = false } = options
    this.pictures =
      pictures === false ? undefined : new Pictures(pictures === true ? {} : pictures, seenPictures)
  }

  /** Returns a session for another run, whose model was shown other messages. */
  fork({ shown = [], pictures = 0 }: RunSoFar): ToolSession {
    return new ToolSession(this.mailbox, { ...this.options, shown }, this.#sent, pictures)
  }

  get usedCodes(): Set<string> {
    return this.#sent.usedCodes
  }

  /** True if the current message (if none: any message) was answered here, or its answer awaits a human. */
  get answered(): boolean {
    const { message } = this.options
    const threads = [...this.#sent.replied.values()].map(({ threadId }) => threadId)
    return message ? threads.includes(message.threadId) : threads.length > 0
  }

  /** Hands the current conversation over to people. @throws UsageError `invalid_options` without a message */
  async handOver(reason: string, signal?: AbortSignal): Promise<void> {
    const { message } = this.options
    if (!message)
      throw new UsageError('invalid_options', 'there is no mail to hand over: give createToolbox its message')
    await message.handOver({ reason, signal })
    this.handedOver = reason
  }

  /** Returns addresses as they will be written. @throws UsageError `invalid_address` */
  addresses(given: string | readonly string[] | undefined): string[] {
    return given === undefined ? [] : [given].flat().map(readAddress)
  }

  /** Returns the body of a message from the model's text. */
  body<Written extends string | undefined>(written: Written): { text: Written } | { markdown: Written } {
    return this.options.markdown ? { markdown: written } : { text: written }
  }

  /** Returns the time to wait within its bound, in ms. */
  timeoutMs(seconds: number | undefined): number {
    const max = this.options.maxWaitSeconds ?? 60
    return 1_000 * Math.min(seconds ?? max, max)
  }

  /** Returns a message by its handle or id, never a thread: its newest message changes over time. */
  async message(ref: string, signal?: AbortSignal): Promise<Message> {
    const message = this.#mine(await this.mailbox.messages.get(ref, { signal }))
    const { message: current } = this.options
    if (message.threadId !== current?.threadId) return message
    if (message.id === current.id) return current
    return (await current.thread({ signal })).messages.find(({ id }) => id === message.id) ?? message
  }

  /** Returns a message that the model is shown now. @throws UsageError `outside_conversation` */
  async readable(ref: string, signal?: AbortSignal): Promise<Message> {
    const message = await this.message(ref, signal)
    await this.show(message, signal)
    return message
  }

  /** Notes that the model is shown a message. @throws UsageError `outside_conversation` if not allowed */
  async show(message: Message, signal?: AbortSignal): Promise<void> {
    await this.guard.requireSight(message, signal)
    this.guard.display([message])
  }

  /** Returns a thread by one of its messages, or by its id. */
  async thread(ref: string, signal?: AbortSignal): Promise<Thread> {
    const thread = this.#mine(await this.mailbox.threads.get(ref, { signal }))
    const { message: current } = this.options
    return thread.id === current?.threadId ? current.thread({ signal }) : thread
  }

  /** Returns a draft of the service by its id. @throws UsageError `unknown_draft` */
  async draft(id: string, signal?: AbortSignal): Promise<Draft> {
    if (!id.startsWith('drf_'))
      throw new UsageError(
        'unknown_draft',
        `${id} is no draft: a draft is named by the id that create_draft gave, such as drf_01jd8x2m4k7q`,
      )
    return this.#mine(await this.mailbox.drafts.get(id, { signal }))
  }

  /** Returns the id of the inbox that sends, by its id or address. */
  inboxId(wanted: string | undefined): string | undefined {
    return this.mailbox.inboxes.find(({ id, address }) => id === wanted || same(address, wanted ?? ''))?.id
  }

  /**
   * Returns whether a message is in the conversation being answered. Sends to it are recognized when the
   * message is delivered again.
   */
  isInConversation({ threadId }: Message): boolean {
    return threadId === this.options.message?.threadId
  }

  /**
   * Answers or passes on a message once. Another time needs `again`.
   *
   * @throws UsageError `already_replied`, `already_forwarded`, `sent_too_often`
   */
  async once<T>(
    what: 'replied' | 'forwarded',
    message: Message,
    again: boolean,
    send: (key: string | undefined) => Promise<T>,
  ): Promise<T> {
    const { id, threadId, handle } = message
    const sends = this.#sent[what]
    const count = sends.get(id)?.count ?? 0
    if (count > 0 && !again) throw alreadySent(what, handle)
    if (count >= maxSends) throw tooOften(handle)
    sends.set(id, { threadId, count: count + 1 })
    try {
      return await send(again ? `again-${count}` : undefined)
    } catch (error) {
      const isAnswered = error instanceof Error && 'code' in error && answeredCodes.has(error.code)
      if (count > 0) sends.set(id, { threadId, count })
      else if (!isAnswered) sends.delete(id)
      throw error
    }
  }

  /** Restricts reads to the inboxes of the mailbox. @throws UsageError `not_in_mailbox` */
  #mine<T extends { readonly inboxId: string }>(found: T): T {
    if (this.mailbox.inboxes.some(({ id }) => id === found.inboxId)) return found
    throw new UsageError(
      'not_in_mailbox',
      'that is in another inbox: list or search to see what there is here',
    )
  }
}
