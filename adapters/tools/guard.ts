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

/** Options of the flow rule. */
export interface FlowOptions {
  /**
   * Handling of a message to somebody who was not part of everything this run has read. `ask`, the default,
   * asks a human; `refuse` refuses it, even if a human said yes. `off` allows everything to everybody. See
   * `docs/safety.md`.
   */
  flow?: 'ask' | 'refuse' | 'off' | undefined
  /** Addresses and domains that may receive anything. */
  recipients?: readonly string[] | undefined
  /** Messages that may be disclosed to anybody. */
  public?: PublicMail | undefined
  /** Whether a human gives instructions: a run that has read nothing yet may then write to anybody. */
  attended?: boolean | undefined
  /**
   * Shows the model all messages while it answers one, not only those that the sender was part of. A human is
   * then asked about the answer if anything else was read.
   */
  everyone?: boolean | undefined
  /** Messages that the model was shown before, from `toolbox.shown`: ids or handles, or `everything`. */
  shown?: ShownMail | undefined
  /** Message that is being answered: its thread gets one reply, by a tool or by `message.reply()`. */
  message?: Message | undefined
}

/** Messages that may be shown, and the number of hidden ones. */
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

/** Keeps the account of a run, and applies the flow rule to it. */
export class FlowGuard {
  readonly #mailbox: Mailbox
  readonly #options: FlowOptions
  readonly #account: RunAccount
  readonly #conversations: Conversations
  /** Messages that the model read here, and the addresses in their headers. */
  readonly #displayed = new Set<string>()
  readonly #known = new Set<string>()
  /** Drafts of this run: the `seq` at the time, and the messages that were used for it. */
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

  /** Messages that the model was shown. */
  get shown(): ShownMail {
    return this.#account.shown
  }

  /** Notes messages before they are shown to the model. */
  show(messages: readonly Message[]): void {
    this.#account.add(messages.map(({ id }) => id))
  }

  /** Notes messages that the model reads now, so that it knows their subjects and addresses. */
  display(messages: readonly Message[]): void {
    this.show(messages)
    for (const { id, record } of messages) {
      this.#displayed.add(id)
      const { from_addr, to_addrs, cc_addrs, reply_to } = record
      for (const address of [from_addr, ...to_addrs, ...cc_addrs, ...reply_to])
        this.#known.add(address.toLowerCase())
    }
  }

  /** Returns whether the model knows an address, from a message that it read. */
  knows(address: string): boolean {
    return this.#known.has(address.toLowerCase())
  }

  /** Notes messages that the model was shown elsewhere. */
  add(shown: ShownMail): void {
    this.#account.add(shown)
  }

  /** Notes that the model is shown the content of drafts of other runs, whose sources are unknown. */
  showDrafts(drafts: readonly Pick<Draft, 'id'>[]): void {
    this.#account.add(drafts.map(({ id }) => id))
  }

  /** Returns whether a message was shown. */
  has(message: Message): boolean {
    return this.#account.has(message)
  }

  /** Returns whether a label makes its messages public. */
  isPublicLabel(name: string): boolean {
    return isPublicLabel(name, this.#owner)
  }

  /** Recipients of the current answer, if they decide what is shown. */
  get viewers(): readonly string[] {
    const { message, everyone = false, flow } = this.#options
    return message && !everyone && flow !== 'off' ? answeredBy(message.record, this.#owner) : []
  }

  /** Thread of the message that is being answered. */
  get threadAtHand(): string | undefined {
    return this.#options.message?.threadId
  }

  /** Returns the messages that may be shown. */
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

  /** Returns the messages that may be disclosed to anybody. */
  publicOf(messages: readonly Message[]): readonly Message[] {
    const owner = this.#owner
    return messages.filter(({ record }) => isPublic(record, owner))
  }

  /** @throws UsageError `outside_conversation` if it may not be shown */
  async requireSight(message: Message, signal?: AbortSignal): Promise<void> {
    const { hidden } = await this.sight([message], signal)
    if (hidden > 0) throw new UsageError('outside_conversation', `${message.handle} is ${this.outside}`)
  }

  /** Describes the conversation of a hidden message. */
  get outside(): string {
    const who = this.viewers.map((one) => JSON.parse(untrustedField(one, 100)) as string).join(' or ')
    return `in a conversation that ${who} is no part of, and not shown while their mail is answered`
  }

  /**
   * Returns the recipients that are not free, and why.
   *
   * @param material messages whose content or subject goes along: they count as shown
   */
  async held(recipients: readonly string[], material: readonly Message[]): Promise<Held[]> {
    const { flow, attended = false } = this.#options
    const owner = this.#owner
    if (flow === 'off' || !this.isBound(recipients)) return []
    const account = await this.#conversations.account(this.shown)
    // A draft or an erased message is shown under a title of our own.
    const isDisplayed = (id: string) => this.#displayed.has(id) || !id.startsWith('msg_')
    if (account === 'everything') return heldBack(recipients, account, owner)
    const along = await this.#conversations.of(material)
    const all = new Map([...account, ...along].map((one) => [one.message.id, one]))
    return heldBack(recipients, [...all.values()], owner, attended, isDisplayed)
  }

  /** Returns whether any of the recipients is restricted. */
  isBound(recipients: readonly string[]): boolean {
    return heldBack(recipients, 'everything', this.#owner).length > 0
  }

  /** Notes the current version of a draft that this run wrote. */
  wrote({ id, record: { seq } }: Draft, material: readonly Message[]): void {
    this.#drafts.set(id, { seq, material })
  }

  /**
   * Returns the messages that were used for the current version of a draft. Null if this run did not write
   * that version, so its sources are unknown.
   */
  materialOf({ id, record: { seq } }: Draft): readonly Message[] | null {
    const written = this.#drafts.get(id)
    return written?.seq === seq ? written.material : null
  }
}
