import { type GenerateMiddleware, generateMiddleware, restartTool, ToolInterruptError } from 'genkit'
import { tool as defineTool } from 'genkit/tool'
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
export interface GenkitOptions extends ToolboxOptions {
  /**
   * Interrupts the run where `wait_for_reply` has to wait, instead of waiting a minute: {@link waitsIn} tells of it, and
   * the run goes on with {@link replyTo}, days later and in any process.
   */
  suspend?: boolean | undefined
}

const names: OptionNames<GenkitOptions> = { ...toolboxNames, suspend: 'boolean' }

/** The call of a tool as Genkit keeps it in its messages. */
export interface ToolRequest {
  readonly toolRequest: {
    readonly name: string
    readonly ref?: string | undefined
    readonly input?: unknown
  }
  readonly metadata?: Record<string, unknown> | undefined
}

/** A call that a human is asked about. */
export interface AskedCall {
  readonly tool: ToolName
  readonly input: unknown
  /** The mail that it would write, for a human to read; the call itself where it writes none. */
  readonly text: string
}

/** A wait that interrupted a run. It is plain data: keep it with the messages of the run. */
export interface MailWait {
  readonly request: ToolRequest
  /** The id of the message whose reply is waited for. */
  readonly message: string
  /** For `mailbox.resumeWait(token)`. */
  readonly token: string | null
}

/** What stands in the messages of an interrupted run, at the call that interrupted it. */
interface Kept {
  readonly kind: 'restante.approval' | 'restante.wait'
  /** The call, also where the model gave it no id. */
  readonly callId: string
  readonly input: unknown
  /** What the run had shown the model, which also those messages tell that are there no more. */
  readonly shown: ShownMail
}

/** What a tool of Genkit is given beside its input. */
interface Call {
  readonly metadata?: { readonly interrupt?: unknown; readonly resumed?: unknown }
  readonly abortSignal?: AbortSignal
}

/** What was kept of this very call, if it goes on now. */
const keptOf = (kind: Kept['kind'], input: unknown, { metadata }: Call): Kept | null => {
  const kept = Object(metadata?.interrupt) as Kept
  return kept.kind === kind && JSON.stringify(kept.input) === JSON.stringify(input) ? kept : null
}

/** Interrupts the run. A process that goes on with it knows what was shown in this one. */
const interrupt = ({ shown }: Toolbox, call: Omit<Kept, 'shown'>, more: object) => {
  throw new ToolInterruptError({ ...call, shown, ...more })
}

type Run = (input: object, call: Call, callId: string) => Promise<string>

const approving =
  (toolbox: Toolbox, tool: BoundTool): Run =>
  async (input, call, callId) => {
    const { metadata, abortSignal: signal } = call
    if (metadata?.resumed !== undefined) {
      const kept = keptOf('restante.approval', input, call)
      const { approved } = Object(metadata.resumed) as { approved?: unknown }
      if (!kept || approved !== true) return deniedText
      return toolText(await tool.call(input, { callId: kept.callId, signal, approved: true }))
    }
    if (!(await tool.needsApproval(input))) return toolText(await tool.call(input, { callId, signal }))
    const text = await questionText(tool, input)
    return interrupt(toolbox, { kind: 'restante.approval', callId, input }, { tool: tool.name, text })
  }

/** Interrupts the run until there is a reply, which it reads once the run goes on. */
const waiting =
  (mailbox: Mailbox, toolbox: Toolbox, tool: BoundTool, options: ToolboxOptions): Run =>
  async (input, call, callId) => {
    const { metadata, abortSignal: signal } = call
    if (metadata?.resumed !== undefined) {
      const { reply } = Object(metadata.resumed) as { reply?: unknown }
      const came = keptOf('restante.wait', input, call) && typeof reply === 'string' ? reply : null
      return toolText(await readReply(mailbox, options, came, { toolbox, signal }))
    }
    const now = await tool.call({ ...input, timeout_seconds: 0 }, { signal })
    if (now.status !== 'timed_out') return toolText(now)
    return interrupt(
      toolbox,
      { kind: 'restante.wait', callId, input },
      await openWait(mailbox, input, signal),
    )
  }

/**
 * Makes the tools for Genkit: one set for each run, as a middleware (`use`), which brings them and sees in the messages what
 * the model was shown.
 *
 * What a human is to be asked about interrupts the run: the `metadata.interrupt` of the call has an {@link AskedCall} with
 * the whole mail. The run goes on with `restartTool(call, { approved: true })`, also in another process, with tools of its
 * own; any other answer is a no.
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
  checkOptions('createMailboxTools()', options, names)
  const { suspend = false, ...rest } = options
  const toolbox = createToolbox(mailbox, rest)
  const bound = Object.values(toolbox.tools) as BoundTool[]
  const runOf = (tool: BoundTool): Run =>
    suspend && tool.name === 'wait_for_reply'
      ? waiting(mailbox, toolbox, tool, rest)
      : approving(toolbox, tool)
  const runs = new Map<string, Run>(bound.map((tool) => [tool.name, runOf(tool)]))
  const middleware = generateMiddleware({ name: 'restante' }, () => ({
    // Genkit takes a tool for one call of `generate`, and would end a run whose model gives it a wrong input.
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
      return { toolResponse: { name, ...(ref !== undefined && { ref }), output } }
    },
  }))
  return middleware()
}

/**
 * Finds the waits that a run was interrupted by: see `suspend`.
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
  interrupts.flatMap((request) => {
    const { kind, message, token } = Object(request.metadata?.interrupt) as Kept & MailWait
    return kind === 'restante.wait' ? [{ request, message, token }] : []
  })

/**
 * Makes what a run goes on with that waited for a reply: `ai.generate({ messages, use, resume: { restart: replyTo(wait, reply) } })`.
 *
 * @param reply the reply, as `mailbox.resumeWait(token)` gave it; null if none came
 * @example
 * ```ts
 * import { type MailWait, replyTo } from 'restante/genkit'
 *
 * export const goOn = async (wait: MailWait) =>
 *   replyTo(wait, wait.token === null ? null : await mailbox.resumeWait(wait.token))
 * ```
 */
export const replyTo = ({ request }: MailWait, reply: { readonly id: string } | null) =>
  restartTool(request as Parameters<typeof restartTool>[0], { reply: reply?.id ?? null })
