import type { IncomingOptions, Mailbox, Message } from 'restante'
import { pumpUntilLeft } from './pump'

/** Called with each message; with `error` alone, once, when nothing comes any more because of it. */
export type MailCallback = (error: unknown, message?: Message) => unknown

/**
 * Calls back with each message that comes in, one at a time: the next comes when the callback has returned and its
 * promise, if it returns one, has resolved. Where it throws, its message is given back, and it is called with what it
 * threw and never again.
 *
 * @returns what ends it: what the callback is at goes back at once
 * @throws UsageError as `mailbox.incoming`
 * @example
 * ```ts
 * import { onMail } from 'restante/events'
 *
 * const leave = onMail(mailbox, async (error, message) => {
 *   if (error) console.error(error)
 *   else await message?.reply({ text: 'Got it, thank you.' })
 * }, { consumer: 'desk' })
 * process.once('SIGTERM', leave)
 * ```
 */
export function onMail(
  mailbox: Mailbox,
  callback: MailCallback,
  options: IncomingOptions = {},
): () => Promise<void> {
  return pumpUntilLeft(mailbox.incoming(options), {
    next: (message) => callback(null, message),
    error: (error) => callback(error),
    end: () => {},
  })
}
