import { signal } from '@preact/signals'
import type { Mailbox } from '../../mailbox/mailbox'
import type { MessageSummary } from '../../protocol/records/message'
import type { Thread } from '../../protocol/records/thread'
import { call } from '../core/ask'

/** Selection of conversations that can be listed. */
interface Filter {
  id: string
  title: string
  query: Record<string, string>
}

export const filters: readonly Filter[] = [
  { id: 'open', title: 'Open', query: { status: 'open' } },
  { id: 'mine', title: 'Mine', query: { assignee: 'me', status: 'open' } },
  { id: 'held', title: 'Held', query: { held: 'true' } },
  { id: 'unassigned', title: 'Unassigned', query: { assignee: 'none', status: 'open' } },
  { id: 'waiting', title: 'Waiting for agent', query: { waiting_for_agent: 'true' } },
  { id: 'suggested', title: 'Suggested', query: { has_suggestion: 'true' } },
  { id: 'snoozed', title: 'Snoozed', query: { status: 'snoozed' } },
  { id: 'closed', title: 'Closed', query: { status: 'closed' } },
  { id: 'all', title: 'All', query: {} },
]

/** Returns the filter of an address; the first one if it is unknown. */
export const filterOf = (id: string | null): Filter => filters.find((one) => one.id === id) ?? filters[0]!

const pageSize = 100
/** Time in which several events cause one read. */
const quietMs = 200

type Page = { threads: Thread[]; next_cursor: string | null; warnings?: string[] }

/** Conversations that pass a filter, the last active first, kept current from the event log. */
export class ThreadList {
  readonly rows = signal<readonly Thread[]>([])
  readonly isWhole = signal(false)
  readonly isReading = signal(false)
  readonly error = signal<Error | null>(null)
  /** Parts of the query that the service could not read. */
  readonly warnings = signal<readonly string[]>([])
  /** Newest message of each conversation, as far as it is known. */
  readonly newest = signal<ReadonlyMap<string, MessageSummary>>(new Map())
  readonly #account: string
  readonly #query: Record<string, string>
  readonly #stop: () => void
  readonly #touched = new Set<string>()
  #next: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #reads = Promise.resolve()
  #closed = false

  constructor(account: string, mailbox: Mailbox, query: Record<string, string>) {
    this.#account = account
    this.#query = query
    this.#stop = mailbox.on('event', ({ data }) => {
      const { id, thread_id: thread } = data as { id?: string; thread_id?: string | null }
      this.touch(thread ?? id ?? '')
    })
    void this.more()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#stop()
  }

  /**
   * Reads a changed conversation again: a change moves it to the front, or out of the list. A search is repeated
   * only for conversations that it found.
   */
  touch(id: string): void {
    if (this.#query.q !== undefined && !this.rows.value.some((row) => row.id === id)) return
    this.#touched.add(id)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#queue(() => this.#refresh())
    }, quietMs)
  }

  /** Reads the next page. */
  more(): Promise<void> {
    return this.#queue(async () => {
      if (this.isWhole.value) return
      const page = await this.#read(this.#next)
      const known = new Set(this.rows.value.map(({ id }) => id))
      this.rows.value = [...this.rows.value, ...page.threads.filter(({ id }) => !known.has(id))]
      this.#next = page.next_cursor
      this.isWhole.value = page.next_cursor === null
    })
  }

  async #refresh(): Promise<void> {
    const touched = new Set(this.#touched)
    this.#touched.clear()
    const shown = this.rows.value
    const threads: Thread[] = []
    const read = new Set<string>()
    let next: string | null = null
    // A changed conversation of a later page may have left the list, or be where it was: only the pages tell.
    do {
      const page = await this.#read(next)
      threads.push(...page.threads.filter(({ id }) => !read.has(id)))
      for (const { id } of page.threads) read.add(id)
      next = page.next_cursor
    } while (
      next !== null &&
      threads.length < shown.length &&
      shown.some(({ id }) => touched.has(id) && !read.has(id))
    )
    const later = shown.filter(({ id }) => !read.has(id) && !touched.has(id))
    this.rows.value = next === null ? threads : [...threads, ...later]
    if (this.#next === null) this.isWhole.value = next === null || later.length > 0
  }

  async #read(cursor: string | null): Promise<Page> {
    const search = new URLSearchParams({ limit: String(pageSize), ...this.#query, ...(cursor && { cursor }) })
    const page = await call<Page>(`/threads?${search}`, { account: this.#account })
    this.warnings.value = page.warnings ?? []
    void this.#readNewest(page.threads).catch(() => {})
    return page
  }

  /** Reads the newest messages of a page: who answered, and what is unread. Without them, the list is as useful. */
  async #readNewest(threads: readonly Thread[]): Promise<void> {
    if (threads.length === 0) return
    const to_seq = Math.max(...threads.map((one) => one.last_message_created_seq))
    const { messages } = await call<{ messages: MessageSummary[] }>(
      `/messages?limit=100&body=false&to_seq=${to_seq}`,
      { account: this.#account },
    )
    const newest = new Map(this.newest.value)
    for (const message of messages.toReversed())
      if ((newest.get(message.thread_id)?.created_seq ?? 0) <= message.created_seq)
        newest.set(message.thread_id, message)
    this.newest.value = newest
  }

  /** Runs one read at a time. */
  #queue(read: () => Promise<void>): Promise<void> {
    this.#reads = this.#reads.then(async () => {
      if (this.#closed) return
      this.isReading.value = true
      try {
        await read()
        this.error.value = null
      } catch (error) {
        this.error.value = error as Error
      } finally {
        this.isReading.value = false
      }
    })
    return this.#reads
  }
}
