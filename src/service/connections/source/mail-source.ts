/** A folder of a mailbox. */
export interface SourceFolder {
  path: string
  role: 'inbox' | 'sent' | 'other'
}

/** State of a folder (RFC 9051 section 2.3.1.1). */
export interface FolderState {
  /** If it changes, UIDs refer to other messages than before. */
  uidValidity: string
  /** UID of the next message, or a smaller one. */
  uidNext: number
}

/** A message in a folder, as far as known without all its bytes. */
export interface SourceMail {
  uid: number
  size: number
  /** Time of arrival in the mailbox. */
  arrivedAt: Date | null
  isAnswered: boolean
  /** True if it is flagged as read. */
  isSeen: boolean
  /** Id in all folders, if the server gives one (RFC 8474, X-GM-MSGID). */
  globalId: string | null
  /** Its header, with the original line ends. */
  header: Uint8Array
  /** The whole message, if it was small and few were requested. */
  raw: Uint8Array | null
}

/**
 * A connection to a mailbox: IMAP now, JMAP and provider APIs later. It is used once: after a loss, open
 * another. Then every call rejects, and none hangs: a source ends itself if the server is silent.
 */
export interface MailSource {
  folders(): Promise<SourceFolder[]>
  /** Reads the current state of a folder. @throws MailSourceError `no_folder` */
  state(path: string): Promise<FolderState>
  /** Returns the UIDs above `after`, in order. */
  list(path: string, after: number, since: Date | null): Promise<number[]>
  /**
   * Describes messages in the order of their UIDs, without deleted ones.
   *
   * @param detail `header` requests no bytes beyond the header, even of small messages.
   * @throws MailSourceError `refused` if the server withholds an existing message
   */
  describe(path: string, uids: readonly number[], detail?: 'usual' | 'header'): Promise<SourceMail[]>
  /** Describes the messages after a UID if they are few; null if they may be many. */
  newest(path: string, after: number): Promise<SourceMail[] | null>
  /**
   * Returns the bytes of a message up to `maxBytes`; null if it was deleted. Marks nothing as read.
   *
   * @throws MailSourceError `refused` if the server withholds an existing message
   */
  read(path: string, uid: number, maxBytes: number): Promise<Uint8Array | null>
  /** Returns the UIDs of messages with this Message-ID. */
  find(path: string, messageId: string): Promise<number[]>
  /** Adds flags, without keywords that the folder does not accept. */
  flag(path: string, uids: readonly number[], flags: readonly string[]): Promise<void>
  append(path: string, raw: Uint8Array, flags: readonly string[], at: Date): Promise<void>
  /** Resolves when a folder may have news, or when `signal` aborts. Rejects when the source is lost. */
  wait(path: string, signal: AbortSignal): Promise<void>
  close(): void
}

/**
 * Kinds of failure: some are worth another attempt soon, others need a person first. After `refused` the
 * source still works.
 */
type MailSourceFailure =
  | 'unreachable'
  | 'login_refused'
  | 'needs_sign_in'
  | 'no_folder'
  | 'throttled'
  | 'refused'
  | 'lost'

/** A failure of a mailbox, described for its owner. */
export class MailSourceError extends Error {
  readonly kind: MailSourceFailure

  constructor(kind: MailSourceFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'MailSourceError'
    this.kind = kind
  }
}
