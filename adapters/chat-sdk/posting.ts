import { AsyncLocalStorage } from 'node:async_hooks'
import { type DraftRecord, type Mailbox, type Message, type SendResult, UsageError } from 'restante'
import type { Directs } from './directs'
import { isProven, type Reading } from './incoming'
import type { WrittenMail } from './outgoing'
import type { MailThreadId } from './thread-id'

/** Message that the bot is handling. Posts made meanwhile are sent once, also after a redelivery. */
export interface Turn {
  readonly message: Message
  /** Name of the consumer, part of the id that deduplicates a post. */
  readonly consumer: string
  /** False for a message from a webhook: no consumer of that name has it. */
  readonly isLeased: boolean
  posts: number
}

/** Turn in which the current code runs. */
export const turns = new AsyncLocalStorage<Turn>()

/** Returns the fields that deduplicate a post. */
const identity = (): { client_id: string; replay: 'first_wins'; consumer?: string } => {
  const turn = turns.getStore()
  if (!turn) return { client_id: `chat:${crypto.randomUUID()}`, replay: 'first_wins' }
  turn.posts += 1
  const { consumer, isLeased, message, posts } = turn
  const id = { client_id: `chat:${consumer}:${message.id}:${posts}`, replay: 'first_wins' as const }
  return isLeased ? { ...id, consumer } : id
}

/** Message to post, now or at a scheduled time. */
interface Post extends WrittenMail {
  scheduled_at?: string
}

/** Sent message, or the draft that is sent later. */
export type Posted = SendResult | DraftRecord

/** Options of {@link Poster}. */
interface PosterOptions extends Reading {
  readonly directs: Directs
  /** Whether everybody on a message gets the answer. */
  readonly toAll: boolean
  /** Subject of a message that starts a conversation. */
  readonly subject: string | undefined
}

const subjectOf = (text: string): string => {
  const line = text.trim().split('\n', 1)[0] ?? ''
  const plain = line.replace(/[#*_`>]/g, '').trim()
  return plain.length > 78 ? `${plain.slice(0, 77)}…` : plain
}

/** Writer of the bot's messages. */
export class Poster {
  readonly #options: PosterOptions
  readonly #mailbox: Mailbox

  constructor(options: PosterOptions) {
    this.#options = options
    this.#mailbox = options.mailbox
  }

  /** Posts to a conversation: as an answer, or as its first message. */
  async post(place: MailThreadId, post: Post): Promise<Posted> {
    const id = identity()
    if ('threadId' in place)
      return this.#answer(await this.#newest(place.threadId), post, id, this.#options.toAll)
    const { inboxId, address } = place
    const threadId = await this.#options.directs.threadOf(inboxId, address)
    if (threadId !== null) return this.#answer(await this.#newest(threadId), post, id, false)
    const { directs, subject = subjectOf(post.text) } = this.#options
    const first = { inbox_id: inboxId, to: [address], subject, headers: directs.headers }
    return this.#mailbox.client.messages.send({ ...first, ...post, ...id })
  }

  /** Replies to one message of a conversation. */
  async reply(messageId: string, post: Post): Promise<Posted> {
    const id = identity()
    return this.#answer(await this.#mailbox.messages.get(messageId), post, id, this.#options.toAll)
  }

  /** Finds the message to answer: the one being handled, else the newest answerable one, else the newest. */
  async #newest(threadId: string): Promise<Message> {
    const handled = turns.getStore()?.message
    if (handled?.threadId === threadId) return handled
    const { messages } = await this.#mailbox.threads.get(threadId)
    const found =
      messages.findLast((one) => one.direction === 'inbound' && !one.unanswerable) ?? messages.at(-1)
    if (found) return found
    throw new UsageError(
      'nothing_to_reply_to',
      `the thread ${threadId} has no message: open it with openDM()`,
    )
  }

  /** Replies to a message. An unproven sender cannot choose recipients by Cc or Reply-To. */
  async #answer(
    message: Message,
    post: Post,
    id: ReturnType<typeof identity>,
    toAll: boolean,
  ): Promise<Posted> {
    const { client } = this.#mailbox
    const { record, from } = message
    const isTrusted = record.direction === 'outbound' || isProven(this.#options, record)
    const isElsewhere = record.reply_to.some(
      (address) => address.toLowerCase() !== from.address.toLowerCase(),
    )
    if (isTrusted || !isElsewhere)
      return client.messages.reply({ id: message.id, reply_all: toAll && isTrusted, ...post, ...id })
    const place = { inbox_id: message.inboxId, reply_to_message_id: message.id, to: [from.address] }
    const draft = await client.drafts.create({ ...place, ...post, ...id })
    return post.scheduled_at === undefined ? client.drafts.send({ id: draft.id }) : draft
  }
}
