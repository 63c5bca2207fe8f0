import { type Command, Option } from 'commander'
import type { ToolName } from 'restante/tools'
import { addConnectionFlags, type ConnectionOptions, createOutput, untilStopped } from '../base'
import { openMailbox } from './open-mailbox'

/** Defines `restante mcp`. */
export const define = (command: Command): Command =>
  addConnectionFlags(command)
    .description(
      'Give a mailbox to a client of the Model Context Protocol, on standard input and output. Mail that needs approval becomes a draft that waits: restante drafts shows and sends it.',
    )
    .option('--inbox <address>', 'this inbox only; every inbox of the key without it')
    .option('--only <tools>', 'these tools only, such as search_mail,reply', (names) => names.split(','))
    .option('--read-only', 'only tools that look')
    .addOption(
      new Option('--approve <what>', 'what waits for a human besides what --flow says').choices([
        'none',
        'send',
        'all',
      ]),
    )
    .addOption(
      new Option(
        '--flow <how>',
        'mail to somebody who was no part of what the model has read: waits for a human (the default), is refused, or goes out',
      ).choices(['ask', 'refuse', 'off']),
    )
    .option('--recipients <list>', 'addresses and domains that may be told anything', (list) =>
      list.split(','),
    )
    .option('--markdown', 'what the model writes is Markdown, sent as HTML and as plain text')
    .option('--no-attended', 'nobody sits there: also mail before anything was read waits for a human')
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
