import { type StructuredToolInterface, tool } from '@langchain/core/tools'
import { Command, interrupt } from '@langchain/langgraph'
import { checkOptions, isRestanteError, type Mailbox, type Message, type OptionNames } from 'restante'
import { createToolbox, handlesIn, type ToolboxOptions, toolText } from 'restante/tools'
import { mailTools, toolboxNames } from './tools/toolbox'

/** The value of the interrupt with which a graph waits for a reply. */
export interface ReplyInterrupt {
  readonly type: 'await_email_reply'
  /** Id of the message whose answer is waited for. */
  readonly message: string
  /** For `mailbox.resumeWait`, in whatever process. */
  readonly token: string
}

/** With what a graph goes on. */
interface ReplyResume {
  /** Id of the reply; null where none came in time. */
  readonly reply: string | null
}

/** Options of {@link awaitReply}. */
export interface AwaitReplyOptions {
  /** Then the reply is null. Default: as long as it takes. */
  timeoutMs?: number | undefined
}

const awaitNames: OptionNames<AwaitReplyOptions> = { timeoutMs: 'number' }
const askNames: OptionNames<ToolboxOptions & AwaitReplyOptions> = { ...toolboxNames, ...awaitNames }

/**
 * Waits in a node of a graph until somebody answers a message: interrupts the graph, for days if need be, and goes on
 * with the reply when {@link resumeOnReply} resumes it, in this process or in another. Null where none came in time.
 *
 * As with every `interrupt`, the node runs again from its beginning: what it sends before this needs a `clientId`.
 *
 * @throws UsageError as `mailbox.nextReply`; and what `interrupt` throws, which has to pass
 * @example
 * ```ts
 * import { awaitReply } from 'restante/langgraph'
 *
 * async function ask({ order }: { order: string }) {
 *   const mail = { to: 'ana@example.com', subject: `Order ${order}`, text: 'Which size?' }
 *   const sent = await mailbox.send({ ...mail, clientId: `ask-${order}` })
 *   const reply = await awaitReply(mailbox, sent, { timeoutMs: 7 * 24 * 3_600_000 })
 *   return { size: reply?.text ?? 'unknown' }
 * }
 * ```
 */
export async function awaitReply(
  mailbox: Mailbox,
  message: { readonly id: string },
  options: AwaitReplyOptions = {},
): Promise<Message | null> {
  checkOptions('awaitReply()', options, awaitNames)
  const { timeoutMs } = options
  using wait = mailbox.nextReply(message, { timeoutMs })
  const told: ReplyInterrupt = { type: 'await_email_reply', message: message.id, token: wait.token ?? '' }
  const { reply } = interrupt<ReplyInterrupt, ReplyResume>(told)
  return reply === null ? null : mailbox.messages.get(reply)
}

/**
 * A tool by which an agent asks somebody by mail and sleeps until the answer, for days if need be: it needs a
 * checkpointer, and {@link resumeOnReply}. The mail is sent once, however often the tool is run again.
 *
 * What a human is to approve becomes a draft that waits, and the agent is told so.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { MemorySaver } from '@langchain/langgraph'
 * import { createAgent } from 'langchain'
 * import { createAskTool } from 'restante/langgraph'
 *
 * const ask = createAskTool(mailbox, { recipients: ['example.com'] })
 * const buyer = createAgent({ model, tools: [ask], checkpointer: new MemorySaver() })
 * ```
 */
export function createAskTool(
  mailbox: Mailbox,
  options: ToolboxOptions & AwaitReplyOptions = {},
): StructuredToolInterface {
  checkOptions('createAskTool()', options, askNames)
  const { timeoutMs, ...rest } = options
  // Wrong options are told now, and not of each call.
  createToolbox(mailbox, rest)
  const ask = async (input: object, { toolCallId, toolCall, signal, state }: AskRuntime): Promise<string> => {
    const { tools, show } = createToolbox(mailbox, { ...rest, only: ['send_mail', 'read_message'] })
    show(handlesIn(Array.isArray(state?.messages) ? state.messages : []))
    const output = await tools.send_mail!.call(input, { callId: toolCallId ?? toolCall?.id, signal })
    if (output.status !== 'sent' || !output.message) return toolText(output)
    const reply = await awaitReply(mailbox, await mailbox.messages.get(output.message), { timeoutMs })
    if (!reply) return 'Nobody answered in time.'
    return toolText(await tools.read_message!.call({ message: reply.id }, { signal }))
  }
  const fields = {
    name: 'ask_by_mail',
    description: 'Sends a mail that starts a conversation, and waits for its answer, which may take days.',
    // Whoever waits for the answer waits from now on.
    schema: mailTools.send_mail.input.omit({ send_at: true }),
  }
  return tool(ask as never, fields as never) as unknown as StructuredToolInterface
}

