import { isRestanteError, type RestanteError, UsageError } from '../../protocol/errors/error'
import type { OpenSpan } from '../../protocol/trace'
import type { Lease } from '../base/consumer-lease'
import type { Replay } from './outgoing'

/** Kinds of sends that answer a message. A draft of a reply counts as the reply. */
export type SendKind = 'reply' | 'forward' | 'draft'

const idKindOf = (kind: SendKind): 'reply' | 'forward' => (kind === 'forward' ? 'forward' : 'reply')

/** Returns the client_id of a send. @param origin Id of the message, prefixed by its consumer. */
export const slotOf = (kind: SendKind, origin: string, key: string): string =>
  `${idKindOf(kind)}:${origin}:${key}`

const sentOnce = {
  reply: ['already_replied', 'replied to', 'reply'],
  forward: ['already_forwarded', 'passed on', 'forward'],
  draft: ['already_drafted', 'answered by a draft', 'draft'],
} as const

/**
 * Returns the refusal of a second send under one key.
 *
 * @param holder Kind of the first send: a draft may hold the key of a reply
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
 * Returns whether an error means that the message needs no more handling: its thread has a newer message, or
 * it has an answer. `run()` acknowledges such a message.
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
 * The turn of a message: the time in which one loop or listener handles it. Ids of sends in a turn are
 * derived from the message, so handling it again, after a crash or in another process, sends nothing twice.
 */
export class Turn {
  readonly #origin: string
  readonly #lease: Lease | null
  #sends: Map<string, SendKind> | null = null
  /** Number of messages that were read in it. */
  read = 1

  /** @param lease Lease of this message, or of the message in whose body it was waited for. */
  constructor(messageId: string, lease: Lease | null = null) {
    this.#origin = lease ? `${lease.consumer}:${messageId}` : messageId
    this.#lease = lease
  }

  /** The leased message in whose body this message is handled. */
  get body(): { readonly id: string } | undefined {
    return this.#lease?.record.message
  }

  /** Name of the consumer whose handler this is. */
  get consumer(): string | undefined {
    return this.#lease?.consumer
  }

  /** Span of the loop whose body this is. */
  get span(): OpenSpan | null {
    return this.#lease?.span ?? null
  }

  /** Returns the lease of this message; null for any other message of the conversation. */
  leaseOf(messageId: string): Lease | null {
    return this.#lease?.record.message.id === messageId ? this.#lease : null
  }

  /**
   * Returns the `client_id` of the send of this kind under this key.
   *
   * @param replay How to treat a repeat. If given, the service decides.
   * @throws UsageError `already_replied`, `already_forwarded` or `already_drafted` if this turn has one
   */
  clientIdFor(kind: SendKind, key: string, replay?: Replay): string {
    const name = `${idKindOf(kind)}:${key}`
    this.#sends ??= new Map()
    const known = this.#sends.get(name)
    if (known && !replay) throw alreadySent(known, key)
    this.#sends.set(name, kind)
    return slotOf(kind, this.#origin, key)
  }

  /** Notes that the send failed and may be repeated. */
  forget(kind: SendKind, key: string): void {
    this.#sends?.delete(`${idKindOf(kind)}:${key}`)
  }
}

/** Returns the lease of a message. @throws UsageError `not_leased` */
export function requireLease(turn: Turn | null, messageId: string): Lease {
  const lease = turn?.leaseOf(messageId)
  if (lease) return lease
  throw new UsageError(
    'not_leased',
    'no named consumer has this message: get it from incoming({ consumer }) or run()',
  )
}
