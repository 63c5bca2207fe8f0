import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { isRestanteError, type Mailbox, type Message, type ThreadSummary } from 'restante'
import type { Toolbox } from '../tools'

/** URI of the newest messages, to subscribe to all incoming ones. */
export const inboxUri = 'restante://inbox'
type Kind = 'threads' | 'messages'
export const uriOf = (kind: Kind, id: string): string => `restante://${kind}/${id}`

const pattern = /^restante:\/\/(?:(threads)\/(thr_[0-9a-z]{1,32})|(messages)\/(msg_[0-9a-z]{1,32}))$/
const mimeType = 'text/plain'
const perPage = 25

/** Makes a resource for the model, not the human. Names contain nothing that a stranger wrote. */
const resource = (kind: Kind, id: string, name: string, description: string, changedAt: Date): Resource => ({
  uri: uriOf(kind, id),
  name,
  description,
  mimeType,
  annotations: { audience: ['assistant'], lastModified: changedAt.toISOString() },
})

const ofThread = ({ id, handle, messageCount, lastMessageAt }: ThreadSummary) =>
  resource(
    'threads',
    id,
    `thread of ${handle}`,
    `A thread of ${messageCount === 1 ? '1 message' : `${messageCount} messages`}`,
    lastMessageAt,
  )

const ofMessage = ({ id, handle, direction, receivedAt }: Message) =>
  resource(
    'messages',
    id,
    handle,
    `A message that ${direction === 'inbound' ? 'came in' : 'went out'}`,
    receivedAt,
  )

const templateOf: Record<Kind, ResourceTemplateType> = {
  threads: {
    uriTemplate: 'restante://threads/{id}',
    name: 'thread',
    description: 'A conversation, its newest messages first where there is not room for all',
    mimeType,
  },
  messages: {
    uriTemplate: 'restante://messages/{id}',
    name: 'message',
    description: 'One message',
    mimeType,
  },
}

const wrongCursor = () =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'That is no cursor of resources/list: ask again without one.',
  )

const missing = new Set(['not_found', 'not_in_mailbox', 'unknown_handle'])

/** Messages as resources: those that the chosen tools can read, in their output format. */
export class MailResources {
  readonly #mailbox: Mailbox
  readonly #tools: Toolbox['tools']
  readonly #kinds: Kind[]

  constructor(mailbox: Mailbox, { tools }: Toolbox) {
    this.#mailbox = mailbox
    this.#tools = tools
    this.#kinds = [
      ...(tools.read_thread ? ['threads' as const] : []),
      ...(tools.read_message ? ['messages' as const] : []),
    ]
  }

  templates(): ResourceTemplateType[] {
    return this.#kinds.map((kind) => templateOf[kind])
  }

  /** Returns whether a URI may be that of a resource. */
  has(uri: string): boolean {
    if (uri === inboxUri) return this.#tools.search_mail !== undefined
    const [, thread, , message] = pattern.exec(uri) ?? []
    return this.#kinds.some((kind) => kind === (thread ?? message))
  }

  /** Lists the inbox and the threads, then the messages, newest first. */
  async list(cursor: string | undefined): Promise<ListResourcesResult> {
    const [kind = this.#kinds[0], position] = cursor?.split(/:(.*)/s) ?? []
    const inbox = cursor === undefined && this.has(inboxUri) ? [this.#inbox()] : []
    const index = this.#kinds.indexOf(kind as Kind)
    const current = this.#kinds[index]
    if (!current && cursor !== undefined) throw wrongCursor()
    if (!current) return { resources: inbox }
    const page = await this.#page(current, position || undefined)
    const following = page.nextCursor === null ? this.#kinds[index + 1] : current
    const resources = [...inbox, ...page.resources]
    return following ? { resources, nextCursor: `${following}:${page.nextCursor ?? ''}` } : { resources }
  }

  /** @throws ResourceNotFoundError */
  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    if (!this.has(uri)) throw new ResourceNotFoundError(uri)
    const answer = await this.#tell(uri, signal)
    if (answer && 'mail' in answer && answer.mail !== undefined)
      return { contents: [{ uri, mimeType, text: answer.mail }] }
    if (answer && 'error' in answer && !missing.has(answer.error))
      throw new ProtocolError(ProtocolErrorCode.InternalError, answer.message)
    throw new ResourceNotFoundError(uri)
  }

  #tell(uri: string, signal: AbortSignal) {
    const [, , thread, , message] = pattern.exec(uri) ?? []
    if (thread) return this.#tools.read_thread?.call({ thread }, { signal })
    if (message) return this.#tools.read_message?.call({ message }, { signal })
    return this.#tools.search_mail?.call({ direction: 'inbound' }, { signal })
  }

  #inbox(): Resource {
    return {
      uri: inboxUri,
      name: 'inbox',
      description: 'The newest messages that came in. Subscribe to it to hear of new mail',
      mimeType,
    }
  }

  async #page(kind: Kind, cursor: string | undefined) {
    const options = { limit: perPage, cursor }
    try {
      if (kind === 'messages') {
        const { items, nextCursor } = await this.#mailbox.messages.list(options)
        return { resources: items.map(ofMessage), nextCursor }
      }
      const { items, nextCursor } = await this.#mailbox.threads.list(options)
      return { resources: items.map(ofThread), nextCursor }
    } catch (error) {
      throw isRestanteError(error) && error.code === 'invalid_cursor' ? wrongCursor() : error
    }
  }
}
