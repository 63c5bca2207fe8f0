import { type Command, Option } from 'commander'
import type { ToolName } from 'restante/tools'
import { addConnectionFlags, type ConnectionOptions, openMailbox } from '../base/connection'
import { createOutput } from '../base/output'
import { untilStopped } from '../base/until-stopped'

/** Defines `restante mcp`. */
export const define = (command: Command): Command =>
  addConnectionFlags(command)
    .description(
      'Offer a mailbox to an MCP client on standard input and output. A message that needs approval becomes a draft. Show and send drafts with restante drafts.',
    )
    .option('--inbox <address>', 'only this inbox (default: every inbox of the key)')
    .option('--only <tools>', 'only these tools, such as search_mail,reply', (names) => names.split(','))
    .option('--read-only', 'only tools that read')
    .addOption(
      new Option('--approve <what>', 'messages that wait for a person, in addition to --flow').choices([
        'none',
        'send',
        'all',
      ]),
    )
    .addOption(
      new Option(
        '--flow <how>',
        'messages to people outside the conversations that the model has read: wait for a person (the default), are refused, or are sent',
      ).choices(['ask', 'refuse', 'off']),
    )
    .option('--recipients <list>', 'addresses and domains that may receive any content', (list) =>
      list.split(','),
    )
    .option('--markdown', 'the model writes Markdown, sent as HTML and as plain text')
    .option(
      '--no-attended',
      'no person watches: messages wait for a person even before the model reads anything',
    )
    .action(mcp)

interface McpCommandOptions extends ConnectionOptions {
  inbox?: string
  only?: ToolName[]
  readOnly?: boolean
  approve?: 'none' | 'send' | 'all'
  flow?: 'ask' | 'refuse' | 'off'
  recipients?: string[]
  markdown?: boolean
  attended: boolean
}

/** Standard output belongs to the protocol. */
async function mcp(options: McpCommandOptions): Promise<void> {
  const { inbox, only, readOnly, approve, flow, recipients, markdown, attended } = options
  const stopped = untilStopped()
  const notes = createOutput(false, process.stderr)
  const [{ serveMcp }, { mailbox }] = await Promise.all([
    import('restante/mcp'),
    openMailbox('mcp', options, inbox),
  ])
  mailbox.on('error', ({ message }) => notes.tell(`restante: ${message}`, {}))
  try {
    const allowed = { only, readOnly, approve, flow, recipients, markdown, attended }
    await using serving = serveMcp(mailbox, allowed)
    await Promise.race([stopped, serving.closed])
  } finally {
    await mailbox.close()
  }
}
