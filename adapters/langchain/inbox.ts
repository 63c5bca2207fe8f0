import type { StructuredToolInterface } from '@langchain/core/tools'
import { checkOptions, type Message, type OptionNames, type Run } from 'restante'
import { cutOff, type Ending, endingOf, type InboxOptions, runInbox } from 'restante/tools'
import { inboxNames } from '../tools/inbox'
import { toTools } from './tools'

interface AgentMessage {
  content: unknown
  text?: unknown
  name?: string | undefined
  type?: unknown
  /** The answer of one of our tools, as data. */
  artifact?: unknown
  response_metadata?: unknown
  tool_calls?: readonly unknown[] | undefined
}

/** An agent of `createAgent`, or any graph whose state has `messages`. */
export interface InboxAgent {
  invoke(
    input: { messages: { role: 'user'; content: string }[] },
    config: { signal: AbortSignal },
  ): Promise<{ messages: readonly AgentMessage[] }>
}

/** The parts that an agent for one message is made from. */
export interface AgentTurn {
  readonly message: Message
  /** The mailbox's tools, as the options of the inbox let them be. */
  readonly tools: StructuredToolInterface[]
}

/** Options of an agent that works through an inbox. */
export interface AgentInboxOptions extends InboxOptions {
  /** The agent, or what makes one for each message, with tools of the mailbox. */
  agent: InboxAgent | ((turn: AgentTurn) => InboxAgent | Promise<InboxAgent>)
}

const names: OptionNames<AgentInboxOptions> = { ...inboxNames, agent: true }

const textOf = (message: AgentMessage | undefined): string => {
  const { text, content } = message ?? {}
  if (typeof text === 'string') return text
  return typeof content === 'string' ? content : ''
}

/**
 * Finds how a tool of the agent's own set ended the turn, since the prompt; the tools of the turn know that by
 * themselves.
 */
const settledBy = (messages: readonly AgentMessage[], prompt: string): Ending | undefined =>
  endingOf(
    messages
      .slice(messages.findLastIndex(({ content }) => content === prompt) + 1)
      .map(({ name, artifact }) => ({ name, output: artifact })),
  )

/** The words by which providers say that a model was done. */
const done = new Set(['stop', 'stop_sequence', 'end_turn', 'complete', 'completed', 'eos', 'eos_token'])

/**
 * Gives the reason why the model ended, in the words of LangChain or of its provider; undefined where it does not tell.
 */
const reasonOf = ({ response_metadata, tool_calls = [] }: AgentMessage): string | undefined => {
  if (tool_calls.length > 0) return 'tool-calls'
  const given = (response_metadata ?? {}) as Record<string, unknown>
  if (given.finish_state === 'suspended') return 'suspended'
  const told = [
    given.normalized_finish_reason,
    given.finish_reason,
    given.finishReason,
    given.stop_reason,
    given.stopReason,
    given.done_reason,
    given.status,
  ]
  return told.find((reason): reason is string => typeof reason === 'string')
}

/** With these words the middleware of LangChain that bounds calls ends a run in the model's name. */
const limitWords = /^(?:Model call limits exceeded\b|.{1,100} call limit reached: )/

/** Tells how an agent's turn ended: with its last words, or cut off and why. */
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

/** A graph that took all its steps throws; one that asks a human stops in the midst. */
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
 * Runs an agent of LangChain 1.x on each message that comes in: it is told the conversation, and its last words are sent as
 * the reply, once, also where a tool has answered or the mail comes again after a crash.
 *
 * Nobody sits beside it: what `approve` and `flow` ask a human about becomes a draft that waits, and so
 * do the last words. A message whose turn throws comes again later, and so does one whose agent was cut off: by its limit
 * of tokens, a filter, or a limit of steps. An agent that need not answer says so by the tool `no_answer_needed`.
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
  return runInbox(rest, async ({ message, prompt, toolbox, signal }) => {
    const chosen = typeof agent === 'function' ? await agent({ message, tools: toTools(toolbox) }) : agent
    return run(chosen, prompt, signal)
  })
}
