import type { Readable } from 'node:stream'
import { checkOptions, type IncomingOptions, type Mailbox, type Message } from 'restante'
import { incomingNames, node } from './options'

/**
 * Returns messages as a web stream without a buffer. Each read requests the next message, which marks the one
 * before as handled for the `consumer`. `cancel`, also by leaving a loop over the stream, gives the message
 * in progress back at once.
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
 * Returns messages as a Node stream without a buffer. Each read requests the next message, which marks the
 * one before as handled for the `consumer`. A pipe reads when its writable has space. `destroy`, also by
 * leaving a loop over the stream, gives the message in progress back at once.
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
