import { BaseToolkit, type StructuredToolInterface, tool } from '@langchain/core/tools'
import type { Mailbox } from 'restante'
import { type BoundTool, createToolbox, type Toolbox, type ToolboxOptions, toolText } from 'restante/tools'

/** What LangChain tells a tool of its call: `ToolRuntime` in a graph, less of it elsewhere. */
interface CallRuntime {
  toolCallId?: string
  toolCall?: { id?: string | undefined }
  signal?: AbortSignal
}

/** How `humanInTheLoopMiddleware` is told which calls a human decides on. */
export interface InterruptOn {
  allowedDecisions: ('approve' | 'edit' | 'reject')[]
  when(request: { toolCall: { id?: string | undefined; args: unknown } }): Promise<boolean>
}

/** The call's id: under it, what runs again after a crash sends nothing twice. */
const callIdOf = ({ toolCallId, toolCall }: CallRuntime): string | undefined => toolCallId ?? toolCall?.id

const toTool = (bound: BoundTool, approved: ReadonlySet<string>): StructuredToolInterface => {
  const { name, description, input: schema } = bound
  const call = async (input: unknown, runtime: CallRuntime = {}): Promise<[string, unknown]> => {
    const callId = callIdOf(runtime)
    const isApproved = callId !== undefined && approved.has(callId)
    const output = await bound.call(input, { callId, signal: runtime.signal, approved: isApproved })
    return [toolText(output), output]
  }
  const fields = { name, description, schema, responseFormat: 'content_and_artifact' }
  return tool(call as never, fields as never) as unknown as StructuredToolInterface
}

const boundTools = ({ tools }: Toolbox) => Object.values(tools) as BoundTool[]

/** @param approved ids of calls that a human said yes to */
export const toTools = (
  toolbox: Toolbox,
  approved: ReadonlySet<string> = new Set(),
): StructuredToolInterface[] => boundTools(toolbox).map((bound) => toTool(bound, approved))

/**
 * The tools of a mailbox for LangChain 1.x, and what its middleware needs to ask a human about them: make one for each
 * run of an agent.
 *
 * A call that {@link interruptOn} had a human asked about, and that runs nevertheless, was approved or edited. Where
 * nobody was asked, since the middleware is not there, the mail becomes a draft that waits. The answer of a tool as data
 * is the `artifact` of its `ToolMessage`.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { createAgent, humanInTheLoopMiddleware } from 'langchain'
 * import { MailboxToolkit } from 'restante/langchain'
 *
 * const { tools, interruptOn } = new MailboxToolkit(mailbox, { approve: 'send' })
 * const desk = createAgent({ model, tools, middleware: [humanInTheLoopMiddleware({ interruptOn })] })
 * ```
 */
export class MailboxToolkit extends BaseToolkit {
  override tools: StructuredToolInterface[]
  /** For `humanInTheLoopMiddleware`: those calls are decided on that `approve` and `onlyKnownRecipients` ask about. */
  readonly interruptOn: Record<string, InterruptOn>
  readonly #toolbox: Toolbox

  constructor(mailbox: Mailbox, options?: ToolboxOptions) {
    super()
    this.#toolbox = createToolbox(mailbox, options)
    const asked = new Set<string>()
    this.tools = toTools(this.#toolbox, asked)
    const changing = boundTools(this.#toolbox).filter(({ risk }) => risk !== 'read')
    this.interruptOn = Object.fromEntries(changing.map((one) => [one.name, interruptionOf(one, asked)]))
  }

  /** Whether one of the tools answered: see `Toolbox.answered`. */
  get answered(): boolean {
    return this.#toolbox.answered
  }
}

const interruptionOf = (bound: BoundTool, asked: Set<string>): InterruptOn => ({
  allowedDecisions: ['approve', 'edit', 'reject'],
  when: async ({ toolCall: { id, args } }) => {
    const asks = await bound.needsApproval(args)
    if (asks && id !== undefined) asked.add(id)
    return asks
  },
})

/**
 * Makes tools for LangChain and LangGraph 1.x: one set for each run of an agent. What a human is to be asked about becomes
 * a draft that waits; to have LangChain ask, take {@link MailboxToolkit}.
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
export const createMailboxTools = (mailbox: Mailbox, options?: ToolboxOptions): StructuredToolInterface[] =>
  new MailboxToolkit(mailbox, options).tools
