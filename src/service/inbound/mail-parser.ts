import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type Piscina from 'piscina'
import { type AttachmentContent, type ParsedMail, parseHeadersOnly } from '../../mail'
import { loadLater, once } from '../base'
import type { MailParser } from '../ports'
import type { ParserResult, ParserTask } from './mail-parser-worker'

/** No thread can be started, or the parser was closed: a failure that has nothing to do with the mail. */
export class ParserUnavailable extends Error {
  readonly code = 'PARSER_UNAVAILABLE'
}

/** The limits of `createMailParser`. */
export interface MailParserOptions {
  /** Default: one less than the cores, from 1 to 4. They start with the first mail and end after 5 quiet minutes. */
  threads?: number
  /** For one mail, or for the few that are read together; default 10,000. */
  timeoutMs?: number
  /** JavaScript memory of a thread; default 512. */
  maxMemoryMb?: number
  /** The module the threads run; default: this package's own. */
  workerFile?: string
}

interface Job {
  raw: Uint8Array
  mailFrom: string | undefined
  resolve: (mail: ParsedMail) => void
  reject: (error: unknown) => void
}

type Threads = Piscina<ParserTask, ParserResult>

const loadPiscina = loadLater(() => import('piscina'))

const maxBatch = 32
const maxBatchBytes = 1024 * 1024
const idleTimeoutMs = 300_000

/** Creates a parser; no thread runs before the first mail. */
export function createMailParser(options: MailParserOptions = {}): MailParser {
  const pool = new ParserPool({
    threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
    timeoutMs: 10_000,
    maxMemoryMb: 512,
    ...options,
    workerFile: options.workerFile ?? createRequire(import.meta.url).resolve('#mail-parser-worker'),
  })
  return {
    parse: (raw, mailFrom) => pool.parse(raw, mailFrom),
    attachments: (raw, indexes) => pool.attachments(raw, indexes),
    markdownToHtml: (markdown) => pool.markdownToHtml(markdown),
    canRead: () => pool.canRead(),
    waiting: () => pool.waiting,
    close: () => pool.close(),
  }
}

/**
 * Mails that arrive in one turn of the event loop, or while all threads are busy, share a task: crossing threads costs
 * more than parsing. A batch that fails is tried again mail by mail, so only the culprit loses its body.
 */
class ParserPool {
  readonly #options: Required<MailParserOptions>
  /** Made anew after one whose threads did not start, and after a failure to make it. */
  #threads = once(() => this.#start())
  #started: Threads | undefined
  readonly #failed = new WeakSet<Threads>()
  #cannotStart = false
  #waiting: Job[] = []
  #running = new Set<Promise<void>>()
  #isScheduled = false
  #isClosed = false

  constructor(options: Required<MailParserOptions>) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.length
  }

  parse(raw: Uint8Array, mailFrom?: string): Promise<ParsedMail> {
    if (this.#isClosed) return Promise.reject(new ParserUnavailable('the parser is closed'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ raw, mailFrom, resolve, reject })
      this.#schedule()
    })
  }

  async attachments(raw: Uint8Array, indexes: readonly number[]): Promise<(AttachmentContent | null)[]> {
    const none = indexes.map(() => null)
    if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
    const result = await this.#run({ kind: 'attachments', bytes: joined([raw]), indexes }).catch((error) => {
      if (error instanceof ParserUnavailable) throw error
      return none
    })
    return typeof result === 'string' ? none : result
  }

  async markdownToHtml(markdown: string): Promise<string> {
    if (this.#isClosed) throw new ParserUnavailable('the parser is closed')
    return String(await this.#run({ kind: 'markdown', bytes: new TextEncoder().encode(markdown) }))
  }

  /** An idle service keeps no thread, only to be asked. */
  async canRead(): Promise<boolean> {
    if (this.#isClosed) return false
    if (!this.#cannotStart) return true
    return this.#run({ kind: 'parse', bytes: new Uint8Array(), mails: [] }).then(
      () => true,
      () => false,
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      this.#fill()
      await Promise.all(this.#running)
    }
    await this.#started?.destroy()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running.size >= this.#options.threads) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#fill()
    })
  }

  // A task is given out only when a thread is free for it: its time runs from then on.
  #fill(): void {
    while (this.#waiting.length > 0 && this.#running.size < this.#options.threads) {
      const work = this.#parseBatch(this.#takeBatch())
      this.#running.add(work)
      void work.then(() => {
        this.#running.delete(work)
        this.#fill()
      })
    }
  }

  #takeBatch(): Job[] {
    const free = this.#options.threads - this.#running.size
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
        job.resolve(mails[index] ?? parseHeadersOnly(job.raw, 'parser-crashed'))
      })
    } catch (error) {
      if (error instanceof ParserUnavailable) for (const job of jobs) job.reject(error)
      else if (jobs.length > 1) for (const job of jobs) await this.#parseBatch([job])
      else for (const job of jobs) job.resolve(parseHeadersOnly(job.raw, flawOf(error)))
    }
  }

  async #parseTogether(jobs: readonly Job[]): Promise<ParsedMail[]> {
    const task: ParserTask = {
      kind: 'parse',
      bytes: joined(jobs.map((job) => job.raw)),
      mails: jobs.map(({ raw, mailFrom }) => ({ length: raw.length, mailFrom })),
    }
    return JSON.parse(String(await this.#run(task)))
  }

  async #run(task: ParserTask): Promise<ParserResult> {
    let threads: Threads | undefined
    try {
      threads = await this.#threads()
      const signal = AbortSignal.timeout(this.#options.timeoutMs)
      const result = await threads.run(task, { signal, transferList: [task.bytes.buffer as ArrayBuffer] })
      this.#cannotStart = false
      return result
    } catch (error) {
      this.#cannotStart = !threads || this.#failed.has(threads)
      if (!this.#cannotStart) throw error
      throw new ParserUnavailable('no thread that reads mail can be started', { cause: error })
    }
  }

  async #start(): Promise<Threads> {
    const { Piscina } = await loadPiscina()
    const threads: Threads = new Piscina({
      filename: this.#options.workerFile,
      minThreads: 0,
      maxThreads: this.#options.threads,
      idleTimeout: idleTimeoutMs,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.maxMemoryMb, maxYoungGenerationSizeMb: 16 },
    })
    // A thread ended that had no task: it could not start. The pool would start no other, and tasks would wait for it.
    threads.on('error', () => {
      if (this.#failed.has(threads)) return
      this.#failed.add(threads)
      this.#threads = once(() => this.#start())
      threads.destroy().catch(() => {})
    })
    this.#started = threads
    return threads
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function flawOf(error: unknown): string {
  const isTimeout = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
  return isTimeout ? 'parser-timeout' : 'parser-crashed'
}
