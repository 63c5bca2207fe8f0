import { signal } from '@preact/signals'
import type { FoundMessage, Mailbox, Message } from '../../mailbox'
import type { Event, MessageSummary } from '../../protocol/records'
import { isIn, type View } from './views'

/** The list that is asked for. */
export interface Wanted {
  view: View
  inbox: string | null
  query: string
  mode: 'keyword' | 'semantic' | 'hybrid'
  /** Of a list that nothing is looked for in. */
  order: 'asc' | 'desc'
}

/** A row of the list: a message, and where what was looked for stands in it. */
export interface Row {
  record: MessageSummary
  found?: FoundMessage
}

/** A page as it was read; far from what is in sight its rows are let go, and read again from the same place. */
interface Page {
  readonly cursor: string | undefined
  rows: readonly Row[] | null
  /** The messages of the rows that were let go. */
  ids: Set<string>
  /** The position of the last of them. */
  lastSeq: number
  reading: boolean
}

const pageSize = 100
/** Pages that are read at most to fill a screen with what belongs to the view. */
const maxPagesAtOnce = 10
/** Pages whose rows are held: some thousand rows, however many were come past. */
const maxHeld = 30

/** The messages of a view: read page by page as they come into sight, and kept as the log of the account says. */
export class MailList {
  /** Null where the row is there, and is read when it comes into sight. */
  readonly rows = signal<readonly (Row | null)[]>([])
  readonly isWhole = signal(false)
  readonly isReading = signal(false)
  readonly error = signal<Error | null>(null)
  /** Parts of the query that were probably meant otherwise. */
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

  /** The row of a message that is held. */
  find(id: string | null): Row | undefined {
    for (const { rows } of this.#pages) {
      const found = rows?.find(({ record }) => record.id === id)
      if (found) return found
    }
    return undefined
  }

  /** Reads on, until there is something more to show. */
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

  /** Says which rows are in sight: what was let go of them is read again, and what is far from them is let go. */
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

  /** Puts a changed message in the place of what was shown of it, unless that is newer. */
  put(record: MessageSummary): void {
    this.#change(() => this.#put(record))
  }

  #put(record: MessageSummary): void {
    const belongs = this.#belongs(record)
    for (const page of this.#pages) {
      if (page.rows === null && page.ids.has(record.id)) {
        // A row that stays is read again when it comes into sight.
        if (belongs) return
        page.ids.delete(record.id)
        return this.#show()
      }
      const at = page.rows?.findIndex((row) => row.record.id === record.id) ?? -1
      if (at < 0) continue
      // The answer to a change may come before the event of an earlier one.
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

  /** Reads into the list: what changed meanwhile is changed again, for what was read may be from before. */
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

  /** Tells whether a place in the log comes after another in the list. */
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

  /** Reads a page again that was let go: all of it up to where the next one begins, however it has changed. */
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

  /** Tells whether what was read is shown; of a search, the service knows what was asked for. */
  #isShown(record: MessageSummary): boolean {
    return this.#wanted.query !== '' && this.#wanted.view.id === 'inbox' ? true : this.#belongs(record)
  }

  #belongs(record: MessageSummary): boolean {
    const { view, inbox, query } = this.#wanted
    // Somebody who looks for something looks in all of it, but for what they threw away.
    if (query !== '' && view.id === 'inbox') return !record.labels.includes('trash')
    return (inbox === null || record.inbox_id === inbox) && isIn(view, record)
  }

  /** Puts a message where it belongs; what comes after all that was read comes with its page. */
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

/** The messages of a thread, oldest first, as the mailbox holds them. */
export const threadOf = async (mailbox: Mailbox, message: MessageSummary): Promise<readonly Message[]> =>
  (await mailbox.threads.get(message.thread_id)).messages
