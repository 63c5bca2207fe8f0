import { UsageError } from '../protocol'
import type { Hold } from './consumer-hold'

/** What may be sent on account of a message: a draft of a reply stands for the reply. */
export type SendKind = 'reply' | 'forward' | 'draft'

const claimed = (kind: SendKind): 'reply' | 'forward' => (kind === 'forward' ? 'forward' : 'reply')

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
 * One message, handed to one loop or listener. Sends made from it have ids that are derived from the message:
 * whoever handles it again, after a crash or in another process, sends nothing twice.
 */
export class Delivery {
  readonly #origin: string
  readonly #hold: Hold | null
  #sends: Map<string, SendKind> | null = null

  /** @param hold How a named consumer has the message, or the one in whose body it was waited for. */
  constructor(messageId: string, hold: Hold | null = null) {
    this.#origin = hold ? `${hold.consumer}:${messageId}` : messageId
    this.#hold = hold
  }

  /** The message of a named consumer in whose body this one is. */
  get body(): { readonly id: string } | undefined {
    return this.#hold?.record.message
  }

  /** How a named consumer has this message; null for any other message of the conversation. */
  holdOf(messageId: string): Hold | null {
    return this.#hold?.record.message.id === messageId ? this.#hold : null
  }

  /**
   * The `client_id` of the send of this kind under this key.
   *
   * @throws UsageError `already_replied`, `already_forwarded` or `already_drafted` when this delivery has one.
   */
  claim(kind: SendKind, key: string): string {
    const name = `${claimed(kind)}:${key}`
    this.#sends ??= new Map()
    const known = this.#sends.get(name)
    if (known) throw alreadySent(known, key)
    this.#sends.set(name, kind)
    return `${claimed(kind)}:${this.#origin}:${key}`
  }

  /** That send failed; it may be tried again. */
  release(kind: SendKind, key: string): void {
    this.#sends?.delete(`${claimed(kind)}:${key}`)
  }
}

/** How a named consumer has a message. @throws UsageError `not_leased` */
export function requireHold(delivery: Delivery | null, messageId: string): Hold {
  const hold = delivery?.holdOf(messageId)
  if (hold) return hold
  throw new UsageError(
    'not_leased',
    'no named consumer handed this message out, so nothing can be said about it: take it from incoming({ consumer }) or run()',
  )
}
