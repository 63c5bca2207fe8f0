import {
  checkChoice,
  checkOptions,
  type Draft,
  type Mailbox,
  type Message,
  type OptionNames,
  UsageError,
  untrustedField,
} from 'restante'
import {
  answeredBy,
  checkList,
  checkNames,
  type FlowOwner,
  type Held,
  heldBack,
  isPublic,
  isPublicLabel,
  mayHave,
  type PublicMail,
} from './flow'
import { Conversations, RunAccount, type ShownMail } from './shown'

/** Options about what may flow to whom. */
export interface FlowOptions {
  /**
   * Treatment of a message to somebody who was no part of what this run has read: a human is asked (`ask`, the default),
   * or it is refused, also where a human said yes (`refuse`). `off` lets everything go to everybody. See
   * `docs/safety.md`.
   */
  flow?: 'ask' | 'refuse' | 'off' | undefined
  /** Addresses and domains that may be told anything. */
  recipients?: readonly string[] | undefined
  /** Mail that anybody may be told of. */
  public?: PublicMail | undefined
  /** Says that a human sits there and says what to do: a run that has read nothing yet may then write to anybody. */
  attended?: boolean | undefined
  /**
   * Shows the model all mail, also where one is being answered, and not only what its sender was part of. A human is
   * then asked about the answer, if anything else was read.
   */
  everyone?: boolean | undefined
  /** Mail that the model was shown before, as `toolbox.shown` told it: ids or handles, or `everything`. */
  shown?: ShownMail | undefined
  /** The message that is being answered: its thread has one reply, be it by a tool or by `message.reply()`. */
  message?: Message | undefined
}

/** Messages, of which the recipients of the answer may not see some. */
export interface Sight {
  readonly messages: readonly Message[]
  readonly hidden: number
}

const publicNames: OptionNames<PublicMail> = { from: true, labels: true }

/** @throws UsageError `invalid_options` */
const check = ({ flow = 'ask', recipients, public: open, message }: FlowOptions): void => {
  if (message !== undefined && !message?.record)
    throw new UsageError('invalid_options', 'message takes a message that the mailbox gave')
  checkChoice('flow', flow, ['ask', 'refuse', 'off'])
  checkNames('recipients', recipients)
  checkOptions('public', open ?? {}, publicNames)
  checkNames('public.from', open?.from)
  checkList('public.labels', open?.labels)
}

/** Keeps the account of a run, and the rule of flow over it. */
export class FlowGuard {
  readonly #mailbox: Mailbox
  readonly #options: FlowOptions
  readonly #account: RunAccount
  readonly #conversations: Conversations
  /** Messages that the model read here, and the addresses in their headers. */
  readonly #displayed = new Set<string>()
  readonly #known = new Set<string>()
  /** Drafts that this run wrote: as of which `seq`, and the messages that went into them. */
  readonly #drafts = new Map<string, { seq: number; material: readonly Message[] }>()

  constructor(mailbox: Mailbox, options: FlowOptions) {
    check(options)
    this.#mailbox = mailbox
    this.#options = options
    this.#conversations = new Conversations(mailbox, () => this.#owner)
    this.#account = new RunAccount(options.shown)
    if (options.message) this.display([options.message])
  }

  get #owner(): FlowOwner {
    const { recipients, public: open } = this.#options
    return { inboxes: this.#mailbox.inboxes, recipients, public: open }
  }

  /** Mail that the model was shown. */
  get shown(): ShownMail {
    return this.#account.shown
  }

  /** Notes what the model is shown, before it is. */
  show(messages: readonly Message[]): void {
    this.#account.add(messages.map(({ id }) => id))
  }

  /** Notes messages that the model reads now: their subjects and addresses are no news to it. */
  display(messages: readonly Message[]): void {
    this.show(messages)
    for (const { id, record } of messages) {
      this.#displayed.add(id)
      const { from_addr, to_addrs, cc_addrs, reply_to } = record
      for (const address of [from_addr, ...to_addrs, ...cc_addrs, ...reply_to])
        this.#known.add(address.toLowerCase())
    }
  }

