import { BaseToolkit, type StructuredToolInterface, tool } from '@langchain/core/tools'
import { checkOptions, type Mailbox } from 'restante'
import {
  type BoundTool,
  createToolbox,
  handlesIn,
  type Toolbox,
  type ToolboxOptions,
  toolContent,
} from 'restante/tools'
import { boundTools, toolboxNames, withPictures } from '../tools/toolbox'

/** Second argument of a LangChain tool: `ToolRuntime` in a graph, a part of it elsewhere. */
export interface CallRuntime {
  toolCallId?: string
  toolCall?: { id?: string | undefined }
  signal?: AbortSignal
  /** State of the graph. */
  state?: { messages?: unknown }
}

/** Returns the call id, which keeps a repeat after a crash from sending twice. */
export const callIdOf = ({ toolCallId, toolCall }: CallRuntime): string | undefined =>
  toolCallId ?? toolCall?.id

/** Returns the messages of the graph. */
export const messagesOf = ({ state }: CallRuntime): readonly unknown[] =>
  Array.isArray(state?.messages) ? state.messages : []

/** Returns the toolbox of the run with these messages. */
type RunOf = (messages: readonly unknown[]) => Toolbox

const toTool = (bound: BoundTool, approved: ReadonlySet<string>, runOf: RunOf): StructuredToolInterface => {
  const { name, description, input: schema } = bound
  const call = async (input: unknown, runtime: CallRuntime = {}): Promise<[string | object[], unknown]> => {
    const callId = callIdOf(runtime)
    const isApproved = callId !== undefined && approved.has(callId)
    const run = runOf(messagesOf(runtime))
    const output = await run.tools[bound.name]!.call(input, {
      callId,
      signal: runtime.signal,
      approved: isApproved,
    })
    const { text, pictures } = toolContent(output)
    if (pictures.length === 0) return [text, output]
    const shown = pictures.map(({ media_type: mimeType, data }) => ({ type: 'image', mimeType, data }))
    return [[{ type: 'text', text }, ...shown], { ...output, pictures: undefined }]
  }
  const fields = { name, description, schema, responseFormat: 'content_and_artifact' }
  return tool(call as never, fields as never) as unknown as StructuredToolInterface
}

/** Uses one toolbox for one run. Its messages show what the model has read, maybe in another process. */
const sameRun =
  (toolbox: Toolbox): RunOf =>
  (messages) => {
    toolbox.show(handlesIn(messages))
    return toolbox
  }

/** @param approved ids of calls that a human approved */
export const toTools = (
  toolbox: Toolbox,
  approved: ReadonlySet<string> = new Set(),
  runOf: RunOf = sameRun(toolbox),
): StructuredToolInterface[] => boundTools(toolbox).map((bound) => toTool(bound, approved, runOf))

/**
 * Mailbox tools for LangChain 1.x: make one toolkit for each run of an agent. A call that needs approval
 * becomes a draft that waits. With `mailboxMiddleware` of `restante/langchain-middleware`, LangChain asks a
 * human instead.
 *
 * The answer of a tool as data is the `artifact` of its `ToolMessage`.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { createAgent } from 'langchain'
 * import { MailboxToolkit } from 'restante/langchain'
 *
 * const toolkit = new MailboxToolkit(mailbox, { message })
 * const desk = createAgent({ model, tools: toolkit.getTools() })
 * ```
 */
export class MailboxToolkit extends BaseToolkit {
  override tools: StructuredToolInterface[]
  readonly #toolbox: Toolbox

  constructor(mailbox: Mailbox, options: ToolboxOptions = {}) {
    super()
    checkOptions('MailboxToolkit', options, toolboxNames)
    this.#toolbox = createToolbox(mailbox, withPictures(options))
    this.tools = toTools(this.#toolbox)
  }

  /** True if one of the tools answered: see `Toolbox.answered`. */
  get answered(): boolean {
    return this.#toolbox.answered
  }
}

/**
 * Makes tools for LangChain and LangGraph 1.x: one set for each run of an agent. A call that needs approval
 * becomes a draft that waits: see {@link MailboxToolkit}.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { createAgent } from 'langchain'
 * import { createMailboxTools } from 'restante/langchain'
 *
 * const desk = createAgent({ model, tools: createMailboxTools(mailbox, { message }) })
 * await desk.invoke({ messages: [{ role: 'user', content: await message.toPrompt() }] })
 * ```
 */
export function createMailboxTools(
  mailbox: Mailbox,
  options: ToolboxOptions = {},
): StructuredToolInterface[] {
  checkOptions('createMailboxTools()', options, toolboxNames)
  return new MailboxToolkit(mailbox, options).tools
}
