import { createServer, type Server } from 'node:http'
import type { Mailbox } from 'restante'
import { createMcpHandler, type McpHandler, serveMcp } from 'restante/mcp'

export function serve(mailbox: Mailbox): Server {
  const handler: McpHandler = createMcpHandler(mailbox, { readOnly: true, hosts: ['mail.example'] })
  // @ts-expect-error A handler answers many mails.
  createMcpHandler(mailbox, { message: 'm1' })
  return createServer(handler.node)
}

export async function serveProcess(mailbox: Mailbox): Promise<void> {
  await using serving = serveMcp(mailbox)
  await serving.closed
}
