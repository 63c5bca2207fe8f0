import { parentPort, workerData } from 'node:worker_threads'
import { ServiceError } from '../../../protocol/errors/error'
import { errorCodes } from '../../../protocol/errors/error-codes'
import { boundedMap } from '../../base/bounded-map'
import { endThread } from '../../base/end-thread'
import { Slots } from '../../base/turns'
import type { MakeLimiter } from '../../net/rate-limiter'
import { SharedRateLimiter, type Slice } from '../../net/shared-rate-limiter'
import type { Logger, Resolver } from '../../ports'
import type { SignatureVerifier } from '../authentication/signatures'
import { createSmtpReceiver, type Envelope, type Opening, type SmtpReceiverOptions } from './receiver'
import { createSenderCheck } from './sender-check'
import {
  type Answer,
  createMessageBatch,
  type FromThread,
  type LogLevel,
  type LookedUp,
  type LookUpKind,
  type Question,
  type ThreadError,
  type ToThread,
} from './thread-messages'

// Code of the thread of `createThreadedReceiver`: the receiver, with the handler on the other side of the
// port.
const port = parentPort!

const tell = createMessageBatch<FromThread>((messages, transfer) => port.postMessage(messages, transfer))

interface Asked {
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

const asked = new Map<number, Asked>()
let lastId = 0

function ask(question: Question, moved?: ArrayBuffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const id = ++lastId
    asked.set(id, { resolve, reject })
    tell({ type: 'ask', id, question }, moved)
  })
}

/** Recipients that recently accepted any sender: in a flood, not every message needs to ask. */
const admitted = boundedMap<true>(10_000, 1_000)

async function admit(recipient: string, opening: Opening) {
  if (admitted.has(recipient)) return
  if ((await ask({ kind: 'admit', recipient, opening })) === true) admitted.set(recipient, true)
}

async function accept(envelope: Envelope, raw: Uint8Array<ArrayBuffer>) {
  try {
    return { queueId: String(await ask({ kind: 'accept', envelope, raw }, raw.buffer)) }
  } catch (error) {
    // The next sender must get the refusal before it sends the message.
    for (const recipient of envelope.recipients) admitted.delete(recipient)
    throw error
  }
}

/** DNS stays in the thread that owns it; records cross as JSON. */
async function lookUp(what: LookUpKind, name: string) {
  const answer = JSON.parse(String(await ask({ kind: 'look-up', what, name }))) as LookedUp
  if ('code' in answer) throw Object.assign(new Error(`${answer.code} ${name}`), { code: answer.code })
  return answer.records
}
const resolver = {
  mx: (domain) => lookUp('mx', domain),
  addresses: (host) => lookUp('addresses', host),
  txt: (domain) => lookUp('txt', domain),
  ptr: (address) => lookUp('ptr', address),
} as Resolver

/** Bounds the copies of messages on their way to the threads that verify signatures. */
const verifying = new Slots(8)

/** Verifies signatures in the threads that read messages: hashing one here would delay all others. */
const verifier: SignatureVerifier = {
  verifySignatures: (raw, task) =>
    verifying.run(async () => {
      const copy = raw.slice()
      return JSON.parse(String(await ask({ kind: 'verify', raw: copy, task }, copy.buffer)))
    }),
}

/** Makes limiters that count across all nodes, through the other side. */
const sharedLimiter: MakeLimiter = (of, rate) =>
  new SharedRateLimiter(
    rate,
    async (key, wanted) => JSON.parse(String(await ask({ kind: 'slice', of, key, wanted, rate }))) as Slice,
    () => Date.now(),
  )

const isKnown = (code: string): code is keyof typeof errorCodes => Object.hasOwn(errorCodes, code)

function asError({ code, message }: ThreadError): Error {
  if (code === null || !isKnown(code)) return new Error(message)
  return new ServiceError(code, message, { status: errorCodes[code].status })
}

const log = (level: LogLevel) => (facts: { error?: unknown }, message: string) => {
  const error = facts.error instanceof Error ? { error: facts.error.message } : {}
  tell({ type: 'log', level, facts: { ...facts, ...error }, message })
}
const logger: Logger = { debug: () => {}, info: log('info'), warn: log('warn'), error: log('error') }

const settings = workerData as SmtpReceiverOptions & { checksSenders: boolean; sharesRates: boolean }
const receiver = createSmtpReceiver({
  ...settings,
  checkSender: settings.checksSenders ? createSenderCheck({ resolver, verifier }) : undefined,
  limiterOf: settings.sharesRates ? sharedLimiter : undefined,
  handler: { admit, accept },
  logger,
  onLimited: (limit) => tell({ type: 'limited', limit }),
})

function onClose(): void {
  void receiver.close().then(() => {
    tell({ type: 'closed' })
    setImmediate(() => endThread(port))
  })
}

function onMessage(message: ToThread): void {
  if (message.type === 'close') return onClose()
  if (message.type === 'forget') return admitted.clear()
  if (message.type === 'certificate') return receiver.useCertificate(message.tls)
  const waiting = asked.get(message.id)
  asked.delete(message.id)
  if (message.type === 'answer') waiting?.resolve(message.answer)
  else waiting?.reject(asError(message.error))
}

port.on('message', (messages: ToThread[]) => messages.forEach(onMessage))

receiver.listen().then(
  ({ host, port: number }) => tell({ type: 'listening', host, port: number }),
  (error: NodeJS.ErrnoException) =>
    tell({ type: 'failed', error: { code: error.code ?? null, message: error.message } }),
)
