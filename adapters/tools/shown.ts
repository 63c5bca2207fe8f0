import { isRestanteError, type Mailbox, type Message, UsageError } from 'restante'
import {
  type Account,
  type Audience,
  audiencesOf,
  type FlowMessage,
  type FlowOwner,
  type Shown,
} from './flow'

/** Messages that a model was shown: ids or handles; `everything` if unknown, as after a lost account. */
export type ShownMail = readonly string[] | 'everything'

const titleMark = 'titled:'
/** Marks a handle that a tool showed with its title: the message existed, even if unknown now. */
const titled = (handle: string): string => titleMark + handle

/** Size from which an account counts as everything. */
const maxShown = 2_000

const listOf = (shown: readonly string[]): readonly string[] => {
  if (Array.isArray(shown) && shown.every((one) => typeof one === 'string')) return shown
  const given = String(JSON.stringify(shown)).slice(0, 100)
  throw new UsageError('invalid_options', `shown takes ids or handles in a list, or everything, not ${given}`)
}

/** Account of one run: what its model was shown. It only grows. */
export class RunAccount {
  readonly #named = new Set<string>()
  #isEverything = false

  constructor(shown: ShownMail = []) {
    this.add(shown)
  }

  /** @throws UsageError `invalid_options` if it is no such list, such as a list that is still JSON text */
  add(shown: ShownMail): void {
    if (shown === 'everything') this.#isEverything = true
    else for (const one of listOf(shown)) this.#named.add(one)
    if (this.#named.size > maxShown) this.#isEverything = true
  }

  /** Returns whether it has exactly this name. */
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

/** Stands for something shown whose participants are unknown, such as an erased message. */
const unknown = (id: string, subject: string): Shown => ({
  message: {
    id,
    direction: 'inbound',
    inbox_id: '',
    from_addr: '',
    subject,
    to_addrs: [],
    cc_addrs: [],
    bcc_addrs: [],
    reply_to: [],
    labels: [],
    references: [],
    authentication: null,
    rfc822_message_id: null,
    in_reply_to: null,
  },
  audience: new Set(),
})

const atOnce = 8

/** Runs an action for each item, eight at a time. */
const each = async <T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = []
  for (let at = 0; at < all.length; at += atOnce)
    done.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))))
  return done
}

/** Finds the audiences of messages, from the mailbox. */
export class Conversations {
  readonly #mailbox: Mailbox
  readonly #owner: () => FlowOwner

  constructor(mailbox: Mailbox, owner: () => FlowOwner) {
    this.#mailbox = mailbox
    this.#owner = owner
  }

  /** Returns the messages with their audiences. */
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

  /** Returns the account of a run for the flow rule. */
  async account(shown: ShownMail, signal?: AbortSignal): Promise<Account> {
    if (shown === 'everything') return shown
    const found = await each(shown, async (name) => {
      if (name.startsWith('drf_')) return unknown(name, 'a draft that was written elsewhere')
      const isTitled = name.startsWith(titleMark)
      try {
        return await this.#mailbox.messages.get(isTitled ? name.slice(titleMark.length) : name, { signal })
      } catch (error) {
        if (!isGone(error)) throw error
        // Handles are also read from text of others: an unknown one without a title was not ours.
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

  /** Returns the audience of a single message, for messages outside their thread, such as spam. */
  #alone(record: FlowMessage): Audience {
    return audiencesOf([record], this.#owner()).get(record.id)!
  }
}

/**
 * Handles of messages, and ids of drafts of other runs, in the format of the tools. The text before or after
 * a handle is what a tool writes only for a message that exists.
 */
const handle =
  /(message\\?": ?\\?"|of message )?\b(m[1-9]\d{0,14}-[0-9a-z]{3})\b(; (?:\d+ messages?; last |since )?\d{4}-\d\d-\d\dT)?|(?<=written elsewhere: )drf_[0-9a-z]{1,40}\b/g
/** Tools whose outputs name messages that the model wrote itself. */
const writing: ReadonlySet<unknown> = new Set([
  ...['send_mail', 'reply', 'forward', 'send_draft', 'answer_invitation', 'propose_time'],
])
/** Keys of the model's own input, which it was not shown. */
const given: ReadonlySet<string> = new Set(
  'args arguments input rawInput tool_calls toolCalls invalid_tool_calls tool_call_chunks'.split(' '),
)
const deepest = 12

interface Part {
  readonly role?: unknown
  readonly type?: unknown
  readonly name?: unknown
  readonly toolName?: unknown
  readonly response?: unknown
  readonly output?: unknown
}

const isFromModel = ({ role, type }: Part) =>
  role === 'assistant' || role === 'model' || type === 'ai' || type === 'tool_use'
const toolOf = ({ toolName, role, type, name, response, output }: Part) => {
  const isAnswer = role === 'tool' || type === 'tool' || response !== undefined || output !== undefined
  return toolName ?? (isAnswer ? name : undefined)
}

/**
 * Finds the handles of messages that a model was shown in the messages of its run, for any framework: in
 * prompts and in outputs of tools. Text of others may name messages too, which does no harm: they count as
 * shown. A message shown with its title counts as shown even if it was erased since.
 *
 * @example
 * ```ts
 * import { createToolbox, handlesIn } from 'restante/tools'
 *
 * const messages = [{ role: 'user', content: await message.toPrompt() }]
 * const toolbox = createToolbox(mailbox, { shown: handlesIn(messages) })
 * ```
 */
export function handlesIn(transcript: readonly unknown[]): string[] {
  const found = new Set<string>()
  const seen = new Set<object>()
  const look = (node: unknown, isReported: boolean, depth: number): void => {
    if (typeof node === 'string') {
      if (!isReported) return
      for (const [one, before, message, behind] of node.matchAll(handle))
        found.add(before || behind ? titled(message!) : (message ?? one))
    } else if (typeof node === 'object' && node !== null && !ArrayBuffer.isView(node)) {
      if (seen.has(node) || depth > deepest) return
      seen.add(node)
      if (Array.isArray(node)) for (const one of node) look(one, isReported, depth + 1)
      else lookInto(node, isReported, depth)
    }
  }
  const lookInto = (node: object, isReported: boolean, depth: number): void => {
    const tool = toolOf(node)
    if (writing.has(tool)) return
    const isNowReported = tool !== undefined || (isReported && !isFromModel(node))
    for (const [key, value] of Object.entries(node))
      if (!given.has(key)) look(value, isNowReported, depth + 1)
  }
  look(transcript, true, 0)
  return [...found]
}
