import { abortable, type Client } from '../../client'
import type { DraftWithContent, Inbox, Label, MessageSummary, Thread } from '../../protocol/records'
import { checkOptions } from '../base'
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

/** Makes a {@link Reader}: concurrent reads of one record share one request. */
export const createReader = (client: Client, cache: Cache): Reader => {
  const share = createSingleFlight()

  const readWhole = async (id: string) => {
    const { epoch } = cache
    const { body_text, body_html, headers, codes, links, ...summary } = await client.messages.get({ id })
    const body: MessageBody = { body_text, body_html, headers, codes, links }
    const whole = summary as MessageSummary
    cache.putBody(whole, body, epoch)
    return { summary: cache.put('message', whole, epoch), body }
  }
  const shareWhole = (id: string, signal?: AbortSignal) => share(`message:${id}`, () => readWhole(id), signal)

  const readRecord = async <K extends 'thread' | 'draft' | 'inbox'>(kind: K, id: string) => {
    const { epoch } = cache
    const read = {
      thread: () => client.threads.get({ id }),
      draft: () => client.drafts.get({ id, include: 'content' }),
      inbox: () => client.inboxes.get({ id }),
    }[kind]
    return cache.put(kind, (await read()) as Parameters<typeof cache.put<K>>[1], epoch)
  }
  const record =
    <K extends 'thread' | 'draft' | 'inbox'>(kind: K) =>
    async (id: string, { signal }: ReadOptions = {}) =>
      cache.get(kind, id) ?? share(`${kind}:${id}`, () => readRecord(kind, id), signal)

  const readMembers = async (threadId: string): Promise<readonly MessageSummary[]> => {
    const { epoch } = cache
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
      const page = await client.messages.list(query)
      for (const message of page.messages) records.push(cache.put('message', message, epoch))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return records
  }
  const loadThread = async (threadId: string): Promise<readonly MessageSummary[]> => {
    const read = new Map<string, MessageSummary>()
    const ids = await cache.loadMembers(threadId, async () => {
      const records = await readMembers(threadId)
      for (const message of records) read.set(message.id, message)
      return records
    })
    const newest = ids.map(
      async (id) => cache.get('message', id) ?? read.get(id) ?? (await shareWhole(id)).summary,
    )
    return Promise.all(newest)
  }
  const heldThread = (threadId: string): readonly MessageSummary[] | undefined => {
    const records = cache.get('members', threadId)?.ids.map((id) => cache.get('message', id))
    if (!records || records.includes(undefined)) return undefined
    return records as MessageSummary[]
  }

  const readLabels = async (): Promise<readonly Label[]> => {
    const { epoch } = cache
    const labels: Label[] = []
    let cursor: string | undefined
    do {
      const page = await client.labels.list({ limit: maxPageSize, cursor })
      labels.push(...page.labels)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    if (epoch === cache.epoch) cache.labels.fill(labels)
    return cache.labels.all ?? labels
  }

  return {
    message: async (id, { signal } = {}) =>
      cache.get('message', id) ?? (await shareWhole(id, signal)).summary,
    body: async (id, { signal } = {}) => cache.get('body', id) ?? (await shareWhole(id, signal)).body,
    thread: record('thread'),
    draft: record('draft'),
    forgetDraft: (id) => cache.forgetDraft(id),
    inbox: record('inbox'),
    threadMessages: async (id, { signal } = {}) =>
      heldThread(id) ?? share(`members:${id}`, () => loadThread(id), signal),
    labels: async ({ signal } = {}) => cache.labels.all ?? share('labels', readLabels, signal),
  }
}
