import type { EventEmitter } from 'node:events'
import {
  checkOptions,
  type IncomingMessages,
  type IncomingOptions,
  type Mailbox,
  type Message,
} from 'restante'
import { incomingNames, node } from './options'
import { pump } from './pump'

/** Events of a {@link MailEmitter}. */
export type MailEmitterEvents = {
  message: [message: Message]
  /**
   * Error that ended it, or that a listener threw; the message of that listener is given back. Without a
   * listener it is thrown, as in Node.
   */
  error: [error: unknown]
  end: []
}

/** Messages as events. */
export interface MailEmitter extends EventEmitter<MailEmitterEvents> {
  /** Requests no more messages. `events.on` does this when it holds as many as its `highWaterMark`. */
  pause(): void
  resume(): void
}

/** Makes a gate that lets a loop pass only while it is open. */
const createGate = () => {
  let open = () => {}
  let opened: Promise<void> | undefined
  return {
    shut: () => {
      opened ??= new Promise((resolve) => {
        open = resolve
      })
    },
    open: () => {
      opened = undefined
      open()
    },
    passed: async () => {
      while (opened) await opened
    },
  }
}

/**
 * Makes an `EventEmitter` of messages. It receives messages while `message` has listeners, one at a time. The
 * next one is delivered when all listeners have returned and their promises have resolved. When the last
 * listener is removed, it requests no more, and the current listener runs to its end. `end` is emitted when
 * the mailbox closed.
 *
 * `events.on(emitter, 'message')` buffers messages without a bound by default, and buffered messages count as
 * handled. Pass `{ highWaterMark: 1, close: ['end'] }`, or loop over `mailbox.incoming()` itself.
 *
 * @throws UsageError as `mailbox.incoming`, when the first listener is added; `needs_node`
 * @example
 * ```ts
 * import { mailEmitter } from 'restante/events'
 *
 * mailEmitter(mailbox, { consumer: 'desk' })
 *   .on('message', (message) => message.reply({ text: 'Got it, thank you.' }))
 *   .on('error', console.error)
 * ```
 */
export function mailEmitter(mailbox: Mailbox, options: IncomingOptions = {}): MailEmitter {
  checkOptions('mailEmitter()', options, incomingNames)
  const { EventEmitter } = node('node:events')
  const gate = createGate()
  const emitter = Object.assign(new EventEmitter<MailEmitterEvents>(), {
    pause: gate.shut,
    resume: gate.open,
  })
  let incoming: IncomingMessages | undefined
  const listen = () => {
    if (incoming) return
    const opened = mailbox.incoming(options)
    incoming = opened
    const over = (then: () => void) => {
      // Without listeners, or with a newer loop, this end concerns nobody.
      if (incoming !== opened) return
      incoming = undefined
      then()
    }
    void pump(opened, {
      next: async (message) => {
        // A listener added with `once` is wrapped: calling the wrapper also removes it.
        const listeners = emitter.rawListeners('message') as ((message: Message) => unknown)[]
        await Promise.all(listeners.map((listener) => listener.call(emitter, message)))
        await gate.passed()
      },
      error: (error) => over(() => emitter.emit('error', error)),
      end: () => over(() => emitter.emit('end')),
    })
  }
  // The emitter's types leave out the events that each emitter has.
  const itself = emitter as unknown as EventEmitter
  itself.on('newListener', (name) => {
    if (name === 'message') listen()
  })
  itself.on('removeListener', (name) => {
    if (name !== 'message' || emitter.listenerCount('message') > 0) return
    incoming?.stop()
    incoming = undefined
    gate.open()
  })
  return emitter
}
