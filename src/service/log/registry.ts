import type { Kysely, Selectable, Transaction } from 'kysely'
import type { EventType } from '../../protocol/records'
import type { AccountTable, Database } from '../store/tables'

/** A message of whose labels or thread a higher room wants to know. */
export interface ToldMessage {
  readonly id: string
  readonly tenant_id: string
  readonly inbox_id: string
  readonly thread_id: string
  readonly created_seq: number
  readonly direction: string
}

/** The facts that a lower room tells, and that higher rooms act on in the same transaction. */
interface Facts {
  /** The labels of a message change, by their ids. */
  labelled: {
    readonly message: ToldMessage
    readonly before: readonly string[]
    readonly after: readonly string[]
  }
  /** Two threads are about to become one: what is in `from` moves to `to`. */
  merging: { readonly from: string; readonly to: string }
  /** An inbox is deleted. */
  inboxDeleted: { readonly inboxId: string }
}

/**
 * A change to one account: its row is locked, so that its changes come one after the other and `seq` is dense
 * in the order of their commits, and what is appended commits with the change or not at all.
 */
export interface ChangeContext {
  readonly tx: Transaction<Database>
  readonly account: Selectable<AccountTable>
  /** The time of the change, as ISO 8601. */
  readonly now: string
  /** The `seq` of what is appended next. */
  readonly nextSeq: number
  /** Appends an event; the record gets its `seq`, which is returned. */
  append(type: EventType, inboxId: string | null, record: EventRecord): number
  /** Lets what was appended about a thread be found under another id, which it has from now on. */
  moveThread(from: string, to: string): void
  /** Tells the rooms above of a fact, which they act on in this transaction. */
  tell<Name extends keyof Facts>(name: Name, fact: Facts[Name]): Promise<void>
  /** Wakes the readers of a topic once the change is committed. */
  wake(topic: string): void
}

/** The context of a check: within a change, or before one is made. */
export type CheckContext = Pick<ChangeContext, 'account' | 'now'> & { readonly tx: Kysely<Database> }

/** The record that an event tells of; the text of a message is stored with the message only. */
export type EventRecord = {
  id: string
  inbox_id?: string
  thread_id?: string | null
  reply_text?: string | null
  recipients?: readonly object[]
}

type Handler<Name extends keyof Facts> = (change: ChangeContext, fact: Facts[Name]) => Promise<void>

/**
 * Lets higher rooms act on what lower rooms do, though no room imports one above it. Handlers run within the transaction
 * of the change, in the order in which they joined: where one fails, nothing of the change happens.
 */
export class Registry {
  readonly #handlers: { [Name in keyof Facts]: Handler<Name>[] } = {
    labelled: [],
    merging: [],
    inboxDeleted: [],
  }

  /** Joins a handler, at the start of the service. */
  on<Name extends keyof Facts>(name: Name, handler: Handler<Name>): void {
    this.#handlers[name].push(handler)
  }

  /** Tells a fact to all who joined, and waits for them. */
  async tell<Name extends keyof Facts>(change: ChangeContext, name: Name, fact: Facts[Name]): Promise<void> {
    for (const handler of this.#handlers[name]) await handler(change, fact)
  }
}
