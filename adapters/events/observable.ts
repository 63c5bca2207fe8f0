import { checkOptions, type IncomingOptions, type Mailbox, type Message } from 'restante'
import { incomingNames } from './options'
import { pumpUntilLeft } from './pump'

/** An observer of a {@link MailObservable}. */
export interface MailObserver {
  /** Takes a message. Where it returns a promise, the next message waits for it. */
  next?(message: Message): unknown
  /** The end, if it is because of an error. */
  error?(error: unknown): unknown
  /** The end, when the mailbox closed. */
  complete?(): unknown
}

/** One subscription. */
export interface MailSubscription {
  readonly closed: boolean
  /** Ends it: what is in hand goes back at once. */
  unsubscribe(): void
}

/** Mail as an observable, as RxJS and others take it: `from(mailObservable(mailbox))`. A loop over it is one too. */
export interface MailObservable extends AsyncIterable<Message> {
  subscribe(observer: MailObserver | ((message: Message) => unknown)): MailSubscription
  /** Found by RxJS where `Symbol.observable` does not exist. */
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
 * Mail as an observable. Each subscription has its own loop, from now on or of the `consumer`.
 *
 * By `subscribe` of this object, a message counts as handled when the observer's `next` has returned and its promise, if
 * it returns one, has resolved, so that one message is out at a time. RxJS (`from()`, by `Symbol.observable`) waits for no
 * promise. So with a `consumer` what it gets is handled only by `message.ack()`, which the operator `handle` calls: up to
 * `maxInFlight` messages (default 10) are out at once.
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
  // By `subscribe`, and in a loop, one message is out at a time.
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
