import type { Resolver } from '../ports'
import type { SmtpLimit } from './limiter'
import type { Envelope } from './receiver'

/** What the thread asks of the door. */
export type Question =
  | { kind: 'admit'; recipient: string; envelope: Pick<Envelope, 'mailFrom' | 'remoteAddress'> }
  | {
      kind: 'accept'
      envelope: Envelope
      raw: Uint8Array<ArrayBuffer>
      /** The mail where it was read already, as `tellMail` writes it. */
      mail: string | null
    }
  | { kind: 'look-up'; what: keyof Resolver; name: string }

/** The queue id of what was accepted, whether any sender is admitted, or what DNS said as JSON. */
export type Answer = string | boolean

/** What DNS said, or the code of its error. */
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
  | { type: 'close' }
