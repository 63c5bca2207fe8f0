import { UsageError } from '../protocol'

/** What may be sent on account of a message. */
export type SendKind = 'reply' | 'forward'

function alreadySent(kind: SendKind, key: string): UsageError {
  if (kind === 'forward')
    return new UsageError(
      'already_forwarded',
      `this message was already passed on under the key "${key}": give a second forward a key of its own, such as forward({ key: 'to-sales', to })`,
    )
  return new UsageError(
    'already_replied',
    `this message was already replied to under the key "${key}": give a second reply a key of its own, such as reply({ key: 'follow-up', text })`,
  )
}

/**
 * One event, handed to one loop or listener. Sends made from it have ids that are derived from the event:
 * whoever handles the same event again, after a crash or in another process, sends nothing twice.
 */
export class Delivery {
  readonly #eventId: string
  #sends: Set<string> | null = null

  constructor(eventId: string) {
    this.#eventId = eventId
  }

  /**
   * The `client_id` of the send of this kind under this key.
   *
   * @throws UsageError `already_replied` or `already_forwarded` when this delivery has one.
   */
  claim(kind: SendKind, key: string): string {
    const name = `${kind}:${key}`
    this.#sends ??= new Set()
    if (this.#sends.has(name)) throw alreadySent(kind, key)
    this.#sends.add(name)
    return `${kind}:${this.#eventId}:${key}`
  }

  /** That send failed; it may be tried again. */
  release(kind: SendKind, key: string): void {
    this.#sends?.delete(`${kind}:${key}`)
  }
}
