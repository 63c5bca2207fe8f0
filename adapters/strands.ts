import { type Agent, FunctionTool, type Interrupt, type ToolContext } from '@strands-agents/sdk'
import { checkOptions, type Mailbox, type OptionNames } from 'restante'
import { z } from 'zod'
import {
  type BoundTool,
  createToolbox,
  handlesIn,
  type ShownMail,
  type Toolbox,
  type ToolboxOptions,
  type ToolName,
  toolText,
} from './tools'
import { deniedText, openWait, questionText, readReply } from './tools/asked'
import { toolboxNames } from './tools/toolbox'

/** Options of the tools: what they may do, and how they wait. */
export interface StrandsOptions extends ToolboxOptions {
  /**
   * Interrupts the run when `wait_for_reply` has to wait, instead of waiting a minute. {@link waitsIn}
   * returns the wait, and {@link replyTo} resumes the agent, days later and in any process.
   */
  suspend?: boolean | undefined
}

const names: OptionNames<StrandsOptions> = { ...toolboxNames, suspend: 'boolean' }

/** Call that needs a human's approval: the `reason` of an interrupt. */
export interface AskedCall {
  readonly callId: string
  readonly tool: ToolName
  readonly input: unknown
  /** The message that it would send, for a human to read; the call itself if it sends none. */
  readonly text: string
}

/** Wait that interrupted a run. It is plain data: store it with the snapshot of the agent. */
export interface MailWait {
  readonly interruptId: string
  /** Id of the message whose reply is awaited. */
  readonly message: string
  /** For `mailbox.resumeWait(token)`. */
  readonly token: string | null
}

const approvalName = 'restante.approval'
const waitName = 'restante.wait'

/** Key in the agent's state for the messages that its model was shown. */
const shownKey = 'restante_shown'

/**
 * Notes what the run has shown the model, since it may have begun in another process. The state of the agent
 * stores it: older messages are dropped when there are many, and parallel calls are in no message yet.
 */
const noteShown = (toolbox: Toolbox, { agent }: ToolContext): void => {
  toolbox.show((agent.appState.get(shownKey) ?? []) as ShownMail)
  toolbox.show(handlesIn(agent.messages.map((message) => message.toJSON())))
  agent.appState.set(shownKey, toolbox.shown)
}

/** Returns the answer about exactly this call; undefined if no question was asked. */
const answerTo = ({ agent, toolUse }: ToolContext, kind: string, input: unknown): unknown => {
  const { interrupts } = (agent as Agent).takeSnapshot({ include: ['interrupts'] }).data
  const kept = (interrupts ?? {}) as { interrupts?: Record<string, Interrupt> }
  return Object.values(kept.interrupts ?? {}).find(({ name, reason }) => {
    const asked = reason as Partial<AskedCall> | undefined
    const isThis =
      asked?.callId === toolUse.toolUseId && JSON.stringify(asked.input) === JSON.stringify(input)
    return name === kind && isThis
  })?.response
}

const toFunctionTool = (
  toolbox: Toolbox,
  { name, description, input: schema }: BoundTool,
  run: (input: object, context: ToolContext) => Promise<string>,
): FunctionTool =>
  new FunctionTool({
    name,
    description,
    inputSchema: z.toJSONSchema(schema, { io: 'input' }) as never,
    callback: async (input, context) => {
      noteShown(toolbox, context)
      const told = await run(input as object, context)
      noteShown(toolbox, context)
      return told
    },
  })

/** Interrupts the run to show a human the message. */
const ask = async (tool: BoundTool, input: unknown, context: ToolContext): Promise<string> => {
  const text = await questionText(tool, input)
  const asked: AskedCall = { callId: context.toolUse.toolUseId, tool: tool.name, input, text }
  context.interrupt({ name: approvalName, reason: asked as never })
  // Only reached if the answer is for another call with the same id.
  return deniedText
}

