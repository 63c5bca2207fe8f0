import { composeMail } from '../mail/compose'
import { type MailAddress, senderDomain, splitAddress } from '../mail/headers/address'
import { parseAddress } from '../mail/headers/address-list'
import { makeMessageId, referencesForReply } from '../mail/headers/message-id'
import { replySubject } from '../mail/headers/subject'
import { UsageError } from '../protocol/errors/error'
import { checkOptions, type OptionNames } from '../protocol/options'
import type { MailEnvelope } from '../service/inbound/ingest'
import { classifyReply, type RecipientOutcome } from '../service/outbound/delivery/outcome'
import { type ReceivedMail, readReceived } from './received-mail'

/** A file to send. */
export interface WrittenFile {
  filename: string
  content: Uint8Array | string
  contentType?: string | undefined
}

/** Content of a message that a person writes. */
export interface WrittenContent {
  text?: string | undefined
  html?: string | undefined
  attachments?: readonly WrittenFile[] | undefined
  /** Header fields by name, such as `Auto-Submitted`. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Somebody else wrote it in this person's name: nothing proves the sender. */
  forged?: boolean | undefined
}

/** A message that a person writes. */
export interface WrittenMail extends WrittenContent {
  to: string | readonly string[]
  cc?: readonly string[] | undefined
  subject?: string | undefined
}

/** An answer that a person writes. */
export interface WrittenReply extends WrittenContent {
  /** The message to answer. Default: the newest received one. */
  to?: ReceivedMail | undefined
  /** Omits the quote of the answered message, which mail programs add below. */
  withoutQuote?: boolean | undefined
}

const fileNames: OptionNames<WrittenFile> = { filename: true, content: true, contentType: true }
const contentNames: OptionNames<WrittenContent> = {
  ...{ text: true, html: true, attachments: true, headers: true, forged: 'boolean' },
}
const mailNames: OptionNames<WrittenMail> = { ...contentNames, to: true, cc: true, subject: true }
const replyNames: OptionNames<WrittenReply> = { ...contentNames, to: true, withoutQuote: 'boolean' }

/** The parts of the world that a person uses. */
interface PersonParts {
  now(): number
  /** Sends a message to the service. */
  post(envelope: MailEnvelope, raw: Uint8Array<ArrayBuffer>): Promise<{ queueId: string }>
  /** Returns a number for the next Message-ID. */
  count(): number
}

interface Headed {
  to: readonly string[]
  cc: readonly string[]
  subject: string
  inReplyTo?: string | null | undefined
  references?: string[] | undefined
}

const proof = (forged: boolean, address: string) => {
  const verdict = forged ? 'fail' : 'pass'
  const authentication = {
    ...({ spf: verdict, dkim: verdict, dmarc: verdict, arc: 'none' } as const),
    ...{ from_verified: !forged, spf_aligned: !forged, signed_fields: [] },
  }
  return { authentication, judgedDomain: senderDomain(address) }
}

const toAddress = (text: string): MailAddress => {
  const address = parseAddress(text)
  if (address) return address
  throw new UsageError(
    'invalid_options',
    `${JSON.stringify(text)} is not an email address: write ana@example.com`,
  )
}

const bytesOf = (content: Uint8Array | string) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

const quote = ({ from, text, receivedAt }: ReceivedMail) => {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
  return `On ${receivedAt.toUTCString()}, ${from?.address ?? 'somebody'} wrote:\n${lines.join('\n')}`
}

/**
 * A person outside the service, who writes to it and receives its messages.
 *
 * @example
 * ```ts
 * import { createWorld } from 'restante/testing'
 *
 * const world = await createWorld()
 * const mailbox = await world.open()
 * const ana = world.person('Ana <ana@example.com>')
 * await ana.write({ to: mailbox.address, subject: 'Hello', text: 'Is anybody there?' })
 * const answer = await ana.received()
 * await ana.reply({ text: 'Thank you.' })
 * console.log(answer.text)
 * ```
 */
export class Person {
  readonly address: string
  /** Display name; null if there is none. */
  readonly name: string | null
  /** All received messages, oldest first. */
  readonly mails: readonly ReceivedMail[]
  readonly #parts: PersonParts
  readonly #mails: ReceivedMail[] = []
  /** Messages that `received()` has not returned. */
  readonly #unread: ReceivedMail[] = []
  /** Calls of `received()` that wait, oldest first. */
  readonly #waiting: ((mail: ReceivedMail) => void)[] = []
  #refusal: string | null = null

  /** @internal */
  constructor(who: string, parts: PersonParts) {
    const { address, name } = toAddress(who)
    this.address = address
    this.name = name
    this.mails = this.#mails
    this.#parts = parts
  }