interface AskRuntime {
  toolCallId?: string
  toolCall?: { id?: string | undefined }
  signal?: AbortSignal
  state?: { messages?: unknown }
}

/** A graph that was compiled with a checkpointer, or an agent's. */
export interface WaitingGraph<State> {
  getState(config: GraphConfig): Promise<{
    next: readonly unknown[]
    tasks: readonly {
      interrupts: readonly { id?: string | undefined; value?: unknown }[]
      result?: unknown
    }[]
  }>
  // biome-ignore lint/suspicious/noExplicitAny: what a graph takes is its own
  invoke(input: any, config: any): Promise<State>
}

/** The config that names a run of the graph. */
export interface GraphConfig {
  configurable: { thread_id: string } & Record<string, unknown>
}

/** Until when replies are waited for. */
export interface ResumeOptions {
  /** Ends it: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

interface Waiting {
  readonly id: string
  readonly token: string
}

/** Finds what a run waits for, and whether it was broken off in mid-step: it waits for nothing, and has more to do. */
const standOf = async <State>(graph: WaitingGraph<State>, config: GraphConfig) => {
  const { next, tasks } = await graph.getState(config)
  // A task that is done keeps its interrupts until all that run beside it are.
  const interrupts = tasks.filter(({ result }) => result === undefined).flatMap((task) => task.interrupts)
  const waits = interrupts.flatMap(({ id, value }): Waiting[] => {
    const { type, token } = (value ?? {}) as Partial<ReplyInterrupt>
    return id !== undefined && type === 'await_email_reply' && token ? [{ id, token }] : []
  })
  return { waits, isBroken: interrupts.length === 0 && next.length > 0 }
}

/** The first of the replies. That none came in time is a reply too. */
const firstReply = async (mailbox: Mailbox, waits: readonly Waiting[], signal: AbortSignal | undefined) => {
  const waiting = waits.map(({ id, token }) => ({ id, token, wait: mailbox.resumeWait(token, { signal }) }))
  try {
    return await Promise.race(
      waiting.map(async ({ id, token, wait }) => ({
        ...{ id, token },
        reply: await wait.then(
          (message) => message.id,
          (error) => {
            if (isRestanteError(error) && error.code === 'wait_timed_out') return null
            throw error
          },
        ),
      })),
    )
  } finally {
    for (const { wait } of waiting) wait.cancel()
  }
}

/**
 * Resumes a run of a graph with each reply that it waits for, until it waits for none: call it after `invoke`, and after
 * a restart for each run that had not ended, which goes on also where it was broken off. What came while nobody ran
 * counts. Several waits of one run are resumed in the order in which their replies come.
 *
 * A run is to be resumed by one process at a time.
 *
 * @returns the state where it ended or waits for something else; null where there was nothing to go on with
 * @throws what the graph throws; the reason of an aborted signal; UsageError `mailbox_closed`
 * @example
 * ```ts
 * import { resumeOnReply } from 'restante/langgraph'
 *
 * const config = { configurable: { thread_id: 'order-17' } }
 * await agent.invoke({ messages: [{ role: 'user', content: 'Ask Ana which size she wants.' }] }, config)
 * const state = await resumeOnReply(mailbox, agent, config)
 * ```
 */
export async function resumeOnReply<State>(
  mailbox: Mailbox,
  graph: WaitingGraph<State>,
  config: GraphConfig,
  options: ResumeOptions = {},
): Promise<State | null> {
  checkOptions<ResumeOptions>('resumeOnReply()', options, { signal: true })
  const { signal } = options
  let state: State | null = null
  const answered = new Set<string>()
  for (;;) {
    const { waits, isBroken } = await standOf(graph, config)
    const open = waits.filter(({ token }) => !answered.has(token))
    if (isBroken && state === null) {
      state = await graph.invoke(null, config)
      continue
    }
    if (open.length === 0) return state
    const { id, token, reply } = await firstReply(mailbox, open, signal)
    answered.add(token)
    state = await graph.invoke(new Command({ resume: { [id]: { reply } satisfies ReplyResume } }), config)
  }
}
