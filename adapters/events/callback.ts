import { checkOptions, type IncomingOptions, type Mailbox, type Message, type OptionNames } from 'restante'
import { incomingNames } from './options'
import { pumpUntilLeft } from './pump'

/** Called with each message. */
export type MailHandler = (message: Message) => unknown

/** Options of `onMail`. */
export interface OnMailOptions extends IncomingOptions {
  /**
   * Called once, when nothing comes any more because of it: what the handler threw, or what ended the mailbox. Without it
   * that is an unhandled rejection.
   */
  onError?: ((error: unknown) => unknown) | undefined
}

const names: OptionNames<OnMailOptions> = { ...incomingNames, onError: 'function' }

/**
 * Calls back with each message that comes in, one at a time: the next comes when the handler has returned and its promise,
 * if it returns one, has resolved. Where it throws, its message is given back, and nothing more comes.
 *
 * @returns what ends it: what the handler is at goes back at once
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

/** Called with each message; with `error` alone, once, when nothing comes any more because of it. */
export type MailCallback = (error: unknown, message?: Message) => unknown

/**
 * The same with a callback of Node's shape, which takes an error first: where it throws, its message is given back, and it
 * is called with what it threw and never again.
 *
 * @returns what ends it: what the callback is at goes back at once
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
