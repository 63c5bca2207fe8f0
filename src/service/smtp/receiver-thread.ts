import { parentPort, workerData } from 'node:worker_threads'
import { ServiceError } from '../../protocol/error'
import { errorCodes } from '../../protocol/error-codes'
import type { Logger } from '../ports'
import { createSmtpReceiver, type SmtpDoor, type SmtpReceiverOptions } from './receiver'
import type { FromThread, LogLevel, Question, ToldError, ToThread } from './thread-messages'

// What the thread of `createThreadedReceiver` runs: the receiver, with the door on the other side of the port.
const port = parentPort!
const tell = (message: FromThread, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

interface Asked {
  resolve: (queueId: string | null) => void
  reject: (error: unknown) => void
}

const asked = new Map<number, Asked>()
let lastId = 0

function ask(question: Question, transfer: ArrayBuffer[] = []): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const id = ++lastId
    asked.set(id, { resolve, reject })
    tell({ type: 'ask', id, question }, transfer)
  })
}

const door: SmtpDoor = {
  admit: async (recipient, envelope) => void (await ask({ kind: 'admit', recipient, envelope })),
  accept: async (envelope, raw) => ({
    queueId: (await ask({ kind: 'accept', envelope, raw }, [raw.buffer])) ?? '',
  }),
}

const isKnown = (code: string): code is keyof typeof errorCodes => Object.hasOwn(errorCodes, code)

function asError({ code, message }: ToldError): Error {
  if (code === null || !isKnown(code)) return new Error(message)
  return new ServiceError(code, message, { status: errorCodes[code].status })
}

const log = (level: LogLevel) => (facts: { error?: unknown }, message: string) => {
  const error = facts.error instanceof Error ? { error: facts.error.message } : {}
  tell({ type: 'log', level, facts: { ...facts, ...error }, message })
}
const logger: Logger = { debug: () => {}, info: log('info'), warn: log('warn'), error: log('error') }

const receiver = createSmtpReceiver({
  ...(workerData as SmtpReceiverOptions),
  door,
  logger,
  onLimited: (limit) => tell({ type: 'limited', limit }),
})

port.on('message', (message: ToThread) => {
  if (message.type === 'close') {
    void receiver.close().then(() => {
      tell({ type: 'closed' })
      port.close()
    })
    return
  }
  const waiting = asked.get(message.id)
  asked.delete(message.id)
  if (message.type === 'answer') waiting?.resolve(message.queueId)
  else waiting?.reject(asError(message.error))
})

receiver.listen().then(
  ({ host, port: number }) => tell({ type: 'listening', host, port: number }),
  (error: NodeJS.ErrnoException) =>
    tell({ type: 'failed', error: { code: error.code ?? null, message: error.message } }),
)
