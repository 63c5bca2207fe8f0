import { HandlerError, type RestanteError, UsageError } from '../protocol/errors/error'
import { checkChoice } from '../protocol/options'
import type { Event } from '../protocol/records/event'
import type { Message } from './records/message'
import type { SyncState } from './sync/sync'

/** Events of a mailbox, with the arguments of their listeners. */
export interface MailboxEvents {
  /** An answerable message arrived that is not marked as spam. */
  message: [message: Message]
  /** Any event of the log, once, in order. */
  event: [event: Event]
  /** The status changed. */
  state: [state: SyncState]
  /**
   * An error that no call reports: an unusable event or response, an error of a handler or listener, a
   * refused key. Without a listener, the last three are printed to the console, and the process exits with 1.
   */
  error: [error: RestanteError]
}

/** Receives the arguments of {@link MailboxEvents}. A rejection is reported like an error thrown. */
export type Listener<Name extends keyof MailboxEvents> = (...details: MailboxEvents[Name]) => unknown

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'

type AnyListener = (...details: never[]) => unknown

const checkEvent = (call: string, name: string): void =>
  checkChoice(`the event of ${call}`, name, ['message', 'event', 'state', 'error'])

/** Listeners, isolated from each other and from the mailbox. */
export class Emitter {
  readonly #listeners = new Map<string, Set<AnyListener>>()

  /** Adds a listener, once even if it is added again; the returned function removes it. */
  on<Name extends keyof MailboxEvents>(name: Name, listener: Listener<Name>): () => void {
    checkEvent('on()', name)
    if (typeof listener !== 'function')
      throw new UsageError('invalid_options', `on() takes a function, not ${typeof listener}`)
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener as AnyListener))
    return () => this.off(name, listener)
  }

  off<Name extends keyof MailboxEvents>(name: Name, listener: Listener<Name>): void {
    checkEvent('off()', name)
    this.#listeners.get(name)?.delete(listener as AnyListener)
  }

  /** Returns whether the event has listeners. */
  has(name: keyof MailboxEvents): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0
  }

  emit<Name extends keyof MailboxEvents>(name: Name, ...details: MailboxEvents[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) this.#call(name, listener, details)
  }

  /**
   * Reports an error that nothing else reports. Without a listener it is printed, and the process exits with
   * 1: an agent must not fail in silence.
   */
  fail(error: RestanteError): void {
    if (this.has('error')) return this.emit('error', error)
    console.error(error)
    const { process } = globalThis as { process?: { exitCode?: unknown } }
    if (process) process.exitCode ||= 1
  }

  #call(name: string, listener: AnyListener, details: unknown[]): void {
    try {
      const result = (listener as (...details: unknown[]) => unknown)(...details)
      if (isThenable(result)) result.then(undefined, (error) => this.#report(name, error))
    } catch (error) {
      this.#report(name, error)
    }
  }

  #report(name: string, cause: unknown): void {
    // An error of an `error` listener is not reported: the report would call it again.
    if (name === 'error') return
    const message = `a listener for '${name}' threw: see cause`
    this.fail(new HandlerError('listener_failed', message, { cause }))
  }
}
