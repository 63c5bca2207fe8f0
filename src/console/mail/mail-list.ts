import { signal } from '@preact/signals'
import type { FoundMessage } from '../../mailbox/collections'
import type { Mailbox } from '../../mailbox/mailbox'
import type { Event } from '../../protocol/records/event'
import type { MessageSummary } from '../../protocol/records/message'
import { isIn, type View } from './views'

/** Options of a message list. */
export interface Wanted {
  view: View
  inbox: string | null
  query: string
  mode: 'keyword' | 'semantic' | 'hybrid'
  /** Ignored by a search. */
  order: 'asc' | 'desc'
}

/** Row of the list: a message, and its search hit if there is one. */
export interface Row {
  record: MessageSummary
  found?: FoundMessage
}

/** Page of the list. Its rows are released far from the viewport, and read again from the same cursor. */
interface Page {
  readonly cursor: string | undefined
  rows: readonly Row[] | null
  /** Ids of the released rows. */
  ids: Set<string>
  /** `created_seq` of the last message. */
  lastSeq: number
  reading: boolean
}

const pageSize = 100
/** Maximum number of pages to read at once for a screen of messages that belong to the view. */
const maxPagesAtOnce = 10
/** Maximum number of pages that keep their rows, some thousand rows, however far the list is scrolled. */
const maxHeld = 30

/** Messages of a view: read page by page as they come into view, and kept current from the event log. */
export class MailList {
  /** Null for a released row, which is read again when it comes into view. */
  readonly rows = signal<readonly (Row | null)[]>([])
  readonly isWhole = signal(false)
  readonly isReading = signal(false)
  readonly error = signal<Error | null>(null)
  /** Hints about parts of the query that were probably meant otherwise. */
  readonly warnings = signal<readonly string[]>([])
  readonly modeUsed = signal<string | null>(null)
  readonly #mailbox: Mailbox
  readonly #wanted: Wanted
  readonly #stop: () => void
  #pages: Page[] = []
  #next: string | undefined
  #reads = 0
  #meanwhile: (() => void)[] = []
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

  /** Returns the row of a message, unless it is released. */
  find(id: string | null): Row | undefined {
    for (const { rows } of this.#pages) {
      const found = rows?.find(({ record }) => record.id === id)
      if (found) return found
    }
    return undefined
  }

  /** Reads on until there is more to show. */
  async more(): Promise<void> {
    if (this.isReading.value || this.isWhole.value || this.#closed) return
    this.isReading.value = true
    this.error.value = null
    try {
      const before = this.rows.value.length
      for (let pages = 0; pages < maxPagesAtOnce && !this.isWhole.value && !this.#closed; pages++) {
        await this.#reading(() => this.#readOn())
        if (this.rows.value.length >= before + 30) break
      }
    } catch (error) {
      if (!this.#closed) this.error.value = error as Error
    } finally {
      this.isReading.value = false
    }
  }

  /** Reports the visible rows: released ones among them are read again, and distant ones are released. */
  see(first: number, last: number): void {
    const middle = (first + last) / 2
    const distances = new Map<Page, number>()
    let at = 0
    for (const page of this.#pages) {
      const length = lengthOf(page)
      distances.set(page, Math.abs(at + length / 2 - middle))
      if (page.rows === null && at < last && at + length > first)
        void this.#reading(() => this.#readAgain(page))
      at += length
    }
    const held = this.#pages.filter(({ rows }) => rows !== null)
    if (held.length <= maxHeld) return
    const far = held.sort((a, b) => distances.get(b)! - distances.get(a)!).slice(0, held.length - maxHeld)
    for (const page of far) letGo(page)
    this.#show()
  }

  /** Replaces a message by its changed record, unless the list has a newer one. */
  put(record: MessageSummary): void {
    this.#change(() => this.#put(record))
  }

  #put(record: MessageSummary): void {
    const belongs = this.#belongs(record)
    for (const page of this.#pages) {
      if (page.rows === null && page.ids.has(record.id)) {
        // A row that stays is read again when it comes into view.
        if (belongs) return
        page.ids.delete(record.id)
        return this.#show()
      }
      const at = page.rows?.findIndex((row) => row.record.id === record.id) ?? -1
      if (at < 0) continue
      // The answer to a change may arrive before the event of an earlier one.
      if (page.rows![at]!.record.seq > record.seq) return
      page.rows = belongs ? page.rows!.with(at, { ...page.rows![at]!, record }) : page.rows!.toSpliced(at, 1)
      return this.#show()
    }
    if (belongs && this.#wanted.query === '') this.#insert(record)
  }

  #change(apply: () => void): void {
    apply()
    if (this.#reads > 0) this.#meanwhile.push(apply)
  }

  /** Runs a read and then repeats the changes that arrived meanwhile, since the read may be older. */
  async #reading(read: () => Promise<void>): Promise<void> {
    this.#reads++
    try {
      await read()
      for (const apply of this.#meanwhile) apply()
    } finally {
      if (--this.#reads === 0) this.#meanwhile = []
    }
  }

  #show(): void {
    this.rows.value = this.#pages.flatMap(
      (page): readonly (Row | null)[] => page.rows ?? Array.from(page.ids, () => null),
    )
  }

  /** Returns true if a sequence number comes after another in the order of the list. */
  #isAfter(seq: number, other: number): boolean {
    return this.#wanted.order === 'asc' ? seq > other : seq < other
  }

