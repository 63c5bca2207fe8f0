import { type StructuredToolInterface, tool } from '@langchain/core/tools'
import { Command, interrupt } from '@langchain/langgraph'
import { checkOptions, type Mailbox, type Message, type OptionNames } from 'restante'
import { createToolbox, handlesIn, type ToolboxOptions, toolText } from 'restante/tools'
import { type CallRuntime, callIdOf, messagesOf } from './langchain/tools'
import { openWait } from './tools/asked'
import { mailTools, toolboxNames } from './tools/toolbox'
import { inTime } from './tools/waiting'

/** Value of the interrupt with which a graph waits for a reply. */
export interface ReplyInterrupt {
  readonly type: 'await_email_reply'
  /** Id of the message whose answer is awaited. */
  readonly message: string
  /** For `mailbox.resumeWait`, in any process. */
  readonly token: string
}

/** Options of {@link awaitReply}. */
export interface AwaitReplyOptions {
  /** Time after which the reply is null. Default: unlimited. */
  timeoutMs?: number | undefined
}

const awaitNames: OptionNames<AwaitReplyOptions> = { timeoutMs: 'number' }
const askNames: OptionNames<ToolboxOptions & AwaitReplyOptions> = { ...toolboxNames, ...awaitNames }

/**
 * Waits in a node of a graph until somebody answers a message. It interrupts the graph, for days if
 * necessary. {@link resumeOnReply} resumes it with the reply, in this process or another. Returns null if
 * none arrived in time.
 *
 * As with every `interrupt`, the node runs again from its start: messages sent before this need a `clientId`.
 *
 * @throws UsageError as `mailbox.nextReply`; also the error of `interrupt`, which must propagate
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
  const { token, ...wait } = openWait(mailbox, message, options)
  const asked: ReplyInterrupt = { type: 'await_email_reply', ...wait, token: token ?? '' }
  const { reply } = interrupt<ReplyInterrupt, { reply: string | null }>(asked)
  return reply === null ? null : mailbox.messages.get(reply)
}

/**
 * Makes a tool by which an agent asks somebody by email and sleeps until the answer, for days if necessary.
 * It needs a checkpointer, and {@link resumeOnReply}. The message is sent once, also if the tool is run
 * again.
 *
 * A message that needs approval becomes a draft that waits, and the agent is notified.
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
  // Reports wrong options now instead of on each call.
  createToolbox(mailbox, rest)
  const ask = async (input: object, runtime: CallRuntime): Promise<string> => {
    const { signal } = runtime
    const { tools, show } = createToolbox(mailbox, { ...rest, only: ['send_mail', 'read_message'] })
    show(handlesIn(messagesOf(runtime)))
    const output = await tools.send_mail!.call(input, { callId: callIdOf(runtime), signal })
    if (output.status !== 'sent' || !output.message) return toolText(output)
    const reply = await awaitReply(mailbox, await mailbox.messages.get(output.message), { timeoutMs })
    if (!reply) return 'Nobody answered in time.'
    return toolText(await tools.read_message!.call({ message: reply.id }, { signal }))
  }
  const fields = {
    name: 'ask_by_mail',
    description: 'Sends a mail that starts a conversation, and waits for its answer, which may take days.',
    // A scheduled message makes no sense here: the wait for the answer begins now.
    schema: mailTools.send_mail.input.omit({ send_at: true }),
  }
  return tool(ask as never, fields as never) as unknown as StructuredToolInterface
}

/** Graph that was compiled with a checkpointer, or that of an agent. */
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

/** Config that names a run of the graph. */
export interface GraphConfig {
  configurable: { thread_id: string } & Record<string, unknown>
}

/** Options of {@link resumeOnReply}. */
export interface ResumeOptions {
  /** Stops waiting: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Finds what a run waits for, and whether it was interrupted by a crash: no waits, but more to do. */
const standOf = async <State>(graph: WaitingGraph<State>, config: GraphConfig) => {
  const { next, tasks } = await graph.getState(config)
  // A completed task keeps its interrupts until all tasks of its step are completed.
  const interrupts = tasks.filter(({ result }) => result === undefined).flatMap((task) => task.interrupts)
  const waits = interrupts.flatMap(({ id, value }) => {
    const { type, token } = (value ?? {}) as Partial<ReplyInterrupt>
    return id !== undefined && type === 'await_email_reply' && token ? [{ id, token }] : []
  })
  return { waits, isBroken: interrupts.length === 0 && next.length > 0 }
}

/** Returns the first reply. A timeout counts as a reply. */
const firstReply = async (
  mailbox: Mailbox,
  waits: readonly { id: string; token: string }[],
  signal: AbortSignal | undefined,
) => {
  const waiting = waits.map((one) => ({ ...one, wait: mailbox.resumeWait(one.token, { signal }) }))
  try {
    return await Promise.race(
      waiting.map(async ({ id, token, wait }) => ({ id, token, reply: (await inTime(wait))?.id ?? null })),
    )
  } finally {
    for (const { wait } of waiting) wait.cancel()
  }
}

/**
 * Resumes a run of a graph with each reply that it waits for, until it waits for none. Call it after
 * `invoke`, and after a restart for each run that had not ended. It continues runs that a crash interrupted.
 * Replies that arrived while no process ran count. Several waits of one run are resumed in the order of their
 * replies.
 *
 * Only one process may resume a run at a time.
 *
 * @returns the state at the end or at another kind of wait; null if there was nothing to resume
 * @throws errors of the graph; the reason of an aborted signal; UsageError `mailbox_closed`
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
    state = await graph.invoke(new Command({ resume: { [id]: { reply } } }), config)
  }
}
