import type { EventEmitter } from 'node:events'
import {
  checkOptions,
  type IncomingMessages,
  type IncomingOptions,
  type Mailbox,
  type Message,
} from 'restante'
import { node } from './node'
import { incomingNames } from './options'
import { pump } from './pump'

/** The events of a {@link MailEmitter}. */
export type MailEmitterEvents = {
  message: [message: Message]
  /**
   * The error that ended it, or that a listener threw, whose message is given back. Without a listener it is thrown, as
   * Node does.
   */
  error: [error: unknown]
  end: []
}

/** Mail as events. */
export interface MailEmitter extends EventEmitter<MailEmitterEvents> {
  /** Asks for no more mail: `events.on` does this when it holds as many as its `highWaterMark`. */
  pause(): void
  resume(): void
}

/** Makes a gate, which lets a loop through only while it is open. */
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
 * Mail as an `EventEmitter`: it takes mail while somebody listens to `message`, one message at a time. The next comes
 * when all listeners have returned and the promises that they return have resolved. When the last listener is taken off,
 * no more is taken, and what a listener is at is handled to its end. `end` comes when the mailbox closed.
 *
 * `events.on(emitter, 'message')` keeps what its loop has not come to, without a bound unless it is given one, and what it
 * keeps counts as handled: give it `{ highWaterMark: 1, close: ['end'] }`, or loop over `mailbox.incoming()` itself.
 *
 * @throws UsageError as `mailbox.incoming`, when the first listener is put on; `needs_node`
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
      // Where nobody listens any more, nobody is told.
      if (incoming !== opened) return
      incoming = undefined
      then()
    }
    void pump(opened, {
      next: async (message) => {
        // The wrapper of a listener that is meant once takes it off when it is called.
        const listeners = emitter.rawListeners('message') as ((message: Message) => unknown)[]
        await Promise.all(listeners.map((listener) => listener.call(emitter, message)))
        await gate.passed()
      },
      error: (error) => over(() => emitter.emit('error', error)),
      end: () => over(() => emitter.emit('end')),
    })
  }
  // Its types leave out the events that each emitter has.
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
