import type { Thread as ThreadRecord } from '../../protocol/records/thread'
import { handleOf } from './handles'
/**
 * Snapshot of a conversation without its messages, as lists return it.
 *
 * @example
 * ```ts
 * for (const { subject, handle } of (await mailbox.threads.list()).items) console.log(handle, subject)
 * ```
 */
export class ThreadSummary {
  /** Record as the service returned it. */
  readonly record: ThreadRecord

  /** @internal */
  constructor(record: ThreadRecord) {
    this.record = record
  }

  /**
   * Handle of its newest message, such as `m1042-mxk`: `mailbox.threads.get` finds a thread by any of its
   * messages.
   */
  get handle(): string {
    const { last_message_id: id, last_message_created_seq: created_seq } = this.record
    return handleOf({ id, created_seq })
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

  /** Addresses, in the order of their first message. */
  get participants(): readonly string[] {
    return this.record.participants
  }

  /** True while people hold it; `record.hold` has who, why and until when. */
  get held(): boolean {
    return !!this.record.hold
  }

  /** Status: open, snoozed or closed. */
  get status(): string {
    return this.record.status ?? 'open'
  }

  get messageCount(): number {
    return this.record.message_count
  }

  get lastMessageAt(): Date {
    return new Date(this.record.last_message_at)
  }

  /** First 200 characters of the newest message. */
  get preview(): string {
    return this.record.preview
  }
}
