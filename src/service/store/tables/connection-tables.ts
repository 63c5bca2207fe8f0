import { count, number, type RowOf, since, table, text, textOf, textOrNull } from './table'

/** A mailbox at another server. */
export const connections = table({
  columns: {
    tenant_id: text,
    id: text,
    inbox_id: text,
    address: text,
    /** Its servers and options, as JSON. */
    settings: text,
    /** Its login, as JSON, encrypted with a key derived from the server's secret. */
    secret: text,
    /** Its access token and when that ends, as JSON, encrypted likewise. */
    token: since('0015-connections', textOrNull),
    /** Until when one node has the right to refresh the token; null if none has. */
    token_lease_until: since('0015-connections', textOrNull),
    state: textOf<'connecting' | 'catching_up' | 'live' | 'failing' | 'needs_sign_in'>(),
    error: textOrNull,
    live_since: textOrNull,
    looked_at: textOrNull,
    failing_since: textOrNull,
    next_attempt_at: textOrNull,
    /** Failed attempts since it was last live. */
    failures: count,
    /** `created_seq` up to which all sent messages are filed. */
    filed_seq: count,
    created_at: text,
  },
  key: ['tenant_id', 'id'],
  indexes: { connections_by_inbox: '(tenant_id, inbox_id)' },
})
export type ConnectionTable = RowOf<typeof connections>

/** Progress in a folder. */
export const connectionFolders = table({
  columns: {
    tenant_id: text,
    connection_id: text,
    path: text,
    role: textOf<'incoming' | 'sent'>(),
    uid_validity: text,
    /** UID up to which everything is ingested. */
    uid: number,
    waiting: count,
    /** Unreadable messages after `uid`, as JSON. */
    obstacle: textOrNull,
    /** Messages up to `uid` that were skipped, since the server withholds them, as JSON. */
    skipped: textOrNull,
  },
  key: ['tenant_id', 'connection_id', 'path'],
})
export type ConnectionFolderTable = RowOf<typeof connectionFolders>

/**
 * Start of the key that marks an ingested message as older than its connection; the id of the message follows.
 * The mark stays after the mailbox is disconnected.
 */
export const olderPrefix = 'o:'

/** A message that was ingested, or must not be, by one of the keys that identify it. */
export const connectedMails = table({
  columns: {
    tenant_id: text,
    inbox_id: text,
    key: text,
    /** Empty if it was not ingested. */
    message_id: text,
  },
  key: ['tenant_id', 'inbox_id', 'key'],
})
