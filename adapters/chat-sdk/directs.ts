import type { Mailbox, Message, MessageRecord } from 'restante'
import type { MailThreadId } from './thread-id'

/** Header of the first message of a conversation opened with `openDM`, to which answers then belong. */
const header = 'X-Chat-Thread'
const maxRemembered = 1_000

/** Conversations opened with `openDM`. The service stores them; this cache only saves requests. */
export class Directs {
  readonly #mailbox: Mailbox
  readonly #name: string
  readonly #found = new Map<string, string | null>()

  constructor(mailbox: Mailbox, name: string) {
    this.#mailbox = mailbox
    this.#name = name
  }

  /** Headers of the first message. */
  get headers(): Record<string, string> {
    return { [header]: `dm ${this.#name}` }
  }

  /** Returns the service's thread of a conversation; null before its first message. */
  async threadOf(inboxId: string, address: string): Promise<string | null> {
    const key = `${inboxId} ${address}`
    const known = this.#found.get(key)
    if (known) return known
    let cursor: string | undefined
    do {
      const page = await this.#mailbox.messages.list({
        inbox: inboxId,
        direction: 'outbound',
        to: address,
        order: 'asc',
        limit: 100,
        cursor,
      })
      for (const { record } of page.items)
        if ((await this.#directAddress(record)) === address) return this.remember(key, record.thread_id)
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    return null
  }

  /** Returns the conversation of a message. */
  async conversationOf(message: Message): Promise<MailThreadId> {
    const { threadId, inboxId } = message
    const address = await this.#openedTo(message)
    return address === null ? { inboxId, threadId } : { inboxId, address }
  }

  async #openedTo(message: Message): Promise<string | null> {
    const { threadId, record } = message
    // The message begins its thread, so the bot wrote to nobody before it.
    if (record.in_reply_to === null && record.references.length === 0) return null
    const known = this.#found.get(threadId)
    if (known !== undefined) return known
    const [first] = (await message.thread()).messages
    return this.remember(threadId, first ? await this.#directAddress(first.record) : null)
  }

  /** Returns the address to which a message opened a conversation; null for any other message. */
  async #directAddress({ id, direction, in_reply_to, to_addrs }: MessageRecord): Promise<string | null> {
    const [address] = to_addrs
    if (direction !== 'outbound' || in_reply_to !== null || to_addrs.length !== 1 || !address) return null
    const { headers } = await this.#mailbox.client.messages.get({ id })
    const mark = headers.find(({ name }) => name.toLowerCase() === header.toLowerCase())
    return mark?.value.trim() === this.headers[header] ? address.toLowerCase() : null
  }

  remember<Found extends string | null>(key: string, found: Found): Found {
    if (this.#found.size >= maxRemembered) this.#found.delete(this.#found.keys().next().value!)
    this.#found.set(key, found)
    return found
  }
}
