import type { ColumnType, Generated } from 'kysely'

export interface ThreadTable {
  tenant_id: string
  id: string
  inbox_id: string
  subject: string
  participants: string
  message_count: number
  last_message_id: string
  last_message_created_seq: number
  last_message_at: string
  preview: string
  /** The labels of all its messages. */
  label_ids: string
  created_at: string
  seq: number
}

export interface ThreadKeyTable {
  tenant_id: string
  inbox_id: string
  rfc822_message_id: string
  thread_id: string
  /** Null while the message was only referred to. */
  message_id: string | null
}

/** A further thread that names a message which is not here. */
export interface ThreadMentionTable {
  tenant_id: string
  inbox_id: string
  rfc822_message_id: string
  thread_id: string
}

export interface ThreadAliasTable {
  tenant_id: string
  id: string
  thread_id: string
}

export interface MessageTable {
  tenant_id: string
  id: string
  inbox_id: string
  thread_id: string
  direction: string
  from_addr: string
  from_name: string | null
  to_addrs: string
  cc_addrs: string
  bcc_addrs: string
  reply_to: string
  /** The list that it came through, as JSON. */
  list: string | null
  subject: string
  preview: string
  delivery_status: string
  delivery_detail: string | null
  rfc822_message_id: string | null
  in_reply_to: string | null
  reference_ids: string
  auto_submitted: string
  auto_reason: string | null
  /** The program that submitted the words of a person, as JSON. */
  via: Generated<string | null>
  /** Key of the author of a message that a program submitted, in lower case; null if a person submitted it. */
  program_author: Generated<string | null>
  /** The reason why a reply needs to be asked for; null where the message can be answered. */
  unanswerable: Generated<string | null>
  /** The judgement of its sender, as JSON; null where none was made. */
  authentication: string | null
  /** 1 where its sender was no participant of the thread before. */
  new_participant: Generated<number>
  /** The content of a bounce or a complaint, as JSON. */
  report: string | null
  /** The message of the same inbox that the report is about. */
  about_message_id: string | null
  flaws: string
  size: number
  sent_at: string | null
  received_at: string | null
  created_at: string
  has_attachment: number
  /** Position of the event that made it: the stable order of lists. */
  created_seq: number
  seq: number
  mail_from: string
  /** The hash of the original in the blob store; null where it is in the row. */
  blob_hash: string | null
  /** Hash of the mail without its trace header fields: the same for a mail that a sender repeats. */
  content_hash: string
  /** Null where it is the body text. */
  reply_text: string | null
  /** Empty where `text_start` tells its place in the original. */
  body_text: string
  /** The offset of the text in `raw`, where it stands there as it is but for line ends. */
  text_start: number | null
  body_html: string | null
  headers: string
  /** The labels it has; one that is gone counts for nothing. Among them `unread`, of which no other row knows. */
  label_ids: string
  /** The span in which it came to be (W3C Trace Context); null without an SDK of OpenTelemetry. */
  traceparent: Generated<string | null>
  /** Who sent it, as JSON; null if it came in, was sent elsewhere, or is older than this column. */
  sent_by: Generated<string | null>
  /** The operator who approved it, as JSON. */
  approved_by: Generated<string | null>
  /** The original, where it is small. */
  raw: ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>
}

/** What was brought in by another way than SMTP, so that a repeat is recognised. */
export interface InboundDeliveryTable {
  tenant_id: string
  inbox_id: string
  /** Hash of the key and the id that its source gave the mail, or of its content where it gave none. */
  delivery: string
  content_hash: string
  message_id: string
  thread_id: string
  created_at: string
}

/** A signature that arrived, by its hash, so that a replay of its message is recognised. */
export interface SeenSignatureTable {
  signature: string
  /** Hash of the signature and the address of a recipient. */
  recipient: string
  arrived_at: string
}

/** Progress of the job that reads stored messages again for signed fields. */
export interface ProofReadingTable {
  tenant_id: string
  /** The `created_seq` up to which they were read. */
  reached_seq: number
  started_at: string
  /** 1 once nodes of an older version can have added no more. */
  done: Generated<number>
}

