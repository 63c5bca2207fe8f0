import type { Readable } from 'node:stream'
import { checkOptions, type IncomingOptions, type Mailbox, type Message } from 'restante'
import { node } from './node'
import { incomingNames } from './options'

/**
 * Gives mail as a stream of the web platform. It holds nothing itself: each read asks for the next message, which tells
 * the `consumer` that the one before is handled. `cancel`, and so leaving a loop over it, gives back what is in hand at
 * once.
 *
 * @throws UsageError as `mailbox.incoming`
 * @example
 * ```ts
 * import { mailStream } from 'restante/events'
 *
 * const subjects = new WritableStream({ write: (subject: string) => console.log(subject) })
 * await mailStream(mailbox)
 *   .pipeThrough(new TransformStream({ transform: ({ subject }, out) => out.enqueue(subject) }))
 *   .pipeTo(subjects)
 * ```
 */
export function mailStream(mailbox: Mailbox, options: IncomingOptions = {}): ReadableStream<Message> {
  checkOptions('mailStream()', options, incomingNames)
  const incoming = mailbox.incoming(options)
  return new ReadableStream<Message>(
    {
      pull: async (controller) => {
        const { done, value } = await incoming.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => {
        await incoming.return()
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Gives mail as a stream of Node. It holds nothing itself: each read asks for the next message, which tells the
 * `consumer` that the one before is handled. A pipe asks when the writable before it has room. `destroy`, and so
 * leaving a loop over it, gives back what is in hand at once.
 *
 * @throws UsageError as `mailbox.incoming`, and `needs_node`
 * @example
 * ```ts
 * import { mailReadable } from 'restante/events'
 *
 * for await (const message of mailReadable(mailbox, { consumer: 'desk' })) await message.reply({ text: 'Hello!' })
 * ```
 */
export function mailReadable(mailbox: Mailbox, options: IncomingOptions = {}): Readable {
  checkOptions('mailReadable()', options, incomingNames)
  const { Readable } = node('node:stream')
  const incoming = mailbox.incoming(options)
  return new Readable({
    objectMode: true,
    highWaterMark: 0,
    read() {
      incoming.next().then(
        ({ value = null }) => this.push(value),
        (error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      incoming.return().then(
        () => done(error),
        () => done(error),
      )
    },
  })
}
