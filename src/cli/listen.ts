import { createClient } from '../client'
import { Mailbox, type MailboxState } from '../mailbox'
import { UsageError } from '../protocol/error'
import type { Event } from '../protocol/event'
import type { ConnectionOptions } from './flags'
import { clockTime, createOutput, printable } from './output'
import { untilStopped } from './until-stopped'

/** The parts of a message or thread that a line of the tail shows. */
function about({ data }: Event): string {
  const { from_addr, to_addrs, subject } = data as {
    from_addr?: string
    to_addrs?: string[]
    subject?: string
  }
  const people =
    from_addr === undefined ? '' : `${printable(from_addr)} → ${printable((to_addrs ?? []).join(', '))}  `
  return people + (subject === undefined ? '' : JSON.stringify(printable(subject)))
}

/** A mailbox is patient with a service that is away; who types a command wants to know at once. */
async function requireService({ url, key }: ConnectionOptions): Promise<void> {
  await createClient({ url, apiKey: key }).account.get({}, { retry: false, timeoutMs: 5_000 })
}

/** `restante listen`: the events of an account, as they happen; it outlives restarts of the service. */
export async function listen(options: ConnectionOptions & { json?: boolean }): Promise<void> {
  const { url, key, json } = options
  if (!key)
    throw new UsageError(
      'key_missing',
      'Give the API key: RESTANTE_API_KEY=rst_… restante listen (restante dev prints one).',
    )
  const stopped = untilStopped()
  await requireService(options)
  const mailbox = await Mailbox.open({ url, apiKey: key })
  const output = createOutput(json)
  const notes = createOutput(json, process.stderr)
  const tellState = ({ status, cursor }: MailboxState) =>
    notes.tell(`${clockTime()}  (${status})`, { state: status, cursor })
  mailbox.on('event', (event) =>
    output.tell(`${clockTime()}  ${printable(event.type).padEnd(18)} ${about(event)}`, event),
  )
  mailbox.on('state', tellState)
  if (!json) process.stderr.write(`Listening to ${url}. Stop with Ctrl-C.\n`)
  tellState(mailbox.state)
  await stopped
  await mailbox.close()
}