const toTool = (toolbox: Toolbox, tool: BoundTool): FunctionTool =>
  toFunctionTool(toolbox, tool, async (input, context) => {
    const { toolUseId: callId } = context.toolUse
    const answer = answerTo(context, approvalName, input)
    if (answer !== undefined && answer !== true) return deniedText
    if (answer === undefined && (await tool.needsApproval(input))) return ask(tool, input, context)
    const call = { callId, signal: context.cancelSignal, approved: answer === true }
    return toolText(await tool.call(input, call))
  })

/** Makes the tool that interrupts the run until there is a reply, which it reads when the run is resumed. */
const toWaitingTool = (mailbox: Mailbox, toolbox: Toolbox, tool: BoundTool, options: ToolboxOptions) =>
  toFunctionTool(toolbox, tool, async (input, context) => {
    const { toolUse, cancelSignal: signal } = context
    const reply = answerTo(context, waitName, input)
    if (reply !== undefined) {
      const came = typeof reply === 'string' ? reply : null
      return toolText(await readReply(mailbox, options, came, { toolbox, signal }))
    }
    const now = await tool.call({ ...input, timeout_seconds: 0 }, { signal })
    if (now.status !== 'timed_out') return toolText(now)
    const waited = { callId: toolUse.toolUseId, input, ...(await openWait(mailbox, input, signal)) }
    context.interrupt({ name: waitName, reason: waited as never })
    return toolText(now)
  })

/**
 * Makes tools for Strands Agents: one set for each run of an agent.
 *
 * A call that needs approval interrupts the run; the `reason` is an {@link AskedCall} with the whole message.
 * `{ interruptResponse: { interruptId, response: true } }` resumes the agent. It may be in another process,
 * made from a snapshot with its own tools. Any other response is a no.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { Agent } from '@strands-agents/sdk'
 * import { createMailboxTools } from 'restante/strands'
 *
 * for await (const message of mailbox.incoming({ consumer: 'desk' })) {
 *   const agent = new Agent({ tools: createMailboxTools(mailbox, { message }), printer: false })
 *   await agent.invoke(await message.toPrompt())
 * }
 * ```
 */
export function createMailboxTools(mailbox: Mailbox, options: StrandsOptions = {}): FunctionTool[] {
  checkOptions('createMailboxTools()', options, names)
  const { suspend = false, ...rest } = options
  const toolbox = createToolbox(mailbox, rest)
  return (Object.values(toolbox.tools) as BoundTool[]).map((tool) =>
    suspend && tool.name === 'wait_for_reply'
      ? toWaitingTool(mailbox, toolbox, tool, rest)
      : toTool(toolbox, tool),
  )
}

/**
 * Finds the waits that interrupted a run: see `suspend`.
 *
 * @example
 * ```ts
 * import { waitsIn } from 'restante/strands'
 *
 * for (const wait of waitsIn(await agent.invoke('Ask Ana, and wait.'))) store.keep(wait, agent.takeSnapshot({ preset: 'session' }))
 * ```
 */
export const waitsIn = ({
  interrupts = [],
}: {
  readonly interrupts?: readonly Interrupt[] | undefined
}): MailWait[] =>
  interrupts
    .filter(({ name }) => name === waitName)
    .map(({ id: interruptId, reason }) => {
      const { message, token } = reason as unknown as MailWait
      return { interruptId, message, token }
    })

/**
 * Makes the input that resumes an agent which waited for a reply: `agent.invoke(replyTo(wait, reply))`.
 *
 * @param reply the reply from `mailbox.resumeWait(token)`; null if none arrived
 * @example
 * ```ts
 * import { type MailWait, replyTo } from 'restante/strands'
 *
 * export const goOn = async (wait: MailWait) =>
 *   agent.invoke(replyTo(wait, wait.token === null ? null : await mailbox.resumeWait(wait.token)))
 * ```
 */
export const replyTo = ({ interruptId }: MailWait, reply: { readonly id: string } | null) => [
  { interruptResponse: { interruptId, response: reply?.id ?? null } },
]
