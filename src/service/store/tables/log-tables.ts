import type { Generated } from 'kysely'

export interface EventTable {
  tenant_id: string
  seq: number
  id: string
  type: string
  inbox_id: string | null
  created_at: string
  /** The message whose `reply_text` belongs to `data`: the text itself is kept, and erased, in one place. */
  message_id: string | null
  /** The thread that `data` tells of: what must be found to be erased. */
  thread_id: string | null
  /** The `data` of the event as JSON, without the text. */
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
  /** The reason why it is not run until it is released; null where it waits for its time only. */
  held: 'account' | 'restored' | null
  /** The domain that mail of the delivery queue goes to. */
  destination: Generated<string>
}
