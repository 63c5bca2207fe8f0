import {
  accountOperators,
  accounts,
  addresses,
  apiKeys,
  claimTokens,
  inboxes,
  lists,
  operatorCredentials,
  operatorProofs,
  operatorSessions,
  operators,
  signups,
} from './account-tables'
import { connectedMails, connectionFolders, connections } from './connection-tables'
import { consumerLeases, consumerSettled, consumers, doubleAnswers, programAnswers } from './consumer-tables'
import { dkimKeys, domainHosts, domains } from './domain-tables'
import { invitationVersions } from './invitation-tables'
import { auditEntries, events, jobs } from './log-tables'
import {
  attachments,
  attachmentTexts,
  inboundDeliveries,
  labels,
  messageLabels,
  messages,
  notes,
  presence,
  savedReplies,
  seenSignatures,
  threadAliases,
  threadKeys,
  threadLabels,
  threadMentions,
  threads,
  uploads,
} from './mail-tables'
import { searchBlocks, searchCursors, searchModels, searchSegments, searchVectors } from './search-tables'
import {
  draftFiles,
  drafts,
  recipients,
  sendCounts,
  sends,
  suppressions,
  transportPolicies,
} from './send-tables'
import { blobRemovals, blobs, erasedBlobs, host, keptAnswers, rates } from './store-tables'
import type { RowOf } from './table'
import { webhookAttempts, webhookDispatches, webhooks } from './webhook-tables'

export type Dialect = 'sqlite' | 'postgres'

/**
 * The tables. Every table except the directories starts with `tenant_id`, in its primary key, so that the
 * database can be split by tenant. Times are ISO 8601 text, lists and records are JSON text, flags are 0 or
 * 1: the same in both databases.
 */
export const tables = {
  /** Facts of the installation, such as the id of the database. */
  host,
  accounts,
  /** Directory: API keys by their hash. */
  api_keys: apiKeys,
  /** Directory: signups by the hash of their Idempotency-Key. */
  signups,
  /** Directory: claim links by the hash of their secret. */
  claim_tokens: claimTokens,
  /** Directory: the inbox of each address; an address is never assigned twice. */
  addresses,
  /**
   * Directory: people who sign in at the console. The sign-in library writes this and the next three tables.
   */
  operators,
  operator_sessions: operatorSessions,
  operator_credentials: operatorCredentials,
  /** Directory: hashes of secrets sent to an address to prove its owner. */
  operator_proofs: operatorProofs,
  /** Directory: accounts claimed by an operator. */
  account_operators: accountOperators,
  domains,
  /** Directory: the account that has proven to own a domain. */
  domain_hosts: domainHosts,
  /** Keys that sign messages; those of the service's own domain have the tenant `host`. */
  dkim_keys: dkimKeys,
  inboxes,
  threads,
  /** Events in the calendars of messages. */
  invitation_versions: invitationVersions,
  /** Operators who read or write in a thread now. */
  presence,
  /** Notes on threads. */
  notes,
  /** Texts that operators use for replies, by their names. */
  saved_replies: savedReplies,
  /** Thread of a Message-ID in an inbox, for messages that arrived or were only referred to. */
  thread_keys: threadKeys,
  thread_mentions: threadMentions,
  /** Threads merged into another: their ids lead there for good. */
  thread_aliases: threadAliases,
  messages,
  inbound_deliveries: inboundDeliveries,
  /** Directory: signatures of messages that arrived, at any account. */
  seen_signatures: seenSignatures,
  attachments,
  attachment_texts: attachmentTexts,
  labels,
  /** Messages of a label: the inverse of `label_ids` of messages. */
  message_labels: messageLabels,
  /** Threads of a label, in the order of their last change: the inverse of `label_ids` of threads. */
  thread_labels: threadLabels,
  lists,
  /** Directory: large blobs by their SHA-256, if the service has no folder for them. */
  blobs,
  /** Directory: originals of erased messages that may now be unreferenced. */
  erased_blobs: erasedBlobs,
  /** Directory: removals of large blobs from a bucket, current or of the last hour. */
  blob_removals: blobRemovals,
  /** Directory: rates of keys and addresses, if several nodes may count them. */
  rates,
  /** Recipients of outgoing messages, each with its status. */
  recipients,
  /** Sends by their client_id, kept as long as the account. */
  sends,
  /** Counts of an account's sent messages, by day and domain. */
  send_counts: sendCounts,
  /** Suppressed addresses of an account. */
  suppressions,
  /** Answers to requests with an Idempotency-Key, kept for a day. */
  kept_answers: keptAnswers,
  drafts,
  /** Files of drafts, until they are sent. */
  draft_files: draftFiles,
  /** Files uploaded before the message that has them. */
  uploads,
  jobs,
  /** Directory: MTA-STS policies of domains (RFC 8461). */
  transport_policies: transportPolicies,
  events,
  /** Who did what; entries are only inserted, and deleted when their retention is over. */
  audit_entries: auditEntries,
  /** Words of messages, in segments, each of which is written once. */
  search_segments: searchSegments,
  search_blocks: searchBlocks,
  /** Semantic models, and the vectors of messages. */
  search_models: searchModels,
  search_vectors: searchVectors,
  /** Log position up to which the messages of an account are indexed. */
  search_cursors: searchCursors,
  consumers,
  /** Messages leased by a consumer, or due before later ones of their threads. */
  consumer_leases: consumerLeases,
  /** Messages that a consumer must not get: dead letters, and those handled out of order. */
  consumer_settled: consumerSettled,
  /** Messages of the last days that two programs answered. */
  double_answers: doubleAnswers,
  /** Answers of the last hour to messages that programs submitted. */
  program_answers: programAnswers,
  /** Mailboxes at other servers that are inboxes here. */
  connections,
  connection_folders: connectionFolders,
  /** Messages ingested from them, by each of the keys that identify one. */
  connected_mails: connectedMails,
  webhooks,
  webhook_dispatches: webhookDispatches,
  webhook_attempts: webhookAttempts,
}

/** The rows of each table, for Kysely. */
export type Database = { [Name in keyof typeof tables]: RowOf<(typeof tables)[Name]> }
