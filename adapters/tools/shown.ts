import { isRestanteError, type Mailbox, type Message, UsageError } from 'restante'
import {
  type Account,
  type Audience,
  audiencesOf,
  type FlowMessage,
  type FlowOwner,
  type Shown,
} from './flow'

/**
 * Mail that a model was shown: ids or handles of messages; `everything` where that is not known, as for a run that was
 * resumed without its account.
 */
export type ShownMail = readonly string[] | 'everything'

const titleMark = 'titled:'
/**
 * Names a message by its handle, as one that a tool gave with its title: it was there, also where nothing has the handle
 * any more.
 */
export const titled = (handle: string): string => titleMark + handle

/** More than this is as good as everything. */
const maxShown = 2_000

const listOf = (shown: readonly string[]): readonly string[] => {
  if (Array.isArray(shown) && shown.every((one) => typeof one === 'string')) return shown
  const given = String(JSON.stringify(shown)).slice(0, 100)
  throw new UsageError('invalid_options', `shown takes ids or handles in a list, or everything, not ${given}`)
}

/** The account of one run: what its model was shown. It only grows. */
export class RunAccount {
  readonly #named = new Set<string>()
  #isEverything = false

  constructor(shown: ShownMail = []) {
    this.add(shown)
  }

  /** @throws UsageError `invalid_options` for what is no such list, as where what was kept was not read as JSON */
  add(shown: ShownMail): void {
    if (shown === 'everything') this.#isEverything = true
    else for (const one of listOf(shown)) this.#named.add(one)
    if (this.#named.size > maxShown) this.#isEverything = true
  }

  /** Tells whether it has this very name. */
  names(name: string): boolean {
    return this.#named.has(name)
  }

  has({ id, handle }: Message): boolean {
    return this.#isEverything || [id, handle, titled(handle)].some((name) => this.#named.has(name))
  }

  get shown(): ShownMail {
    return this.#isEverything ? 'everything' : [...this.#named]
  }
}

const isGone = (error: unknown): boolean =>
  isRestanteError(error) && (error.code === 'not_found' || error.code === 'unknown_handle')

/** Stands for what was shown and whose participants are not known, such as a message that is erased since. */
const unknown = (id: string, subject: string): Shown => ({
  message: {
    ...{ id, direction: 'inbound', inbox_id: '', from_addr: '', subject },
    ...{ to_addrs: [], cc_addrs: [], bcc_addrs: [], reply_to: [], labels: [], references: [] },
    ...{ authentication: null, rfc822_message_id: null, in_reply_to: null },
  },
  audience: new Set(),
})

const atOnce = 8

/** Does something with each, a few at a time. */
const each = async <T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = []
  for (let at = 0; at < all.length; at += atOnce)
    done.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))))
  return done
}

/** Tells who has a message, from the mailbox. */
export class Conversations {
  readonly #mailbox: Mailbox
  readonly #owner: () => FlowOwner

  constructor(mailbox: Mailbox, owner: () => FlowOwner) {
    this.#mailbox = mailbox
    this.#owner = owner
  }

  /** The messages with their audiences. */
  async of(messages: readonly Message[], signal?: AbortSignal): Promise<Shown[]> {
    const threadIds = [...new Set(messages.map(({ threadId }) => threadId))]
    const threads = new Map(
      await each(threadIds, async (id) => [id, await this.#audiences(id, signal)] as const),
    )
    return messages.map(({ record, threadId }) => ({
      message: record,
      audience: threads.get(threadId)?.get(record.id) ?? this.#alone(record),
    }))
  }

  /** The account of a run as the rule looks at it. */
  async account(shown: ShownMail, signal?: AbortSignal): Promise<Account> {
    if (shown === 'everything') return shown
    const found = await each(shown, async (name) => {
      if (name.startsWith('drf_')) return unknown(name, 'a draft that was written elsewhere')
      const isTitled = name.startsWith(titleMark)
      try {
        return await this.#mailbox.messages.get(isTitled ? name.slice(titleMark.length) : name, { signal })
      } catch (error) {
        if (!isGone(error)) throw error
        // Handles are read from what others wrote too: one that names nothing, and has no title, is no word of ours.
        return isTitled || name.startsWith('msg_') ? unknown(name, 'a mail that was erased') : null
      }
    })
    const messages = found.filter((one): one is Message => one !== null && 'record' in one)
    const gone = found.filter((one): one is Shown => one !== null && 'audience' in one)
    return [...(await this.of(messages, signal)), ...gone]
  }

  async #audiences(threadId: string, signal?: AbortSignal): Promise<Map<string, Audience>> {
    try {
      const { messages } = await this.#mailbox.threads.get(threadId, { signal })
      return audiencesOf(
        messages.map(({ record }) => record),
        this.#owner(),
      )
    } catch (error) {
      if (isGone(error)) return new Map()
      throw error
    }
  }

  /** Of a message that is not in its thread, such as spam, only itself is known. */
  #alone(record: FlowMessage): Audience {
    return audiencesOf([record], this.#owner()).get(record.id)!
  }
}
