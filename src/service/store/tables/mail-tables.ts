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
  /** Labels of all its messages, without `unread`. */
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
  /** Mailing list that it came through, as JSON. */
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
  /** Program that submitted the words of a person, as JSON. */
  via: Generated<string | null>
  /**
   * Key of the author of a message that a program submitted, in lower case; null if a person submitted it.
   */
  program_author: Generated<string | null>
  /** Why a reply must be explicitly requested; null if the message can be answered. */
  unanswerable: Generated<string | null>
  /** Judgement of its sender, as JSON; null if there is none. */
  authentication: string | null
  /** 1 if its sender was new in the thread. */
  new_participant: Generated<number>
  /** Content of a bounce or a complaint, as JSON. */
  report: string | null
  /** Message of the same inbox that the report is about. */
  about_message_id: string | null
  flaws: string
  size: number
  sent_at: string | null
  received_at: string | null
  created_at: string
  has_attachment: number
  /** Position of the event that created it: the stable order of lists. */
  created_seq: number
  seq: number
  mail_from: string
  /** Hash of the original in the blob store; null if it is in the row. */
  blob_hash: string | null
  /** Hash of the message without its trace header fields: the same if a sender repeats it. */
  content_hash: string
  /** Null if it equals the body text. */
  reply_text: string | null
  /** Empty if `text_start` gives its place in the original. */
  body_text: string
  /** Offset of the text in `raw`, if it is verbatim there except for line ends. */
  text_start: number | null
  body_html: string | null
  headers: string
  /** Its label ids; deleted labels are ignored. Only here is `unread` stored. */
  label_ids: string
  /** Span that created it (W3C Trace Context); null without an OpenTelemetry SDK. */
  traceparent: Generated<string | null>
  /** Its sender, as JSON; null if it was received, sent elsewhere, or is older than this column. */
  sent_by: Generated<string | null>
  /** The operator who approved it, as JSON. */
  approved_by: Generated<string | null>
  /** The original, if it is small. */
  raw: ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>
}

/** A message ingested by another way than SMTP, so that a repeat is recognized. */
export interface InboundDeliveryTable {
  tenant_id: string
  inbox_id: string
  /** Hash of the key and the source's id of the message, or of its content if there was no id. */
  delivery: string
  content_hash: string
  message_id: string
  thread_id: string
  created_at: string
}

/** A signature that arrived, by its hash, so that a replay of its message is recognized. */
export interface SeenSignatureTable {
  signature: string
  /** Hash of the signature and the address of a recipient. */
  recipient: string
  arrived_at: string
}

/** Progress of the job that reads stored messages again for signed fields. */
export interface ProofReadingTable {
  tenant_id: string
  /** `created_seq` up to which they were read. */
  reached_seq: number
  started_at: string
  /** 1 once nodes of an older version can no longer add any. */
  done: Generated<number>
}

export interface AttachmentTable {
  tenant_id: string
  id: string
  message_id: string
  /** Position among the attachments of the original. */
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
  /** Name in lower case: unique in the account. */
  folded: string
  created_at: string
  seq: number
}

export interface MessageLabelTable {
  tenant_id: string
  label_id: string
  message_id: string
  /** `created_seq` of the message, so that those of a label are found in order. */
  created_seq: number
  /** Time at which it was assigned; null if an older version did so. */
  assigned_at: string | null
}

export interface ThreadLabelTable {
  tenant_id: string
  thread_id: string
  label_id: string
  /** `seq` of the thread. */
  seq: number
}

/** Bytes stored in the row if small, else in the blob store; both null once they are not needed. */
export interface StoredColumns {
  raw: ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>
  blob_hash: string | null
}

export interface UploadTable extends StoredColumns {
  tenant_id: string
  id: string
  /** Inbox of the key that uploaded it, if the key is for one only. */
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

/** Rate of a key or an address, shared by all nodes. */
export interface RateTable {
  kind: string
  key: string
  /** Microseconds since 1970: when the last slice was taken, and when the rate will be full again. */
  asked_at_us: number
  full_at_us: number
  /** Last slice. */
  granted: number
}

export interface BlobRemovalTable {
  id: string
  hash: string
  started_at: string
  /** Null while it is under way, and forever if it failed. */
  ended_at: string | null
}

export interface SearchSegmentTable {
  tenant_id: string
  id: string
  /** Searchable; incomplete; or merged into another segment, and kept for running searches. */
  state: 'live' | 'building' | 'merged'
  /** Number of its changes. */
  version: number
  /** Number of documents, including deleted ones. */
  documents: number
  /** Number of documents without deleted ones, and number of their words. */
  live: number
  words: number
  /** Lowest and highest `created_seq` of its messages. */
  first_seq: number
  last_seq: number
  /** Time since which it holds words of deleted documents. */
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

/** Semantic model of an account's messages: one is searched, and another may be replacing it. */
export interface SearchModelTable {
  tenant_id: string
  id: string
  /** The only inbox that it covers, for keys of that inbox; null if it covers the whole account. */
  inbox_id: string | null
  /** Embedder with its own model. */
  embedder: string
  /**
   * Place of its vectors: packed in rows of `search_vectors`, or a row each by the PostgreSQL extension
   * pgvector.
   */
  place: 'packed' | 'pgvector'
  state: 'building' | 'current'
  /** Log position up to which messages have vectors. */
  reached: Generated<number>
  /** Number of changes to its vectors. */
  version: Generated<number>
  /** At training: the number of messages, the last of them, and how many of 65,536 were sampled. */
  learned: Generated<number>
  learned_seq: Generated<number>
  learned_share: Generated<number>
  /** Number of changes to the trained model. */
  revision: Generated<number>
  /** Time since which messages of its training are deleted. */
  gone_at: string | null
  /** The trained model; null if the embedder needs no training. */
  knowledge: Uint8Array | null
}

/** Packed vectors of messages of one inbox, in the order of the messages. */
export interface SearchVectorTable {
  tenant_id: string
  model: string
  inbox_id: string
  first_seq: number
  last_seq: number
  /** Version of the model that added this block. */
  version: number
  vectors: Uint8Array
}

export interface SearchCursorTable {
  tenant_id: string
  /** Log position up to which everything is indexed. */
  seq: number
  /** Segments added since the last check for merges; a few are not counted off. */
  unmerged: Generated<number>
}
