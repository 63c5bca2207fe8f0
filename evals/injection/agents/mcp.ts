import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHandler } from 'restante/mcp'
import { connectMcp, eras } from '../../../test/support/mcp-client'
import { deskPrompt, maxSteps, type OpenAgent } from './agent'

/** A host of the Model Context Protocol: one connection, over all that comes. */
export const openMcp =
  (era: 0 | 1): OpenAgent =>
  async (stage) => {
    const handler = createMcpHandler(stage.mailbox, stage.options)
    const fetch = (url: string | URL, init?: RequestInit) => handler(new Request(url, init))
    const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch })
    const { client, call } = await connectMcp(transport, eras[era])
    return {
      turn: async (_message, actor) => {
        let step = actor.next(deskPrompt)
        for (let count = 0; typeof step !== 'string' && count < maxSteps; count += 1) {
          const { tool, input } = step
          const reported = await stage
            .carried(tool, () => call(tool, input))
            .then(({ text }) => text)
            .catch((error: Error) => `invalid: ${error.message}`)
          step = actor.next(reported)
        }
      },
      close: async () => {
        await client.close()
        await handler.close()
      },
    }
  }
