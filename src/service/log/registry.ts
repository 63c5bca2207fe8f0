import type { Kysely, Selectable, Transaction } from 'kysely'
import type { EventType } from '../../protocol/records/event'
import type { AccountTable } from '../store/tables/account-tables'
import type { Database } from '../store/tables/schema'

/** A message whose labels or thread matter to a higher module. */
export interface ChangedMessage {
  readonly id: string
  readonly tenant_id: string
  readonly inbox_id: string
  readonly thread_id: string
  readonly created_seq: number
  readonly direction: string
}

/** Facts that a lower module reports, and that higher modules act on in the same transaction. */
interface Facts {
  /** The labels of a message change, by their ids. */
  labelled: {
    readonly message: ChangedMessage
    readonly before: readonly string[]
    readonly after: readonly string[]
  }
  /** Two threads become one: the messages in `from` move to `to`. */
  merging: { readonly from: string; readonly to: string }
  /** People hold a thread, or type in it, from now on. */
  held: { readonly threadId: string }
  /** A hold of a thread has ended, or the typing in it. */
  released: { readonly threadId: string }
  /** A person closes a thread: nothing is left to do for the messages in it. */
  closed: { readonly threadId: string }
  /** Agents may no longer work in an inbox, or may again. */
  agentSwitched: { readonly inboxId: string; readonly isOff: boolean }
  /** Files of a message were read, and have a text. */
  filesRead: { readonly messageId: string }
  /** An inbox is deleted. */
  inboxDeleted: { readonly inboxId: string }
}

/**
 * Context of a change to one account. The account's row is locked, so its changes are serial and `seq` is
 * dense in commit order. Appended events commit with the change or not at all.
 */
export interface ChangeContext {
  readonly tx: Transaction<Database>
  readonly account: Selectable<AccountTable>
  /** Time of the change, as ISO 8601. */
  readonly now: string
  /** `seq` of the next appended event. */
  readonly nextSeq: number
  /** Appends an event, and returns the `seq` that its record gets. */
  append(type: EventType, inboxId: string | null, record: EventRecord): number
  /** Reassigns events appended in this change from one thread to another. */
  moveThread(from: string, to: string): void
  /** Reports a fact to the higher modules, which act on it in this transaction. */
  tell<Name extends keyof Facts>(name: Name, fact: Facts[Name]): Promise<void>
  /** Wakes the readers of a topic once the change is committed. */
  wake(topic: string): void
}

/** Context of a check: within a change, or before one. */
export type CheckContext = Pick<ChangeContext, 'account' | 'now'> & { readonly tx: Kysely<Database> }

/** Record of an event; the text of a message is stored with the message only. */
export type EventRecord = {
  id: string
  inbox_id?: string
  thread_id?: string | null
  reply_text?: string | null
  recipients?: readonly object[]
}

type Handler<Name extends keyof Facts> = (change: ChangeContext, fact: Facts[Name]) => Promise<void>

/**
 * Lets higher modules act on changes by lower ones, which cannot import them. Handlers run within the
 * transaction of the change, in the order of registration. If one fails, the change is rolled back.
 */
export class Registry {
  readonly #handlers: { [Name in keyof Facts]: Handler<Name>[] } = {
    labelled: [],
    merging: [],
    held: [],
    released: [],
    closed: [],
    agentSwitched: [],
    filesRead: [],
    inboxDeleted: [],
  }

  /** Registers a handler, at the start of the service. */
  on<Name extends keyof Facts>(name: Name, handler: Handler<Name>): void {
    this.#handlers[name].push(handler)
  }

  /** Calls the handlers of a fact one after the other. */
  async tell<Name extends keyof Facts>(change: ChangeContext, name: Name, fact: Facts[Name]): Promise<void> {
    for (const handler of this.#handlers[name]) await handler(change, fact)
  }
}
