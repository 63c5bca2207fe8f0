import type { Transform } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FetchMessageObject, ImapFlow, SearchObject } from 'imapflow'
import { maxMailBytes } from '../../protocol/records/upload-limit'
import { loadLater } from '../base/load-later'
import { minuteMs } from '../base/time'
import type { MailServer } from './discovery/providers'
import type { Credentials } from './login'
import {
  type FolderState,
  type MailSource,
  MailSourceError,
  type SourceFolder,
  type SourceMail,
} from './source/mail-source'
import { nextStep } from './source/refusals'

const loadImap = loadLater(() => import('#imapflow'))

/**
 * Socket timeout in ms, longer than the time between two looks: the next command finds a half-open
 * connection.
 */
const silenceMs = 120_000
const connectMs = 30_000
/** Messages up to this size are fetched with their description. */
const maxSmallBytes = 64 * 1024
const maxLiteralBytes = maxMailBytes + 64 * 1024
const maxResponseBytes = maxLiteralBytes + 1024 * 1024
/** Number of messages that are described with all their bytes, in one round trip. */
const maxNewest = 10
/** Unrequested rows, such as flags that a person changes meanwhile: more end the connection. */
const maxUnasked = 10_000

interface ImapOptions {
  server: MailServer
  /** Resolved address of the server. */
  address: string
  credentials: Credentials
  /** Accepts any certificate, as on a private network. */
  anyCertificate: boolean
}

interface ImapError extends Error {
  code?: string
  authenticationFailed?: boolean
  responseText?: string
  serverResponseCode?: string
}

const lineOf = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 300)

function failureOf(error: ImapError, { server, credentials }: ImapOptions): MailSourceError {
  const { host, port } = server
  const cause = { cause: error }
  const reply = lineOf(error.responseText ?? error.message)
  if (error.authenticationFailed) {
    const remedy =
      nextStep(reply) ??
      ('accessToken' in credentials
        ? 'check that the scopes of the token are for IMAP'
        : 'Gmail, Yahoo and iCloud want an app password, Microsoft 365 OAuth')
    return new MailSourceError('login_refused', `${host} refused the login (${reply}): ${remedy}.`, cause)
  }
  if (error.code === 'ETHROTTLE' || error.serverResponseCode === 'LIMIT')
    return new MailSourceError('throttled', `${host} limits the connection for now (${reply}).`, cause)
  const step = nextStep(`${reply} ${error.code ?? ''}`)
  return new MailSourceError(
    'unreachable',
    `${host}:${port} cannot be used: ${reply}${step ? `: ${step}` : ''}.`,
    cause,
  )
}

