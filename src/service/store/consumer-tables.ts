/**
 * What a consumer has to do is found from `messages`, by `created_seq`. Of a thread that has no row in
 * `consumer_deliveries`, everything up to `cursor` was handled and everything after it waits. Of a thread that has
 * rows, these messages are out or wait, and so does everything after `tail_after`. So what waits costs a row for each
 * thread that somebody is at, and none for each message.
 */
export interface ConsumerTable {
  tenant_id: string
  name: string
  inbox_id: string | null
  spam: number
  /** Up to where messages were looked at, by their `created_seq`. */
  cursor: number
  created_at: string
}

export interface ConsumerDeliveryTable {
  tenant_id: string
  consumer: string
  message_id: string
  thread_id: string
  /** Of the message. */
  created_seq: number
  /** The same in all deliveries of a thread. */
  tail_after: number
  attempts: number
  /** When it can be had: of a leased one, when its lease will have ended and its holder's failure been waited for. */
  due_at: string
  lease_token: string | null
  lease_until: string | null
  redriven: number
}

export interface ConsumerSettledTable {
  tenant_id: string
  consumer: string
  message_id: string
  created_seq: number
  /** `had`: it was handled before it was marked as spam. */
  state: 'dead' | 'done' | 'had'
  attempts: number
  settled_at: string
}
