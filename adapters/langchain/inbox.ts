import type { StructuredToolInterface } from '@langchain/core/tools'
import { checkOptions, type Message, type OptionNames, type Run } from 'restante'
import { cutOff, type Ending, endingOf, type InboxOptions, runInbox } from 'restante/tools'
import { inboxNames } from '../tools/inbox'
import { withPictures } from '../tools/toolbox'
import { toTools } from './tools'

interface AgentMessage {
  content: unknown
  text?: unknown
  name?: string | undefined
  type?: unknown
  /** Answer of a mailbox tool, as data. */
  artifact?: unknown
  response_metadata?: unknown
  tool_calls?: readonly unknown[] | undefined
}

/** Agent of `createAgent`, or any graph whose state has `messages`. */
export interface InboxAgent {
  invoke(
    input: { messages: { role: 'user'; content: string }[] },
    config: { signal: AbortSignal },
  ): Promise<{ messages: readonly AgentMessage[] }>
}

/** Parts from which an agent for one message is made. */
export interface AgentTurn {
  readonly message: Message
  /** Tools of the mailbox, limited by the options of the inbox. */
  readonly tools: StructuredToolInterface[]
}

/** Options of an agent that works through an inbox. */
export interface AgentInboxOptions extends InboxOptions {
  /** The agent, or a function that makes one for each message from the mailbox tools. */
  agent: InboxAgent | ((turn: AgentTurn) => InboxAgent | Promise<InboxAgent>)
}

const names: OptionNames<AgentInboxOptions> = { ...inboxNames, agent: true }

const textOf = (message: AgentMessage | undefined): string => {
  const { text, content } = message ?? {}
  if (typeof text === 'string') return text
  return typeof content === 'string' ? content : ''
}

/** Finds how the agent's own tool ended the turn, after the prompt. Mailbox tools record that themselves. */
const settledBy = (messages: readonly AgentMessage[], prompt: string): Ending | undefined =>
  endingOf(
    messages
      .slice(messages.findLastIndex(({ content }) => content === prompt) + 1)
      .map(({ name, artifact }) => ({ name, output: artifact })),
  )

/** Finish reasons by which providers say that a model was done. */
const done = new Set(['stop', 'stop_sequence', 'end_turn', 'complete', 'completed', 'eos', 'eos_token'])

/** Returns why the model ended, in the words of LangChain or the provider; undefined if unknown. */
const reasonOf = ({ response_metadata, tool_calls = [] }: AgentMessage): string | undefined => {
  if (tool_calls.length > 0) return 'tool-calls'
  const given = (response_metadata ?? {}) as Record<string, unknown>
  if (given.finish_state === 'suspended') return 'suspended'
  const reasons = [
    given.normalized_finish_reason,
    given.finish_reason,
    given.finishReason,
    given.stop_reason,
    given.stopReason,
    given.done_reason,
    given.status,
  ]
  return reasons.find((reason): reason is string => typeof reason === 'string')
}

/** Text with which LangChain's call limit middleware ends a run in the model's name. */
const limitWords = /^(?:Model call limits exceeded\b|.{1,100} call limit reached: )/

/** Returns how an agent's turn ended: with its final text, or cut off and why. */
const endOf = (messages: readonly AgentMessage[]): Ending => {
  const last = messages.at(-1)
  if (last === undefined || (last.type !== undefined && last.type !== 'ai'))
    return { unfinished: 'the last message of the agent is not of its model: let the graph end with one' }
  const text = textOf(last)
  const reason = reasonOf(last)
  if (reason === undefined && limitWords.test(text))
    return { unfinished: `${text.slice(0, 300)} Raise the limit of the middleware` }
  return reason === undefined || done.has(reason.toLowerCase()) ? text : cutOff(reason)
}

/** Runs an agent. A graph that used up its steps throws; one that asks a human is interrupted. */
const run = async (agent: InboxAgent, prompt: string, signal: AbortSignal): Promise<Ending> => {
  try {
    const state = await agent.invoke({ messages: [{ role: 'user', content: prompt }] }, { signal })
    const settled = settledBy(state.messages, prompt)
    if (settled !== undefined) return settled
    if ((state as { __interrupt__?: readonly unknown[] }).__interrupt__?.length)
      return { unfinished: 'the graph was interrupted, and nobody is there to answer it' }
    return endOf(state.messages)
  } catch (error) {
    if ((error as { lc_error_code?: unknown } | null)?.lc_error_code !== 'GRAPH_RECURSION_LIMIT') throw error
    const unfinished = 'the graph took all its steps: raise recursionLimit, by agent.withConfig()'
    return { unfinished, cause: error }
  }
}

/**
 * Runs an agent of LangChain 1.x on each incoming message. The agent gets the conversation, and its final
 * text is sent as the reply. The reply is sent once, also if a tool has answered or the message is delivered
 * again after a crash.
 *
 * No human attends the run: calls that `approve` and `flow` ask a human about become drafts that wait, and so
 * does the final text. A message is delivered again later if its turn throws or its agent was cut off: by the
 * token limit, a filter, or a step limit. An agent that need not answer calls the tool `no_answer_needed`.
 *
 * @throws UsageError `invalid_options`, `inbox_not_found`
 * @example
 * ```ts
 * import { createAgent } from 'langchain'
 * import { agentInbox } from 'restante/langchain'
 *
 * const run = agentInbox({ mailbox, agent: ({ tools }) => createAgent({ model, tools }) })
 * process.once('SIGTERM', () => run.stop())
 * ```
 */
export function agentInbox(options: AgentInboxOptions): Run {
  checkOptions('agentInbox()', options, names)
  const { agent, ...rest } = options
  return runInbox(withPictures(rest), async ({ message, prompt, toolbox, signal }) => {
    const chosen = typeof agent === 'function' ? await agent({ message, tools: toTools(toolbox) }) : agent
    return run(chosen, prompt, signal)
  })
}