  /** Whether the model knows an address, from a message that it read. */
  knows(address: string): boolean {
    return this.#known.has(address.toLowerCase())
  }

  /** Notes what the model was shown elsewhere. */
  add(shown: ShownMail): void {
    this.#account.add(shown)
  }

  /** Notes that the model is shown what drafts say which it did not write: nobody knows what went into them. */
  showDrafts(drafts: readonly Pick<Draft, 'id'>[]): void {
    this.#account.add(drafts.map(({ id }) => id))
  }

  /** Tells whether a message was shown. */
  has(message: Message): boolean {
    return this.#account.has(message)
  }

  /** Tells whether a label makes public what has it. */
  isPublicLabel(name: string): boolean {
    return isPublicLabel(name, this.#owner)
  }

  /** Those to whom the answer goes that is being written, where that decides what is shown. */
  get viewers(): readonly string[] {
    const { message, everyone = false, flow } = this.#options
    return message && !everyone && flow !== 'off' ? answeredBy(message.record, this.#owner) : []
  }

  /** The thread of the message that is being answered. */
  get threadAtHand(): string | undefined {
    return this.#options.message?.threadId
  }

  /** Those messages that may be shown. */
  async sight(messages: readonly Message[], signal?: AbortSignal): Promise<Sight> {
    const { viewers } = this
    const owner = this.#owner
    if (viewers.length === 0) return { messages, hidden: 0 }
    const judged = await this.#conversations.of(messages, signal)
    const seen = messages.filter(
      ({ id }, at) => id === this.#options.message?.id || mayHave(viewers, judged[at]!, owner),
    )
    return { messages: seen, hidden: messages.length - seen.length }
  }

  /** Those messages that anybody may be told of. */
  publicOf(messages: readonly Message[]): readonly Message[] {
    const owner = this.#owner
    return messages.filter(({ record }) => isPublic(record, owner))
  }

  /** @throws UsageError `outside_conversation` for what may not be shown */
  async requireSight(message: Message, signal?: AbortSignal): Promise<void> {
    const { hidden } = await this.sight([message], signal)
    if (hidden > 0) throw new UsageError('outside_conversation', `${message.handle} is ${this.outside}`)
  }

  /** Says where what is hidden is. */
  get outside(): string {
    const who = this.viewers.map((one) => JSON.parse(untrustedField(one, 100)) as string).join(' or ')
    return `in a conversation that ${who} is no part of, and not shown while their mail is answered`
  }

  /**
   * Those of the recipients that are not free, and why.
   *
   * @param material messages that go along, or whose subject does: they count as shown
   */
  async held(recipients: readonly string[], material: readonly Message[]): Promise<Held[]> {
    const { flow, attended = false } = this.#options
    const owner = this.#owner
    if (flow === 'off' || !this.isBound(recipients)) return []
    const account = await this.#conversations.account(this.shown)
    // What is no message (a draft, an erased one) has a title of our own.
    const isDisplayed = (id: string) => this.#displayed.has(id) || !id.startsWith('msg_')
    if (account === 'everything') return heldBack(recipients, account, owner)
    const along = await this.#conversations.of(material)
    const all = new Map([...account, ...along].map((one) => [one.message.id, one]))
    return heldBack(recipients, [...all.values()], owner, attended, isDisplayed)
  }

  /** Tells whether the recipients include anybody who may not be told just anything. */
  isBound(recipients: readonly string[]): boolean {
    return heldBack(recipients, 'everything', this.#owner).length > 0
  }

  /** Notes a draft that this run wrote, as it is now. */
  wrote({ id, record: { seq } }: Draft, material: readonly Message[]): void {
    this.#drafts.set(id, { seq, material })
  }

  /**
   * Gives the messages that went into a draft as it is now; null where this run did not write it so, and nobody knows
   * what it holds.
   */
  materialOf({ id, record: { seq } }: Draft): readonly Message[] | null {
    const written = this.#drafts.get(id)
    return written?.seq === seq ? written.material : null
  }
}
