import type { Generated } from 'kysely'
/**
 * Consumers. The work of one is found from `messages`, by `created_seq`. In a thread without rows in
 * `consumer_leases`, everything up to `cursor` was handled and everything after it waits. In a thread with
 * rows, these messages are leased or wait, and so does everything after `tail_after`. So waiting messages
 * cost a row for each active thread, not for each message.
 */
export interface ConsumerTable {
  tenant_id: string
  name: string
  inbox_id: string | null
  spam: number
  /** 1 if it gets unanswerable messages. */
  unanswerable: number
  /** Its cursor at creation. */
  began_after: number
  /** `created_seq` up to which it gets only messages unanswered when it began; 0 if it gets everything. */
  unanswered_until: Generated<number>
  /** `created_seq` up to which messages were scanned. */
  cursor: number
  created_at: string
}

export interface ConsumerLeaseTable {
  tenant_id: string
  consumer: string
  message_id: string
  thread_id: string
  /** `created_seq` of the message. */
  created_seq: number
  /** The same in all leases of a thread. */
  tail_after: number
  attempts: number
  /** Time from which it can be leased; while it is leased, the end of the lease plus the back-off. */
  due_at: string
  lease_token: string | null
  lease_until: string | null
  redriven: number
}

/** An answer to a message that a program submitted, kept for an hour. */
export interface ProgramAnswerTable {
  tenant_id: string
  inbox_id: string
  /** Hash of the `program_author` of the answered message. */
  author_hash: string
  /** Id of the answer. */
  message_id: string
  created_at: string
}

/** A message that two programs answered. */
export interface DoubleAnswerTable {
  tenant_id: string
  message_id: string
  created_at: string
  /** Null for a program outside every consumer. */
  first_consumer: string | null
  second_consumer: string | null
}

export interface ConsumerSettledTable {
  tenant_id: string
  consumer: string
  message_id: string
  created_seq: number
  /** `had`: it was handled before it was moved to spam or trash. */
  state: 'dead' | 'done' | 'had'
  attempts: number
  settled_at: string
}
