import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { Calendar, CalendarOccurrence, CalendarSeries, CalendarWindow } from '../../mail/calendar'
import { unreadMail } from '../../mail/head-only'
import type { AttachmentContent } from '../../mail/parse'
import type { ParsedMail } from '../../mail/parsed-mail'
import { once } from '../base/load-later'
import { joined, Slots } from '../base/turns'
import { calendarIndexOf } from '../invitations/calendar-part'
import type {
  Findings,
  MailParser,
  PostedMail,
  PostingProvider,
  SearchedMail,
  SignatureResults,
  SignatureTask,
} from '../ports'
import { decodeMail, type EncodedMail } from './encoded-mail'
import type { ParserResult, ParserTask } from './mail-parser-worker'

/** Error if no thread can be started, or the parser was closed. It says nothing about the message. */
export class ParserUnavailable extends Error {
  readonly code = 'PARSER_UNAVAILABLE'
}

/** Limits of `createMailParser`. */
export interface MailParserOptions {
  /** Default: one less than the cores, from 1 to 4. Threads end when idle for 5 minutes. */
  threads?: number
  /** Limit for one message, or for a small batch; default 10,000. */
  timeoutMs?: number
  /** Limit for the header of an unreadable message, and for finding codes and links; default 2,000. */
  quickTimeoutMs?: number
  /** Limit for the signatures of one message; default 5,000. */
  verifyTimeoutMs?: number
  /** JavaScript memory of a thread; default 512. */
  maxMemoryMb?: number
  /** Module that the threads run; default: this package's own. */
  workerFile?: string
}

interface Job {
  raw: Uint8Array
  mailFrom: string | undefined
  resolve: (mail: ParsedMail) => void
  reject: (error: unknown) => void
}

type Pool = Piscina<ParserTask, ParserResult>

const maxBatch = 32
const maxBatchBytes = 1024 * 1024
const idleTimeoutMs = 300_000
const startTimeoutMs = 30_000
/** Threads for quick tasks hold no message that is being read. */
const quickIdleTimeoutMs = 60_000
/** Bytes given to a thread that reads only the header: more than it reads. */
const maxHeaderBytes = 300 * 1024

/** Creates a parser. It starts no thread before the first message. */
export function createMailParser(options: MailParserOptions = {}): MailParser {
  const pool = new ParserPool({
    threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    timeoutMs: 10_000,
    quickTimeoutMs: 2_000,
    verifyTimeoutMs: 5_000,
    maxMemoryMb: 512,
    ...options,
    workerFile: options.workerFile ?? createRequire(import.meta.url).resolve('#mail-parser-worker'),
  })
  return {
    parse: (raw, mailFrom) => pool.parse(raw, mailFrom),
    attachments: (raw, indexes) => pool.attachments(raw, indexes),
    findings: (mail) => pool.findings(mail),
    occurrences: (series, window) => pool.occurrences(series, window),
    markdown: (markdown) => pool.markdown(markdown),
    htmlText: (html) => pool.htmlText(html),
    posted: (provider, body, contentType) => pool.posted(provider, body, contentType),
    verifySignatures: (raw, task) => pool.verifySignatures(raw, task),
    canRead: () => pool.canRead(),
    waiting: () => pool.waiting,
    close: () => pool.close(),
  }
}

/** Maximum size of messages with threads of their own, so that large ones, which take seconds, delay none. */
const maxSmallBytes = 64 * 1024

/** Threads of a parser, by task. The calling thread parses no byte of a stranger. */
class ParserPool {
  readonly #small: Lane
  readonly #large: Lane
  /** For large messages, attachments, and Markdown and HTML of outgoing messages. */
  readonly #threads: Threads
  readonly #smallThreads: Threads
  readonly #quickThreads: Threads
  /** For signatures, since a large message may have many. */
  readonly #verifyThreads: Threads
  #isClosed = false

