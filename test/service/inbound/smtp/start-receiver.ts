import { onTestFinished } from 'vitest'
import type {
  Envelope,
  SmtpHandler,
  SmtpReceiver,
  SmtpReceiverOptions,
} from '../../../../src/service/inbound/smtp/receiver'
import { createSmtpReceiver } from '../../../../src/service/inbound/smtp/receiver'

export interface StartedReceiver {
  port: number
  receiver: SmtpReceiver
  /** Mails that the handler accepted. */
  mails: { envelope: Envelope; raw: Uint8Array }[]
  /** Warnings and errors that were logged. */
  complaints: unknown[]
}

/** A receiver on a free port with a handler that takes everything, closed when the test ends. */
export async function startReceiver(
  options: Partial<Omit<SmtpReceiverOptions, 'handler'>> & { handler?: Partial<SmtpHandler> } = {},
): Promise<StartedReceiver> {
  const mails: StartedReceiver['mails'] = []
  const complaints: unknown[] = []
  const handler: SmtpHandler = {
    admit: async () => {},
    async accept(envelope, raw) {
      mails.push({ envelope, raw })
      return { queueId: `msg_${mails.length}` }
    },
    ...options.handler,
  }
  const complain = (facts: object, message: string) => complaints.push({ ...facts, message })
  const logger = { debug() {}, info() {}, warn: complain, error: complain }
  const receiver = createSmtpReceiver({
    host: '127.0.0.1',
    port: 0,
    hostname: 'mx.test',
    logger,
    ...options,
    handler,
  })
  const { port } = await receiver.listen()
  onTestFinished(() => receiver.close())
  return { port, receiver, mails, complaints }
}

export const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('latin1')
