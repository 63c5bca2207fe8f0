import { signal } from '@preact/signals'
import type { FoundMessage, Mailbox, Message } from '../../mailbox'
import type { Event, MessageSummary } from '../../protocol/records'
import { isIn, type View } from './views'

/** What is asked for. */
export interface Wanted {
  view: View
  inbox: string | null
  query: string
  mode: 'keyword' | 'semantic' | 'hybrid'
}

/** A row of the list: a message, and where what was looked for stands in it. */
export interface Row {
  record: MessageSummary
  found?: FoundMessage
}

const pageSize = 100
/** Pages that are read at most to fill a screen with what belongs to the view. */
const maxPagesAtOnce = 10

/** The messages of a view: read page by page as they come into sight, and kept as the log of the account says. */
export class MailList {
  readonly rows = signal<readonly Row[]>([])
  readonly isWhole = signal(false)
  readonly isReading = signal(false)
  readonly error = signal<Error | null>(null)
  /** What in the query was probably meant otherwise. */
  readonly warnings = signal<readonly string[]>([])
  readonly modeUsed = signal<string | null>(null)
  readonly #mailbox: Mailbox
  readonly #wanted: Wanted
  readonly #stop: () => void
  #cursor: string | undefined
  #closed = false

  constructor(mailbox: Mailbox, wanted: Wanted) {
    this.#mailbox = mailbox
    this.#wanted = wanted
    this.#stop = mailbox.on('event', (event) => this.#apply(event))
  }

  close(): void {
    this.#closed = true
    this.#stop()
  }

  /** Reads on, until there is something more to show. */
  async more(): Promise<void> {
    if (this.isReading.value || this.isWhole.value || this.#closed) return
    this.isReading.value = true
    this.error.value = null
    try {
      const before = this.rows.value.length
      for (let pages = 0; pages < maxPagesAtOnce && !this.isWhole.value && !this.#closed; pages++) {
        await this.#readPage()
        if (this.rows.value.length >= before + 30) break
      }
    } catch (error) {
      if (!this.#closed) this.error.value = error as Error
    } finally {
      this.isReading.value = false
    }
  }

  /** Puts a changed message in the place of what was shown of it. */
  put(record: MessageSummary): void {
    const belongs = this.#belongs(record)
    const at = this.rows.value.findIndex((row) => row.record.id === record.id)
    if (at >= 0)
      this.rows.value = belongs
        ? this.rows.value.with(at, { ...this.rows.value[at]!, record })
        : this.rows.value.toSpliced(at, 1)
    else if (belongs && this.#wanted.query === '') this.#insert(record)
  }

  async #readPage(): Promise<void> {
    const { view, inbox, query, mode } = this.#wanted
    const shared = {
      ...view.options,
      limit: pageSize,
      ...(inbox !== null && { inbox }),
      ...(this.#cursor !== undefined && { cursor: this.#cursor }),
    }
    const page =
      query === ''
        ? await this.#mailbox.messages.list(shared)
        : await this.#mailbox.messages.search(query, { ...shared, mode })
    if (this.#closed) return
    if ('modeUsed' in page) {
      this.modeUsed.value = page.modeUsed
      this.warnings.value = page.warnings.map(({ message }) => message)
    }
    const known = new Set(this.rows.value.map(({ record }) => record.id))
    const rows = page.items
      .map(
        (item): Row =>
          'snippet' in item ? { record: item.message.record, found: item } : { record: item.record },
      )
      .filter(({ record }) => !known.has(record.id) && this.#belongs(record))
    if (rows.length > 0) this.rows.value = [...this.rows.value, ...rows]
    this.#cursor = page.nextCursor ?? undefined
    this.isWhole.value = page.nextCursor === null
  }

  #belongs(record: MessageSummary): boolean {
    const { view, inbox, query } = this.#wanted
    // Somebody who looks for something looks in all of it, but for what they threw away.
    if (query !== '' && view.id === 'inbox') return !record.labels.includes('trash')
    return (inbox === null || record.inbox_id === inbox) && isIn(view, record)
  }

  /** The newest is first; what is older than all that was read comes with its page. */
  #insert(record: MessageSummary): void {
    const rows = this.rows.value
    const at = rows.findIndex((row) => row.record.created_seq < record.created_seq)
    if (at >= 0) this.rows.value = rows.toSpliced(at, 0, { record })
    else if (this.isWhole.value) this.rows.value = [...rows, { record }]
  }

  #apply({ type, data }: Event): void {
    const record = data as unknown as MessageSummary
    if (type === 'message.deleted') {
      this.rows.value = this.rows.value.filter((row) => row.record.id !== record.id)
    } else if (/^(message|label)\./.test(type) && 'thread_id' in record) this.put(record)
  }
}

/** The messages of a thread, oldest first, as the mailbox holds them. */
export const threadOf = async (mailbox: Mailbox, message: MessageSummary): Promise<readonly Message[]> =>
  (await mailbox.threads.get(message.thread_id)).messages
