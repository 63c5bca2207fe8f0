import type {
  AccountOperatorTable,
  AccountTable,
  AddressTable,
  ApiKeyTable,
  ClaimTokenTable,
  HostTable,
  InboxTable,
  ListTable,
  OperatorCredentialTable,
  OperatorProofTable,
  OperatorSessionTable,
  OperatorTable,
  SignupTable,
} from './account-tables'
import type { ConnectedMailTable, ConnectionFolderTable, ConnectionTable } from './connection-tables'
import type {
  ConsumerLeaseTable,
  ConsumerSettledTable,
  ConsumerTable,
  DoubleAnswerTable,
  ProgramAnswerTable,
} from './consumer-tables'
import type { DkimKeyTable, DomainHostTable, DomainTable } from './domain-tables'
import type { KeptAnswerTable } from './kept-answer-table'
import type { EventTable, JobTable } from './log-tables'
import type {
  AttachmentTable,
  BlobRemovalTable,
  BlobTable,
  ErasedBlobTable,
  InboundDeliveryTable,
  LabelTable,
  MessageLabelTable,
  MessageTable,
  ProofReadingTable,
  RateTable,
  SearchBlockTable,
  SearchCursorTable,
  SearchModelTable,
  SearchSegmentTable,
  SearchVectorTable,
  SeenSignatureTable,
  ThreadAliasTable,
  ThreadKeyTable,
  ThreadLabelTable,
  ThreadMentionTable,
  ThreadTable,
  UploadTable,
} from './mail-tables'
import type {
  DraftFileTable,
  DraftTable,
  RecipientTable,
  SendCountTable,
  SendTable,
  SuppressionTable,
  TransportPolicyTable,
} from './send-tables'
import type { WebhookAttemptTable, WebhookDispatchTable, WebhookTable } from './webhook-tables'

export type Dialect = 'sqlite' | 'postgres'

/**
 * The tables. Every table except the directories starts with `tenant_id`, in its primary key, so that the
 * database can be split by tenant. Times are ISO 8601 text, lists and records are JSON text, flags are 0 or
 * 1: the same in both databases.
 */
export interface Database {
  /** Facts of the installation, such as the id of the database. */
  host: HostTable
  accounts: AccountTable
  /** Directory: API keys by their hash. */
  api_keys: ApiKeyTable
  /** Directory: signups by the hash of their Idempotency-Key. */
  signups: SignupTable
  /** Directory: claim links by the hash of their secret. */
  claim_tokens: ClaimTokenTable
  /** Directory: the inbox of each address; an address is never assigned twice. */
  addresses: AddressTable
  /**
   * Directory: people who sign in at the console. The sign-in library writes this and the next three tables.
   */
  operators: OperatorTable
  operator_sessions: OperatorSessionTable
  operator_credentials: OperatorCredentialTable
  /** Directory: hashes of secrets sent to an address to prove its owner. */
  operator_proofs: OperatorProofTable
  /** Directory: accounts claimed by an operator. */
  account_operators: AccountOperatorTable
  domains: DomainTable
  /** Directory: the account that has proven to own a domain. */
  domain_hosts: DomainHostTable
  /** Keys that sign messages; those of the service's own domain have the tenant `host`. */
  dkim_keys: DkimKeyTable
  inboxes: InboxTable
  threads: ThreadTable
  /** Thread of a Message-ID in an inbox, for messages that arrived or were only referred to. */
  thread_keys: ThreadKeyTable
  thread_mentions: ThreadMentionTable
  /** Threads merged into another: their ids lead there for good. */
  thread_aliases: ThreadAliasTable
  messages: MessageTable
  inbound_deliveries: InboundDeliveryTable
  /** Directory: signatures of messages that arrived, at any account. */
  seen_signatures: SeenSignatureTable
  /** Progress of reading an account's stored messages for signed fields. */
  proof_readings: ProofReadingTable
  attachments: AttachmentTable
  labels: LabelTable
  /** Messages of a label: the inverse of `label_ids` of messages. */
  message_labels: MessageLabelTable
  /** Threads of a label, in the order of their last change: the inverse of `label_ids` of threads. */
  thread_labels: ThreadLabelTable
  lists: ListTable
  /** Directory: large blobs by their SHA-256, if the service has no folder for them. */
  blobs: BlobTable
  /** Directory: originals of erased messages that may now be unreferenced. */
  erased_blobs: ErasedBlobTable
  /** Directory: removals of large blobs from a bucket, current or of the last hour. */
  blob_removals: BlobRemovalTable
  /** Directory: rates of keys and addresses, if several nodes may count them. */
  rates: RateTable
  /** Recipients of outgoing messages, each with its status. */
  recipients: RecipientTable
  /** Sends by their client_id, kept as long as the account. */
  sends: SendTable
  /** Counts of an account's sent messages, by day and domain. */
  send_counts: SendCountTable
  /** Suppressed addresses of an account. */
  suppressions: SuppressionTable
  /** Answers to requests with an Idempotency-Key, kept for a day. */
  kept_answers: KeptAnswerTable
  drafts: DraftTable
  /** Files of drafts, until they are sent. */
  draft_files: DraftFileTable
  /** Files uploaded before the message that has them. */
  uploads: UploadTable
  jobs: JobTable
  /** Directory: MTA-STS policies of domains (RFC 8461). */
  transport_policies: TransportPolicyTable
  events: EventTable
  /** Words of messages, in segments, each of which is written once. */
  search_segments: SearchSegmentTable
  search_blocks: SearchBlockTable
  /** Semantic models, and the vectors of messages. */
  search_models: SearchModelTable
  search_vectors: SearchVectorTable
  /** Log position up to which the messages of an account are indexed. */
  search_cursors: SearchCursorTable
  consumers: ConsumerTable
  /** Messages leased by a consumer, or due before later ones of their threads. */
  consumer_leases: ConsumerLeaseTable
  /** Messages that a consumer must not get: dead letters, and those handled out of order. */
  consumer_settled: ConsumerSettledTable
  /** Messages of the last days that two programs answered. */
  double_answers: DoubleAnswerTable
  /** Answers of the last hour to messages that programs submitted. */
  program_answers: ProgramAnswerTable
  /** Mailboxes at other servers that are inboxes here. */
  connections: ConnectionTable
  connection_folders: ConnectionFolderTable
  /** Messages ingested from them, by each of the keys that identify one. */
  connected_mails: ConnectedMailTable
  webhooks: WebhookTable
  webhook_dispatches: WebhookDispatchTable
  webhook_attempts: WebhookAttemptTable
}
