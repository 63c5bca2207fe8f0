import { systemClock } from './clock'
import { type Connection, connect } from './connection'
import type { Listener } from './emitter'
import type { MailboxInbox } from './inbox-book'
import { createOpening, explainFailure, readAccount, untilLive } from './opening'
import type { MailboxOptions, MailboxState } from './settings'

/** What a mailbox is made of. */
export interface MailboxParts {
  readonly connection: Connection
  readonly inboxes: readonly MailboxInbox[]
  readonly lifetime: AbortController
  readonly settings: MailboxOptions
}

/** A mailbox as its opening sees it. */
interface Opened {
  readonly state: MailboxState
  on(name: 'state', listener: Listener<'state'>): () => void
  close(): Promise<void>
}

/** Makes a mailbox, starts it and waits until it is live: see `Mailbox.open`. */
export async function openMailbox<M extends Opened>(
  options: MailboxOptions,
  make: (parts: MailboxParts) => M,
  start: (mailbox: M) => void,
): Promise<M> {
  const { clock = systemClock, openTimeoutMs: timeoutMs = 10_000 } = options
  const opening = createOpening({ clock, timeoutMs, signal: options.signal })
  const lifetime = new AbortController()
  let mailbox: M | undefined
  let name = 'the service'
  let last: unknown
  try {
    opening.signal.throwIfAborted()
    const connection = await connect(options, clock, lifetime.signal)
    name = connection.name
    const { inboxes } = await readAccount(connection.client, clock, opening.signal, (error) => {
      last = error
    })
    const made = make({ connection, inboxes, lifetime, settings: options })
    mailbox = made
    await untilLive(
      () => start(made),
      (listener) => made.on('state', listener),
      opening.signal,
    )
    return mailbox
  } catch (error) {
    last = mailbox?.state.error ?? last
    await mailbox?.close()
    lifetime.abort(error)
    throw explainFailure(error, name, last)
  } finally {
    opening.end()
  }
}
