import type { Client } from '../client'
import type { Inbox, MessageSummary, Thread } from '../protocol'
import type { Cache, MessageBody } from './cache'
import { createSingleFlight } from './single-flight'

/** What every read takes. */
export interface ReadOptions {
  /** Ends the read at once; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Reads through the cache. */
export interface Reader {
  message(id: string, options?: ReadOptions): Promise<MessageSummary>
  body(id: string, options?: ReadOptions): Promise<MessageBody>
  thread(id: string, options?: ReadOptions): Promise<Thread>
  /** All messages of a thread, oldest first. */
  threadMessages(id: string, options?: ReadOptions): Promise<readonly MessageSummary[]>
  inbox(id: string, options?: ReadOptions): Promise<Inbox>
}

const largestPage = 100

const byAge = (one: MessageSummary, other: MessageSummary): number =>
  one.created_at < other.created_at ? -1 : one.created_at > other.created_at ? 1 : one.id < other.id ? -1 : 1

/** Makes a {@link Reader}: one request for each thing, however many ask for it at the same time. */
export const createReader = (client: Client, cache: Cache): Reader => {
  const share = createSingleFlight()

  const readWhole = async (id: string) => {
    const { body_text, body_html, headers, codes, links, ...summary } = await client.messages.get({ id })
    const body: MessageBody = { body_text, body_html, headers, codes, links }
    cache.putBody(id, body)
    return { summary: cache.put('message', summary as MessageSummary), body }
  }
  const shareWhole = (id: string, signal?: AbortSignal) => share(`message:${id}`, () => readWhole(id), signal)

  const readMembers = async (threadId: string): Promise<readonly MessageSummary[]> => {
    const records: MessageSummary[] = []
    let cursor: string | undefined
    do {
      const query = {
        thread_id: threadId,
        include: 'spam',
        order: 'asc',
        limit: largestPage,
        cursor,
      } as const
      const page = await client.messages.list(query)
      for (const record of page.messages) records.push(cache.put('message', record))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return records
  }
  const loadThread = async (threadId: string): Promise<readonly MessageSummary[]> => {
    const read = new Map<string, MessageSummary>()
    const ids = await cache.loadMembers(threadId, async () => {
      const records = await readMembers(threadId)
      for (const record of records) read.set(record.id, record)
      return records
    })
    const newest = ids.map(
      async (id) => cache.get('message', id) ?? read.get(id) ?? (await shareWhole(id)).summary,
    )
    return (await Promise.all(newest)).sort(byAge)
  }
  const heldThread = (threadId: string): readonly MessageSummary[] | undefined => {
    const records = cache.get('members', threadId)?.ids.map((id) => cache.get('message', id))
    if (!records || records.includes(undefined)) return undefined
    return (records as MessageSummary[]).sort(byAge)
  }

  return {
    message: async (id, { signal } = {}) =>
      cache.get('message', id) ?? (await shareWhole(id, signal)).summary,
    body: async (id, { signal } = {}) => cache.get('body', id) ?? (await shareWhole(id, signal)).body,
    thread: async (id, { signal } = {}) =>
      cache.get('thread', id) ??
      share(`thread:${id}`, async () => cache.put('thread', await client.threads.get({ id })), signal),
    threadMessages: async (id, { signal } = {}) =>
      heldThread(id) ?? share(`members:${id}`, () => loadThread(id), signal),
    inbox: async (id, { signal } = {}) =>
      cache.get('inbox', id) ??
      share(`inbox:${id}`, async () => cache.put('inbox', await client.inboxes.get({ id })), signal),
  }
}
