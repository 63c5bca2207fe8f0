import type { Generated } from 'kysely'

/** A mailbox at another server. */
export interface ConnectionTable {
  tenant_id: string
  id: string
  inbox_id: string
  address: string
  /** Its servers and options, as JSON. */
  settings: string
  /** Its login, as JSON, encrypted with a key derived from the server's secret. */
  secret: string
  state: 'connecting' | 'catching_up' | 'live' | 'failing'
  error: string | null
  live_since: string | null
  looked_at: string | null
  failing_since: string | null
  next_attempt_at: string | null
  /** Failed attempts since it was last live. */
  failures: Generated<number>
  /** `created_seq` up to which all sent messages are filed. */
  filed_seq: Generated<number>
  created_at: string
}

/** Progress in a folder. */
export interface ConnectionFolderTable {
  tenant_id: string
  connection_id: string
  path: string
  role: 'incoming' | 'sent'
  uid_validity: string
  /** UID up to which everything is ingested. */
  uid: number
  waiting: Generated<number>
  /** Unreadable messages after `uid`, as JSON. */
  obstacle: string | null
  /** Messages up to `uid` that were skipped, since the server withholds them, as JSON. */
  skipped: string | null
}

/** A message that was ingested, or must not be, by one of the keys that identify it. */
export interface ConnectedMailTable {
  tenant_id: string
  inbox_id: string
  key: string
  /** Empty if it was not ingested. */
  message_id: string
}
