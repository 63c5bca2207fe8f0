import type { Generated } from 'kysely'
/**
 * Consumers. The work of one is found from `messages`, by `created_seq`. Of a thread that has no row in
 * `consumer_leases`, everything up to `cursor` was handled and everything after it waits. Of a thread that has
 * rows, these messages are out or wait, and so does everything after `tail_after`. So what waits costs a row for each
 * thread that somebody is at, and none for each message.
 */
export interface ConsumerTable {
  tenant_id: string
  name: string
  inbox_id: string | null
  spam: number
  /** 1 where it gets what is unanswerable. */
  unanswerable: number
  /** Its cursor when it was made. */
  began_after: number
  /** The `created_seq` up to which it gets only what was unanswered when it began; 0 if it gets everything. */
  unanswered_until: Generated<number>
  /** The `created_seq` up to which messages were looked at. */
  cursor: number
  created_at: string
}

export interface ConsumerLeaseTable {
  tenant_id: string
  consumer: string
  message_id: string
  thread_id: string
  /** The `created_seq` of the message. */
  created_seq: number
  /** The same in all leases of a thread. */
  tail_after: number
  attempts: number
  /**
   * The time from which it can be leased; of a leased one, once its lease has ended and its holder's failure was
   * waited for.
   */
  due_at: string
  lease_token: string | null
  lease_until: string | null
  redriven: number
}

/** An answer to a message that a program submitted, kept for an hour. */
export interface ProgramAnswerTable {
  tenant_id: string
  inbox_id: string
  /** Hash of the `program_author` of the message that it answers. */
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
  /** `had`: it was handled before it was put away, as spam or into the trash. */
  state: 'dead' | 'done' | 'had'
  attempts: number
  settled_at: string
}
