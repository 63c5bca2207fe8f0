import type { Tool } from 'ai'
import { checkOptions, type Mailbox } from 'restante'
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
} from 'restante/tools'
import { toolboxNames, withPictures } from '../tools/toolbox'

/** Tools in the form of the AI SDK. */
export type MailboxTools<Name extends ToolName = ToolName> = {
  [One in Name]: Tool<ToolInput<One>, ToolOutput<One>>
}

/** Second argument of an AI SDK tool, in versions 5 to 7. */
interface ExecuteOptions {
  toolCallId: string
  messages?: readonly { content: unknown }[]
  abortSignal?: AbortSignal
}

interface ApprovalPart {
  type?: unknown
  toolCallId?: unknown
  approvalId?: unknown
  approved?: unknown
}

/** Returns whether a human approved this call. Version 5 runs gated tools without asking. */
const isApproved = ({ toolCallId, messages = [] }: ExecuteOptions): boolean => {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as ApprovalPart[]) : []))
  const asked = parts.filter(
    (part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId,
  )
  return parts.some(
    ({ type, approvalId, approved }) =>
      type === 'tool-approval-response' &&
      approved === true &&
      asked.some((request) => request.approvalId === approvalId),
  )
}

/** @param asks whether the SDK can ask a human; else a message becomes a draft */
const toTool = <Name extends ToolName>(
  tool: BoundTool<Name>,
  asks: boolean,
  toolbox: Toolbox,
): Tool<ToolInput<Name>, ToolOutput<Name>> => {
  // The run may have begun in another process: its messages show what the model has read.
  const note = (messages: readonly unknown[] = []) => toolbox.show(handlesIn(messages))
  const execute = (input: unknown, options: ExecuteOptions): Promise<ToolOutput<Name>> => {
    note(options.messages)
    return tool.call(input, {
      callId: options.toolCallId,
      signal: options.abortSignal,
      approved: isApproved(options),
    })
  }
  // Version 5 passes the output itself, later versions an object with the call.
  const toModelOutput = (given: unknown) => {
    const isCall = typeof given === 'object' && given !== null && 'toolCallId' in given && 'output' in given
    const { text, pictures } = toolContent(isCall ? given.output : given)
    if (pictures.length === 0) return { type: 'text' as const, value: text }
    const type = isCall ? 'image-data' : 'media'
    const shown = pictures.map(({ media_type: mediaType, data }) => ({ type, data, mediaType }))
    return { type: 'content' as const, value: [{ type: 'text', text }, ...shown] }
  }
  // A separate constant: version 5 does not know these members, and writing them below would be a type error.
  const needsApproval = (input: unknown, options?: Partial<ExecuteOptions>) => {
    note(options?.messages)
    return tool.needsApproval(input)
  }
  const later = asks ? { needsApproval, toModelOutput } : { toModelOutput }
  const { description, input: inputSchema } = tool
  return { description, inputSchema, execute, ...later } as unknown as Tool<ToolInput<Name>, ToolOutput<Name>>
}

export const toTools = (toolbox: Toolbox, asks: boolean): MailboxTools =>
  Object.fromEntries(
    Object.entries(toolbox.tools).map(([name, tool]) => [name, toTool(tool as BoundTool, asks, toolbox)]),
  ) as unknown as MailboxTools

/**
 * Makes tools for the Vercel AI SDK, versions 5, 6 and 7: one set for each run of an agent.
 *
 * The SDK asks a human about calls that need approval (`needsApproval`). If it did not ask, as on version 5,
 * the message becomes a draft that waits.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { createMailboxTools } from 'restante/ai-sdk'
 * import { generateText, stepCountIs } from 'ai'
 *
 * for await (const message of mailbox.incoming({ consumer: 'desk' })) {
 *   const tools = createMailboxTools(mailbox, { message, approve: 'none' })
 *   await generateText({ model, tools, prompt: await message.toPrompt(), stopWhen: stepCountIs(10) })
 * }
 * ```
 */
export function createMailboxTools<const Options extends ToolboxOptions = ToolboxOptions>(
  mailbox: Mailbox,
  options?: Options,
): MailboxTools<ChosenTool<Options>> {
  checkOptions('createMailboxTools()', options ?? {}, toolboxNames)
  return toTools(createToolbox(mailbox, withPictures(options ?? {})), true) as MailboxTools<
    ChosenTool<Options>
  >
}
