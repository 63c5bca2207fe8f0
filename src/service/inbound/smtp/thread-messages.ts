import type { Rate } from '../../net'
import type { Resolver, SignatureTask } from '../../ports'
import type { SmtpLimit } from './limiter'
import type { Envelope, Opening } from './receiver'
import type { KeyAndCertificate } from './self-signed'

/** A question of the thread to the door. */
export type Question =
  | { kind: 'admit'; recipient: string; opening: Opening }
  | { kind: 'accept'; envelope: Envelope; raw: Uint8Array<ArrayBuffer> }
  | { kind: 'slice'; of: string; key: string; wanted: number; rate: Rate }
  | { kind: 'look-up'; what: keyof Resolver; name: string }
  | { kind: 'verify'; raw: Uint8Array; task: SignatureTask }

/** The queue id of what was accepted, whether any sender is admitted, or as JSON a slice, an answer of DNS or results of signatures. */
export type Answer = string | boolean

/** The records of DNS, or the code of its error. */
export type LookedUp = { records: unknown } | { code: string }

/** An error that crosses threads: a refusal keeps its code, anything else its words. */
export interface ToldError {
  code: string | null
  message: string
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** From the thread that speaks SMTP. */
export type FromThread =
  | { type: 'listening'; host: string; port: number }
  | { type: 'failed'; error: ToldError }
  | { type: 'ask'; id: number; question: Question }
  | { type: 'log'; level: LogLevel; facts: object; message: string }
  | { type: 'limited'; limit: SmtpLimit }
  | { type: 'closed' }

/** To the thread that speaks SMTP. */
export type ToThread =
  | { type: 'answer'; id: number; answer: Answer }
  | { type: 'refusal'; id: number; error: ToldError }
  | { type: 'forget' }
  | { type: 'certificate'; tls: KeyAndCertificate }
  | { type: 'close' }

type Post<Message> = (messages: Message[], transfer: ArrayBuffer[]) => void

/** The most messages in a batch: few, since the other thread has nothing to do before the first arrive. */
const maxTogether = 3

/**
 * Posts some messages of one turn of the event loop together: what a message between threads costs is the crossing
 * more than its content.
 */
export function createMessageBatch<Message>(post: Post<Message>) {
  let messages: Message[] = []
  let transfer: ArrayBuffer[] = []

  function flush(): void {
    if (messages.length === 0) return
    const [sent, moved] = [messages, transfer]
    messages = []
    transfer = []
    post(sent, moved)
  }

  return (message: Message, moved?: ArrayBuffer): void => {
    if (messages.length === 0) setImmediate(flush)
    messages.push(message)
    if (moved) transfer.push(moved)
    if (messages.length === maxTogether) flush()
  }
}
