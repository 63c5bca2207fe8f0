import type { CalendarOccurrence, CalendarSeries, CalendarWindow } from '../mail/calendar'
import type { ParsedAttachment } from '../mail/mime/attachment'
import type { AttachmentContent } from '../mail/parse'
import type { ParsedMail } from '../mail/parsed-mail'
import type { TextStatus } from '../protocol/names/text-status'
import type { FoundCode, FoundLink } from '../protocol/records/message'

export type { Clock } from '../protocol/time/clock'

/** Committed event. `json` is the same on socket, webhook and poll. */
export interface LogEntry {
  readonly seq: number
  readonly type: string
  readonly inboxId: string | null
  readonly json: string
}

/** Returns the new entries of a log, which are built when a reader calls it. */
export type LogHint = () => readonly LogEntry[]

/** Wake-ups: a hint that an account's log or a queue has something new. A lost one only costs latency. */
export interface Signals {
  /** Notifies all listeners of a topic: on this node at once, on others when the signal arrives. */
  publish(topic: string, hint?: LogHint): void
  /** Calls back on every hint. The returned function unsubscribes. */
  subscribe(topic: string, listener: (hint?: LogHint) => void): () => void
}

/** Large immutable bytes, addressed by the SHA-256 of their content. */
export interface BlobStore {
  /** Resolves once the bytes are on disk. Writing the same bytes twice is harmless. */
  write(hash: string, content: Uint8Array): Promise<void>
  /** Returns null if there are none under this hash. */
  read(hash: string): Promise<Uint8Array | null>
  /** Removes the bytes, unless they were written (again) at this time or later. */
  delete(hash: string, writtenBefore?: Date): Promise<void>
}

/** One message exchanger (RFC 5321 section 5.1). An empty `exchange` is a null MX (RFC 7505). */
export interface MailExchanger {
  exchange: string
  priority: number
}

/** One server of a service (RFC 2782). */
export interface ServiceRecord {
  /** Host, or an empty text if the domain has no such service. */
  name: string
  port: number
  priority: number
  weight: number
}

/**
 * DNS, which tests can replace. Rejects with an error whose `code` is `ENOTFOUND`, `ENODATA` or `ETIMEOUT`.
 */
export interface Resolver {
  mx(domain: string): Promise<MailExchanger[]>
  /** IPv4 and IPv6 addresses. */
  addresses(host: string): Promise<string[]>
  txt(domain: string): Promise<string[][]>
  /** Returns the names of an IPv4 or IPv6 address (PTR, RFC 1035 section 3.5, RFC 3596 section 2.5). */
  ptr(address: string): Promise<string[]>
  /** Returns the servers of a service such as `_imaps._tcp.example.com`. Without it, none are looked up. */
  srv?(name: string): Promise<ServiceRecord[]>
}

/** Incoming message, as a spam filter sees it. */
export interface SuspectMail {
  /** Original bytes. */
  raw: Uint8Array
  /** Empty for the null sender of bounces (RFC 5321 section 4.5.5). */
  mailFrom: string
  recipients: readonly string[]
  /** Null if the message comes from an inbox of this service. */
  remoteAddress: string | null
  /** Name in EHLO or HELO; null if the message comes from an inbox of this service. */
  heloName: string | null
}

/** Verdict of a spam filter on a message. */
export interface SpamVerdict {
  spam: boolean
  score?: number | undefined
  /** Names of the rules that matched, for the log. */
  reasons?: readonly string[] | undefined
}

/**
 * Spam filter for incoming messages, which runs before the sender gets `250`. A failure, or 5 s without an
 * answer, counts as no verdict.
 */
export interface SpamFilter {
  /** Classifies a message; `signal` aborts when the answer is no longer needed. */
  judge(mail: SuspectMail, signal: AbortSignal): Promise<SpamVerdict>
}

/**
 * Model of your own that gives texts of similar meaning similar vectors, for `createService()`.
 *
 * @example
 * ```ts
 * const embedder: Embedder = { id: 'my-model-1', embed: async (texts) => texts.map(() => [1, 0, 0]) }
 * const service = await createService({}, { embedder })
 * ```
 */
