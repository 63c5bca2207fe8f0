import { type Draft, type Mailbox, type Message, type Thread, UsageError } from 'restante'

/** What a tool may do: only look, change what nobody else sees, or write to people. */
export type ToolRisk = 'read' | 'write' | 'send'

/** A call of a tool that a human may be asked about. */
export interface ToolCall {
  readonly name: string
  readonly risk: ToolRisk
  readonly input: unknown
  /** To whom it would write that is not known here. */
  readonly newRecipients: readonly string[]
}

/** What the tools may do. */
export interface DeskOptions {
  /**
   * What a human is asked about before it is done: nothing (`none`, the default), what writes to people (`send`), all
   * that changes anything (`all`), or what the function says. Where the framework cannot ask, the mail becomes a draft.
   */
  approve?: 'none' | 'send' | 'all' | ((call: ToolCall) => boolean | Promise<boolean>)
  /**
   * Whom the tools write to. Known are those whom this mailbox has written to, whose mail was proven to be theirs, and
   * `recipients`; the sender of a mail may always be answered. By default a human is asked about anybody else, since a
   * stranger's mail may be what made the model write. `true` refuses anybody else; `false` takes everybody.
   */
  onlyKnownRecipients?: boolean
  /** Addresses and domains that the operator allows. */
  recipients?: readonly string[]
  /** Tokens that one answer to the model counts at most, 400 or more. Default 4,000. */
  budget?: number
  /** How long a waiting tool waits at most. Default 60. */
  maxWaitSeconds?: number
  /** The message that is being answered: its thread has one reply, be it by a tool or by `message.reply()`. */
  message?: Message
}

/** The message has an answer, or a draft of one, though not from here. */
export const answeredCodes: ReadonlySet<unknown> = new Set([
  'already_replied',
  'already_drafted',
  'replied_before',
  'drafted_before',
])
const bareAddress = /^[^\s@<>,;:"()[\]\\]{1,64}@[^\s@<>,;:"()[\]\\]{1,255}$/
const handleOfThread = /^(?:t\d{1,9}$|thr_)/
/** Whether a thread is meant: which message that is changes when mail comes. */
export const isThread = (ref: string): boolean => handleOfThread.test(ref)

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

const alreadySent = (what: 'replied' | 'forwarded', handle: string) =>
  new UsageError(
    `already_${what}`,
    `${handle} was ${what === 'replied' ? 'answered' : 'passed on'} already, and nothing was sent now: end your turn, or set again to true where a second mail is really meant`,
  )

/** What the tools of one toolbox share: the mailbox, what may be done, and what was answered. */
export class Desk {
  readonly mailbox: Mailbox
  readonly options: DeskOptions
  readonly budget: number
  /** Messages that were answered or passed on here, with how often. */
  readonly #sends = { replied: new Map<string, Sends>(), forwarded: new Map<string, Sends>() }
  /** Messages whose code was given. */
  readonly usedCodes = new Set<string>()

  constructor(mailbox: Mailbox, options: DeskOptions) {
    this.mailbox = mailbox
    this.options = options
    this.budget = options.budget ?? 4_000
    if (!(this.budget >= 400))
      throw new UsageError('invalid_options', `budget is ${this.budget} tokens: give it 400 or more`)
  }

  /** Whether the mail that is being answered (any where there is none) was answered here, or its answer waits for a human. */
  get answered(): boolean {
    const { message } = this.options
    const threads = [...this.#sends.replied.values()].map(({ threadId }) => threadId)
    return message ? threads.includes(message.threadId) : threads.length > 0
  }

  /** Addresses as they will be written. @throws UsageError `invalid_address` */
  addresses(given: string | readonly string[] | undefined): string[] {
    return given === undefined ? [] : [given].flat().map(readAddress)
  }

  /** How long to wait. */
  timeoutMs(seconds: number | undefined): number {
    const most = this.options.maxWaitSeconds ?? 60
    return 1_000 * Math.min(seconds ?? most, most)
  }

  /** A message by its handle or id, or the newest that came into a thread. */
  async message(ref: string, signal?: AbortSignal): Promise<Message> {
    if (isThread(ref)) {
      const { messages } = await this.thread(ref, signal)
      return messages.findLast(({ direction }) => direction === 'inbound') ?? messages.at(-1)!
    }
    const message = this.#mine(await this.mailbox.messages.get(ref, { signal }))
    const { message: delivered } = this.options
    if (message.threadId !== delivered?.threadId) return message
    if (message.id === delivered.id) return delivered
    return (await delivered.thread({ signal })).messages.find(({ id }) => id === message.id) ?? message
  }

  /** A thread by its handle or id, or that of a message. */
  async thread(ref: string, signal?: AbortSignal): Promise<Thread> {
    if (!isThread(ref)) return (await this.message(ref, signal)).thread({ signal })
    const thread = this.#mine(await this.mailbox.threads.get(ref, { signal }))
    const { message: delivered } = this.options
    return thread.id === delivered?.threadId ? delivered.thread({ signal }) : thread
  }

  /** A draft by its id, as the service has it. */
  async draft(id: string, signal?: AbortSignal): Promise<Draft> {
    return this.#mine(await this.mailbox.drafts.get(id, { signal }))
  }

  /** Whether a message is of the conversation that is being answered: its sends are known again when it comes again. */
  isDelivered({ threadId }: Message): boolean {
    return threadId === this.options.message?.threadId
  }

  /**
   * Answers a message, or passes it on, once: once more has to be asked for.
   *
   * @throws UsageError `already_replied`, `already_forwarded`
   */
  async once<T>(
    what: 'replied' | 'forwarded',
    message: Message,
    again: boolean,
    send: (key: string | undefined) => Promise<T>,
  ): Promise<T> {
    const { id, threadId, handle } = message
    const sends = this.#sends[what]
    const count = sends.get(id)?.count ?? 0
    if (count > 0 && !again) throw alreadySent(what, handle)
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

  /** Those of the addresses that are not known here. */
  async unknown(addresses: readonly string[]): Promise<string[]> {
    const each = [...new Set(addresses)]
    const known = await Promise.all(each.map((address) => this.#isKnown(address)))
    return each.filter((_, at) => !known[at])
  }

  async #isKnown(address: string): Promise<boolean> {
    const domain = address.slice(address.lastIndexOf('@') + 1)
    const isGiven = this.options.recipients?.some((given) =>
      given.replace(/^@/, '').includes('@') ? same(given, address) : same(given.replace(/^@/, ''), domain),
    )
    const untagged = address.replace(/\+[^@]*@/, '@')
    if (isGiven || this.mailbox.inboxes.some((inbox) => same(inbox.address, untagged))) return true
    const { messages } = this.mailbox
    const written = await messages.list({ to: address, direction: 'outbound', limit: 10 })
    const recipients = written.items.flatMap(({ record }) => [
      ...record.to_addrs,
      ...record.cc_addrs,
      ...record.bcc_addrs,
    ])
    if (recipients.some((one) => same(one, address))) return true
    const came = await messages.list({ from: address, direction: 'inbound', limit: 25 })
    return came.items.some(({ from, verified }) => verified && same(from.address, address))
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
