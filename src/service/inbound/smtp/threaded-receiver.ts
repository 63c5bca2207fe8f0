import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { isServiceError } from '../../../protocol/errors'
import { outageOf, systemClock } from '../../base'
import type { Slice, TakeSlice } from '../../net'
import type { Resolver } from '../../ports'
import type { SignatureVerifier } from '../authentication'
import type { SmtpReceiver, SmtpReceiverOptions } from './receiver'
import {
  type Answer,
  createMessageBatch,
  type FromThread,
  type LookedUp,
  type Question,
  type ToldError,
  type ToThread,
} from './thread-messages'

type Address = { host: string; port: number }

const toldError = (error: unknown): ToldError => ({
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

/**
 * Makes the SMTP receiver in a thread of its own: connections of strangers must not slow the loops that
 * answer messages. The handler stays in the calling thread. A thread that dies is replaced on the same port.
 */
export function createThreadedReceiver(options: ThreadedReceiverOptions): ThreadedReceiver {
  const { door, logger, onLimited, senders, takeSlice, clock = systemClock, ...settings } = options
  let { tls } = settings
  const file = createRequire(import.meta.url).resolve('#smtp-thread')
  let thread: Worker | undefined
  let closing: Promise<void> | undefined
  let open = false
  let cancelRetry = () => {}
  let tell: (message: ToThread) => void = () => {}

  async function lookUp(what: keyof Resolver, name: string): Promise<LookedUp> {
    try {
      return { records: await senders?.resolver[what](name) }
    } catch (error) {
      return { code: (error as NodeJS.ErrnoException).code ?? 'ETIMEOUT' }
    }
  }

  async function answer(question: Question): Promise<Answer> {
    if (question.kind === 'look-up') return JSON.stringify(await lookUp(question.what, question.name))
    if (question.kind === 'verify')
      return JSON.stringify(await senders!.verifier.verifySignatures(question.raw, question.task))
    if (question.kind === 'slice') {
      const { of, key, wanted, rate } = question
      return JSON.stringify(await takeSlice!(of, key, wanted, rate))
    }
    if (question.kind === 'accept') {
      return (await door.accept(question.envelope, question.raw)).queueId
    }
    return (await door.admit(question.recipient, question.opening)) === true
  }

  function start(address: Address): Promise<Address> {
    const checksSenders = senders !== undefined
    const sharesRates = takeSlice !== undefined
    const worker = new Worker(file, {
      workerData: { ...settings, tls, ...address, checksSenders, sharesRates },
    })
    tell = createMessageBatch<ToThread>((messages) => worker.postMessage(messages))
    thread = worker
    return new Promise((resolve, reject) => {
      let listening: Address | undefined
      let failure: unknown
      const onMessage = (message: FromThread) => {
        if (message.type === 'log') logger[message.level](message.facts, message.message)
        if (message.type === 'limited') onLimited?.(message.limit)
        if (message.type === 'failed') {
          reject(Object.assign(new Error(message.error.message), message.error))
          void worker.terminate()
        }
        if (message.type === 'listening') {
          listening = { host: message.host, port: message.port }
          open = true
          resolve(listening)
        }
        if (message.type !== 'ask') return
        const { id } = message
        answer(message.question).then(
          (answer) => tell({ type: 'answer', id, answer }),
          (error) => {
            const told = toldError(error)
            // The other side takes any error with a code for a refusal, and does not log it.
            if (told.code !== null && !isServiceError(error))
              logger.error({ error }, 'a message could not be received')
            tell({ type: 'refusal', id, error: told })
          },
        )
      }
      worker.on('message', (messages: FromThread[]) => messages.forEach(onMessage))
      worker.on('error', (error) => {
        failure = error
        reject(error)
      })
      worker.once('exit', () => {
        thread = undefined
        open = false
        if (closing || !listening) return
        logger.error({ error: failure }, 'the SMTP thread died and is restarted')
        startAgain(listening)
      })
    })
  }

  /** Restarts the thread until it starts: a failure, such as a lack of file handles, may be temporary. */
  function startAgain(address: Address): void {
    start(address).catch((error) => {
      logger.error({ error }, 'the SMTP thread does not start')
      cancelRetry = clock.background(retryMs, () => {
        if (!closing) startAgain(address)
      })
    })
  }

  async function end(worker: Worker): Promise<void> {
    const ended = once(worker, 'exit')
    worker.postMessage([{ type: 'close' }] satisfies ToThread[])
    const cancel = clock.background(maxClosingMs, () => void worker.terminate())
    await ended
    cancel()
  }

  return {
    listen: () => start({ host: settings.host, port: settings.port }),
    isOpen: () => open && !closing,
    forget: () => tell({ type: 'forget' }),
    useCertificate(renewed) {
      tls = renewed
      tell({ type: 'certificate', tls })
    },
    async close() {
      cancelRetry()
      closing ??= thread ? end(thread) : Promise.resolve()
      await closing
    },
  }
}