export interface Embedder {
  /** Id of the model: vectors of different models are never compared. */
  readonly id: string
  /** Returns a vector for each text, of any length. Rejects if it cannot embed, for now or at all. */
  embed(
    texts: readonly string[],
    kind: 'query' | 'document',
    signal: AbortSignal,
  ): Promise<readonly ArrayLike<number>[]>
}

/** File that has no text but on its pictures. A stranger made it: an engine may hang or crash on it. */
export interface OcrFile {
  bytes: Uint8Array
  /** `application/pdf`, or the type of a picture as its sender declared it. */
  contentType: string
  /** Numbers of the pages to read, from 1. */
  pages: readonly number[]
}

/**
 * Reads the text in pictures and scans. Returns the text of each page, in the order of `pages`. Files of which it
 * returns nothing, or for which it rejects, still have the status `needs_ocr`.
 *
 * @example
 * ```ts
 * import { createService, type Ocr } from 'restante/service'
 *
 * const ocr: Ocr = async ({ bytes, contentType }) => {
 *   const headers = { 'content-type': contentType }
 *   const answer = await fetch('http://127.0.0.1:8884/ocr', { method: 'POST', headers, body: Buffer.from(bytes) })
 *   return ((await answer.json()) as { pages: string[] }).pages
 * }
 * const service = await createService({}, { ocr })
 * ```
 */
export type Ocr = (file: OcrFile) => Promise<readonly string[]>

