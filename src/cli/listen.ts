import type { MailboxState } from '../mailbox'
import type { Event } from '../protocol/records'
import { connect } from './connect'
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

/** `restante listen`: the events of an account, as they happen; it outlives restarts of the service. */
export async function listen(options: ConnectionOptions & { json?: boolean }): Promise<void> {
  const { url, json } = options
  const stopped = untilStopped()
  const mailbox = await connect('listen', options)
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
