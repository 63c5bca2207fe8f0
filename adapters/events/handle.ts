import { checkOptions, isHandledOtherwise, type Message } from 'restante'

interface Observer<T> {
  next(value: T): unknown
  error(error: unknown): unknown
  complete(): unknown
}

interface Source {
  subscribe(observer: Observer<Message>): { unsubscribe(): void }
}

// biome-ignore lint/suspicious/noExplicitAny: RxJS has the type, and need not be installed
type OfRxjs = any

/** Observable of RxJS, by its members. `pipe` of RxJS infers the emitted type from `forEach`. */
export interface HandledMail<Result> {
  forEach(next: (value: Result) => void): Promise<void>
  source: OfRxjs
  operator: OfRxjs
  lift: OfRxjs
  subscribe: OfRxjs
  pipe: OfRxjs
  toPromise: OfRxjs
}

/** Options of {@link handle}. */
export interface HandleOptions {
  /** Called with the error of the handler; the message is still delivered again. Default: `console.error`. */
  onError?: ((error: unknown, message: Message) => unknown) | undefined
}

/** Returns the `Observable` class of a source, so that `pipe` works on: a `Subject` has another class. */
function observableOf(source: OfRxjs): OfRxjs {
  let found = source.constructor
  for (let one = found; typeof one?.prototype?.subscribe === 'function'; one = Object.getPrototypeOf(one))
    found = one
  return found
}

/**
 * RxJS operator that handles each message, and acknowledges it when that is done. A message is delivered
 * again if its handler throws or its process dies. The operator emits the results of the handler. As many
 * handlers run at the same time as messages are leased: `maxInFlight` of `mailObservable`.
 *
 * @example
 * ```ts
 * import { handle, mailObservable } from 'restante/events'
 * import { from } from 'rxjs'
 *
 * from(mailObservable(mailbox, { consumer: 'desk', maxInFlight: 4 }))
 *   .pipe(handle((message) => message.reply({ text: 'Got it, thank you.' })))
 *   .subscribe(({ id }) => console.log('sent', id))
 * ```
 */
export function handle<Result>(
  handler: (message: Message) => Result | Promise<Result>,
  options: HandleOptions = {},
): (source: OfRxjs) => HandledMail<Result> {
  checkOptions<HandleOptions>('handle()', options, { onError: 'function' })
  const { onError = (error: unknown) => console.error(error) } = options
  const settle = async (message: Message, observer: Observer<Result>): Promise<void> => {
    // If the message cannot be settled now, its lease ends by itself, and the mailbox reports why.
    const ack = () => message.ack().catch(() => {})
    let result: Result
    try {
      result = await handler(message)
    } catch (error) {
      if (isHandledOtherwise(error)) return ack()
      await onError(error, message)
      return message.nack().catch(() => {})
    }
    await ack()
    observer.next(result)
  }
  const run = (source: Source) => (observer: Observer<Result>) => {
    const running = new Set<Promise<void>>()
    const subscription = source.subscribe({
      next: (message) => {
        const work = settle(message, observer)
          .catch((error) => void observer.error(error))
          .finally(() => running.delete(work))
        running.add(work)
      },
      error: (error) => observer.error(error),
      complete: () => void Promise.all(running).then(() => observer.complete()),
    })
    return () => subscription.unsubscribe()
  }
  return (source) => new (observableOf(source))(run(source))
}
