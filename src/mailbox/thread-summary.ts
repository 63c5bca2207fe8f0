import type { Thread as ThreadRecord } from '../protocol'
import type { ShortHandles } from './short-handles'

/**
 * A conversation without its messages, as lists have it.
 *
 * @example
 * ```ts
 * for (const { subject, handle } of (await mailbox.threads.list()).items) console.log(handle, subject)
 * ```
 */
export class ThreadSummary {
  readonly #handles: ShortHandles
  /** As it came from the service. */
  readonly record: ThreadRecord

  /** @internal */
  constructor(handles: ShortHandles, record: ThreadRecord) {
    this.#handles = handles
    this.record = record
  }

  /** A short name such as `t1`, for models: `mailbox.threads.get` takes it while the mailbox is open. */
  get handle(): string {
    return this.#handles.of('t', this.id)
  }

  get id(): string {
    return this.record.id
  }

  get inboxId(): string {
    return this.record.inbox_id
  }

  get subject(): string {
    return this.record.subject
  }

  /** Addresses, in the order of their first mail. */
  get participants(): readonly string[] {
    return this.record.participants
  }

  get messageCount(): number {
    return this.record.message_count
  }

  get lastMessageAt(): Date {
    return new Date(this.record.last_message_at)
  }

  /** The beginning of the newest message. */
  get preview(): string {
    return this.record.preview
  }
}
