import { BaseDocumentLoader } from '@langchain/core/document_loaders/base'
import { Document } from '@langchain/core/documents'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import { checkOptions, type Mailbox, type Message, type MessageListOptions, type OptionNames } from 'restante'

/** Metadata of a message, beside its text. It contains nothing that others wrote. */
export interface MailMetadata extends Record<string, unknown> {
  /** Id of the message. */
  source: string
  thread: string
  direction: Message['direction']
  /** True if its sender is proven. */
  verified: boolean
  /** ISO 8601. */
  received_at: string
}

interface DocumentOptions {
  /** Maximum number of tokens of one message. Default 1,000. */
  maxTokens?: number | undefined
}

/** Options of {@link MailRetriever}. */
export interface MailRetrieverOptions extends DocumentOptions, BaseRetrieverInput {
  mailbox: Mailbox
  /** Maximum number of messages, 1 to 100. Default 5. */
  k?: number | undefined
  /** Restricts the search. */
  filter?: Omit<MessageListOptions, 'query' | 'limit' | 'cursor' | 'signal'> | undefined
}

/** Options of {@link MailLoader}. */
export interface MailLoaderOptions extends DocumentOptions, Omit<MessageListOptions, 'limit'> {
  mailbox: Mailbox
  /** Maximum number of messages. Default 1,000. */
  limit?: number | undefined
}

const filterNames: OptionNames<NonNullable<MailRetrieverOptions['filter']>> = {
  inbox: true,
  spam: true,
  trash: true,
  label: true,
  threadId: true,
  direction: true,
  after: true,
  before: true,
  order: true,
  from: true,
  to: true,
  subject: true,
  hasAttachment: true,
  without: true,
}
const loaderNames: OptionNames<MailLoaderOptions> = {
  ...filterNames,
  mailbox: true,
  maxTokens: true,
  limit: true,
  query: true,
  cursor: true,
  signal: true,
}
const retrieverNames: OptionNames<MailRetrieverOptions> = {
  mailbox: true,
  maxTokens: true,
  k: true,
  filter: true,
  callbacks: true,
  tags: true,
  metadata: true,
  verbose: true,
}

const toDocument = async (message: Message, maxTokens: number): Promise<Document<MailMetadata>> => {
  const { id, threadId, direction, verified, receivedAt } = message
  const metadata = {
    source: id,
    thread: threadId,
    direction,
    verified,
    received_at: receivedAt.toISOString(),
  }
  return new Document({ id, pageContent: await message.toPrompt({ maxTokens }), metadata })
}

/**
 * Finds messages for a chain. A document is a message in a form for models: text of others is between marks.
 *
 * @example
 * ```ts
 * import { MailRetriever } from 'restante/langchain'
 *
 * const documents = await new MailRetriever({ mailbox, k: 3 }).invoke('invoice may')
 * ```
 */
export class MailRetriever extends BaseRetriever<MailMetadata> {
  static override lc_name(): string {
    return 'MailRetriever'
  }

  override lc_namespace: string[] = ['restante', 'retrievers']
  readonly #options: MailRetrieverOptions

  constructor(options: MailRetrieverOptions) {
    super(options)
    checkOptions('MailRetriever', options, retrieverNames)
    checkOptions('filter of MailRetriever', options.filter ?? {}, filterNames)
    this.#options = options
  }

  override async _getRelevantDocuments(query: string): Promise<Document<MailMetadata>[]> {
    const { mailbox, k = 5, filter, maxTokens = 1_000 } = this.#options
    const { items } = await mailbox.messages.list({ ...filter, query, limit: k })
    return Promise.all(items.map((message) => toDocument(message, maxTokens)))
  }
}

/**
 * Loads messages as documents, newest first: see {@link MailRetriever}.
 *
 * @example
 * ```ts
 * import { MailLoader } from 'restante/langchain'
 *
 * for await (const document of new MailLoader({ mailbox, label: 'orders' }).lazyLoad()) await store.add(document)
 * ```
 */
export class MailLoader extends BaseDocumentLoader {
  readonly #options: MailLoaderOptions

  constructor(options: MailLoaderOptions) {
    super()
    checkOptions('MailLoader', options, loaderNames)
    this.#options = options
  }

  /**
   * Loads all messages.
   *
   * @example
   * ```ts
   * const documents = await new MailLoader({ mailbox, label: 'orders', limit: 100 }).load()
   * ```
   */
  override async load(): Promise<Document<MailMetadata>[]> {
    const documents: Document<MailMetadata>[] = []
    for await (const document of this.lazyLoad()) documents.push(document)
    return documents
  }

  /**
   * Loads one message at a time, page by page.
   *
   * @example
   * ```ts
   * for await (const { pageContent } of new MailLoader({ mailbox }).lazyLoad()) console.log(pageContent)
   * ```
   */
  async *lazyLoad(): AsyncGenerator<Document<MailMetadata>> {
    const { mailbox, maxTokens = 1_000, limit = 1_000, cursor: start, ...which } = this.#options
    let cursor: string | null | undefined = start
    for (let left = limit; left > 0 && cursor !== null; ) {
      const page = await mailbox.messages.list({ ...which, cursor, limit: Math.min(left, 100) })
      for (const message of page.items) yield await toDocument(message, maxTokens)
      left -= page.items.length
      cursor = page.nextCursor
    }
  }
}
