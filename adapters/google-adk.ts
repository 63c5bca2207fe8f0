import { type Event, FunctionTool, LongRunningFunctionTool } from '@google/adk'
import { checkOptions, type Mailbox } from 'restante'
import * as z from 'zod'
import {
  type BoundTool,
  createToolbox,
  handlesIn,
  type MailWait,
  type SuspendOptions,
  type Toolbox,
  type ToolPicture,
  toolContent,
  toolText,
} from './tools'
import { askedCall, deniedText, readReply, replyOrWait, suspendNames } from './tools/asked'
import { boundTools, withPictures } from './tools/toolbox'

/** Options of the tools: what they may do, and how they wait. */
export type AdkOptions = SuspendOptions

/** Second argument of an ADK tool. */
interface CallContext {
  readonly functionCallId?: string
  readonly abortSignal?: AbortSignal
  readonly toolConfirmation?: { readonly confirmed: boolean }
  readonly actions: { skipSummarization?: boolean }
  readonly invocationContext: { readonly session: { readonly events: readonly { content?: unknown }[] } }
  requestConfirmation(request: { hint?: string; payload?: unknown }): void
}

/** Converts a JSON Schema to the form of Gemini, with types in capitals. */
const schemaOf = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(schemaOf)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => {
    if (key === 'type' && typeof value === 'string') return [key, value.toUpperCase()]
    const isNamed = key === 'properties'
    return [key, isNamed ? mapValues(value as object) : schemaOf(value)]
  })
  return Object.fromEntries(entries)
}
const mapValues = (named: object) =>
  Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, schemaOf(schema)]))

const denied = { status: 'denied', message: deniedText }
const asked = { status: 'approval_needed', message: 'A human is asked' }

/** Lets ADK ask a human, who is shown the message. */
const ask = async (tool: BoundTool, input: unknown, context: CallContext): Promise<object> => {
  context.requestConfirmation({ hint: (await askedCall(tool, input)).text })
  context.actions.skipSummarization = true
  return asked
}

/**
 * Tool that asks by itself, so that its question contains the message. ADK 2.0 accepts a yes only for a tool
 * that requires confirmation, and only as the answer to the question of this call in the session.
 */
class AskingTool extends FunctionTool<never> {
  readonly #shown: ShownPictures

  constructor(options: ConstructorParameters<typeof FunctionTool<never>>[0], shown: ShownPictures) {
    super(options)
    this.#shown = shown
  }

  override async checkRequireConfirmation(): Promise<boolean> {
    return true
  }

  override async processLlmRequest(
    request: Parameters<FunctionTool<never>['processLlmRequest']>[0],
  ): Promise<void> {
    await super.processLlmRequest(request)
    if (this.name === 'read_attachment') this.#shown.addTo(request.llmRequest)
  }
}

interface Content {
  role?: string
  parts?: { functionResponse?: { response?: object }; text?: string; inlineData?: object }[]
}

/** Pictures of a run. A function response of ADK has none, so each request to the model gets them after it. */
class ShownPictures {
  readonly #pictures = new Map<string, readonly ToolPicture[]>()

  /** Returns a function response: its text, and a key for its pictures. */
  responseOf(output: unknown): { result: string; pictures?: string } {
    const { text, pictures } = toolContent(output)
    if (pictures.length === 0) return { result: text }
    const key = crypto.randomUUID()
    this.#pictures.set(key, pictures)
    return { result: text, pictures: key }
  }

  /** Adds the pictures to a request. After a restart there are none, and the model is told. */
  addTo(request: { contents: unknown[] }): void {
    request.contents = (request.contents as Content[]).flatMap((content) => [
      content,
      ...(content.parts ?? []).flatMap(({ functionResponse }) =>
        this.#contentsOf(functionResponse?.response),
      ),
    ])
  }

  #contentsOf(response: object | undefined): Content[] {
    const { pictures: key } = (response ?? {}) as { pictures?: unknown }
    if (typeof key !== 'string') return []
    const pictures = this.#pictures.get(key)
    const parts = pictures?.map(({ media_type: mimeType, data }) => ({ inlineData: { mimeType, data } }))
    return [{ role: 'user', parts: parts ?? [{ text: lostPicture }] }]
  }
}

const lostPicture = '[The picture is no longer here: call read_attachment again to see it.]'

/** Converts a tool to the options of ADK. Calls note what the session shows, maybe from another process. */
const formOf = (
  { name, description, input }: BoundTool,
  toolbox: Toolbox,
  run: (input: object, context: CallContext) => Promise<object>,
) => ({
  name,
  description,
  parameters: schemaOf(z.toJSONSchema(input, { io: 'input' })) as never,
  execute: (given: unknown, called?: unknown): Promise<object> => {
    const context = called as CallContext
    toolbox.show(handlesIn(context.invocationContext.session.events.map(({ content }) => content)))
    return run(given as object, context)
  },
})

