import type { IncomingOptions, Mailbox, Message } from 'restante'
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
 * An observable pushes: a message counts as handled when the observer's `next` has returned and its promise, if it
 * returns one, has resolved, so that one message is out at a time. What operators hold behind that, as `concatMap` does,
 * is theirs, and is lost with the process: answer in `next`, or take `mailbox.run`.
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
  const observable: MailObservable = {
    subscribe: (observer) =>
      subscribe(mailbox, options, typeof observer === 'function' ? { next: observer } : observer),
    '@@observable': () => observable,
    [Symbol.asyncIterator]: () => mailbox.incoming(options),
  }
  const { observable: symbol } = Symbol as { observable?: symbol }
  if (symbol) Object.defineProperty(observable, symbol, { value: () => observable })
  return observable
}