  constructor(options: Required<MailParserOptions>) {
    const quick = { timeoutMs: options.quickTimeoutMs, idleTimeoutMs: quickIdleTimeoutMs }
    this.#threads = new Threads({ ...options, idleTimeoutMs })
    this.#smallThreads = new Threads({ ...options, idleTimeoutMs })
    this.#quickThreads = new Threads({ ...options, ...quick })
    this.#verifyThreads = new Threads({ ...options, timeoutMs: options.verifyTimeoutMs, idleTimeoutMs })
    this.#small = new Lane(options.threads, this.#smallThreads, this.#quickThreads)
    this.#large = new Lane(options.threads, this.#threads, this.#quickThreads)
  }

  get waiting(): number {
    return this.#small.waiting + this.#large.waiting
  }

  async parse(raw: Uint8Array, mailFrom?: string): Promise<ParsedMail> {
    if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
    const mail = await (raw.length <= maxSmallBytes ? this.#small : this.#large).parse(raw, mailFrom)
    const index = calendarIndexOf(mail)
    if (index === null) return mail
    const calendar = await this.#calendar(raw, index)
    return calendar ? { ...mail, calendar } : mail
  }

  /** Reads a calendar in a quick thread: one that takes too long costs only the invitation. */
  async #calendar(raw: Uint8Array, index: number): Promise<Calendar | null> {
    const task = async (): Promise<ParserTask> => ({ kind: 'calendar', bytes: await joined([raw]), index })
    try {
      return JSON.parse(String(await this.#quickThreads.run(task)))
    } catch (error) {
      if (error instanceof ParserUnavailable) throw error
      return null
    }
  }

  async occurrences(
    series: readonly CalendarSeries[],
    window: CalendarWindow,
  ): Promise<CalendarOccurrence[][]> {
    if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
    const task = (): ParserTask => ({ kind: 'occurrences', bytes: new Uint8Array(), series, window })
    return JSON.parse(String(await this.#quickThreads.run(task)))
  }

  async attachments(raw: Uint8Array, indexes: readonly number[]): Promise<(AttachmentContent | null)[]> {
    const none = indexes.map(() => null)
    if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
    const task = async (): Promise<ParserTask> => ({
      kind: 'attachments',
      bytes: await joined([raw]),
      indexes,
    })
    const result = await this.#threads.run(task).catch((error) => {
      if (error instanceof ParserUnavailable) throw error
      return none
    })
    return Array.isArray(result) ? result : none
  }

  async findings(mail: SearchedMail): Promise<Findings> {
    try {
      if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
      const task = (): ParserTask => ({ kind: 'findings', bytes: new Uint8Array(), mail })
      return JSON.parse(String(await this.#quickThreads.run(task)))
    } catch {
      return { codes: [], links: [] }
    }
  }

  async markdown(markdown: string): Promise<{ html: string; text: string }> {
    if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
    const task = (): ParserTask => ({ kind: 'markdown', bytes: new TextEncoder().encode(markdown) })
    return JSON.parse(String(await this.#threads.run(task)))
  }

  async htmlText(html: string): Promise<string> {
    if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
    const task = (): ParserTask => ({ kind: 'html', bytes: new TextEncoder().encode(html) })
    return String(await this.#threads.run(task))
  }

  async posted(
    provider: PostingProvider,
    body: Uint8Array,
    contentType: string,
  ): Promise<PostedMail | string> {
    if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
    const task = async (): Promise<ParserTask> => ({
      kind: 'posted',
      bytes: await joined([body]),
      ...{ provider, contentType },
    })
    return (await this.#threads.run(task)) as PostedMail | string
  }

  async verifySignatures(raw: Uint8Array, task: SignatureTask): Promise<SignatureResults> {
    if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
    const verify = async (): Promise<ParserTask> => ({ kind: 'verify', bytes: await joined([raw]), task })
    return JSON.parse(String(await this.#verifyThreads.run(verify)))
  }

  /** Starts a thread only after a failed start: an idle service keeps no thread just for this check. */
  async canRead(): Promise<boolean> {
    if (this.#isClosed) return false
    const failing = [this.#smallThreads, this.#threads].filter(({ cannotStart }) => cannotStart)
    const tries = failing.map((threads) =>
      threads.run(emptyTask).then(
        () => true,
        () => false,
      ),
    )
    return (await Promise.all(tries)).every(Boolean)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#small.drain(), this.#large.drain()])
    const all = [this.#smallThreads, this.#threads, this.#quickThreads, this.#verifyThreads]
    await Promise.all(all.map((threads) => threads.close()))
  }
}

/**
 * Queue of messages for some threads. Messages that arrive in one turn of the event loop, or while all
 * threads are busy, share a task: crossing threads costs more than parsing. A failed batch is retried message
 * by message, so that only the culprit loses its body. A quick thread reads its header; if that fails too,
 * nothing of it is read.
 */
class Lane {
  readonly #count: number
  readonly #threads: Threads
  readonly #quickThreads: Threads
  #waiting: Job[] = []
  #running = new Set<Promise<void>>()
  #isScheduled = false

  constructor(count: number, threads: Threads, quickThreads: Threads) {
    this.#count = count
    this.#threads = threads
    this.#quickThreads = quickThreads
  }

  get waiting(): number {
    return this.#waiting.length
  }

  parse(raw: Uint8Array, mailFrom: string | undefined): Promise<ParsedMail> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ raw, mailFrom, resolve, reject })
      this.#schedule()
    })
  }

  /** Resolves when nothing waits or runs. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      this.#fill()
      await Promise.all(this.#running)
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running.size >= this.#count) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#fill()
    })
  }

  #fill(): void {
    while (this.#waiting.length > 0 && this.#running.size < this.#count) {
      const work = this.#parseBatch(this.#takeBatch())
      this.#running.add(work)
      void work.then(() => {
        this.#running.delete(work)
        this.#fill()
      })
    }
  }

  #takeBatch(): Job[] {
    const free = this.#count - this.#running.size
    const max = Math.min(maxBatch, Math.ceil(this.#waiting.length / free))
    let bytes = 0
    let count = 0
    while (count < max && (count === 0 || bytes < maxBatchBytes))
      bytes += this.#waiting[count++]?.raw.length ?? 0
    return this.#waiting.splice(0, count)
  }

  async #parseBatch(jobs: Job[]): Promise<void> {
    try {
      const mails = await this.#parseTogether(jobs)
      jobs.forEach((job, index) => {
        job.resolve(mails[index]!)
      })
    } catch (error) {
      if (error instanceof ParserUnavailable) for (const job of jobs) job.reject(error)
      else if (jobs.length > 1) for (const job of jobs) await this.#parseBatch([job])
      else for (const job of jobs) await this.#readHeader(job, flawOf(error))
    }
  }

  async #parseTogether(jobs: readonly Job[]): Promise<ParsedMail[]> {
    const task = async (): Promise<ParserTask> => ({
      kind: 'parse',
      bytes: await joined(jobs.map((job) => job.raw)),
      mails: jobs.map(({ raw, mailFrom }) => ({ length: raw.length, mailFrom })),
    })
    const mails = JSON.parse(String(await this.#threads.run(task))) as EncodedMail[]
    return jobs.map(({ raw }, index) => decodeMail(mails[index]!, raw))
  }

  async #readHeader({ raw, resolve, reject }: Job, flaw: string): Promise<void> {
    try {
      const bytes = raw.subarray(0, maxHeaderBytes)
      const task = async (): Promise<ParserTask> => ({ kind: 'header', bytes: await joined([bytes]), flaw })
      resolve(decodeMail(JSON.parse(String(await this.#quickThreads.run(task))), raw))
    } catch (error) {
      if (error instanceof ParserUnavailable) reject(error)
      else resolve(unreadMail(flaw))
    }
  }
}

interface ThreadOptions extends Pick<Required<MailParserOptions>, 'threads' | 'maxMemoryMb' | 'workerFile'> {
  /** Limit for one task. */
  timeoutMs: number
  idleTimeoutMs: number
}

/** Number of times that a task may get its limit again because the machine was busy. */
const maxExtensions = 3

/** Limit of a task: a signal that ends it, and the end of the limit itself. */
interface TimeLimit {
  signal: AbortSignal
  clear(): void
}

/**
 * Starts the limit of a task. After `limitMs` it begins again if the machine gave this process less than half of
 * that as processor time: an honest message must not be unreadable because other programs are busy.
 */
function startLimit(limitMs: number): TimeLimit {
  const ended = new AbortController()
  const before = process.cpuUsage()
  let left = maxExtensions
  const isStarved = () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000 < limitMs / 2
  }
  const wait = () =>
    AbortSignal.timeout(limitMs).addEventListener('abort', () => {
      if (left < 0) return
      if (left === 0 || !isStarved()) return ended.abort()
      left--
      wait()
    })
  wait()
  return {
    signal: ended.signal,
    clear() {
      left = -1
    },
  }
}

/** Returns a task that any thread finishes immediately. */
const emptyTask = (): ParserTask => ({ kind: 'parse', bytes: new Uint8Array(), mails: [] })

/** Worker threads that start with the first task. A timeout of a task ends its thread. */
class Threads {
  readonly #options: ThreadOptions
  /** Recreated if its threads did not start, or if creating it failed. */
  #pool = once(() => this.#start())
  #started: Pool | undefined
  readonly #slots: Slots
  #running = 0
  #isClosed = false
  readonly #failed = new WeakSet<Pool>()
  /** Whether the last task found no thread. */
  cannotStart = false

  constructor(options: ThreadOptions) {
    this.#options = options
    this.#slots = new Slots(options.threads)
  }

  /**
   * Runs a task when a thread is free. A waiting task is not made yet: its bytes are not copied, and its time
   * does not run. Rejects if the task failed or timed out.
   *
   * @throws ParserUnavailable if no thread can be started, or the threads were closed before the task ended
   */
  run(makeTask: () => ParserTask | Promise<ParserTask>): Promise<ParserResult> {
    return this.#slots.run(async () => {
      this.#running++
      try {
        return await this.#runNow(makeTask)
      } finally {
        this.#running--
      }
    })
  }

  async #runNow(makeTask: () => ParserTask | Promise<ParserTask>): Promise<ParserResult> {
    let pool: Pool | undefined
    let hasStarted = false
    try {
      pool = await this.#pool()
      if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
      await this.#warm(pool)
      const task = await makeTask()
      hasStarted = true
      const { signal, clear } = startLimit(this.#options.timeoutMs)
      const transferList = [task.bytes.buffer as ArrayBuffer]
      const result = await pool.run(task, { signal, transferList }).finally(clear)
      this.cannotStart = false
      return result
    } catch (error) {
      if (this.#isClosed) throw new ParserUnavailable('the parser is closed', { cause: error })
      this.cannotStart = !pool || !hasStarted || this.#failed.has(pool)
      if (!this.cannotStart) throw error
      throw new ParserUnavailable('no thread that reads mail can be started', { cause: error })
    }
  }

  /** Starts a thread if the task has none, before its time runs: on a busy machine a start takes seconds. */
  async #warm(pool: Pool): Promise<void> {
    if (pool.threads.length >= this.#running) return
    await pool.run(emptyTask(), { signal: AbortSignal.timeout(startTimeoutMs) })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#started?.destroy()
  }

  async #start(): Promise<Pool> {
    const {
      workerFile: filename,
      threads: maxThreads,
      idleTimeoutMs: idleTimeout,
      maxMemoryMb,
    } = this.#options
    const pool: Pool = new Piscina({
      filename,
      minThreads: 0,
      maxThreads,
      idleTimeout,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 16 },
    })
    // A thread without a task ended: it could not start, or its last task ended it and the event is late. If
    // no thread is left, the pool would start none, and tasks would wait forever.
    pool.on('error', () => {
      if (pool.threads.length > 0 || this.#failed.has(pool)) return
      this.#failed.add(pool)
      this.#pool = once(() => this.#start())
      pool.destroy().catch(() => {})
    })
    this.#started = pool
    return pool
  }
}

function flawOf(error: unknown): string {
  const isTimeout = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
  return isTimeout ? 'parser-timeout' : 'parser-crashed'
}
