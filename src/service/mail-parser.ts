import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type Piscina from 'piscina'
import { type AttachmentContent, type ParsedMail, parseHeadersOnly } from '../mail/parse'
import type { ParserResult, ParserTask } from './mail-parser-worker'

/** Reads mail in worker threads, which a hostile mail may hang or crash without harm. */
export interface MailParser {
  /**
   * Reads a mail; never rejects. Where the time or the memory did not suffice, it gives what the header says and the
   * flaw `parser-timeout` or `parser-crashed`.
   *
   * @param mailFrom The envelope sender, of a mail that came in.
   */
  parse(raw: Uint8Array, mailFrom?: string): Promise<ParsedMail>
  /** Reads attachments by their `index`; null for each that there is not or that could not be read. */
  attachments(raw: Uint8Array, indexes: readonly number[]): Promise<(AttachmentContent | null)[]>
  /** How many mails wait for a thread. */
  waiting(): number
  /** Finishes what was asked and ends the threads. What is asked afterwards is read by its header only. */
  close(): Promise<void>
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
  settle: (mail: ParsedMail) => void
}

const MAX_BATCH = 32
const MAX_BATCH_BYTES = 1024 * 1024
const IDLE_TIMEOUT_MS = 300_000

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
  #threads: Promise<Piscina<ParserTask, ParserResult>> | null = null
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
    if (this.#isClosed) return Promise.resolve(parseHeadersOnly(raw, 'parser-closed'))
    return new Promise((settle) => {
      this.#waiting.push({ raw, mailFrom, settle })
      this.#schedule()
    })
  }

  async attachments(raw: Uint8Array, indexes: readonly number[]): Promise<(AttachmentContent | null)[]> {
    const none = indexes.map(() => null)
    if (this.#isClosed) return none
    const result = await this.#run({ kind: 'attachments', bytes: joined([raw]), indexes }).catch(() => none)
    return typeof result === 'string' ? none : result
  }

  async close(): Promise<void> {
    this.#isClosed = true
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      this.#fill()
      await Promise.all(this.#running)
    }
    await (await this.#threads)?.destroy()
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
    const most = Math.min(MAX_BATCH, Math.ceil(this.#waiting.length / free))
    let bytes = 0
    let count = 0
    while (count < most && (count === 0 || bytes < MAX_BATCH_BYTES))
      bytes += this.#waiting[count++]?.raw.length ?? 0
    return this.#waiting.splice(0, count)
  }

  async #parseBatch(jobs: Job[]): Promise<void> {
    try {
      const mails = await this.#parseTogether(jobs)
      jobs.forEach((job, index) => {
        job.settle(mails[index] ?? parseHeadersOnly(job.raw, 'parser-crashed'))
      })
    } catch (error) {
      if (jobs.length > 1) for (const job of jobs) await this.#parseBatch([job])
      else for (const job of jobs) job.settle(parseHeadersOnly(job.raw, flawOf(error)))
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
    this.#threads ??= this.#start()
    const threads = await this.#threads
    const signal = AbortSignal.timeout(this.#options.timeoutMs)
    return threads.run(task, { signal, transferList: [task.bytes.buffer as ArrayBuffer] })
  }

  async #start(): Promise<Piscina<ParserTask, ParserResult>> {
    const { Piscina: Threads } = await import('piscina')
    return new Threads({
      filename: this.#options.workerFile,
      minThreads: 0,
      maxThreads: this.#options.threads,
      idleTimeout: IDLE_TIMEOUT_MS,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.maxMemoryMb, maxYoungGenerationSizeMb: 16 },
    })
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
