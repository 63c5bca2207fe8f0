import { UsageError } from '../../protocol/errors'
import type { OpenSpan } from '../../protocol/trace'
import type { Lease } from '../base'

/** The kinds of sends that answer a message: a draft of a reply stands for the reply. */
export type SendKind = 'reply' | 'forward' | 'draft'

const idKindOf = (kind: SendKind): 'reply' | 'forward' => (kind === 'forward' ? 'forward' : 'reply')

function alreadySent(kind: SendKind, key: string): UsageError {
  if (kind === 'forward')
    return new UsageError(
      'already_forwarded',
      `this message was already passed on under the key "${key}": give a second forward a key of its own, such as forward({ key: 'to-sales', to })`,
    )
  if (kind === 'draft')
    return new UsageError(
      'already_drafted',
      `a reply to this message was already drafted under the key "${key}": change or send that draft, or give another reply a key of its own, such as { key: 'receipt' }`,
    )
  return new UsageError(
    'already_replied',
    `this message was already replied to under the key "${key}": give a second reply a key of its own, such as reply({ key: 'follow-up', text })`,
  )
}

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
   * @throws UsageError `already_replied`, `already_forwarded` or `already_drafted` when this turn has one.
   */
  clientIdFor(kind: SendKind, key: string): string {
    const name = `${idKindOf(kind)}:${key}`
    this.#sends ??= new Map()
    const known = this.#sends.get(name)
    if (known) throw alreadySent(known, key)
    this.#sends.set(name, kind)
    return `${idKindOf(kind)}:${this.#origin}:${key}`
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
    'no named consumer handed this message out, so nothing can be said about it: take it from incoming({ consumer }) or run()',
  )
}
