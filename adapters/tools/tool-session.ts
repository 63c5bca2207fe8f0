import { type Draft, type Mailbox, type Message, type Thread, UsageError } from 'restante'
import { FlowGuard, type FlowOptions } from './guard'
import type { ShownMail } from './shown'

/** The risk of a tool: it only looks, changes what only its owner sees, or writes to people. */
export type ToolRisk = 'read' | 'write' | 'send'

/** A call of a tool that a human may be asked about. */
export interface ToolCall {
  readonly name: string
  readonly risk: ToolRisk
  readonly input: unknown
  /** Reasons why it is outside of what may flow, such as a recipient who was no part of what this run has read. */
  readonly reasons: readonly string[]
}

/** Options that bound what the tools may do. */
export interface ToolSessionOptions extends FlowOptions {
  /**
   * Calls that a human is asked about first, besides what `flow` says: nothing (`none`, the default), what writes to
   * people (`send`), all that changes anything (`all`), or what the function says. Where the framework cannot ask, the
   * mail becomes a draft.
   */
  approve?: 'none' | 'send' | 'all' | ((call: ToolCall) => boolean | Promise<boolean>) | undefined
  /**
   * Reads what the model writes as Markdown, which goes out as HTML and as plain text, its last words too. Default: it is
   * plain text.
   */
  markdown?: boolean | undefined
  /** Tokens that one answer to the model counts at most, 400 or more. Default 4,000. */
  maxTokens?: number | undefined
  /** Seconds that a waiting tool waits at most. Default 60. */
  maxWaitSeconds?: number | undefined
}

/** The message has an answer, or a draft of one, though not from here. */
export const answeredCodes: ReadonlySet<unknown> = new Set([
  'already_replied',
  'already_drafted',
  'replied_before',
  'drafted_before',
])
const bareAddress = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,255}$/

/** The address in `ana@example.com` or `Ana <ana@example.com>`. @throws UsageError `invalid_address` */
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

/** One message is answered, or passed on, so often at most, whatever a message talks the model into. */
const maxSends = 3

const alreadySent = (what: 'replied' | 'forwarded', handle: string) =>
  new UsageError(
    `already_${what}`,
    `${handle} was ${what === 'replied' ? 'answered' : 'passed on'} already, and nothing was sent now: end your turn, or set again to true where a second mail is really meant`,
  )

const tooOften = (handle: string) =>
  new UsageError(
    'sent_too_often',
    `${maxSends} mails went out for ${handle}, and nothing was sent now: end your turn, and tell whoever asked you`,
  )

/** Mail that the tools sent for a mailbox, of all runs. */
class Sent {
  /** Messages that were answered or passed on here, with how often. */
  readonly replied = new Map<string, Sends>()
  readonly forwarded = new Map<string, Sends>()
  /** Messages whose code was given. */
  readonly usedCodes = new Set<string>()
}

/**
 * The state that the tools of one toolbox share: the mailbox, what may be done, what was shown and what was answered.
 */
export class ToolSession {
  readonly mailbox: Mailbox
  readonly options: ToolSessionOptions
  readonly maxTokens: number
  readonly guard: FlowGuard
  readonly #sent: Sent
  /** The reason why the mail that is being answered needs no answer, once the model has given one. */
  silence: string | undefined

  constructor(mailbox: Mailbox, options: ToolSessionOptions, sent = new Sent()) {
    this.mailbox = mailbox
    this.options = options
    this.#sent = sent
    this.maxTokens = options.maxTokens ?? 4_000
    if (!(this.maxTokens >= 400))
      throw new UsageError('invalid_options', `maxTokens is ${this.maxTokens}: give it 400 or more`)
    this.guard = new FlowGuard(mailbox, options)
  }

  /** The same for another run, whose model was shown other mail. */
  fork(shown: ShownMail): ToolSession {
    return new ToolSession(this.mailbox, { ...this.options, shown }, this.#sent)
  }

  get usedCodes(): Set<string> {
    return this.#sent.usedCodes
  }

  /**
   * True where the mail that is being answered (any mail where there is none) was answered here, or its answer waits
   * for a human.
   */
  get answered(): boolean {
    const { message } = this.options
    const threads = [...this.#sent.replied.values()].map(({ threadId }) => threadId)
    return message ? threads.includes(message.threadId) : threads.length > 0
  }

  /** Addresses as they will be written. @throws UsageError `invalid_address` */
  addresses(given: string | readonly string[] | undefined): string[] {
    return given === undefined ? [] : [given].flat().map(readAddress)
  }

  /** The body of a message, by what the model wrote. */
  body<Written extends string | undefined>(written: Written): { text: Written } | { markdown: Written } {
    return this.options.markdown ? { markdown: written } : { text: written }
  }

  /** Bounds the time to wait, in ms. */
  timeoutMs(seconds: number | undefined): number {
    const max = this.options.maxWaitSeconds ?? 60
    return 1_000 * Math.min(seconds ?? max, max)
  }

  /** A message by its handle or id. Never a thread: which of its messages is meant would change when mail comes. */
  async message(ref: string, signal?: AbortSignal): Promise<Message> {
    const message = this.#mine(await this.mailbox.messages.get(ref, { signal }))
    const { message: current } = this.options
    if (message.threadId !== current?.threadId) return message
    if (message.id === current.id) return current
    return (await current.thread({ signal })).messages.find(({ id }) => id === message.id) ?? message
  }

  /** A message that the model is shown now. @throws UsageError `outside_conversation` */
  async readable(ref: string, signal?: AbortSignal): Promise<Message> {
    const message = await this.message(ref, signal)
    await this.show(message, signal)
    return message
  }

  /** Notes that the model is shown a message. @throws UsageError `outside_conversation` where it may not be */
  async show(message: Message, signal?: AbortSignal): Promise<void> {
    await this.guard.requireSight(message, signal)
    this.guard.display([message])
  }

  /** A thread by one of its messages, or by its id. */
  async thread(ref: string, signal?: AbortSignal): Promise<Thread> {
    const thread = this.#mine(await this.mailbox.threads.get(ref, { signal }))
    const { message: current } = this.options
    return thread.id === current?.threadId ? current.thread({ signal }) : thread
  }

  /** A draft by its id, as the service has it. @throws UsageError `unknown_draft` */
  async draft(id: string, signal?: AbortSignal): Promise<Draft> {
    if (!id.startsWith('drf_'))
      throw new UsageError(
        'unknown_draft',
        `${id} is no draft: a draft is named by the id that create_draft gave, such as drf_01jd8x2m4k7q`,
      )
    return this.#mine(await this.mailbox.drafts.get(id, { signal }))
  }

  /** The inbox that a message is to go out from, however it was named. */
  inboxId(wanted: string | undefined): string | undefined {
    return this.mailbox.inboxes.find(({ id, address }) => id === wanted || same(address, wanted ?? ''))?.id
  }

  /**
   * Tells whether a message is of the conversation that is being answered: its sends are recognised when it comes
   * again.
   */
  isInConversation({ threadId }: Message): boolean {
    return threadId === this.options.message?.threadId
  }

  /**
   * Answers a message, or passes it on, once: once more has to be asked for.
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

  /** Reading is bound to the inboxes of the mailbox. @throws UsageError `not_in_mailbox` */
  #mine<T extends { readonly inboxId: string }>(found: T): T {
    if (this.mailbox.inboxes.some(({ id }) => id === found.inboxId)) return found
    throw new UsageError(
      'not_in_mailbox',
      'that is in another inbox: list or search to see what there is here',
    )
  }
}