  async #read(cursor: string | undefined): Promise<{ rows: Row[]; next: string | undefined }> {
    const { view, inbox, query, mode, order } = this.#wanted
    const { without, ...options } = view.options
    const shared = {
      ...options,
      limit: pageSize,
      ...(inbox !== null && { inbox }),
      ...(cursor !== undefined && { cursor }),
    }
    if (query === '') {
      const page = await this.#mailbox.messages.list({ ...shared, order, ...(without && { without }) })
      return { rows: page.items.map(({ record }) => ({ record })), next: page.nextCursor ?? undefined }
    }
    const page = await this.#mailbox.messages.search(query, { ...shared, mode })
    this.modeUsed.value = page.modeUsed
    this.warnings.value = page.warnings.map(({ message }) => message)
    const rows = page.items.map((found) => ({ record: found.message.record, found }))
    return { rows, next: page.nextCursor ?? undefined }
  }

  async #readOn(): Promise<void> {
    const cursor = this.#next
    const read = await this.#read(cursor)
    if (this.#closed) return
    const known = new Set(this.rows.value.map((row) => row?.record.id))
    const rows = read.rows.filter(({ record }) => !known.has(record.id) && this.#isShown(record))
    const lastSeq = read.rows.at(-1)?.record.created_seq ?? 0
    this.#pages.push({ cursor, rows, ids: new Set(), lastSeq, reading: false })
    this.#next = read.next
    this.#show()
    this.isWhole.value = read.next === undefined
  }

  /** Reads a released page again, up to the start of the next one. */
  async #readAgain(page: Page): Promise<void> {
    if (page.reading) return
    page.reading = true
    try {
      const rows: Row[] = []
      for (let cursor = page.cursor, isOver = false; !isOver; ) {
        const read = await this.#read(cursor)
        rows.push(...read.rows.filter(({ record }) => this.#isShown(record)))
        cursor = read.next
        const lastSeq = read.rows.at(-1)?.record.created_seq ?? page.lastSeq
        isOver = this.#wanted.query !== '' || cursor === undefined || !this.#isAfter(page.lastSeq, lastSeq)
      }
      if (this.#closed) return
      const isOfPage = ({ record }: Row) =>
        this.#wanted.query !== '' || !this.#isAfter(record.created_seq, page.lastSeq)
      page.rows = rows.filter(isOfPage)
      this.#show()
    } catch (error) {
      if (!this.#closed) this.error.value = error as Error
    } finally {
      page.reading = false
    }
  }

  /** Returns true if a read message is shown. For a search of the inbox view, the service decides. */
  #isShown(record: MessageSummary): boolean {
    return this.#wanted.query !== '' && this.#wanted.view.id === 'inbox' ? true : this.#belongs(record)
  }

  #belongs(record: MessageSummary): boolean {
    const { view, inbox, query } = this.#wanted
    // A search of the inbox view also finds archived messages, but none in the trash.
    if (query !== '' && view.id === 'inbox') return !record.labels.includes('trash')
    return (inbox === null || record.inbox_id === inbox) && isIn(view, record)
  }

  /** Inserts a message at its position. One beyond the pages read so far comes with its own page. */
  #insert(record: MessageSummary): void {
    const { id, created_seq: seq } = record
    for (const page of this.#pages) {
      if (page.rows === null) {
        if (!this.#isAfter(seq, page.lastSeq)) {
          page.ids.add(id)
          return this.#show()
        }
        continue
      }
      const at = page.rows.findIndex((row) => this.#isAfter(row.record.created_seq, seq))
      if (at < 0 && this.#isAfter(seq, page.lastSeq)) continue
      page.rows = page.rows.toSpliced(at < 0 ? page.rows.length : at, 0, { record })
      return this.#show()
    }
    const last = this.#pages.at(-1)
    if (!this.isWhole.value || !last) return
    if (last.rows) last.rows = [...last.rows, { record }]
    else last.ids.add(id)
    last.lastSeq = seq
    this.#show()
  }

  #remove(id: string): void {
    for (const page of this.#pages) {
      const length = lengthOf(page)
      if (page.rows) page.rows = page.rows.filter((row) => row.record.id !== id)
      else page.ids.delete(id)
      if (lengthOf(page) < length) this.#show()
    }
  }

  #apply({ type, data }: Event): void {
    const record = data as unknown as MessageSummary
    if (type === 'message.deleted') this.#change(() => this.#remove(record.id))
    else if (/^(message|label)\./.test(type) && 'thread_id' in record) this.put(record)
  }
}

const lengthOf = ({ rows, ids }: Page): number => rows?.length ?? ids.size

function letGo(page: Page): void {
  page.ids = new Set(page.rows!.map(({ record }) => record.id))
  page.rows = null
}
