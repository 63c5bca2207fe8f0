import { isRestanteError, type RestanteError, UsageError } from '../../protocol/errors'
import type { OpenSpan } from '../../protocol/trace'
import type { Lease } from '../base'
import type { Replay } from './outgoing'

/** The kinds of sends that answer a message: a draft of a reply stands for the reply. */
export type SendKind = 'reply' | 'forward' | 'draft'

const idKindOf = (kind: SendKind): 'reply' | 'forward' => (kind === 'forward' ? 'forward' : 'reply')

/** The client_id of the send of this kind under this key. @param origin The message, after the consumer that has it. */
export const slotOf = (kind: SendKind, origin: string, key: string): string =>
  `${idKindOf(kind)}:${origin}:${key}`

const sentOnce = {
  reply: ['already_replied', 'replied to', 'reply'],
  forward: ['already_forwarded', 'passed on', 'forward'],
  draft: ['already_drafted', 'answered by a draft', 'draft'],
} as const

/**
 * Refuses a second send under one key.
 *
 * @param holder The kind of the first send: a draft may hold the key of a reply
 */
export function alreadySent(kind: SendKind, key: string, cause?: RestanteError, holder = kind): UsageError {
  const [code, , call] = sentOnce[kind]
  const [, done] = sentOnce[holder]
  return new UsageError(
    code,
    `this message was already ${done} under the key "${key}": give another ${call} a key of its own, or replay: 'first_wins' to get the first result`,
    { cause, details: cause?.details },
  )
}

const handledOtherwise: ReadonlySet<string> = new Set(['thread_moved', 'drafted_before', 'replied_before'])

/**
 * Tells whether an error says that the message needs nothing more: its conversation has moved on, or it has an answer.
 * `run()` acknowledges such a message.
 *
 * @example
 * ```ts
 * import { isHandledOtherwise } from 'restante'
 *
 * try {
 *   await message.reply({ text: 'Yes.', onlyIfLatest: true })
 * } catch (error) {
 *   if (!isHandledOtherwise(error)) throw error
 * }
 * ```
 */
export const isHandledOtherwise = (error: unknown): boolean =>
  isRestanteError(error) && handledOtherwise.has(error.code)

/**
 * The turn of a message: one loop or listener has it, until it is done with it. Sends made from it have ids that are
 * derived from the message: handled again, after a crash or in another process, it sends nothing twice.
 */
export class Turn {
  readonly #origin: string
  readonly #lease: Lease | null
  #sends: Map<string, SendKind> | null = null

  /** @param lease How a named consumer has the message, or the one in whose body it was waited for. */
  constructor(messageId: string, lease: Lease | null = null) {
    this.#origin = lease ? `${lease.consumer}:${messageId}` : messageId
    this.#lease = lease
  }

  /** The message of a named consumer in whose body this one is. */
  get body(): { readonly id: string } | undefined {
    return this.#lease?.record.message
  }

  /** The name of the consumer whose handler this is. */
  get consumer(): string | undefined {
    return this.#lease?.consumer
  }

  /** The span of the loop whose body this is. */
  get span(): OpenSpan | null {
    return this.#lease?.span ?? null
  }

  /** The lease that a named consumer has on this message; null for any other message of the conversation. */
  leaseOf(messageId: string): Lease | null {
    return this.#lease?.record.message.id === messageId ? this.#lease : null
  }

  /**
   * The `client_id` of the send of this kind under this key.
   *
   * @param replay What the caller wants of a repeat: then the service decides.
   * @throws UsageError `already_replied`, `already_forwarded` or `already_drafted` when this turn has one.
   */
  clientIdFor(kind: SendKind, key: string, replay?: Replay): string {
    const name = `${idKindOf(kind)}:${key}`
    this.#sends ??= new Map()
    const known = this.#sends.get(name)
    if (known && !replay) throw alreadySent(known, key)
    this.#sends.set(name, kind)
    return slotOf(kind, this.#origin, key)
  }

  /** Notes that the send failed and may be tried again. */
  forget(kind: SendKind, key: string): void {
    this.#sends?.delete(`${idKindOf(kind)}:${key}`)
  }
}

/** Gives the lease that a named consumer has on a message. @throws UsageError `not_leased` */
export function requireLease(turn: Turn | null, messageId: string): Lease {
  const lease = turn?.leaseOf(messageId)
  if (lease) return lease
  throw new UsageError(
    'not_leased',
    'no named consumer has this message: get it from incoming({ consumer }) or run()',
  )
}
