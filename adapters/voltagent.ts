import { createTool, type Tool } from '@voltagent/core'
import type { Mailbox } from 'restante'
import { createMailboxTools as createAiSdkTools } from './ai-sdk'
import type { ToolboxOptions } from './tools'

/** Call context of a VoltAgent tool. */
interface CallContext {
  toolContext?: { callId: string; messages: unknown[]; abortSignal?: AbortSignal }
}

/**
 * Makes tools for VoltAgent, which runs on the Vercel AI SDK 6: one set for each run of an agent.
 *
 * VoltAgent asks a human about calls that need approval (`needsApproval`). The run ends with a
 * `tool-approval-request`. A `tool-approval-response` in its messages resumes it, also in another process
 * with newly made tools.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { Agent } from '@voltagent/core'
 * import { createMailboxTools } from 'restante/voltagent'
 *
 * for await (const message of mailbox.incoming({ consumer: 'desk' })) {
 *   const tools = createMailboxTools(mailbox, { message, approve: 'none' })
 *   const agent = new Agent({ name: 'desk', instructions: 'Answer the mail.', model: 'openai/gpt-5', tools })
 *   await agent.generateText(await message.toPrompt())
 * }
 * ```
 */
export function createMailboxTools(mailbox: Mailbox, options: ToolboxOptions = {}): Tool[] {
  return Object.entries(createAiSdkTools(mailbox, options)).map(([name, tool]) => {
    const { description, inputSchema: parameters, needsApproval, toModelOutput, execute } = tool
    const run = (input: never, { toolContext }: CallContext = {}) => {
      const { callId: toolCallId = crypto.randomUUID(), messages = [], abortSignal } = toolContext ?? {}
      return execute!(input, { toolCallId, messages, abortSignal } as never)
    }
    return createTool({ name, description, parameters, needsApproval, toModelOutput, execute: run } as never)
  })
}
