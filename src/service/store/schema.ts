import type { ColumnType, Generated } from 'kysely'
import type { ConsumerDeliveryTable, ConsumerSettledTable, ConsumerTable } from './consumer-tables'
import type { DkimKeyTable, DomainHostTable, DomainTable } from './domain-tables'
import type { OperatorTables } from './operator-tables'
import type {
  AttachmentTable,
  MessageTable,
  ThreadAliasTable,
  ThreadKeyTable,
  ThreadTable,
} from './schema-mail'
import type { SendCountTable, SendTable, SuppressionTable } from './schema-sends'
import type { WebhookAttemptTable, WebhookDeliveryTable, WebhookTable } from './schema-webhooks'

export type * from './schema-mail'

/**
 * The tables. Every table but the directories starts with `tenant_id`, in its primary key, so that the
 * database can be split by tenant. Times are ISO 8601 text, lists and records are JSON text, flags are 0 or 1:
 * the two databases say these alike.
 */
export interface Database extends OperatorTables {
  /** Facts of the host, such as which data format this is. */
  host: HostTable
  accounts: AccountTable
  /** Directory: which account a key opens. */
  api_keys: ApiKeyTable
  /** Directory: signups by the hash of their Idempotency-Key. */
  signups: SignupTable
  /** Directory: claim links by the hash of their secret. */
  claim_tokens: ClaimTokenTable
  /** Directory: which inbox an address belongs to; an address is never given twice. */
  addresses: AddressTable
  domains: DomainTable
  /** Directory: which account has proven that a domain is its own. */
  domain_hosts: DomainHostTable
  /** The keys that mail is signed with; those of the service's own domain have the tenant `host`. */
  dkim_keys: DkimKeyTable
  inboxes: InboxTable
  threads: ThreadTable
  /** Which thread of an inbox a Message-ID belongs to, whether the message has arrived or was only referred to. */
  thread_keys: ThreadKeyTable
  /** Threads that turned out to be part of another: their ids lead there for good. */
  thread_aliases: ThreadAliasTable
  messages: MessageTable
  attachments: AttachmentTable
  labels: LabelTable
  /** Which messages have a label: what `label_ids` of a message says, the other way round. */
  message_labels: MessageLabelTable
  /** Which threads have a label, in the order of their last change: what `label_ids` of a thread says, the other way round. */
  thread_labels: ThreadLabelTable
  lists: ListTable
  /** Directory: large bytes by their SHA-256, where the service has no folder for them. */
  blobs: BlobTable
  /** Directory: originals whose message was erased, and which may have been the last to name them. */
  erased_blobs: ErasedBlobTable
  /** Who an outgoing message goes to, and how that went. */
  recipients: RecipientTable
  /** Sends by their client_id, kept as long as the account. */
  sends: SendTable
  /** How much an account sent by day, and to which domains. */
  send_counts: SendCountTable
  /** Addresses that an account sends nothing to. */
  suppressions: SuppressionTable
  drafts: DraftTable
  /** Files of drafts, until they are sent. */
  draft_files: DraftFileTable
  /** Files that were handed over ahead of the mail they go with. */
  uploads: UploadTable
  jobs: JobTable
  /** Directory: what domains demand of those who send to them (RFC 8461). */
  transport_policies: TransportPolicyTable
  events: EventTable
  /** Which messages the search index has. */
  search_documents: SearchDocumentTable
  /** How far the messages of an account were taken into the search index. */
  search_cursors: SearchCursorTable
  consumers: ConsumerTable
  /** Messages that a consumer has, or must have before later ones of their threads. */
  consumer_deliveries: ConsumerDeliveryTable
  /** Messages that a consumer does not get, though it has not come that far: dead letters, and those handled along. */
  consumer_settled: ConsumerSettledTable
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_attempts: WebhookAttemptTable
}

export interface HostTable {
  key: string
  value: string
}

export interface AccountTable {
  tenant_id: string
  name: string
  plan: string
  onboarding_state: string
  created_at: string
  claimed_at: string | null
  sending_enabled_at: string | null
  unclaimed_expires_at: string | null
  suspended_at: string | null
  sending_paused_at: string | null
  received_messages: Generated<number>
  received_bytes: Generated<number>
  /** The newest position of the account's event log. */
  seq: Generated<number>
  /** How many entries its lists have by direction, and how many inboxes were deleted: mostly none, and then nothing needs to be looked up. */
  receive_lists: Generated<number>
  send_lists: Generated<number>
  deleted_inboxes: Generated<number>
  /** How many deleted threads still have messages, which go in steps. */
  erasing_threads: Generated<number>
  /** How many addresses it sends nothing to. */
  suppressions: Generated<number>
  /** Why sending was paused: `bounce_rate`, `complaint_rate` or `host`. */
  sending_pause_reason: Generated<string | null>
  /** Events up to here are no longer kept. */
  log_start: Generated<number>
  /** When the account, which nobody claimed, began to be erased. */
  erased_at: Generated<string | null>
}

