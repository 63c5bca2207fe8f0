import type { Rate } from '../../net/rate-limiter'
import type { Resolver, SignatureTask } from '../../ports'
import type { KeyAndCertificate } from './certificate'
import type { SmtpLimit } from './limiter'
import type { Envelope, Opening } from './receiver'

/** Records that checks of senders need. */
export type LookUpKind = Exclude<keyof Resolver, 'srv'>

/** Question of the thread to the handler. */
export type Question =
  | { kind: 'admit'; recipient: string; opening: Opening }
  | { kind: 'accept'; envelope: Envelope; raw: Uint8Array<ArrayBuffer> }
  | { kind: 'slice'; of: string; key: string; wanted: number; rate: Rate }
  | { kind: 'look-up'; what: LookUpKind; name: string }
  | { kind: 'verify'; raw: Uint8Array; task: SignatureTask }

/** Queue id, whether any sender is admitted, or JSON of a slice, DNS records or signature results. */
export type Answer = string | boolean

/** DNS records, or the code of the error. */
export type LookedUp = { records: unknown } | { code: string }

/** Error that crosses threads: a refusal keeps its code, any other error only its message. */
export interface ThreadError {
  code: string | null
  message: string
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Message from the SMTP thread. */
export type FromThread =
  | { type: 'listening'; host: string; port: number }
  | { type: 'failed'; error: ThreadError }
  | { type: 'ask'; id: number; question: Question }
  | { type: 'log'; level: LogLevel; facts: object; message: string }
  | { type: 'limited'; limit: SmtpLimit }
  | { type: 'closed' }

/** Message to the SMTP thread. */
export type ToThread =
  | { type: 'answer'; id: number; answer: Answer }
  | { type: 'refusal'; id: number; error: ThreadError }
  | { type: 'forget' }
  | { type: 'certificate'; tls: KeyAndCertificate }
  | { type: 'close' }

type Post<Message> = (messages: Message[], transfer: ArrayBuffer[]) => void

/** Maximum number of messages in a batch: few, since the other thread is idle before the first arrives. */
const maxTogether = 3

/** Batches messages of one turn of the event loop: crossing threads costs more than content. */
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
