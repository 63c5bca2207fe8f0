import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { isServiceError } from '../../../protocol/errors/error'
import { outageOf } from '../../base/outage'
import { systemClock } from '../../base/time'
import type { Slice, TakeSlice } from '../../net/shared-rate-limiter'
import type { Resolver } from '../../ports'
import type { SignatureVerifier } from '../authentication/signatures'
import type { SmtpReceiver, SmtpReceiverOptions } from './receiver'
import {
  type Answer,
  createMessageBatch,
  type FromThread,
  type LookedUp,
  type LookUpKind,
  type Question,
  type ThreadError,
  type ToThread,
} from './thread-messages'

type Address = { host: string; port: number }

const threadErrorOf = (error: unknown): ThreadError => ({
  code: (isServiceError(error) ? error : outageOf(error))?.code ?? null,
  message: error instanceof Error ? error.message : String(error),
})

interface ThreadedReceiverOptions extends Omit<SmtpReceiverOptions, 'checkSender' | 'limiterOf'> {
  /** Takes slices of the rates of addresses, if several nodes share them. */
  takeSlice?: ((kind: string, ...asked: Parameters<TakeSlice>) => Promise<Slice>) | undefined
  /** Checks the sender of each message; without it no sender is checked. */
  senders?: { resolver: Resolver; verifier: SignatureVerifier } | undefined
}

/** Maximum time for conversations to end when the thread is to close. */
const maxClosingMs = 5_500
const retryMs = 5_000

/** {@link SmtpReceiver} that survives the death of its thread. */
export interface ThreadedReceiver extends SmtpReceiver {
  /** Returns whether it accepts messages now. */
  isOpen(): boolean
  /** Makes it ask the handler again about every recipient. */
  forget(): void
}

class ReceiverThread implements ThreadedReceiver {
  readonly #handler
  readonly #logger
  readonly #onLimited
  readonly #senders
  readonly #takeSlice
  readonly #clock
  readonly #settings
  #tls
  readonly #file
  #thread: Worker | undefined
  #closing: Promise<void> | undefined
  #open = false

  constructor(options: ThreadedReceiverOptions) {
    const { handler, logger, onLimited, senders, takeSlice, clock = systemClock, ...settings } = options
    this.#handler = handler
    this.#logger = logger
    this.#onLimited = onLimited
    this.#senders = senders
    this.#takeSlice = takeSlice
    this.#clock = clock
    this.#settings = settings
    const { tls } = settings
    this.#tls = tls
    this.#file = createRequire(import.meta.url).resolve('#smtp-thread')
  }

  readonly listen: ThreadedReceiver['listen'] = () =>
    this.#start({ host: this.#settings.host, port: this.#settings.port })

  readonly isOpen: ThreadedReceiver['isOpen'] = () => this.#open && !this.#closing

  readonly forget: ThreadedReceiver['forget'] = () => this.#tell({ type: 'forget' })

  readonly useCertificate: ThreadedReceiver['useCertificate'] = (renewed) => {
    this.#tls = renewed
    this.#tell({ type: 'certificate', tls: this.#tls })
  }

  async close() {
    this.#cancelRetry()
    this.#closing ??= this.#thread ? this.#end(this.#thread) : Promise.resolve()
    await this.#closing
  }

  #tell: (message: ToThread) => void = () => {}

  #cancelRetry = () => {}

  async #lookUp(what: LookUpKind, name: string): Promise<LookedUp> {
    try {
      return { records: await this.#senders?.resolver[what](name) }
    } catch (error) {
      return { code: (error as NodeJS.ErrnoException).code ?? 'ETIMEOUT' }
    }
  }

  async #answer(question: Question): Promise<Answer> {
    if (question.kind === 'look-up') return JSON.stringify(await this.#lookUp(question.what, question.name))
    if (question.kind === 'verify')
      return JSON.stringify(await this.#senders!.verifier.verifySignatures(question.raw, question.task))
    if (question.kind === 'slice') {
      const { of, key, wanted, rate } = question
      return JSON.stringify(await this.#takeSlice!(of, key, wanted, rate))
    }
    if (question.kind === 'accept') {
      return (await this.#handler.accept(question.envelope, question.raw)).queueId
    }
    return (await this.#handler.admit(question.recipient, question.opening)) === true
  }

  #start(address: Address): Promise<Address> {
    const checksSenders = this.#senders !== undefined
    const sharesRates = this.#takeSlice !== undefined
    const worker = new Worker(this.#file, {
      workerData: { ...this.#settings, tls: this.#tls, ...address, checksSenders, sharesRates },
    })
    this.#tell = createMessageBatch<ToThread>((messages) => worker.postMessage(messages))
    this.#thread = worker
    return new Promise((resolve, reject) => {
      let listening: Address | undefined
      let failure: unknown
      const onMessage = (message: FromThread) => {
        if (message.type === 'log') this.#logger[message.level](message.facts, message.message)
        if (message.type === 'limited') this.#onLimited?.(message.limit)
        if (message.type === 'failed') {
          reject(Object.assign(new Error(message.error.message), message.error))
          void worker.terminate()
        }
        if (message.type === 'listening') {
          listening = { host: message.host, port: message.port }
          this.#open = true
          resolve(listening)
        }
        if (message.type !== 'ask') return
        const { id } = message
        this.#answer(message.question).then(
          (answer) => this.#tell({ type: 'answer', id, answer }),
          (error) => {
            const threadError = threadErrorOf(error)
            // The other side takes any error with a code for a refusal, and does not log it.
            if (threadError.code !== null && !isServiceError(error))
              this.#logger.error({ error }, 'a message could not be received')
            this.#tell({ type: 'refusal', id, error: threadError })
          },
        )
      }
      worker.on('message', (messages: FromThread[]) => messages.forEach(onMessage))
      worker.on('error', (error) => {
        failure = error
        reject(error)
      })
      worker.once('exit', () => {
        this.#thread = undefined
        this.#open = false
        if (this.#closing || !listening) return
        this.#logger.error({ error: failure }, 'the SMTP thread died and is restarted')
        this.#startAgain(listening)
      })
    })
  }

  /** Restarts the thread until it starts: a failure, such as a lack of file handles, may be temporary. */
  #startAgain(address: Address): void {
    this.#start(address).catch((error) => {
      this.#logger.error({ error }, 'the SMTP thread does not start')
      this.#cancelRetry = this.#clock.background(retryMs, () => {
        if (!this.#closing) this.#startAgain(address)
      })
    })
  }

  async #end(worker: Worker): Promise<void> {
    const ended = once(worker, 'exit')
    worker.postMessage([{ type: 'close' }] satisfies ToThread[])
    const cancel = this.#clock.background(maxClosingMs, () => void worker.terminate())
    await ended
    cancel()
  }
}

/**
 * Makes the SMTP receiver in a thread of its own: connections of strangers must not slow the loops that
 * answer messages. The handler stays in the calling thread. A thread that dies is replaced on the same port.
 */
export const createThreadedReceiver = (options: ThreadedReceiverOptions): ThreadedReceiver =>
  new ReceiverThread(options)