async function connect(options: ImapOptions, signal: AbortSignal): Promise<ImapFlow> {
  const { server, address, credentials, anyCertificate } = options
  const { ImapFlow } = await loadImap()
  const client = new ImapFlow({
    host: address,
    port: server.port,
    servername: server.host === address ? undefined : server.host,
    secure: server.tls === 'implicit',
    ...(server.tls !== 'implicit' && { doSTARTTLS: server.tls === 'starttls' }),
    tls: { rejectUnauthorized: !anyCertificate },
    auth: credentials,
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: connectMs,
    socketTimeout: silenceMs,
    maxLiteralSize: maxLiteralBytes,
    maxResponseSize: maxResponseBytes,
    maxLineLength: maxLiteralBytes,
    clientInfo: { name: 'restante' },
  })
  boundServer(client)
  // After a later error, the next call rejects.
  client.on('error', () => {})
  const stop = () => client.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    throw failureOf(error as ImapError, options)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const endOfHeader = (raw: Buffer): number => {
  const ends = ['\r\n\r\n', '\n\n'].map((end) => raw.indexOf(end)).filter((at) => at >= 0)
  return ends.length > 0 ? Math.min(...ends) : raw.length
}

const dateOf = (value: Date | string | undefined): Date | null => {
  const date = value === undefined ? null : new Date(value)
  return date && !Number.isNaN(date.getTime()) ? date : null
}

function sourceMail(message: FetchMessageObject): SourceMail {
  const { uid, source, headers, flags, emailId, internalDate } = message
  const size = message.size ?? source?.length ?? 0
  // Some servers return less than requested.
  const isWhole = source !== undefined && source.length < maxSmallBytes && source.length >= size
  const header = headers ?? source?.subarray(0, endOfHeader(source)) ?? Buffer.alloc(0)
  return {
    uid,
    size,
    arrivedAt: dateOf(internalDate),
    isAnswered: flags?.has('\\Answered') ?? false,
    isSeen: flags?.has('\\Seen') ?? false,
    globalId: emailId ?? null,
    header,
    raw: isWhole ? source : null,
  }
}

const described = { uid: true, flags: true, internalDate: true, size: true } as const
const withHeader = { ...described, headers: true } as const
const withSmall = { ...described, source: { start: 0, maxLength: maxSmallBytes } } as const

const rolesByUse: Record<string, SourceFolder['role']> = { '\\Inbox': 'inbox', '\\Sent': 'sent' }

/** Connects to a mailbox by IMAP (RFC 9051, RFC 3501). @throws MailSourceError */
export async function openImapSource(options: ImapOptions, signal: AbortSignal): Promise<MailSource> {
  return createImapSource(await connect(options, signal), options)
}

class ImapSource implements MailSource {
  readonly #client: ImapFlow
  readonly #options: ImapOptions
  readonly #host
  /** Number of messages announced since the last look. */
  #announced = Number.POSITIVE_INFINITY
  #lost: MailSourceError | null = null
  /** Folders whose UIDNEXT was found correct. */
  readonly #isRightIn = new Set<string>()

  constructor(client: ImapFlow, options: ImapOptions) {
    this.#client = client
    this.#options = options
    const { host } = options.server
    this.#host = host
    client.on('exists', ({ count, prevCount }: { count: number; prevCount: number }) => {
      this.#announced += Math.max(1, count - prevCount)
      this.#wake()
    })
    client.on('close', () => {
      this.#lost ??= new MailSourceError('lost', `${host} ended the connection.`)
      this.#wake()
    })
  }

  readonly folders: MailSource['folders'] = () =>
    this.#ask(async () =>
      (await this.#client.list()).map(({ path, specialUse }) => ({
        path,
        role: rolesByUse[specialUse ?? ''] ?? (path.toUpperCase() === 'INBOX' ? 'inbox' : 'other'),
      })),
    )

  readonly state: MailSource['state'] = (path) => this.#ask(() => this.#stateOf(path))

  readonly list: MailSource['list'] = (path, after, since) =>
    this.#ask(async () => {
      await this.#select(path)
      this.#announced = 0
      const uids = await this.#search({ uid: `${after + 1}:*`, ...(since && { since }) })
      return uids.filter((uid) => uid > after).sort((one, other) => one - other)
    })

  readonly describe: MailSource['describe'] = (path, uids, detail = 'usual') =>
    this.#ask(async () => {
      if (uids.length === 0) return []
      await this.#select(path)
      const isWhole = detail === 'usual' && uids.length <= maxNewest
      const query = isWhole ? withSmall : withHeader
      return this.#fetchOf(uids, async (asked) => {
        if (asked.length === 0) return []
        const wanted = new Set(asked)
        const mails = await this.#fetch(asked.join(','), query, (uid) => wanted.has(uid), wanted.size)
        for (const { uid, header, size } of mails) if (header.length > 0 || size === 0) wanted.delete(uid)
        if (!isWhole || wanted.size === 0) {
          await this.#requireDeleted([...wanted])
          return mails
        }
        // Not every server supports partial fetches.
        const others = mails.filter(({ uid }) => !wanted.has(uid))
        const again = await this.#fetch(
          [...wanted].join(','),
          withHeader,
          (uid) => wanted.has(uid),
          wanted.size,
        )
        for (const { uid } of again) wanted.delete(uid)
        await this.#requireDeleted([...wanted])
        return [...others, ...again].sort((one, other) => one.uid - other.uid)
      })
    })

  readonly newest: MailSource['newest'] = (path, after) =>
    this.#ask(async () => {
      await this.#select(path)
      if (this.#announced > maxNewest) return null
      const expected = this.#announced
      this.#announced = 0
      const mails = await this.#fetch(`${after + 1}:*`, withSmall, (uid) => uid > after, 5 * maxNewest)
      // Messages that arrived meanwhile were announced before they were sent (RFC 9051 section 7.4.1), so
      // they do not replace missing ones. Missing messages are deleted or unreadable: a list shows which.
      if (mails.length < expected + this.#announced) return null
      this.#announced = 0
      return mails
    })

  readonly read: MailSource['read'] = (path, uid, maxBytes) =>
    this.#ask(async () => {
      await this.#select(path)
      const query = { uid: true, source: { start: 0, maxLength: maxBytes } }
      return this.#fetchOf([uid], async (asked) => {
        if (asked.length === 0) return null
        let found: Uint8Array | null = null
        for await (const { source } of this.#rows(String(uid), query, (one) => one === uid, 1))
          found = source ?? null
        if (!found) await this.#requireDeleted([uid])
        return found
      })
    })

  readonly find: MailSource['find'] = (path, messageId) =>
    this.#ask(async () => {
      await this.#select(path)
      return this.#search({ header: { 'message-id': messageId } })
    })

  readonly flag: MailSource['flag'] = (path, uids, flags) =>
    this.#ask(async () => {
      await this.#select(path)
      const mailbox = this.#client.mailbox || undefined
      const permanent = mailbox?.permanentFlags
      const taken = flags.filter(
        (flag) => !permanent || permanent.size === 0 || permanent.has(flag) || permanent.has('\\*'),
      )
      if (taken.length > 0) await this.#client.messageFlagsAdd(uids.join(','), [...taken], { uid: true })
    })

  readonly append: MailSource['append'] = (path, raw, flags, at) =>
    this.#ask(async () => {
      await this.#client.append(path, Buffer.from(raw), [...flags], at)
    })

  readonly wait: MailSource['wait'] = (path, signal) =>
    this.#ask(async () => {
      await this.#select(path)
      if (this.#announced > 0 || signal.aborted) return
      const news = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const stop = () => this.#wake()
      signal.addEventListener('abort', stop, { once: true })
      // It ends with the next command.
      const idling = this.#client.idle().catch(() => {})
      await news
      signal.removeEventListener('abort', stop)
      void idling
      if (this.#lost) throw this.#lost
    })

  readonly close: MailSource['close'] = () => this.#client.close()

  #wake = () => {}

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lost) throw this.#lost
    try {
      return await work()
    } catch (error) {
      if (error instanceof MailSourceError) throw error
      const { authenticationFailed, code } = error as ImapError
      if (authenticationFailed || code === 'ETHROTTLE') throw failureOf(error as ImapError, this.#options)
      const reply = lineOf((error as ImapError).responseText ?? (error as Error).message)
      const kind = this.#client.usable ? 'refused' : 'lost'
      const step = nextStep(reply)
      throw new MailSourceError(kind, `${this.#host} failed: ${reply}${step ? `: ${step}` : ''}.`, {
        cause: error,
      })
    }
  }

  #selected() {
    return this.#client.mailbox ? this.#client.mailbox.path : null
  }

  async #select(path: string): Promise<void> {
    if (this.#selected() === path) return
    try {
      // Opened for writing, to set flags; reading with PEEK marks nothing.
      await this.#client.mailboxOpen(path)
      this.#announced = Number.POSITIVE_INFINITY
    } catch (error) {
      const { responseText = '' } = error as ImapError
      if (!this.#client.usable) throw error
      throw new MailSourceError(
        'no_folder',
        `${this.#host} does not open the folder ${path}${responseText ? ` (${lineOf(responseText)})` : ''}.`,
        { cause: error },
      )
    }
  }

  /** Returns UIDNEXT, which is verified once: some servers omit it, or return an old value. */
  async #uidNextOf(path: string, reply: number, mails: number | undefined): Promise<number> {
    if (this.#isRightIn.has(path) || mails === 0) return reply
    await this.#select(path)
    const last = Math.max(0, ...(await this.#search({ uid: `${reply}:*` })))
    if (reply > 1 && last < reply) this.#isRightIn.add(path)
    return Math.max(reply, last + 1)
  }

  async #stateOf(path: string): Promise<FolderState> {
    if (this.#selected() !== path) {
      const status = await this.#client.status(path, { messages: true, uidNext: true, uidValidity: true })
      if (status && status.uidValidity !== undefined)
        return {
          uidValidity: String(status.uidValidity),
          uidNext: await this.#uidNextOf(path, Number(status.uidNext || 1), status.messages),
        }
    }
    await this.#select(path)
    const { mailbox } = this.#client
    if (!mailbox) throw new MailSourceError('no_folder', `${this.#host} has no folder ${path}.`)
    return {
      uidValidity: String(mailbox.uidValidity ?? 0),
      uidNext: await this.#uidNextOf(path, Number(mailbox.uidNext || 1), mailbox.exists),
    }
  }

  /** A refusal must not count as an empty folder: the position would move past unseen messages. */
  async #search(query: SearchObject): Promise<number[]> {
    const uids = await this.#client.search(query, { uid: true })
    if (!uids)
      throw new MailSourceError(this.#client.usable ? 'refused' : 'lost', `${this.#host} refused to search.`)
    return uids
  }

  /**
   * Requires that missing messages were deleted. The server may instead refuse them, or send them unreadable;
   * they must not be skipped silently.
   *
   * @throws MailSourceError `refused`
   */
  async #requireDeleted(uids: readonly number[]): Promise<void> {
    const [first] = await this.#stillThere(uids)
    if (first !== undefined)
      throw new MailSourceError('refused', `${this.#host} lists UID ${first}, but returns no content for it.`)
  }

  async #stillThere(uids: readonly number[]): Promise<number[]> {
    if (uids.length === 0) return []
    // A server may report deletions only with this command.
    await this.#client.noop()
    return (await this.#search({ uid: uids.join(',') })).filter((uid) => uids.includes(uid))
  }

  /**
   * Fetches messages; if that fails because some were deleted meanwhile (RFC 2180 section 4.1), fetches the
   * rest.
   */
  async #fetchOf<T>(uids: readonly number[], work: (uids: readonly number[]) => Promise<T>) {
    try {
      return await work(uids)
    } catch (error) {
      if (!this.#client.usable || error instanceof MailSourceError) throw error
      const left = await this.#stillThere(uids)
      if (left.length === uids.length) throw error
      return work(left)
    }
  }

  /** Reads rows one by one, since a server may send them endlessly. @throws MailSourceError `lost` */
  async *#rows(range: string, query: object, isAsked: (uid: number) => boolean, max: number) {
    let asked = 0
    let unasked = 0
    for await (const message of this.#client.fetch(range, query, { uid: true })) {
      const hasBytes = message.source !== undefined || message.headers !== undefined
      if (hasBytes && isAsked(message.uid)) asked++
      else unasked++
      if (asked > max || unasked > maxUnasked)
        throw new MailSourceError('lost', `${this.#host} answered with more mail than it was asked for.`)
      if (hasBytes && isAsked(message.uid)) yield message
    }
  }

  async #fetch(
    range: string,
    query: object,
    isAsked: (uid: number) => boolean,
    max: number,
  ): Promise<SourceMail[]> {
    const found: SourceMail[] = []
    for await (const message of this.#rows(range, query, isAsked, max)) found.push(sourceMail(message))
    return found.sort((one, other) => one.uid - other.uid)
  }
}