export interface ApiKeyTable {
  key_hash: string
  id: string
  tenant_id: string
  inbox_id: string | null
  scopes: string
  created_at: string
  revoked_at: string | null
  name: string | null
  /** The last characters of the key, so that its owner knows it again; null where it was made before there were any. */
  hint: string | null
  /** Written once a minute at most, and a minute late. */
  last_used_at: string | null
}

export interface SignupTable {
  idempotency_hash: string
  body_hash: string
  secret_id: string
  tenant_id: string
  inbox_id: string
  created_at: string
}

export interface ClaimTokenTable {
  token_hash: string
  tenant_id: string
  expires_at: string
  used_at: string | null
}

export interface AddressTable {
  address: string
  tenant_id: string
  inbox_id: string
  retired_at: string | null
}

export interface InboxTable {
  tenant_id: string
  id: string
  address: string
  name: string | null
  /** What the caller named its creation; unique among the inboxes that there are. */
  client_id: string | null
  created_at: string
  seq: number
}

export interface LabelTable {
  tenant_id: string
  id: string
  name: string
  /** The name in lower case: unique in the account. */
  folded: string
  created_at: string
  seq: number
}

export interface MessageLabelTable {
  tenant_id: string
  label_id: string
  message_id: string
  /** Of the message, so that those of a label are found in order. */
  created_seq: number
}

export interface ThreadLabelTable {
  tenant_id: string
  thread_id: string
  label_id: string
  /** That of the thread. */
  seq: number
}

export interface ListTable {
  tenant_id: string
  id: string
  pattern: string
  kind: 'block' | 'allow'
  direction: 'receive' | 'send'
  created_at: string
}

export interface BlobTable {
  hash: string
  content: Uint8Array
  written_at: string
}

export interface ErasedBlobTable {
  hash: string
  erased_at: string
}

export interface RecipientTable {
  tenant_id: string
  message_id: string
  address: string
  status: string
  detail: string | null
  /** Why it is not there, and whether that is for good. */
  reason: Generated<string | null>
  kind: Generated<string | null>
}

export interface DraftTable {
  tenant_id: string
  id: string
  inbox_id: string
  status: string
  to_addrs: string
  cc_addrs: string
  bcc_addrs: string
  subject: string
  body_text: string | null
  body_html: string | null
  reply_to_message_id: string | null
  thread_id: string | null
  scheduled_at: string | null
  /** Header fields beside those that every mail has, as pairs. */
  headers: Generated<string>
  /** The job that sends it at its time; any other is void. */
  job_id: string | null
  sent_message_id: string | null
  error: string | null
  created_at: string
  updated_at: string
  /** Position of the event that made it: the stable order of lists. */
  created_seq: number
  seq: number
}

/** Bytes that lie in the row where they are small, else in the blob store; both null once they are not needed. */
interface StoredColumns {
  raw: ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>
  blob_hash: string | null
}

export interface DraftFileTable extends StoredColumns {
  tenant_id: string
  draft_id: string
  position: number
  filename: string
  content_type: string
  content_id: string | null
  size: number
}

export interface UploadTable extends StoredColumns {
  tenant_id: string
  id: string
  /** The inbox of the key that uploaded it, where the key is for one only. */
  inbox_id: string | null
  filename: string
  content_type: string
  size: number
  created_at: string
  expires_at: string
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
  /** Why it is not run until somebody lets it go; null where it waits for its time only. */
  held: 'account' | 'restored' | null
  /** Where mail of the delivery queue goes: a domain. */
  destination: Generated<string>
}

export interface TransportPolicyTable {
  domain: string
  /** What its owner calls this version of it. */
  policy_id: string
  /** JSON. */
  policy: string
  fetched_at: string
  expires_at: string
}

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

export interface SearchDocumentTable {
  tenant_id: string
  message_id: string
  created_seq: number
}

export interface SearchCursorTable {
  tenant_id: string
  /** The position in the log up to which there is nothing more to take in. */
  seq: number
}