const toTool = (tool: BoundTool, toolbox: Toolbox, shown: ShownPictures) =>
  new AskingTool(
    formOf(tool, toolbox, async (input, context) => {
      const { toolConfirmation, functionCallId: callId, abortSignal: signal } = context
      if (toolConfirmation && !toolConfirmation.confirmed) return denied
      if (!toolConfirmation && (await tool.needsApproval(input))) return ask(tool, input, context)
      const approved = toolConfirmation?.confirmed === true
      return shown.responseOf(await tool.call(input, { callId, signal, approved }))
    }),
    shown,
  ) as unknown as FunctionTool

const waitName = 'wait_for_reply'
/** Ends the run unless the reply has arrived. */
const toWaitingTool = (mailbox: Mailbox, toolbox: Toolbox, tool: BoundTool) =>
  new LongRunningFunctionTool(
    formOf(tool, toolbox, async (input, { abortSignal: signal, actions }) => {
      const now = await replyOrWait(mailbox, tool, input, signal)
      if ('output' in now) return { result: toolText(now.output) }
      actions.skipSummarization = true
      return { status: 'pending', ...now.wait }
    }),
  ) as unknown as FunctionTool

/**
 * Makes tools for Google's Agent Development Kit: one set for each run of an agent.
 *
 * A call that needs approval ends the run with a call of `adk_request_confirmation`, whose hint is the whole
 * message. The answer to it resumes the session, also in another process with newly made tools.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { InMemoryRunner, LlmAgent } from '@google/adk'
 * import { createMailboxTools } from 'restante/google-adk'
 *
 * for await (const message of mailbox.incoming({ consumer: 'desk' })) {
 *   const tools = createMailboxTools(mailbox, { message, approve: 'none' })
 *   const agent = new LlmAgent({ name: 'desk', model: 'gemini-3-flash', instruction: 'Answer the mail.', tools })
 *   const newMessage = { role: 'user', parts: [{ text: await message.toPrompt() }] }
 *   for await (const _ of new InMemoryRunner({ agent }).runEphemeral({ userId: 'desk', newMessage }));
 * }
 * ```
 */
export function createMailboxTools(mailbox: Mailbox, options: AdkOptions = {}): FunctionTool[] {
  checkOptions('createMailboxTools()', options, suspendNames)
  const { suspend = false, ...rest } = options
  const toolbox = createToolbox(mailbox, withPictures(rest))
  const shown = new ShownPictures()
  return boundTools(toolbox).map((tool) =>
    suspend && tool.name === waitName ? toWaitingTool(mailbox, toolbox, tool) : toTool(tool, toolbox, shown),
  )
}

/**
 * Finds the waits that an event of a run ends with: see `suspend`.
 *
 * @example
 * ```ts
 * import { waitsIn } from 'restante/google-adk'
 *
 * for await (const event of agent.runAsync()) for (const wait of waitsIn(event)) store.keep(wait)
 * ```
 */
export function waitsIn(event: Event): MailWait[] {
  return (event.content?.parts ?? []).flatMap(({ functionResponse }) => {
    const { status, message, token } = functionResponse?.response ?? {}
    if (functionResponse?.name !== waitName || status !== 'pending') return []
    return [{ call: functionResponse.id, message, token } as MailWait]
  })
}

/**
 * Makes the message that resumes a session which waited for a reply: `runner.runAsync({ newMessage })`.
 *
 * @param reply the reply from `mailbox.resumeWait(token)`; null if none arrived
 * @param options options of the tools, which bound what may be shown
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { replyTo } from 'restante/google-adk'
 * import type { MailWait } from 'restante/tools'
 *
 * export const goOn = async (wait: MailWait) =>
 *   replyTo(mailbox, wait, wait.token === null ? null : await mailbox.resumeWait(wait.token))
 * ```
 */
export async function replyTo(
  mailbox: Mailbox,
  { call: id }: MailWait,
  reply: { readonly id: string } | null,
  options: AdkOptions = {},
): Promise<{ role: 'user'; parts: [{ functionResponse: object }] }> {
  checkOptions('replyTo()', options, suspendNames)
  const { suspend: _suspend, ...rest } = options
  const read = await readReply(mailbox, rest, reply?.id)
  const response = { result: toolText(read) }
  return { role: 'user', parts: [{ functionResponse: { id, name: waitName, response } }] }
}
