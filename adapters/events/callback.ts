import { checkOptions, type IncomingOptions, type Mailbox, type Message, type OptionNames } from 'restante'
import { incomingNames } from './options'
import { pumpUntilLeft } from './pump'

/** Called with each message. */
export type MailHandler = (message: Message) => unknown

/** Options of `onMail`. */
export interface OnMailOptions extends IncomingOptions {
  /** Called once with the error of the handler or the mailbox. Without it, that is an unhandled rejection. */
  onError?: ((error: unknown) => unknown) | undefined
}

const names: OptionNames<OnMailOptions> = { ...incomingNames, onError: 'function' }

/**
 * Calls the handler with each incoming message, one at a time. The next one is delivered when the handler has
 * returned and its promise, if any, has resolved. If the handler throws, its message is given back and
 * delivery ends.
 *
 * @returns a function that ends it: the message in progress is given back at once
 * @throws UsageError as `mailbox.incoming`
 * @example
 * ```ts
 * import { onMail } from 'restante/events'
 *
 * const leave = onMail(mailbox, async (message) => {
 *   await message.reply({ text: 'Got it, thank you.' })
 * }, { consumer: 'desk', onError: (error) => console.error(error) })
 * process.once('SIGTERM', leave)
 * ```
 */
export function onMail(
  mailbox: Mailbox,
  handler: MailHandler,
  options: OnMailOptions = {},
): () => Promise<void> {
  checkOptions('onMail()', options, names)
  const { onError, ...rest } = options
  return pumpUntilLeft(mailbox.incoming(rest), {
    next: handler,
    error: (error) => {
      if (!onError) throw error
      onError(error)
    },
    end: () => {},
  })
}

/** Called with each message; once with `error` alone, when delivery ends because of it. */
export type MailCallback = (error: unknown, message?: Message) => unknown

/**
 * Works as `onMail`, with a Node callback, which gets an error first. If the callback throws, its message is
 * given back. The callback then gets the error and is not called again.
 *
 * @returns a function that ends it: the message in progress is given back at once
 * @throws UsageError as `mailbox.incoming`
 * @example
 * ```ts
 * import { onMailCallback } from 'restante/events'
 *
 * const leave = onMailCallback(mailbox, async (error, message) => {
 *   if (error) console.error(error)
 *   else await message?.reply({ text: 'Got it, thank you.' })
 * }, { consumer: 'desk' })
 * process.once('SIGTERM', leave)
 * ```
 */
export function onMailCallback(
  mailbox: Mailbox,
  callback: MailCallback,
  options: IncomingOptions = {},
): () => Promise<void> {
  checkOptions('onMailCallback()', options, incomingNames)
  return pumpUntilLeft(mailbox.incoming(options), {
    next: (message) => callback(null, message),
    error: (error) => callback(error),
    end: () => {},
  })
}