const createImapSource = (client: ImapFlow, options: ImapOptions): MailSource =>
  new ImapSource(client, options)

/** Time in ms that one connection works in a turn of the event loop before others run. */
const maxTurnMs = 20

interface Bounds {
  maxLines: number
  maxBytes: number
}

/** Limit on unrequested input in a minute. */
const unasked: Bounds = { maxLines: 10_000, maxBytes: 1024 * 1024 }
/**
 * Limit on the answer to one command except FETCH, whose rows are counted as they are read. A search may list
 * a million UIDs.
 */
const answer: Bounds = { maxLines: 100_000, maxBytes: 32 * 1024 * 1024 }

/** Parts of imapflow that its types do not name. */
interface Internals {
  streamer: Transform
  currentRequest: false | { command: string }
  handleResponse(data: unknown): Promise<boolean>
}

const lineFeed = 0x0a

function linesIn(chunk: Uint8Array): number {
  let lines = 0
  for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) lines++
  return lines
}

/** Count of a server's input since the start of a minute or of a command. */
class InputCount {
  #lines = 0
  #bytes = 0
  #for: unknown
  #sinceMs = 0

  /** Adds a chunk; returns true if it is too much. */
  exceeds(chunk: Uint8Array, request: Internals['currentRequest'], nowMs: number): boolean {
    const isAsked = request !== false && request.command !== 'IDLE'
    if (isAsked && /FETCH$/.test(request.command)) return false
    const what = isAsked ? request : 'unasked'
    if (this.#for !== what || (!isAsked && nowMs - this.#sinceMs >= minuteMs)) {
      this.#lines = 0
      this.#bytes = 0
      this.#for = what
      this.#sinceMs = nowMs
    }
    this.#lines += linesIn(chunk)
    this.#bytes += chunk.length
    const { maxLines, maxBytes } = isAsked ? answer : unasked
    return this.#lines > maxLines || this.#bytes > maxBytes
  }
}

