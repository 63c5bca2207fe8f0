import { tool as createTool } from '@openai/agents'
import type { Mailbox } from 'restante'
import { z } from 'zod'
import {
  type BoundTool,
  type ChosenTool,
  createToolbox,
  type ToolboxOptions,
  type ToolName,
  toolText,
} from './tools'

/** A tool as `Agent` takes it: a `FunctionTool` of the SDK. */
export interface MailboxTool<Name extends ToolName = ToolName> {
  type: 'function'
  name: Name
  description: string
  parameters: {
    type: 'object'
    properties: Record<string, never>
    required: string[]
    additionalProperties: true
  }
  strict: boolean
  // biome-ignore lint/suspicious/noExplicitAny: the context of a run is the SDK's, and of any type
  invoke(runContext: any, input: string, details?: any): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  needsApproval(runContext: any, input: any, callId?: string): Promise<boolean>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  isEnabled(runContext: any, agent: any): Promise<boolean>
}

interface RunContext {
  isToolApproved(call: { toolName: string; callId: string }): boolean | undefined
}

interface CallDetails {
  toolCall?: { callId: string }
  signal?: AbortSignal
}

const parametersOf = ({ input }: BoundTool) => {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  return { type: 'object', properties, required, additionalProperties: true } as MailboxTool['parameters']
}

const toTool = (tool: BoundTool): MailboxTool =>
  createTool({
    name: tool.name,
    description: tool.description,
    parameters: parametersOf(tool),
    // Strict schemas have no optional fields.
    strict: false,
    needsApproval: (_context: unknown, input: unknown) => tool.needsApproval(input),
    execute: async (input: unknown, context?: RunContext, { toolCall, signal }: CallDetails = {}) => {
      const callId = toolCall?.callId
      const approved =
        callId !== undefined && context?.isToolApproved({ toolName: tool.name, callId }) === true
      return toolText(await tool.call(input, { callId, signal, approved }))
    },
  } as never) as unknown as MailboxTool

/**
 * Makes tools for the OpenAI Agents SDK: one set for each run of an agent.
 *
 * What a human is to be asked about interrupts the run (`result.interruptions`): it goes on when `state.approve` or
 * `state.reject` was called, also in another process, with tools made anew.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { Agent, run } from '@openai/agents'
 * import { createMailboxTools } from 'restante/openai-agents'
 *
 * for await (const message of mailbox.incoming({ consumer: 'desk' })) {
 *   const tools = createMailboxTools(mailbox, { message, approve: 'none' })
 *   await run(new Agent({ name: 'Desk', instructions: 'Answer the mail.', tools }), await message.toPrompt())
 * }
 * ```
 */
export function createMailboxTools<const Options extends ToolboxOptions = ToolboxOptions>(
  mailbox: Mailbox,
  options?: Options,
): MailboxTool<ChosenTool<Options>>[] {
  const { tools } = createToolbox(mailbox, options)
  return Object.values(tools).map((tool) => toTool(tool as BoundTool)) as MailboxTool<ChosenTool<Options>>[]
}
