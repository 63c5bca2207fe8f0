import type { StructuredToolInterface } from '@langchain/core/tools'
import type { Message, Run } from 'restante'
import { type InboxOptions, isAnswer, runInbox } from 'restante/tools'
import { toTools } from './tools'

interface AgentMessage {
  content: unknown
  text?: unknown
  name?: string | undefined
  /** What a tool of ours answered, as data. */
  artifact?: unknown
}

/** An agent of `createAgent`, or any graph whose state has `messages`. */
export interface InboxAgent {
  invoke(
    input: { messages: { role: 'user'; content: string }[] },
    config: { signal: AbortSignal },
  ): Promise<{ messages: readonly AgentMessage[] }>
}

/** What an agent is made from for one mail. */
export interface AgentTurn {
  readonly message: Message
  /** The mailbox's tools, as the options of the inbox let them be. */
  readonly tools: StructuredToolInterface[]
}

/** How an agent works through an inbox. */
export interface AgentInboxOptions extends InboxOptions {
  /** The agent, or what makes one for each mail, with tools of the mailbox. */
  agent: InboxAgent | ((turn: AgentTurn) => InboxAgent | Promise<InboxAgent>)
}

const textOf = (message: AgentMessage | undefined): string => {
  const { text, content } = message ?? {}
  if (typeof text === 'string') return text
  return typeof content === 'string' ? content : ''
}

/** Whether a tool of the agent's own set answered since it was asked: those of the turn know it by themselves. */
const hasAnswered = (messages: readonly AgentMessage[], prompt: string): boolean =>
  messages
    .slice(messages.findLastIndex(({ content }) => content === prompt) + 1)
    .some(({ name, artifact }) => name === 'reply' && isAnswer(artifact))

/**
 * Runs an agent of LangChain 1.x on each mail that comes in: it is told the conversation, and its last words are sent as
 * the reply, once, also where a tool has answered or the mail comes again after a crash.
 *
 * Nobody sits beside it: what `approve` and `onlyKnownRecipients` ask a human about becomes a draft that waits, and so
 * do the last words. A mail whose turn throws comes again later.
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
export function agentInbox({ agent, ...options }: AgentInboxOptions): Run {
  return runInbox(options, async ({ message, prompt, toolbox, signal }) => {
    const chosen = typeof agent === 'function' ? await agent({ message, tools: toTools(toolbox) }) : agent
    const { messages } = await chosen.invoke({ messages: [{ role: 'user', content: prompt }] }, { signal })
    return hasAnswered(messages, prompt) ? '' : textOf(messages.at(-1))
  })
}
