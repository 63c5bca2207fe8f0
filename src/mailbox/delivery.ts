import { UsageError } from '../protocol'

/**
 * One event, handed to one loop or listener. Sends made from it have ids that are derived from the event:
 * whoever handles the same event again, after a crash or in another process, sends nothing twice.
 */
export class Delivery {
  readonly #eventId: string
  #keys: Set<string> | null = null

  constructor(eventId: string) {
    this.#eventId = eventId
  }

  /**
   * The `client_id` of the reply under this key.
   *
   * @throws UsageError `already_replied` when this delivery has one.
   */
  claim(key: string): string {
    this.#keys ??= new Set()
    if (this.#keys.has(key))
      throw new UsageError(
        'already_replied',
        `this message was already replied to under the key "${key}": give a second reply a key of its own, such as reply({ key: 'follow-up', text })`,
      )
    this.#keys.add(key)
    return `reply:${this.#eventId}:${key}`
  }

  /** The reply under this key failed; it may be tried again. */
  release(key: string): void {
    this.#keys?.delete(key)
  }
}
