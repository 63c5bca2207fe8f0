import type { Command } from 'commander'
import { addConnectionFlags, type ConnectionOptions, callService } from '../base/connection'
import { createOutput, jsonOption } from '../base/output'
import { countArgument } from '../base/pages'
import { listMessages, messageLine } from './message'

/** Defines `restante mail`. */
export const define = (command: Command): Command =>
  addConnectionFlags(command)
    .description(
      'List received and sent messages, newest first, including captured ones. With words, search for them and list the best matches first. restante search also shows the matching text.',
    )
    .argument('[words...]', 'words to search for, or a "quoted phrase"')
    .option('--limit <count>', 'maximum number of messages', countArgument, 25)
    .option('--received', 'only received messages')
    .option('--sent', 'only sent messages')
    .option('--label <label>', 'only messages with this label, such as unread, spam or archived')
    .option(...jsonOption)
    .action(mail)

interface MailOptions extends ConnectionOptions {
  limit: number
  received?: boolean
  sent?: boolean
  label?: string
  json?: boolean
}

async function mail(words: string[], options: MailOptions): Promise<void> {
  const { limit, received, sent, label, json } = options
  const client = await callService('mail', options)
  const direction = received === sent ? undefined : received ? 'inbound' : 'outbound'
  const wanted = { q: words.join(' ') || undefined, direction, label, body: 'false' } as const
  const messages = await listMessages(client, wanted, limit)
  const output = createOutput(json)
  for (const message of messages) output.tell(messageLine(message), message)
  if (json) return
  const [newest] = messages
  if (newest) output.tell(`\nShow the first one: restante read ${newest.handle}`, {})
  else output.tell(words.length > 0 || label ? 'No messages match.' : 'No messages yet.', {})
}
