import type { ModelMessage } from 'ai'
import { checkOptions, type Message, type OptionNames, type Run } from 'restante'
import { cutOff, type Ending, endingOf, type InboxOptions, runInbox } from 'restante/tools'
import { inboxNames } from '../tools/inbox'
import { withPictures } from '../tools/toolbox'
import { type MailboxTools, toTools } from './tools'

/** Step of an agent, in versions 5 to 7. */
interface AgentStep {
  toolResults: readonly { toolName: string; output: unknown }[]
}
interface AgentResult {
  text: string
  /** Why the model ended: only `stop` means that it was done. */
  finishReason: string
  steps: readonly AgentStep[]
  content: readonly { type: string; approvalId?: string | undefined; isAutomatic?: boolean | undefined }[]
  response: { messages: readonly unknown[] }
}

/** `ToolLoopAgent`, the `Experimental_Agent` of version 5, or any other object that answers messages. */
export interface InboxAgent {
  generate(options: { messages: ModelMessage[]; abortSignal?: AbortSignal }): PromiseLike<AgentResult>
}

/** Parts from which an agent for one message is made. */
export interface AgentTurn {
  readonly message: Message
  /** Tools of the mailbox, limited by the options of the inbox. */
  readonly tools: MailboxTools
}

/** Options of an agent that works through an inbox. */
export interface AgentInboxOptions extends InboxOptions {
  /** The agent, or a function that makes one for each message from the mailbox tools. */
  agent: InboxAgent | ((turn: AgentTurn) => InboxAgent | Promise<InboxAgent>)
}

const names: OptionNames<AgentInboxOptions> = { ...inboxNames, agent: true }

/** Finds how a tool of the agent's own set ended the turn. The tools of the turn record that themselves. */
const settledBy = ({ steps }: AgentResult): Ending | undefined =>
  endingOf(
    steps
      .flatMap(({ toolResults }) => toolResults)
      .map(({ toolName, output }) => ({ name: toolName, output })),
  )

/** Denies approvals: nobody can give them here. The agent is notified and goes on. */
const denials = ({ content }: AgentResult): ModelMessage[] => {
  const asked = content.filter(({ type, isAutomatic }) => type === 'tool-approval-request' && !isAutomatic)
  const reason = 'Nobody can be asked now: go on without, or leave a draft.'
  const parts = asked.map(({ approvalId }) => ({
    type: 'tool-approval-response',
    approvalId,
    approved: false,
    reason,
  }))
  return parts.length > 0 ? ([{ role: 'tool', content: parts }] as unknown as ModelMessage[]) : []
}

/** Rounds of approval requests in one turn after which the agent is cut off. */
const maxRounds = 5

const unfinished = ({ finishReason, steps }: AgentResult): Ending =>
  finishReason === 'tool-calls'
    ? cutOff(finishReason, `it had ${steps.length} steps; give the agent more by stopWhen: stepCountIs(50)`)
    : cutOff(finishReason, finishReason === 'length' ? 'raise maxOutputTokens' : undefined)

/** Runs the agent until it is done or cut off. */
const endOf = async (agent: InboxAgent, prompt: string, abortSignal: AbortSignal): Promise<Ending> => {
  const messages: ModelMessage[] = [{ role: 'user', content: prompt }]
  for (let round = 1; ; round += 1) {
    const result = await agent.generate({ messages, abortSignal })
    const settled = settledBy(result)
    if (settled !== undefined) return settled
    const denied = denials(result)
    if (denied.length > 0 && round === maxRounds)
      return { unfinished: `the agent asked for approval ${round} times, and nobody is there to give it` }
    if (denied.length === 0) return result.finishReason === 'stop' ? result.text : unfinished(result)
    messages.push(...(result.response.messages as ModelMessage[]), ...denied)
  }
}

/**
 * Runs an agent of the Vercel AI SDK, versions 5, 6 and 7, on each incoming message. The agent gets the
 * conversation, and its final text is sent as the reply. The reply is sent once, also if a tool has answered
 * or the message is delivered again after a crash.
 *
 * No human attends the run: calls that `approve` and `flow` ask a human about become drafts that wait, and so
 * does the final text. Other tools that need approval are denied it. A message is delivered again later if
 * its turn throws or its agent was cut off: by the token limit, a filter, or its step limit (`stopWhen`).
 * Version 5 gives an agent a single step by default. An agent that need not answer calls the tool
 * `no_answer_needed`.
 *
 * @throws UsageError `invalid_options`, `inbox_not_found`
 * @example
 * ```ts
 * import { ToolLoopAgent } from 'ai'
 * import { agentInbox } from 'restante/ai-sdk'
 *
 * const instructions = 'You answer the mail of a bicycle shop.'
 * const run = agentInbox({ mailbox, agent: ({ tools }) => new ToolLoopAgent({ model, tools, instructions }) })
 * process.once('SIGTERM', () => run.stop()) // finishes what it is at
 * ```
 */
export function agentInbox(options: AgentInboxOptions): Run {
  checkOptions('agentInbox()', options, names)
  const { agent, ...rest } = options
  return runInbox(withPictures(rest), async ({ message, prompt, toolbox, signal }) => {
    const chosen =
      typeof agent === 'function' ? await agent({ message, tools: toTools(toolbox, false) }) : agent
    return endOf(chosen, prompt, signal)
  })
}
