import type { AttachmentContent, ParsedMail } from '../mail'
import type { FoundCode, FoundLink } from '../protocol/records'

export type { Clock } from '../protocol/time'

/** A committed event, ready to be told: `json` is the same on socket, webhook and poll. */
export interface LogEntry {
  readonly seq: number
  readonly type: string
  readonly inboxId: string | null
  readonly json: string
}

/** Gives the new entries of a log, made when a reader asks for them. */
export type LogHint = () => readonly LogEntry[]

/** Wake-ups: a hint that an account's log or a queue has something new. A lost one costs latency only. */
export interface Signals {
  /** Tells every listener of this topic, on this node at once, on others as soon as it gets there. */
  publish(topic: string, hint?: LogHint): void
  /** Calls back on every hint; the returned function ends it. */
  subscribe(topic: string, listener: (hint?: LogHint) => void): () => void
}

/** Large immutable bytes, addressed by the SHA-256 of their content. */
export interface BlobStore {
  /** Resolves once the bytes are on disk. Writing the same bytes twice is harmless. */
  write(hash: string, content: Uint8Array): Promise<void>
  /** Null when there are none under this hash. */
  read(hash: string): Promise<Uint8Array | null>
  /** Removes the bytes, unless they were written (again) at this time or later. */
  delete(hash: string, writtenBefore?: Date): Promise<void>
}

/** One mail exchanger (RFC 5321 section 5.1). An empty `exchange` is a null MX (RFC 7505). */
export interface MailExchanger {
  exchange: string
  priority: number
}

/** DNS, so that tests can own it. Rejects with an error whose `code` is `ENOTFOUND`, `ENODATA` or `ETIMEOUT`. */
export interface Resolver {
  mx(domain: string): Promise<MailExchanger[]>
  /** IPv4 and IPv6 addresses. */
  addresses(host: string): Promise<string[]>
  txt(domain: string): Promise<string[][]>
  /** The names of an IPv4 or IPv6 address, as its reverse zone tells them (RFC 1035 section 3.5, RFC 3596 section 2.5). */
  ptr(address: string): Promise<string[]>
}

/** A mail that comes in, as a spam filter sees it. */
export interface SuspectMail {
  /** Byte for byte. */
  raw: Uint8Array
  /** Empty for the null sender of bounces (RFC 5321 section 4.5.5). */
  mailFrom: string
  recipients: readonly string[]
  /** Null where the mail comes from an inbox of this service. */
  remoteAddress: string | null
  /** The name in EHLO or HELO; null where the mail comes from an inbox of this service. */
  heloName: string | null
}

/** The verdict of a spam filter on a mail. */
export interface SpamVerdict {
  spam: boolean
  score?: number | undefined
  /** Names of the rules that counted, for the log. */
  reasons?: readonly string[] | undefined
}

/** Judges incoming mail before its sender hears `250`. A failure, or 5 s without an answer, is no verdict. */
export interface SpamFilter {
  /** Judges a mail; `signal` aborts when the answer is no longer awaited. */
  judge(mail: SuspectMail, signal: AbortSignal): Promise<SpamVerdict>
}

/** What a text means. */
export interface Embedding {
  /** Of length 1; all zero where nothing in the text means anything. */
  readonly vector: Float32Array
  /** From 0 to 1: what few words say is less sure. */
  readonly confidence: number
}

/** Gives texts vectors that are alike where their meaning is. */
export interface Embedder {
  /** Names its model: vectors of two are never compared. */
  readonly id: string
  /** Rejects where it cannot, for now or at all. */
  embed(
    texts: readonly string[],
    kind: 'query' | 'document',
    signal: AbortSignal,
  ): Promise<readonly Embedding[]>
}

