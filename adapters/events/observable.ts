import { checkOptions, type IncomingOptions, type Mailbox, type Message } from 'restante'
import { incomingNames } from './options'
import { pumpUntilLeft } from './pump'

/** Observer of a {@link MailObservable}. */
export interface MailObserver {
  /** Gets a message. If it returns a promise, the next message waits for it. */
  next?(message: Message): unknown
  /** Called when it ends because of an error. */
  error?(error: unknown): unknown
  /** Called when it ends because the mailbox closed. */
  complete?(): unknown
}

/** Subscription to a {@link MailObservable}. */
export interface MailSubscription {
  readonly closed: boolean
  /** Ends it: the message in progress is given back at once. */
  unsubscribe(): void
}

/** Messages as an observable for RxJS and others: `from(mailObservable(mailbox))`. It can be looped over. */
export interface MailObservable extends AsyncIterable<Message> {
  subscribe(observer: MailObserver | ((message: Message) => unknown)): MailSubscription
  /** Used by RxJS if `Symbol.observable` does not exist. */
  '@@observable'(): MailObservable
}

const observerOf = (given: MailObserver | ((message: Message) => unknown)): MailObserver =>
  typeof given === 'function' ? { next: given } : given

const subscribe = (mailbox: Mailbox, options: IncomingOptions, observer: MailObserver): MailSubscription => {
  let closed = false
  const closing = (then: () => unknown) => () => {
    closed = true
    then()
  }
  const leave = pumpUntilLeft(mailbox.incoming(options), {
    next: (message) => observer.next?.(message),
    error: (error) => closing(() => observer.error?.(error))(),
    end: closing(() => observer.complete?.()),
  })
  return {
    get closed() {
      return closed
    },
    unsubscribe: closing(leave),
  }
}

/**
 * Makes an observable of messages. Each subscription has its own loop, from now on or of the `consumer`.
 *
 * With `subscribe` of this object, one message is out at a time. It counts as handled when the observer's
 * `next` has returned and its promise, if any, has resolved. RxJS (`from()`, by `Symbol.observable`) does not
 * wait for promises. So with a `consumer` its messages are handled only by `message.ack()`, which the
 * operator `handle` calls. Up to `maxInFlight` messages (default 10) are then out at the same time.
 *
 * @example
 * ```ts
 * import { mailObservable } from 'restante/events'
 *
 * const watching = mailObservable(mailbox).subscribe((message) => console.log(message.subject))
 * watching.unsubscribe()
 * ```
 */
export function mailObservable(mailbox: Mailbox, options: IncomingOptions = {}): MailObservable {
  checkOptions('mailObservable()', options, incomingNames)
  const { maxInFlight, ...others } = options
  // With `subscribe` and in a loop, one message is out at a time.
  const direct = options.consumer === undefined || options.acknowledge === 'manual' ? options : others
  const observable: MailObservable = {
    subscribe: (observer) => subscribe(mailbox, direct, observerOf(observer)),
    '@@observable': () => handed,
    [Symbol.asyncIterator]: () => mailbox.incoming(direct),
  }
  const manual: IncomingOptions = { ...options, acknowledge: 'manual' }
  const handed: MailObservable =
    options.consumer === undefined
      ? observable
      : {
          ...observable,
          subscribe: (observer) => subscribe(mailbox, manual, observerOf(observer)),
          '@@observable': () => handed,
        }
  const { observable: symbol } = Symbol as { observable?: symbol }
  if (symbol) Object.defineProperty(observable, symbol, { value: () => handed })
  return observable
}
