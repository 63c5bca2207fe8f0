import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism, devNull } from 'node:os'
import { dirname, join } from 'node:path'
import { Slots } from '../base/turns'
import type { Extraction, Extractor, FileHints, FileWithin, OpenedMail } from '../ports'
import { withoutText } from './parts/extracted'

/** Limits of `createExtractor`. */
export interface ExtractorOptions {
  /** Time of one file; default 20,000. */
  timeoutMs?: number
  /** Resident memory of the process; default 512. It is measured on Linux only. */
  maxResidentMb?: number
  /** Module that the process runs; default: this package's own. */
  processFile?: string
}

/** First line for a process: what to do, and hints at the file. A number is the index of a file within it. */
export interface ProcessInput extends FileHints {
  task: 'text' | 'open' | number
}

/** Answer of a process, or the limit that it exceeded. */
type Answer = { bytes: Buffer } | { failure: 'too_large' | 'timed_out' | 'unreadable' }

/** JavaScript memory of the process. */
const maxHeapMb = 256
/** Bytes of an answer: more than `Pages` lets a file have, and a file within a file. */
const maxAnswerBytes = 16 * 1024 * 1024
const maxFileBytes = 33 * 1024 * 1024
const watchEveryMs = 50
/** Time for which a process waits for the next file. */
const spareMs = 60_000
const pageBytes = 4_096

/** Flag of the permission model; Node 20 has it under another name. */
const permissionFlag = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'

/** Starts a process that reads one file. It may read only this package, and start no process or thread. */
function startProcess(file: string): ChildProcess {
  const folder = dirname(file)
  // `loadLater` opens the null device.
  const allowed = [`${folder}/*`, join(dirname(folder), 'package.json'), devNull]
  const flags = [
    permissionFlag,
    ...allowed.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${maxHeapMb}`,
    '--no-warnings',
    file,
  ]
  const child = spawn(process.execPath, flags, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    cwd: folder,
  })
  // A process that ended early is found by its exit.
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  return child
}

/** Returns the resident memory of a process in bytes; 0 if the system does not tell. */
async function residentBytes(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0
  const text = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '')
  return Number(text.split(' ')[1] ?? 0) * pageBytes
}

/** Gives a file to a process, and resolves with its answer, or with the limit that it exceeded. */
function runProcess(
  child: ChildProcess,
  bytes: Uint8Array,
  input: ProcessInput,
  { timeoutMs, maxResidentMb }: Required<ExtractorOptions>,
): Promise<Answer> {
  const maxBytes = typeof input.task === 'number' ? maxFileBytes : maxAnswerBytes
  return new Promise((resolve) => {
    let reason: 'too_large' | 'timed_out' | undefined
    const kill = (why: 'too_large' | 'timed_out') => {
      reason ??= why
      child.kill('SIGKILL')
    }
    const chunks: Buffer[] = []
    let size = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) kill('too_large')
      else chunks.push(chunk)
    })
    const timer = setTimeout(kill, timeoutMs, 'timed_out')
    const watch = setInterval(async () => {
      const resident = await residentBytes(child.pid ?? 0)
      if (resident > maxResidentMb * 1024 * 1024) kill('too_large')
    }, watchEveryMs)
    const end = (code: number | null, signal: string | null) => {
      clearTimeout(timer)
      clearInterval(watch)
      if (reason) resolve({ failure: reason })
      else if (code === 0) resolve({ bytes: Buffer.concat(chunks) })
      // V8 aborts when its heap is full.
      else resolve({ failure: code === 134 || signal === 'SIGABRT' ? 'too_large' : 'unreadable' })
    }
    child.once('close', end)
    if (child.exitCode !== null || child.signalCode !== null) end(child.exitCode, child.signalCode)
    child.stdin?.write(`${JSON.stringify(input)}\n`)
    child.stdin?.end(bytes)
  })
}

/** Parses an answer. A process that a file took over may answer anything. */
function parsed<T>(answer: Buffer, otherwise: T): T {
  try {
    return JSON.parse(answer.toString()) as T
  } catch {
    return otherwise
  }
}

/** Processes that read a file each. A spare one is started with the first file, and waits for a minute. */
class Processes implements Extractor {
  readonly #options: Required<ExtractorOptions>
  readonly #slots = new Slots(Math.max(1, Math.min(2, availableParallelism() - 1)))
  readonly #running = new Set<ChildProcess>()
  #spare: ChildProcess | undefined
  #endSpare: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(options: Required<ExtractorOptions>) {
    this.#options = options
  }

  async extract(bytes: Uint8Array, hints: FileHints): Promise<Extraction> {
    const answer = await this.#run(bytes, { ...hints, task: 'text' })
    if ('failure' in answer) return withoutText(answer.failure)
    return parsed<Extraction>(answer.bytes, withoutText('unreadable'))
  }

  async open(bytes: Uint8Array, hints: FileHints): Promise<OpenedMail> {
    const answer = await this.#run(bytes, { ...hints, task: 'open' })
    if ('failure' in answer) return { status: answer.failure }
    return parsed<OpenedMail>(answer.bytes, { status: 'unreadable' })
  }

  async fileWithin(bytes: Uint8Array, hints: FileHints, index: number): Promise<FileWithin> {
    const answer = await this.#run(bytes, { ...hints, task: index })
    if ('failure' in answer) return { status: answer.failure }
    const end = (answer.bytes.indexOf(10) + 1 || answer.bytes.length + 1) - 1
    const found = parsed<FileWithin>(answer.bytes.subarray(0, end), { status: 'unreadable' })
    return found.status === 'ready' ? { ...found, content: answer.bytes.subarray(end + 1) } : found
  }

  #run(bytes: Uint8Array, input: ProcessInput): Promise<Answer> {
    return this.#slots.run(async () => {
      if (this.#isClosed) throw new Error('the extractor is closed')
      const child = this.#take()
      this.#running.add(child)
      try {
        const answer = await runProcess(child, bytes, input, this.#options)
        if (this.#isClosed) throw new Error('the extractor was closed')
        return answer
      } finally {
        this.#running.delete(child)
      }
    })
  }

  #take(): ChildProcess {
    const spare = this.#spare
    const isAlive = spare && spare.exitCode === null && spare.signalCode === null
    const child = isAlive ? spare : startProcess(this.#options.processFile)
    child.ref()
    clearTimeout(this.#endSpare)
    this.#spare = startProcess(this.#options.processFile)
    this.#spare.unref()
    this.#endSpare = setTimeout(() => this.#killSpare(), spareMs).unref()
    return child
  }

  #killSpare(): void {
    clearTimeout(this.#endSpare)
    this.#spare?.kill('SIGKILL')
    this.#spare = undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#killSpare()
    for (const child of this.#running) child.kill('SIGKILL')
  }
}

/** Creates an extractor. It starts no process before the first file. */
export function createExtractor(options: ExtractorOptions = {}): Extractor {
  return new Processes({
    ...{ timeoutMs: 20_000, maxResidentMb: 512 },
    ...options,
    processFile: options.processFile ?? createRequire(import.meta.url).resolve('#extract-process'),
  })
}