/** Ends a connection whose server sends more than requested. */
function boundInput({ streamer }: Internals, requestNow: () => Internals['currentRequest']): void {
  const write = streamer.write.bind(streamer) as (...given: unknown[]) => boolean
  const unaskedCount = new InputCount()
  const answerCount = new InputCount()
  streamer.write = ((...given: unknown[]) => {
    const [chunk] = given
    const request = requestNow()
    const count = request !== false && request.command !== 'IDLE' ? answerCount : unaskedCount
    if (chunk instanceof Uint8Array && count.exceeds(chunk, request, performance.now())) {
      streamer.destroy(new Error('The server sends more than it was asked for'))
      return false
    }
    return write(...given)
  }) as typeof streamer.write
}

/** Yields to the event loop once a connection has worked long enough. */
function boundTurns(client: Internals): void {
  const handle = client.handleResponse.bind(client)
  let beganAtMs: number | undefined
  client.handleResponse = async (data) => {
    if (beganAtMs === undefined) {
      beganAtMs = performance.now()
      setImmediate(() => {
        beganAtMs = undefined
      })
    } else if (performance.now() - beganAtMs >= maxTurnMs) await nextTurn()
    return handle(data)
  }
}

/**
 * Bounds the work that the server of a connection can cause: processing yields after 20 ms. The connection
 * closes after 10,000 lines or 1 MiB of unrequested input in a minute.
 */
function boundServer(flow: ImapFlow): void {
  const client = flow as unknown as Internals
  if (typeof client.streamer?.write !== 'function' || typeof client.handleResponse !== 'function')
    throw new Error('This version of imapflow gives no way to bound what a server sends')
  boundInput(client, () => client.currentRequest)
  boundTurns(client)
}
