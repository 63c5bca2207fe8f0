import type { Thread as ThreadRecord } from '../protocol'

/** A conversation without its messages, as lists have it. */
export class ThreadSummary {
  /** As it came from the service. */
  readonly record: ThreadRecord

  /** @internal */
  constructor(record: ThreadRecord) {
    this.record = record
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
