import type { ToolName } from 'restante/tools'
import { connect } from './connect'
import type { ConnectionOptions } from './flags'
import { createOutput } from './output'
import { untilStopped } from './until-stopped'

interface McpCommandOptions extends ConnectionOptions {
  inbox?: string
  only?: ToolName[]
  readOnly?: boolean
  approve?: 'none' | 'send' | 'all'
  flow?: 'ask' | 'refuse' | 'off'
  recipients?: string[]
  attended: boolean
}

/** `restante mcp`: a mailbox for one client of the Model Context Protocol; standard output is the protocol's. */
export async function mcp(options: McpCommandOptions): Promise<void> {
  const { inbox, only, readOnly, approve, flow, recipients, attended } = options
  const stopped = untilStopped()
  const notes = createOutput(false, process.stderr)
  const [{ serveMcp }, mailbox] = await Promise.all([import('restante/mcp'), connect('mcp', options, inbox)])
  mailbox.on('error', ({ message }) => notes.tell(`restante: ${message}`, {}))
  try {
    await using serving = serveMcp(mailbox, { only, readOnly, approve, flow, recipients, attended })
    await Promise.race([stopped, serving.closed])
  } finally {
    await mailbox.close()
  }
}
