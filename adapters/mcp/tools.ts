import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import { type BoundTool, mailTools, type Toolbox, type ToolRisk, toolText } from '../tools'

/** What hosts show, or ask a human about. Mail comes from anybody: reading it reaches the open world. */
const annotationsOf: Record<ToolRisk, ToolAnnotations> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  // What was sent cannot be taken back.
  send: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
}

const resultOf = (output: object): CallToolResult => {
  const content = [{ type: 'text' as const, text: toolText(output) }]
  const isRefused = 'status' in output && output.status === 'refused'
  return isRefused
    ? { content, isError: true }
    : { content, structuredContent: output as Record<string, unknown> }
}

const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** Gives a server the tools. A refusal is an error of the tool, which the model reads. */
export function addTools(server: McpServer, { tools }: Toolbox): void {
  // Ids of requests begin anew with every connection.
  const connection = crypto.randomUUID()
  for (const tool of Object.values(tools) as BoundTool[])
    server.registerTool(
      tool.name,
      {
        title: titleOf(tool.name),
        description: tool.description,
        inputSchema: tool.input,
        outputSchema: mailTools[tool.name].output,
        annotations: annotationsOf[tool.risk],
      },
      async (input: unknown, { mcpReq: { id, signal } }) =>
        resultOf(await tool.call(input, { callId: `${connection}:${id}`, signal })),
    )
}