/** A structured log; secrets never enter it. */
export interface Logger {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** A request to the endpoint of a webhook. */
export interface EndpointRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/** The answer of an endpoint, or why there is none. */
export interface EndpointAnswer {
  /** Null where no answer came. */
  httpStatus: number | null
  /** The reason why it counts as failed; null where it does not. */
  error: string | null
  /** The first bytes of the answer, as text. */
  responseBody: string | null
}

/** Posts to an endpoint once; failures are answers. Rejects only when `signal` aborts. */
export type PostToEndpoint = (request: EndpointRequest, signal: AbortSignal) => Promise<EndpointAnswer>

/** The parts of a message in which codes and links are looked for. */
export interface SearchedMail {
  subject: string
  text: string
  html: string | null
  /** The domain of the sender; null if there is none. */
  senderDomain: string | null
}

/** One-time codes, and links that do something. */
export interface Findings {
  codes: FoundCode[]
  links: FoundLink[]
}

/** Signatures of one message to verify, with the records of their keys. */
export interface SignatureTask {
  /** Offset of the body in the message. */
  bodyStart: number
  /** The DKIM-Signature fields to verify, by their unfolded values. */
  signatures: readonly { text: string; key: string }[]
  /** The records of the keys of the ARC chain, by DNS name; null if the chain is not to be verified. */
  chainKeys: Readonly<Record<string, string>> | null
}

/** The result of verifying one signature, in the words of RFC 8601 section 2.7.1. */
export type SignatureResult = 'pass' | 'fail' | 'neutral' | 'policy'

/** The results of a {@link SignatureTask}. */
export interface SignatureResults {
  /** In the order of the task. */
  signatures: SignatureResult[]
  /** The chain of forwarders (ARC, RFC 8617). */
  chain: 'none' | 'pass' | 'fail'
}

/** Providers whose posts are large, and written by strangers for the most part. */
export type PostingProvider = 'mailgun' | 'postmark'

/** A mail in the post of a provider. */
export interface PostedMail {
  from: string
  to: string[]
  sourceId?: string | undefined
  clientIp?: string | undefined
  helo?: string | undefined
  raw: Uint8Array
}

/** Reads mail in worker threads, which a hostile mail may hang or crash without harm. */
export interface MailParser {
  /**
   * Reads a mail. If the time or the memory did not suffice, it gives what the header says and the flaw
   * `parser-timeout` or `parser-crashed`. If the header could not be read either, it gives nothing, and the flaw
   * `unread` as well.
   *
   * @param mailFrom The envelope sender, of a mail that came in.
   * @throws an error with the code `PARSER_UNAVAILABLE` where no thread can be started
   */
  parse(raw: Uint8Array, mailFrom?: string): Promise<ParsedMail>
  /**
   * Reads attachments by their `index`; null for each that there is not or that could not be read.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` where no thread can be started
   */
  attachments(raw: Uint8Array, indexes: readonly number[]): Promise<(AttachmentContent | null)[]>
  /**
   * Finds codes and links. Returns none if time or memory did not suffice, or no thread can be started: they are a
   * convenience, and the message can be read without them.
   */
  findings(mail: SearchedMail): Promise<Findings>
  /**
   * Turns Markdown into HTML, and that into text; rejects if time or memory did not suffice.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` where no thread can be started
   */
  markdown(markdown: string): Promise<{ html: string; text: string }>
  /**
   * Turns HTML into text; rejects if time or memory did not suffice.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` where no thread can be started
   */
  htmlText(html: string): Promise<string>
  /**
   * Reads the mail in what a provider posted; what it lacks, in words, if there is none. Rejects if time or memory did not
   * suffice.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` where no thread can be started
   */
  posted(provider: PostingProvider, body: Uint8Array, contentType: string): Promise<PostedMail | string>
  /**
   * Verifies the signatures of a message (DKIM and ARC). Rejects if the time or the memory did not suffice.
   *
   * @throws an error with the code `PARSER_UNAVAILABLE` if no thread can be started
   */
  verifySignatures(raw: Uint8Array, task: SignatureTask): Promise<SignatureResults>
  /** Tells whether threads can be started; after a failure it tries. */
  canRead(): Promise<boolean>
  /** The number of mails that wait for a thread. */
  waiting(): number
  /** Finishes what was asked and ends the threads. What is asked afterwards is refused. */
  close(): Promise<void>
}
