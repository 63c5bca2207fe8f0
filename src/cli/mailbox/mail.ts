import type { Command } from 'commander'
import {
  addConnectionFlags,
  type ConnectionOptions,
  callService,
  countArgument,
  createOutput,
  jsonOption,
} from '../base'
import { listMessages, messageLine } from './message'

/** Defines `restante mail`. */
export const define = (command: Command): Command =>
  addConnectionFlags(command)
    .description(
      'List the mail, newest first: what came in and what went out, captured mail too. With words those come first that fit best: restante search shows where they stand.',
    )
    .argument('[words...]', 'words to search for; "in quotes" they stand together')
    .option('--limit <count>', 'so many at most', countArgument, 25)
    .option('--received', 'only what came in')
    .option('--sent', 'only what went out')
    .option('--label <label>', 'only what has this label, such as unread, spam or archived')
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
  if (newest) output.tell(`\nrestante read ${newest.handle} shows the first of them.`, {})
  else output.tell(words.length > 0 || label ? 'No mail fits.' : 'There is no mail yet.', {})
}
