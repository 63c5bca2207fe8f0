import { type GenerateMiddleware, generateMiddleware, restartTool, ToolInterruptError } from 'genkit'
import { tool as defineTool } from 'genkit/tool'
import { checkOptions, type Mailbox } from 'restante'
import * as z from 'zod'
import {
  type BoundTool,
  createToolbox,
  handlesIn,
  type MailWait,
  type ShownMail,
  type SuspendOptions,
  type Toolbox,
  type ToolboxOptions,
  toolContent,
} from './tools'
import { askedCall, deniedText, readReply, replyOrWait, suspendNames } from './tools/asked'
import { boundTools, withPictures } from './tools/toolbox'

/** Options of the tools: what they may do, and how they wait. */
export type GenkitOptions = SuspendOptions

/** Tool call as Genkit stores it in its messages. */
export interface ToolRequest {
  readonly toolRequest: {
    readonly name: string
    readonly ref?: string | undefined
    readonly input?: unknown
  }
  readonly metadata?: Record<string, unknown> | undefined
}

/** Data in the messages of an interrupted run, at the call that interrupted it. */
interface Kept {
  readonly kind: 'restante.approval' | 'restante.wait'
  /** Id of the call, also if the model gave it none. */
  readonly callId: string
  readonly input: unknown
  /** Handles that the model was shown, also those of messages that are no longer in the run. */
  readonly shown: ShownMail
}

/** Second argument of a Genkit tool. */
interface Call {
  readonly metadata?: { readonly interrupt?: unknown; readonly resumed?: unknown }
  readonly abortSignal?: AbortSignal
}

/** Returns the data kept for exactly this call, if it is being resumed. */
const keptOf = (kind: Kept['kind'], input: unknown, { metadata }: Call): Kept | null => {
  const kept = Object(metadata?.interrupt) as Kept
  return kept.kind === kind && JSON.stringify(kept.input) === JSON.stringify(input) ? kept : null
}

/** Interrupts the run, and keeps what was shown for the process that resumes it. */
const interrupt = ({ shown }: Toolbox, call: Omit<Kept, 'shown'>, more: object) => {
  throw new ToolInterruptError({ ...call, shown, ...more })
}

/** Text and pictures for the model. */
type Shown = ReturnType<typeof toolContent>
type Run = (input: object, call: Call, callId: string) => Promise<Shown>

/** Returns a tool response: its output, and pictures as parts with data URLs. */
const responseOf = (name: string, ref: string | undefined, { text: output, pictures }: Shown) => {
  const content = pictures.map(({ media_type: contentType, data }) => ({
    media: { contentType, url: `data:${contentType};base64,${data}` },
  }))
  return { name, output, ...(ref !== undefined && { ref }), ...(content.length > 0 && { content }) }
}

const approving =
  (toolbox: Toolbox, tool: BoundTool): Run =>
  async (input, call, callId) => {
    const { metadata, abortSignal: signal } = call
    if (metadata?.resumed !== undefined) {
      const kept = keptOf('restante.approval', input, call)
      const { approved } = Object(metadata.resumed) as { approved?: unknown }
      if (!kept || approved !== true) return { text: deniedText, pictures: [] }
      return toolContent(await tool.call(input, { callId: kept.callId, signal, approved: true }))
    }
    if (!(await tool.needsApproval(input))) return toolContent(await tool.call(input, { callId, signal }))
    return interrupt(toolbox, { kind: 'restante.approval', callId, input }, await askedCall(tool, input))
  }

/** Interrupts the run until there is a reply, which it reads when the run is resumed. */
const waiting =
  (mailbox: Mailbox, toolbox: Toolbox, tool: BoundTool, options: ToolboxOptions): Run =>
  async (input, call, callId) => {
    const { metadata, abortSignal: signal } = call
    if (metadata?.resumed !== undefined) {
      const { reply } = Object(metadata.resumed) as { reply?: unknown }
      const came = keptOf('restante.wait', input, call) && reply
      return toolContent(await readReply(mailbox, options, came, { toolbox, signal }))
    }
    const now = await replyOrWait(mailbox, tool, input, signal)
    if ('output' in now) return toolContent(now.output)
    return interrupt(toolbox, { kind: 'restante.wait', callId, input }, now.wait)
  }