export interface AttachmentTable {
  tenant_id: string
  id: string
  message_id: string
  /** The position among the attachments of the original. */
  position: number
  filename: string | null
  content_type: string
  size: number
  inline: number
  content_id: string | null
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
  /** The `created_seq` of the message, so that those of a label are found in order. */
  created_seq: number
  /** The time at which it was put on; null where a version did so that did not note it. */
  assigned_at: string | null
}

export interface ThreadLabelTable {
  tenant_id: string
  thread_id: string
  label_id: string
  /** The `seq` of the thread. */
  seq: number
}

/** Bytes that lie in the row where they are small, else in the blob store; both null once they are not needed. */
export interface StoredColumns {
  raw: ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>
  blob_hash: string | null
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

export interface BlobTable {
  hash: string
  content: Uint8Array
  written_at: string
}

export interface ErasedBlobTable {
  hash: string
  erased_at: string
}

/** What all nodes together let a key or an address do. */
export interface RateTable {
  kind: string
  key: string
  /** Microseconds since 1970, when the last slice was taken, and when all of the rate will be there again. */
  asked_at_us: number
  full_at_us: number
  /** The last slice. */
  granted: number
}

export interface BlobRemovalTable {
  id: string
  hash: string
  started_at: string
  /** Null while it is under way, and for good where it failed. */
  ended_at: string | null
}

export interface SearchSegmentTable {
  tenant_id: string
  id: string
  /** Searched; not yet complete; or part of another one by now, and kept for searches that have begun. */
  state: 'live' | 'building' | 'merged'
  /** Counts its changes. */
  version: number
  /** The number of documents, with those that are gone. */
  documents: number
  /** The number of documents without those that are gone, and that of their words. */
  live: number
  words: number
  /** The least and the greatest `created_seq` of its messages. */
  first_seq: number
  last_seq: number
  /** The time since which it holds words of what is gone. */
  gone_at: string | null
  inbox_ids: string
  lengths: Uint8Array
  inboxes: Uint8Array
  seqs: Uint8Array
}

export interface SearchBlockTable {
  tenant_id: string
  segment: string
  first_term: string
  postings: Uint8Array
  positions: Uint8Array
}

/** What tells the meaning of an account's messages: one that is searched, and perhaps one that is to take its place. */
export interface SearchModelTable {
  tenant_id: string
  id: string
  /** The only inbox that it knows, for keys that reach no other; null where it knows all mail of the account. */
  inbox_id: string | null
  /** The embedder that it is of, with its own model. */
  embedder: string
  /** Where its vectors are: packed in rows of `search_vectors`, or a row each by the extension pgvector of PostgreSQL. */
  place: 'packed' | 'pgvector'
  state: 'building' | 'current'
  /** The position in the log up to which messages have vectors of it. */
  reached: Generated<number>
  /** Counts the changes of its vectors. */
  version: Generated<number>
  /** The number of messages there were when it was learned, the last of them, and how many of 65,536 were looked at. */
  learned: Generated<number>
  learned_seq: Generated<number>
  learned_share: Generated<number>
  /** Counts the changes of what was learned. */
  revision: Generated<number>
  /** The time since which messages that it was learned from are gone. */
  gone_at: string | null
  /** What was learned; null where the embedder knows by itself. */
  knowledge: Uint8Array | null
}

/** Vectors of messages of one inbox, packed, in the order in which the messages came to be. */
export interface SearchVectorTable {
  tenant_id: string
  model: string
  inbox_id: string
  first_seq: number
  last_seq: number
  /** The version of the model that this block came with. */
  version: number
  vectors: Uint8Array
}

export interface SearchCursorTable {
  tenant_id: string
  /** The position in the log up to which there is nothing more to take in. */
  seq: number
  /** The segments that were added since they were last looked through for what to merge; a few are not counted off. */
  unmerged: Generated<number>
}
