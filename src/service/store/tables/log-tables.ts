import type { Generated } from 'kysely'

export interface EventTable {
  tenant_id: string
  seq: number
  id: string
  type: string
  inbox_id: string | null
  created_at: string
  /** Message whose `reply_text` belongs to `data`: the text itself is stored, and erased, in one place. */
  message_id: string | null
  /** Thread of `data`, to find the event when the thread is erased. */
  thread_id: string | null
  /** `data` of the event as JSON, without the text. */
  data: string
}

export interface JobTable {
  tenant_id: string
  id: string
  queue: string
  run_at: string
  attempts: Generated<number>
  lease_token: string | null
  lease_until: string | null
  created_at: string
  data: string
  /** Why it is held until released; null if it waits only for its time. */
  held: 'account' | 'restored' | null
  /** Destination domain of a job of the delivery queue. */
  destination: Generated<string>
}
