import type { Command } from 'commander'
import { UsageError } from '../../protocol/errors/error'
import type { Message } from '../../protocol/records/message'
import { addConnectionFlags, type ConnectionOptions, callService } from '../base/connection'
import {
  createOutput,
  fields,
  fileSize,
  jsonOption,
  localTime,
  paint,
  printable,
  printableLines,
} from '../base/output'
import { handleNamer, messageId } from './message'

/** Defines `restante read`. */
export const define = (command: Command): Command =>
  addConnectionFlags(command)
    .description('Show a message with its text. It stays unread, so agents are not affected.')
    .argument('[message]', 'handle from restante mail, such as m12-abc, or id (default: the newest message)')
    .option('--raw', 'print the original, byte for byte')
    .option(...jsonOption)
    .action(read)

const longestLine = 10_000

function describe(message: Message, handle: string): string {
  const { from_addr, from_name, to_addrs, cc_addrs, subject, created_at, attachments, labels } = message
  const sender = from_name ? `${from_name} <${from_addr}>` : from_addr
  const isProven = message.direction === 'outbound' || message.authentication?.from_verified === true
  const files = attachments.map(
    ({ filename, size }) => `${printable(filename ?? 'unnamed')} (${fileSize(size)})`,
  )
  const detail = message.delivery_detail === null ? '' : ` (${printable(message.delivery_detail, 200)})`
  const head = fields({
    Message: `${handle} (${message.id})`,
    From: `${printable(sender, 200)}${isProven ? '' : paint('yellow', '  sender not verified')}`,
    To: printable(to_addrs.join(', '), 500),
    Cc: printable(cc_addrs.join(', '), 500),
    Date: localTime(created_at),
    Subject: paint('bold', printable(subject, 500)),
    Files: files.join(', '),
    Labels: printable(labels.join(', '), 200),
    Status: message.direction === 'outbound' ? `${message.delivery_status}${detail}` : undefined,
  })
  return `${head}\n\n${printableLines(message.body_text.trimEnd(), longestLine)}`
}

/** Writes the original bytes; to a terminal only lines, without control characters that it would obey. */
function writeRaw(bytes: Uint8Array): void {
  process.stdout.write(
    process.stdout.isTTY ? `${printableLines(new TextDecoder().decode(bytes), longestLine)}\n` : bytes,
  )
}

interface ReadOptions extends ConnectionOptions {
  raw?: boolean
  json?: boolean
}

async function read(named: string | undefined, options: ReadOptions): Promise<void> {
  const client = await callService('read', options)
  const id = named === undefined ? await newest() : await messageId(client, named)
  if (options.raw) return writeRaw((await client.messages.raw({ id })) as Uint8Array)
  const [message, handleOf] = await Promise.all([client.messages.get({ id }), handleNamer()])
  const handle = handleOf(message)
  createOutput(options.json).tell(describe(message, handle), { ...message, handle })

  async function newest(): Promise<string> {
    const { messages } = await client.messages.list({ limit: 1, body: 'false' })
    if (messages[0]) return messages[0].id
    throw new UsageError('no_mail', 'No messages yet. Send one with restante send.')
  }
}
