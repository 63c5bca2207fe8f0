import { abortable } from '../../client/abort'
import type { Client } from '../../client/client'
import { checkOptions } from '../../protocol/options'
import type { DraftWithContent } from '../../protocol/records/draft'
import type { Inbox } from '../../protocol/records/inbox'
import type { Label } from '../../protocol/records/label'
import type { MessageSummary } from '../../protocol/records/message'
import type { Thread } from '../../protocol/records/thread'
import type { Cache, MessageBody } from './cache'

/** Options of every read. */
export interface ReadOptions {
  /** Ends the read at once; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Checks the options of a read. @throws UsageError `invalid_options` */
export const checkRead = (call: string, options: ReadOptions): void =>
  checkOptions<ReadOptions>(call, options, { signal: true })

/** Options of every list. */
export interface ListOptions extends ReadOptions {
  /** Id or address. Default: the inbox that the mailbox was opened for, or all. */
  inbox?: string | undefined
  /** 1 to 100; default 25. */
  limit?: number | undefined
  /** `nextCursor` of the page before. */
  cursor?: string | undefined
  /** Includes messages marked as spam. Default false. */
  spam?: boolean | undefined
  /** Includes messages in the trash. Default false. */
  trash?: boolean | undefined
}

/** Reads through the cache. */
export interface Reader {
  message(id: string, options?: ReadOptions): Promise<MessageSummary>
  body(id: string, options?: ReadOptions): Promise<MessageBody>
  thread(id: string, options?: ReadOptions): Promise<Thread>
  /** All messages of a thread, oldest first. */
  threadMessages(id: string, options?: ReadOptions): Promise<readonly MessageSummary[]>
  draft(id: string, options?: ReadOptions): Promise<DraftWithContent>
  /** Drops the cached copy of a draft that this process changed. */
  forgetDraft(id: string): void
  inbox(id: string, options?: ReadOptions): Promise<Inbox>
  /** All labels, oldest first. */
  labels(options?: ReadOptions): Promise<readonly Label[]>
}

/** Shares one run among all callers that request the same key at the same time. */
type SingleFlight = <T>(key: string, run: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Makes a {@link SingleFlight}. An aborted caller leaves; the run continues for the others. */
export const createSingleFlight = (): SingleFlight => {
  const flights = new Map<string, Promise<unknown>>()
  return <T>(key: string, run: () => Promise<T>, signal?: AbortSignal) => {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const running = flights.get(key) as Promise<T> | undefined
    const flight = running ?? run().finally(() => flights.delete(key))
    if (!running) flights.set(key, flight)
    return abortable(flight, signal)
  }
}

const maxPageSize = 100

class RecordReader implements Reader {
  readonly #client: Client
  readonly #cache: Cache
  readonly #share

  constructor(client: Client, cache: Cache) {
    this.#client = client
    this.#cache = cache
    this.#share = createSingleFlight()
  }

  readonly message: Reader['message'] = async (id, { signal } = {}) =>
    this.#cache.get('message', id) ?? (await this.#shareWhole(id, signal)).summary

  readonly body: Reader['body'] = async (id, { signal } = {}) =>
    this.#cache.get('body', id) ?? (await this.#shareWhole(id, signal)).body

  readonly thread = this.#record('thread')

  readonly draft = this.#record('draft')

  readonly forgetDraft: Reader['forgetDraft'] = (id) => this.#cache.forgetDraft(id)

  readonly inbox = this.#record('inbox')

  readonly threadMessages: Reader['threadMessages'] = async (id, { signal } = {}) =>
    this.#heldThread(id) ?? this.#share(`members:${id}`, () => this.#loadThread(id), signal)

  readonly labels: Reader['labels'] = async ({ signal } = {}) =>
    this.#cache.labels.all ?? this.#share('labels', this.#readLabels, signal)

  readonly #readLabels = async (): Promise<readonly Label[]> => {
    const { epoch } = this.#cache
    const labels: Label[] = []
    let cursor: string | undefined
    do {
      const page = await this.#client.labels.list({ limit: maxPageSize, cursor })
      labels.push(...page.labels)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    if (epoch === this.#cache.epoch) this.#cache.labels.fill(labels)
    return this.#cache.labels.all ?? labels
  }

  async #readWhole(id: string) {
    const { epoch } = this.#cache
    const { body_text, body_html, headers, codes, links, ...summary } = await this.#client.messages.get({
      id,
    })
    const body: MessageBody = { body_text, body_html, headers, codes, links }
    const whole = summary as MessageSummary
    this.#cache.putBody(whole, body, epoch)
    return { summary: this.#cache.put('message', whole, epoch), body }
  }

  #shareWhole(id: string, signal?: AbortSignal) {
    return this.#share(`message:${id}`, () => this.#readWhole(id), signal)
  }

  async #readRecord<K extends 'thread' | 'draft' | 'inbox'>(kind: K, id: string) {
    const cache = this.#cache
    const { epoch } = cache
    const read = {
      thread: () => this.#client.threads.get({ id }),
      draft: () => this.#client.drafts.get({ id, include: 'content' }),
      inbox: () => this.#client.inboxes.get({ id }),
    }[kind]
    return cache.put(kind, (await read()) as Parameters<typeof cache.put<K>>[1], epoch)
  }

  #record<K extends 'thread' | 'draft' | 'inbox'>(kind: K) {
    return async (id: string, { signal }: ReadOptions = {}) =>
      this.#cache.get(kind, id) ?? this.#share(`${kind}:${id}`, () => this.#readRecord(kind, id), signal)
  }

  async #readMembers(threadId: string): Promise<readonly MessageSummary[]> {
    const { epoch } = this.#cache
    const records: MessageSummary[] = []
    let cursor: string | undefined
    do {
      const query = {
        thread_id: threadId,
        include: 'all',
        order: 'asc',
        body: 'false',
        limit: maxPageSize,
        cursor,
      } as const
      const page = await this.#client.messages.list(query)
      for (const message of page.messages) records.push(this.#cache.put('message', message, epoch))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return records
  }

  async #loadThread(threadId: string): Promise<readonly MessageSummary[]> {
    const read = new Map<string, MessageSummary>()
    const ids = await this.#cache.loadMembers(threadId, async () => {
      const records = await this.#readMembers(threadId)
      for (const message of records) read.set(message.id, message)
      return records
    })
    const newest = ids.map(
      async (id) => this.#cache.get('message', id) ?? read.get(id) ?? (await this.#shareWhole(id)).summary,
    )
    return Promise.all(newest)
  }

  #heldThread(threadId: string): readonly MessageSummary[] | undefined {
    const records = this.#cache.get('members', threadId)?.ids.map((id) => this.#cache.get('message', id))
    if (!records || records.includes(undefined)) return undefined
    return records as MessageSummary[]
  }
}

/** Makes a {@link Reader}: concurrent reads of one record share one request. */
export const createReader = (client: Client, cache: Cache): Reader => new RecordReader(client, cache)
