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
 * The tables. Every table but the directories starts with `tenant_id`, in its primary key, so that the
 * database can be split by tenant. Times are ISO 8601 text, lists and records are JSON text, flags are 0 or 1:
 * the two databases say these alike.
 */
export interface Database {
  /** Facts of the host, such as which data format this is. */
  host: HostTable
  accounts: AccountTable
  /** Directory: API keys, by their hash. */
  api_keys: ApiKeyTable
  /** Directory: signups by the hash of their Idempotency-Key. */
  signups: SignupTable
  /** Directory: claim links by the hash of their secret. */
  claim_tokens: ClaimTokenTable
  /** Directory: the inbox of each address; an address is never given twice. */
  addresses: AddressTable
  /** Directory: humans who sign in at the console. This and the next three are written by the library that signs them in. */
  operators: OperatorTable
  operator_sessions: OperatorSessionTable
  operator_credentials: OperatorCredentialTable
  /** Directory: hashes of the secrets that were sent to an address to prove whose it is. */
  operator_proofs: OperatorProofTable
  /** Directory: the accounts that an operator has claimed. */
  account_operators: AccountOperatorTable
  domains: DomainTable
  /** Directory: the account that has proven that a domain is its own. */
  domain_hosts: DomainHostTable
  /** The keys that mail is signed with; those of the service's own domain have the tenant `host`. */
  dkim_keys: DkimKeyTable
  inboxes: InboxTable
  threads: ThreadTable
  /**
   * The thread of an inbox that a Message-ID belongs to, be it of a message that has arrived or was only referred to.
   */
  thread_keys: ThreadKeyTable
  thread_mentions: ThreadMentionTable
  /** Threads that turned out to be part of another: their ids lead there for good. */
  thread_aliases: ThreadAliasTable
  messages: MessageTable
  inbound_deliveries: InboundDeliveryTable
  /** Directory: signatures of messages that arrived, at any account. */
  seen_signatures: SeenSignatureTable
  /** How far the stored messages of an account were read for signed fields. */
  proof_readings: ProofReadingTable
  attachments: AttachmentTable
  labels: LabelTable
  /** The messages of a label: `label_ids` of messages the other way round. */
  message_labels: MessageLabelTable
  /** The threads of a label, in the order of their last change: `label_ids` of threads the other way round. */
  thread_labels: ThreadLabelTable
  lists: ListTable
  /** Directory: large bytes by their SHA-256, where the service has no folder for them. */
  blobs: BlobTable
  /** Directory: originals whose message was erased, and which may have been the last to name them. */
  erased_blobs: ErasedBlobTable
  /** Directory: who removes large bytes from a bucket just now, or did within the hour. */
  blob_removals: BlobRemovalTable
  /** Directory: rates of keys and addresses, where several nodes may count them. */
  rates: RateTable
  /** Recipients of outgoing messages, each with its status. */
  recipients: RecipientTable
  /** Sends by their client_id, kept as long as the account. */
  sends: SendTable
  /** Counts of the mail that an account sent, by day and domain. */
  send_counts: SendCountTable
  /** Addresses that an account sends nothing to. */
  suppressions: SuppressionTable
  /** Answers to requests with an Idempotency-Key, kept for a day. */
  kept_answers: KeptAnswerTable
  drafts: DraftTable
  /** Files of drafts, until they are sent. */
  draft_files: DraftFileTable
  /** Files that were handed over ahead of the mail they go with. */
  uploads: UploadTable
  jobs: JobTable
  /** Directory: the MTA-STS policies of domains (RFC 8461). */
  transport_policies: TransportPolicyTable
  events: EventTable
  /** The words of messages, in segments, each of which is written once. */
  search_segments: SearchSegmentTable
  search_blocks: SearchBlockTable
  /** What tells the meaning of messages, and what it tells of each. */
  search_models: SearchModelTable
  search_vectors: SearchVectorTable
  /** The position in the log up to which the messages of an account are in the search index. */
  search_cursors: SearchCursorTable
  consumers: ConsumerTable
  /** Messages that a consumer has, or must have before later ones of their threads. */
  consumer_leases: ConsumerLeaseTable
  /** Messages that a consumer does not get, though it has not come that far: dead letters, and those handled along. */
  consumer_settled: ConsumerSettledTable
  /** Messages of the last days that two programs answered. */
  double_answers: DoubleAnswerTable
  /** Answers of the last hour to messages that programs submitted. */
  program_answers: ProgramAnswerTable
  /** Mailboxes at other servers that are inboxes here. */
  connections: ConnectionTable
  connection_folders: ConnectionFolderTable
  /** What was taken in from them, by each of the keys by which a mail is known again. */
  connected_mails: ConnectedMailTable
  webhooks: WebhookTable
  webhook_dispatches: WebhookDispatchTable
  webhook_attempts: WebhookAttemptTable
}