/**
 * Makes the tools for Genkit: one set for each run. It is a middleware (`use`) that adds the tools, and finds
 * in the messages what the model was shown.
 *
 * A call that needs approval interrupts the run: its `metadata.interrupt` has an `AskedCall` with the
 * whole message. `restartTool(call, { approved: true })` resumes the run, also in another process with its
 * own tools. Any other answer is a no.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { genkit } from 'genkit'
 * import { createMailboxTools } from 'restante/genkit'
 *
 * const ai = genkit({ model: 'googleai/gemini-3-flash' })
 * for await (const message of mailbox.incoming({ consumer: 'desk' }))
 *   await ai.generate({ prompt: await message.toPrompt(), use: [createMailboxTools(mailbox, { message })] })
 * ```
 */
export function createMailboxTools(
  mailbox: Mailbox,
  options: GenkitOptions = {},
): { name: string; __def: GenerateMiddleware } {
  checkOptions('createMailboxTools()', options, suspendNames)
  const { suspend = false, ...rest } = options
  const toolbox = createToolbox(mailbox, withPictures(rest))
  const bound = boundTools(toolbox)
  const runOf = (tool: BoundTool): Run =>
    suspend && tool.name === 'wait_for_reply'
      ? waiting(mailbox, toolbox, tool, rest)
      : approving(toolbox, tool)
  const runs = new Map<string, Run>(bound.map((tool) => [tool.name, runOf(tool)]))
  const middleware = generateMiddleware({ name: 'restante' }, () => ({
    // Genkit uses a tool for one call of `generate`, and would end a run on a wrong input. So the `tool` hook
    // below runs the calls.
    tools: bound.map(({ name, description, input }) => {
      const inputJsonSchema = z.toJSONSchema(input, { io: 'input', target: 'draft-7' }) as never
      return defineTool({ name, description, inputJsonSchema })
    }),
    generate: (turn, context, next) => {
      toolbox.show(handlesIn(turn.request.messages))
      return next(turn, context)
    },
    tool: async (part, context, next) => {
      const { name, ref, input = {} } = part.toolRequest
      const run = runs.get(name)
      if (!run) return next(part, context)
      toolbox.show((part.metadata?.interrupt as Partial<Kept> | undefined)?.shown ?? [])
      const output = await run(input as object, context, ref ?? crypto.randomUUID())
      return { toolResponse: responseOf(name, ref, output) }
    },
  }))
  return middleware()
}

/**
 * Finds the waits that interrupted a run: see `suspend`.
 *
 * @example
 * ```ts
 * import type { GenerateResponse } from 'genkit'
 * import { waitsIn } from 'restante/genkit'
 *
 * export const keepWaits = (response: GenerateResponse) => waitsIn(response).forEach((wait) => store.keep(wait))
 * ```
 */
export const waitsIn = ({ interrupts }: { readonly interrupts: readonly ToolRequest[] }): MailWait[] =>
  interrupts.flatMap((call) => {
    const { kind, message, token } = Object(call.metadata?.interrupt) as Kept & MailWait
    return kind === 'restante.wait' ? [{ call, message, token }] : []
  })

/**
 * Makes the restart of a run that waited for a reply:
 * `ai.generate({ messages, use, resume: { restart: replyTo(wait, reply) } })`.
 *
 * @param reply the reply from `mailbox.resumeWait(token)`; null if none arrived
 * @example
 * ```ts
 * import { replyTo } from 'restante/genkit'
 * import type { MailWait } from 'restante/tools'
 *
 * export const goOn = async (wait: MailWait) =>
 *   replyTo(wait, wait.token === null ? null : await mailbox.resumeWait(wait.token))
 * ```
 */
export const replyTo = ({ call }: MailWait, reply: { readonly id: string } | null) =>
  restartTool(call as Parameters<typeof restartTool>[0], { reply: reply?.id ?? null })
