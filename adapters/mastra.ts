import { createTool } from '@mastra/core/tools'
import { checkOptions, type Mailbox } from 'restante'
import * as z from 'zod'
import {
  type BoundTool,
  type ChosenTool,
  createToolbox,
  handlesIn,
  type Toolbox,
  type ToolboxOptions,
  type ToolInput,
  type ToolName,
  type ToolOutput,
  toolContent,
} from './tools'
import { readReply, replyOrWait, suspendNames } from './tools/asked'
import { withPictures } from './tools/toolbox'

/** Tool for `Agent`: a `Tool` of Mastra. */
export interface MailboxTool<Name extends ToolName = ToolName> {
  id: Name
  description: string
  // biome-ignore lint/suspicious/noExplicitAny: the context of a call is Mastra's
  execute?(input: ToolInput<Name>, context: any): Promise<ToolOutput<Name> | undefined>
}

/** Tools by name, for `Agent`. */
export type MailboxTools<Name extends ToolName = ToolName> = { [One in Name]: MailboxTool<One> }

/** Options of the tools: what they may do, and how they wait. */
export interface MastraOptions extends ToolboxOptions {
  /**
   * Suspends the run when `wait_for_reply` has to wait, instead of waiting a minute. The payload is
   * `{ message, token }`, and `mailbox.resumeWait(token)` returns the reply, days later and in any process.
   * `agent.resumeGenerate({ message })` with the reply's id resumes the run; `{ message: null }` means that
   * none arrived.
   */
  suspend?: boolean | undefined
}

/** Second argument of a Mastra tool. */
interface CallContext {
  abortSignal?: AbortSignal
  agent?: {
    toolCallId?: string
    messages?: readonly unknown[]
    resumeData?: unknown
    suspend(payload: SuspendedWait): Promise<void>
  }
}

const suspendedWait = z.object({
  message: z.string().describe('Id of the message whose reply is waited for'),
  token: z.string().nullable().describe('For mailbox.resumeWait(token)'),
})
/** Payload with which `wait_for_reply` suspends a run. */
export type SuspendedWait = z.infer<typeof suspendedWait>
const resumedWait = z.object({
  message: z.string().nullable().describe('Id of the reply; null if none came'),
})

const toModelOutput = (output: unknown) => {
  const { text, pictures } = toolContent(output)
  if (pictures.length === 0) return { type: 'text', value: text }
  const shown = pictures.map(({ media_type: mediaType, data }) => ({ type: 'media', mediaType, data }))
  return { type: 'content', value: [{ type: 'text', text }, ...shown] }
}

/**
 * Tracks approvals. Mastra runs a call that it asked about only after a yes. A call without a question, as
 * outside an agent, is not approved.
 */
const approvalsOf = (tool: BoundTool) => {
  const asked = new Set<string>()
  const keyOf = (input: unknown) => JSON.stringify(tool.input.safeParse(input).data)
  return {
    requireApproval: async (input: unknown) => {
      const isNeeded = await tool.needsApproval(input)
      if (isNeeded) asked.add(keyOf(input))
      return isNeeded
    },
    // A run that is resumed in another process has the human's yes in its resume data.
    isApproved: (input: unknown, { agent }: CallContext) =>
      agent !== undefined &&
      (asked.has(keyOf(input)) ||
        (agent.resumeData as { approved?: unknown } | undefined)?.approved === true),
  }
}

/** Notes what the messages show the model, since the run may have begun in another process. */
const note = (toolbox: Toolbox, { agent }: CallContext) => toolbox.show(handlesIn(agent?.messages ?? []))

const toTool = (tool: BoundTool, toolbox: Toolbox) => {
  const { requireApproval, isApproved } = approvalsOf(tool)
  return createTool({
    id: tool.name,
    description: tool.description,
    inputSchema: tool.input,
    requireApproval,
    toModelOutput,
    execute: (input: unknown, context: CallContext = {}) => {
      note(toolbox, context)
      return tool.call(input, {
        callId: context.agent?.toolCallId,
        signal: context.abortSignal,
        approved: isApproved(input, context),
      })
    },
  } as never)
}

/** Suspends the run unless the reply has arrived. */
const toSuspendingTool = (
  mailbox: Mailbox,
  toolbox: Toolbox,
  tool: BoundTool<'wait_for_reply'>,
  options: ToolboxOptions,
) => {
  const begin = async (input: ToolInput<'wait_for_reply'>, { agent, abortSignal: signal }: CallContext) => {
    if (!agent) return tool.call(input, { signal })
    const now = await replyOrWait(mailbox, tool as BoundTool, input, signal)
    return 'output' in now ? now.output : void (await agent.suspend(now.wait))
  }
  const goOn = async (resumed: unknown, { abortSignal: signal }: CallContext) => {
    const { message } = resumedWait.parse(resumed)
    return readReply(mailbox, options, message, { toolbox, signal })
  }
  return createTool({
    id: tool.name,
    description: tool.description,
    inputSchema: tool.input,
    suspendSchema: suspendedWait,
    resumeSchema: resumedWait,
    toModelOutput,
    execute: (input: ToolInput<'wait_for_reply'>, context: CallContext = {}) => {
      note(toolbox, context)
      return context.agent?.resumeData === undefined || context.agent.resumeData === null
        ? begin(input, context)
        : goOn(context.agent.resumeData, context)
    },
  } as never)
}

/**
 * Makes tools for Mastra: one set for each run of an agent.
 *
 * A call that needs approval suspends the run (`requireApproval`): `agent.approveToolCallGenerate({ runId })`
 * and `agent.declineToolCallGenerate({ runId })` resume it. If Mastra asked nobody, as in a workflow step,
 * the message becomes a draft that waits.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { Agent } from '@mastra/core/agent'
 * import { createMailboxTools } from 'restante/mastra'
 *
 * for await (const message of mailbox.incoming({ consumer: 'desk' })) {
 *   const tools = createMailboxTools(mailbox, { message, approve: 'none' })
 *   const agent = new Agent({ id: 'desk', name: 'Desk', instructions: 'Answer the mail.', model, tools })
 *   await agent.generate(await message.toPrompt())
 * }
 * ```
 */
export function createMailboxTools<const Options extends MastraOptions = MastraOptions>(
  mailbox: Mailbox,
  options?: Options,
): MailboxTools<ChosenTool<Options>> {
  const given: MastraOptions = options ?? {}
  checkOptions('createMailboxTools()', given, suspendNames)
  const { suspend = false, ...rest } = given
  const toolbox = createToolbox(mailbox, withPictures(rest))
  const made = Object.entries(toolbox.tools).map(([name, tool]) => [
    name,
    suspend && name === 'wait_for_reply'
      ? toSuspendingTool(mailbox, toolbox, tool as BoundTool<'wait_for_reply'>, rest)
      : toTool(tool as BoundTool, toolbox),
  ])
  return Object.fromEntries(made) as MailboxTools<ChosenTool<Options>>
}
