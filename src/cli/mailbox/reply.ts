import type { Command } from 'commander'
import { addConnectionFlags, type ConnectionOptions, callService } from '../base/connection'
import { outcomeOf } from '../base/draft-text'
import { createOutput, jsonOption, printable } from '../base/output'
import { readText } from '../base/until-stopped'
import { addAttachFlag, attach, bodyOf, markdownOption } from './attachments'
import { messageId } from './message'

/** Defines `restante reply`. */
export const define = (command: Command): Command =>
  addAttachFlag(addConnectionFlags(command))
    .description('Reply to a message in its thread, from the inbox that received it.')
    .argument('<message>', 'handle from restante mail, such as m12-abc, or id')
    .argument('[text]', 'text of the reply (default: standard input)')
    .option('--all', 'reply to all recipients')
    .option('--quote', 'quote the message below the reply')
    .option(...markdownOption)
    .option('--automatic', 'also reply to automatic messages, which is refused otherwise')
    .option(...jsonOption)
    .action(reply)

interface ReplyOptions extends ConnectionOptions {
  attach?: string[]
  all?: boolean
  quote?: boolean
  markdown?: boolean
  automatic?: boolean
  json?: boolean
}

async function reply(named: string, given: string | undefined, options: ReplyOptions): Promise<void> {
  const client = await callService('reply', options)
  const [id, written] = [await messageId(client, named), await readText(given)]
  const answer = await client.messages.reply({
    id,
    ...bodyOf(written, options),
    reply_all: options.all,
    quote: options.quote,
    allow_auto_reply: options.automatic,
    attachments: await attach(client, options.attach),
    client_id: `cli:${crypto.randomUUID()}`,
  })
  createOutput(options.json).tell(`Replied to ${printable(named)}: ${outcomeOf(answer)}`, answer)
}
