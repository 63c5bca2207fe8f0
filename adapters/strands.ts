import {
  type Agent,
  FunctionTool,
  ImageBlock,
  type Interrupt,
  TextBlock,
  type ToolContext,
} from '@strands-agents/sdk'
import { checkOptions, type Mailbox } from 'restante'
import * as z from 'zod'
import {
  type AskedCall,
  type BoundTool,
  createToolbox,
  handlesIn,
  type MailWait,
  type ShownMail,
  type SuspendOptions,
  type Toolbox,
  type ToolboxOptions,
  toolContent,
  toolText,
} from './tools'
import { askedCall, deniedText, nobodyAnswered, readReply, replyOrWait, suspendNames } from './tools/asked'
import { boundTools, withPictures } from './tools/toolbox'

/** Options of the tools: what they may do, and how they wait. */
export type StrandsOptions = SuspendOptions

/** Reason of an interrupt of these tools. */
type Reason = (AskedCall | Omit<MailWait, 'call'>) & { readonly callId: string; readonly input: unknown }

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
    const asked = reason as Partial<Reason> | undefined
    const isThis =
      asked?.callId === toolUse.toolUseId && JSON.stringify(asked.input) === JSON.stringify(input)
    return name === kind && isThis
  })?.response
}

/** Result of a tool: a text, or a text and pictures. */
type Shown = string | (TextBlock | ImageBlock)[]

const shownOf = (output: unknown): Shown => {
  const { text, pictures } = toolContent(output)
  if (pictures.length === 0) return text
  const images = pictures.map(({ media_type: type, data }) => {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    return new ImageBlock({ format: type.replace('image/', '') as ImageBlock['format'], source: { bytes } })
  })
  return [new TextBlock(text), ...images]
}

const toFunctionTool = (
  toolbox: Toolbox,
  { name, description, input: schema }: BoundTool,
  run: (input: object, context: ToolContext) => Promise<Shown>,
): FunctionTool =>
  new FunctionTool({
    name,
    description,
    inputSchema: z.toJSONSchema(schema, { io: 'input' }) as never,
    callback: async (input, context) => {
      noteShown(toolbox, context)
      const answer = await run(input as object, context)
      noteShown(toolbox, context)
      return answer as never
    },
  })

const toTool = (toolbox: Toolbox, tool: BoundTool): FunctionTool =>
  toFunctionTool(toolbox, tool, async (input, context) => {
    const { toolUseId: callId } = context.toolUse
    const answer = answerTo(context, approvalName, input)
    if (answer !== undefined && answer !== true) return deniedText
    if (answer === undefined && (await tool.needsApproval(input))) {
      const reason: Reason = { callId, ...(await askedCall(tool, input)) }
      context.interrupt({ name: approvalName, reason: reason as never })
      // Only reached if the answer is for another call with the same id.
      return deniedText
    }
    const call = { callId, signal: context.cancelSignal, approved: answer === true }
    return shownOf(await tool.call(input, call))
  })

/** Makes the tool that interrupts the run until there is a reply, which it reads when the run is resumed. */
const toWaitingTool = (mailbox: Mailbox, toolbox: Toolbox, tool: BoundTool, options: ToolboxOptions) =>
  toFunctionTool(toolbox, tool, async (input, context) => {
    const { toolUse, cancelSignal: signal } = context
    const reply = answerTo(context, waitName, input)
    if (reply !== undefined) return toolText(await readReply(mailbox, options, reply, { toolbox, signal }))
    const now = await replyOrWait(mailbox, tool, input, signal)
    if ('output' in now) return toolText(now.output)
    const reason: Reason = { callId: toolUse.toolUseId, input, ...now.wait }
    context.interrupt({ name: waitName, reason: reason as never })
    return toolText(nobodyAnswered)
  })

/**
 * Makes tools for Strands Agents: one set for each run of an agent.
 *
 * A call that needs approval interrupts the run; the `reason` is an `AskedCall` with the whole message.
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
  checkOptions('createMailboxTools()', options, suspendNames)
  const { suspend = false, ...rest } = options
  const toolbox = createToolbox(mailbox, withPictures(rest))
  return boundTools(toolbox).map((tool) =>
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
    .map(({ id: call, reason }) => {
      const { message, token } = reason as unknown as MailWait
      return { call, message, token }
    })

/**
 * Makes the input that resumes an agent which waited for a reply: `agent.invoke(replyTo(wait, reply))`.
 *
 * @param reply the reply from `mailbox.resumeWait(token)`; null if none arrived
 * @example
 * ```ts
 * import { replyTo } from 'restante/strands'
 * import type { MailWait } from 'restante/tools'
 *
 * export const goOn = async (wait: MailWait) =>
 *   agent.invoke(replyTo(wait, wait.token === null ? null : await mailbox.resumeWait(wait.token)))
 * ```
 */
export const replyTo = ({ call }: MailWait, reply: { readonly id: string } | null) => [
  { interruptResponse: { interruptId: call as string, response: reply?.id ?? null } },
]
