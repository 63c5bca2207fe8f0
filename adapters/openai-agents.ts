import { tool as createTool } from '@openai/agents'
import { checkOptions, type Mailbox } from 'restante'
import * as z from 'zod'
import {
  type BoundTool,
  type ChosenTool,
  createToolbox,
  type ShownMail,
  type Toolbox,
  type ToolboxOptions,
  type ToolName,
  toolContent,
} from './tools'
import { toolboxNames, withPictures } from './tools/toolbox'

/** Tool for `Agent`: a `FunctionTool` of the SDK. */
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
  invoke(runContext: any, input: string, details?: any): Promise<string | object[]>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  needsApproval(runContext: any, input: any, callId?: string): Promise<boolean>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  isEnabled(runContext: any, agent: any): Promise<boolean>
}

interface RunContext {
  /** The caller's own context, which the SDK stores with the state of a run. */
  context?: unknown
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

const key = 'restante_shown'
interface Kept {
  [key]?: ShownMail
}

const isOpen = (context: unknown): context is Kept =>
  typeof context === 'object' && context !== null && Object.isExtensible(context)

/** Keeps what the model was shown in the context of a run, which `RunState` carries to other processes. */
const keeperOf = (toolbox: Toolbox) => ({
  /** Adds what the context has to the toolbox; returns whether it had anything. */
  take({ context }: RunContext): boolean {
    const kept = isOpen(context) ? context[key] : undefined
    if (kept !== undefined) toolbox.show(kept)
    return kept !== undefined
  },
  keep({ context }: RunContext): void {
    if (isOpen(context)) context[key] = toolbox.shown
  },
})

/** Returns an output as a tool result of the SDK: a text, or a list of contents. */
function resultOf(output: unknown): string | object[] {
  const { text, pictures } = toolContent(output)
  if (pictures.length === 0) return text
  const shown = pictures.map(({ media_type: mediaType, data }) => ({
    type: 'image',
    image: { data, mediaType },
  }))
  return [{ type: 'text', text }, ...shown]
}

const toTool = (tool: BoundTool, toolbox: Toolbox): MailboxTool => {
  const keeper = keeperOf(toolbox)
  /** Calls that were decided about here. Other calls come from a run that began in another process. */
  const met = new Set<string | undefined>()
  const isApproved = (run: RunContext, callId: string | undefined) =>
    callId !== undefined && run.isToolApproved({ toolName: tool.name, callId }) === true
  const resume = (run: RunContext, callId: string | undefined) => {
    const isKnown = keeper.take(run) || met.has(callId) || !isApproved(run, callId)
    if (!isKnown) toolbox.show('everything')
    met.add(callId)
  }
  return createTool({
    name: tool.name,
    description: tool.description,
    parameters: parametersOf(tool),
    // Strict schemas have no optional fields.
    strict: false,
    needsApproval: async (run: RunContext, input: unknown, callId?: string) => {
      resume(run, callId)
      return tool.needsApproval(input)
    },
    execute: async (input: unknown, run?: RunContext, { toolCall, signal }: CallDetails = {}) => {
      const callId = toolCall?.callId
      if (!run) return resultOf(await tool.call(input, { callId, signal }))
      resume(run, callId)
      const output = await tool.call(input, { callId, signal, approved: isApproved(run, callId) })
      keeper.keep(run)
      return resultOf(output)
    },
  } as never) as unknown as MailboxTool
}

/**
 * Makes tools for the OpenAI Agents SDK: one set for each run of an agent.
 *
 * A call that needs approval interrupts the run (`result.interruptions`). `state.approve` or `state.reject`
 * lets it resume, also in another process with newly made tools.
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
  checkOptions('createMailboxTools()', options ?? {}, toolboxNames)
  const toolbox = createToolbox(mailbox, withPictures(options ?? {}))
  return Object.values(toolbox.tools).map((tool) => toTool(tool as BoundTool, toolbox)) as MailboxTool<
    ChosenTool<Options>
  >[]
}
