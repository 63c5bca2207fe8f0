import type { Command } from 'commander'
import type { SyncState as MailboxState } from '../../mailbox/sync/sync'
import { UsageError } from '../../protocol/errors/error'
import type { Event } from '../../protocol/records/event'
import { addConnectionFlags, type ConnectionOptions, collect, openMailbox } from '../base/connection'
import { clockTime, createOutput, jsonOption, paint, printable } from '../base/output'
import { addSecretOption } from '../base/secret-arguments'
import { untilStopped } from '../base/until-stopped'
import { createForwarder, forwardSecret } from './forwarder'

/** Defines `restante listen`. */
export const define = (command: Command): Command =>
  addSecretOption(
    addConnectionFlags(command),
    '--secret <secret>',
    'secret that signs forwarded events: whsec_…. Default: derived from the key, so always the same',
    'WEBHOOK_SECRET',
  )
    .description(
      'Show the events of an account as they happen, also across restarts of the service. With --forward, post each event like a webhook does. The URL may be on this machine.',
    )
    .option(
      '--forward <url>',
      'URL for each event, signed like a webhook, such as http://localhost:3000/hook',
    )
    .option('--event <type>', 'only events of this type (repeatable)', collect)
    .option(...jsonOption)
    .action(listen)

interface ListenOptions extends ConnectionOptions {
  forward?: string
  event?: string[]
  secret?: string
  json?: boolean
}

/** Formats the participants and subject of a message or thread for the event tail. */
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

function requireUrl(url: string): void {
  if (URL.canParse(url) && /^https?:/.test(url)) return
  throw new UsageError(
    'invalid_url',
    `--forward ${printable(url)} must be an address such as http://localhost:3000/hook.`,
  )
}

async function listen(options: ListenOptions): Promise<void> {
  const { json, forward, event: types } = options
  if (forward !== undefined) requireUrl(forward)
  const stopped = untilStopped()
  const { mailbox, connection } = await openMailbox('listen', options)
  const output = createOutput(json)
  const notes = createOutput(json, process.stderr)
  const secret = options.secret || process.env.WEBHOOK_SECRET || forwardSecret(connection.apiKey)
  const forwarder = forward === undefined ? undefined : createForwarder(forward, secret, output)
  const tellState = ({ status, cursor }: MailboxState) =>
    notes.tell(`${clockTime()}  (${status})`, { state: status, cursor })
  mailbox.on('event', (event) => {
    if (types && !types.includes(event.type)) return
    if (!json || !forwarder)
      output.tell(`${clockTime()}  ${paint('cyan', printable(event.type).padEnd(18))} ${about(event)}`, event)
    forwarder?.forward(event)
  })
  mailbox.on('state', tellState)
  if (!json) process.stderr.write(`Listening to ${connection.url}. Stop with Ctrl-C.\n`)
  if (forward !== undefined)
    notes.tell(`Forwarding to ${forward}, signed with WEBHOOK_SECRET=${secret}`, { forward, secret })
  tellState(mailbox.state)
  await stopped
  await forwarder?.close()
  await mailbox.close()
}