/** Structured log; secrets never enter it. */
export interface Logger {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** Request to the endpoint of a webhook. */
export interface EndpointRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** Answer of an endpoint, or the reason why there is none. */
export interface EndpointAnswer {
  /** Null if there was no answer. */
  httpStatus: number | null
  /** Reason why it counts as failed; null if it succeeded. */
  error: string | null
  /** First bytes of the answer, as text. */
  responseBody: string | null
}

/** Posts to an endpoint once; failures are answers. Rejects only when `signal` aborts. */
export type PostToEndpoint = (request: EndpointRequest, signal: AbortSignal) => Promise<EndpointAnswer>

/** Parts of a message that are searched for codes and links. */
export interface SearchedMail {
  subject: string
  text: string
  html: string | null
  /** Domain of the sender; null if there is none. */
  senderDomain: string | null
}

/** One-time codes, and links that trigger an action. */
export interface Findings {
  codes: FoundCode[]
  links: FoundLink[]
}

/** Signatures of one message to verify, with their key records. */
export interface SignatureTask {
  /** Offset of the body in the message. */
  bodyStart: number
  /** DKIM-Signature fields to verify, as unfolded values. */
  signatures: readonly { text: string; key: string }[]
  /** Key records of the ARC chain, by DNS name; null to skip the chain. */
  chainKeys: Readonly<Record<string, string>> | null
}

/** Result for one signature, in the terms of RFC 8601 section 2.7.1. */
export type SignatureResult = 'pass' | 'fail' | 'neutral' | 'policy'

/** Results of a {@link SignatureTask}. */
export interface SignatureResults {
  /** In the order of the task. */
  signatures: SignatureResult[]
  /** Chain of forwarders (ARC, RFC 8617). */
  chain: 'none' | 'pass' | 'fail'
}

/** Providers whose requests are large and mostly written by strangers. */
export type PostingProvider = 'mailgun' | 'postmark'

/** Message in the request of a provider. */
export interface PostedMail {
  from: string
  to: string[]
  sourceId?: string | undefined
  clientIp?: string | undefined
  helo?: string | undefined
  raw: Uint8Array
}

/** Parser in worker threads, which hostile messages may hang or crash without harm. */
export interface MailParser {
  /**
   * Parses a message. If time or memory runs out, returns the header with the flaw `parser-timeout` or
   * `parser-crashed`. If the header could not be read either, returns nothing of it and adds the flaw
   * `unread`.
   *
   * @param mailFrom Envelope sender of an incoming message.
   * @throws an error with the code `PARSER_UNAVAILABLE` if no thread can be started
   */
  parse(raw: Uint8Array, mailFrom?: string): Promise<ParsedMail>
  /**
   * Reads attachments by their `index`; null for each that does not exist or could not be read.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` if no thread can be started
   */
  attachments(raw: Uint8Array, indexes: readonly number[]): Promise<(AttachmentContent | null)[]>
  /**
   * Finds codes and links. Returns none if time or memory runs out, or no thread can be started, since
   * messages are readable without them.
   */
  findings(mail: SearchedMail): Promise<Findings>
  /**
   * Expands events to their occurrences in a period, for each in order. Rejects if time or memory runs out.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` if no thread can be started
   */
  occurrences(series: readonly CalendarSeries[], window: CalendarWindow): Promise<CalendarOccurrence[][]>
  /**
   * Converts Markdown to HTML, and that to text. Rejects if time or memory runs out.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` if no thread can be started
   */
  markdown(markdown: string): Promise<{ html: string; text: string }>
  /**
   * Converts HTML to text. Rejects if time or memory runs out.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` if no thread can be started
   */
  htmlText(html: string): Promise<string>
  /**
   * Extracts the message from a provider's request, or returns a text that says what is missing. Rejects if
   * time or memory runs out.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` if no thread can be started
   */
  posted(provider: PostingProvider, body: Uint8Array, contentType: string): Promise<PostedMail | string>
  /**
   * Verifies the signatures of a message (DKIM and ARC). Rejects if time or memory runs out.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` if no thread can be started
   */
  verifySignatures(raw: Uint8Array, task: SignatureTask): Promise<SignatureResults>
  /** Returns true if threads can be started; after a failure it tries again. */
  canRead(): Promise<boolean>
  /** Returns the number of messages that wait for a thread. */
  waiting(): number
  /** Finishes pending work and ends the threads. Later calls are refused. */
  close(): Promise<void>
}

/** Name and declared type of a file, which a stranger chose, and the password that the caller gave. */
export interface FileHints {
  filename: string | null
  contentType: string
  /** Opens an encrypted PDF. */
  password?: string | undefined
}

/** Text of a file as Markdown, or the reason why there is none. */
export interface Extraction {
  status: Exclude<TextStatus, 'pending'>
  /** Format that the content has, such as `pdf`; null if it is unknown. */
  format: string | null
  /** Pages of a PDF, slides, sheets, chapters; one page for other formats. */
  pages: readonly string[]
  /** Number of pages of the file, with those that a limit left out. */
  pageCount: number
  /** True if a limit cut the text. */
  isCut: boolean
  /** Estimated tokens of the text; missing without a text, and in results of earlier versions. */
  tokens?: number
  /** Files in an archive or a message; missing for other formats. */
  files?: readonly ParsedAttachment[]
  /** True if the OCR engine found no text: it is not asked again. */
  isWithoutWords?: boolean
}

/** File in an archive or in an attached message, or the reason why it cannot be taken out. */
export type FileWithin =
  | { status: 'ready'; contentType: string; content: Uint8Array }
  | { status: Exclude<TextStatus, 'ready' | 'pending'> }

/** Message that a file is, or the reason why it is not opened: `unsupported` for a file that is no message. */
export type OpenedMail =
  | { status: 'ready'; mail: ParsedMail }
  | { status: Exclude<TextStatus, 'ready' | 'pending'> }

/**
 * Reads files, which may hang or crash it without harm. No call rejects for a file, only once the extractor is
 * closed.
 */
export interface Extractor {
  extract(bytes: Uint8Array, hints: FileHints): Promise<Extraction>
  open(bytes: Uint8Array, hints: FileHints): Promise<OpenedMail>
  /** Returns a file in an archive or a message. @param index as in `Extraction.files` */
  fileWithin(bytes: Uint8Array, hints: FileHints, index: number): Promise<FileWithin>
  close(): Promise<void>
}