  /**
   * Writes to inboxes of the service. Resolves with the id there, once the service has accepted it.
   *
   * @throws ServiceError if the service refuses it, such as `mailbox_unavailable`
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * const ana = world.person('ana@example.com')
   * await ana.write({ to: (await world.open()).address, subject: 'Hello', text: 'Anybody?' })
   * ```
   */
  async write(mail: WrittenMail): Promise<{ id: string; messageId: string }> {
    checkOptions('write()', mail, mailNames)
    const { to, cc = [], subject = '' } = mail
    return this.#send(mail, { to: [to].flat(), cc, subject })
  }

  /**
   * Answers the sender, in thread, with the message quoted below.
   *
   * @throws UsageError `nothing_to_reply_to` if no message was received yet
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * const ana = world.person('ana@example.com')
   * await ana.received()
   * await ana.reply({ text: 'Thank you.' })
   * ```
   */
  async reply(mail: WrittenReply): Promise<{ id: string; messageId: string }> {
    checkOptions('reply()', mail, replyNames)
    const { to = this.#mails.at(-1), withoutQuote, ...content } = mail
    if (!to?.from)
      throw new UsageError(
        'nothing_to_reply_to',
        `nothing came to ${this.address} yet: await received() first`,
      )
    const text = withoutQuote || content.text === undefined ? content.text : `${content.text}\n\n${quote(to)}`
    return this.#send(
      { ...content, text },
      {
        to: [to.from.address],
        cc: [],
        subject: replySubject(to.subject),
        inReplyTo: to.messageId,
        references: referencesForReply({ rfc822MessageId: to.messageId, references: [...to.references] }),
      },
    )
  }

  /**
   * Returns the next received message that this method has not returned yet. It waits for one if necessary,
   * in real time, while the clock of the world stands.
   *
   * @throws UsageError `nothing_received` after `timeoutMs` (default 5,000)
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * const ana = world.person('ana@example.com')
   * console.log((await ana.received()).replyText)
   * ```
   */
  async received(options: { timeoutMs?: number | undefined } = {}): Promise<ReceivedMail> {
    checkOptions<typeof options>('received()', options, { timeoutMs: 'number' })
    return this.#unread.shift() ?? this.#wait(options.timeoutMs ?? 5_000)
  }

  /**
   * Sets the answer of this person's mail server, such as `550 5.1.1 No such user` or `451 4.2.1 Try later`;
   * null accepts messages again.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * const ana = world.person('ana@example.com')
   * ana.refuse('552 5.2.2 The mailbox is full')
   * ```
   */
  refuse(answer: string | null): void {
    this.#refusal = answer
  }

  /** @internal Receives a message of the service. */
  async take(raw: Uint8Array): Promise<RecipientOutcome> {
    const recipient = this.address
    if (this.#refusal !== null)
      return { recipient, ...classifyReply(this.#refusal, null), stage: 'recipient' }
    const mail = await readReceived(raw, this.#parts.now())
    this.#mails.push(mail)
    const next = this.#waiting.shift()
    if (next) next(mail)
    else this.#unread.push(mail)
    return { recipient, ...classifyReply('250 2.0.0 taken', null) }
  }

  #wait(timeoutMs: number): Promise<ReceivedMail> {
    return new Promise((resolve, reject) => {
      const take = (mail: ReceivedMail) => {
        clearTimeout(timer)
        resolve(mail)
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1)
        const problem = `nothing more came to ${this.address} (${this.#mails.length} so far): answer it, or move the clock with world.advance() where it is due later`
        reject(new UsageError('nothing_received', problem))
      }, timeoutMs)
      this.#waiting.push(take)
    })
  }

  async #send(content: WrittenContent, head: Headed): Promise<{ id: string; messageId: string }> {
    const { text, html, attachments = [], headers = {}, forged = false } = content
    for (const file of attachments) checkOptions('an attachment', file, fileNames)
    const domain = splitAddress(this.address)!.domain
    const messageId = makeMessageId(`mail-${this.#parts.count()}`, domain)
    const raw = await composeMail({
      from: { address: this.address, name: this.name },
      to: head.to.map(toAddress),
      cc: head.cc.map(toAddress),
      subject: head.subject,
      ...{ text, html, messageId },
      date: new Date(this.#parts.now()),
      inReplyTo: head.inReplyTo,
      references: head.references,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      attachments: attachments.map((file) => ({ ...file, content: bytesOf(file.content) })),
    })
    const recipients = [...head.to, ...head.cc].map((one) => toAddress(one).address)
    const envelope = { mailFrom: this.address, recipients, ...proof(forged, this.address) }
    const { queueId } = await this.#parts.post(envelope, new Uint8Array(raw))
    return { id: queueId, messageId }
  }
}
