import type { Mailbox, Message, Run, RunOptions } from 'restante'
import { type Answer, createToolbox, type Toolbox, type ToolboxOptions } from './toolbox'

/** How an agent works through an inbox. */
export interface InboxOptions extends Omit<ToolboxOptions, 'message'>, Omit<RunOptions, 'consumer'> {
  mailbox: Mailbox
  /** Name of the consumer, which the service remembers: see `mailbox.run`. Default `agent`. */
  consumer?: string
  /** Tokens that the conversation counts at most when the agent is told of it. Default 8,000. */
  historyTokens?: number
  /** Told of what became of the agent's last words on each mail. What it throws counts as thrown by the agent. */
  onAnswer?: (answer: Answer, message: Message) => unknown
}

/** What an agent is given for one mail. */
export interface Turn {
  readonly message: Message
  /** The conversation and which mail of it to answer, as text for a model. What others wrote stands between marks. */
  readonly prompt: string
  /** The tools of this turn: between them and the last words the mail is answered once. */
  readonly toolbox: Toolbox
  /** Aborts when another worker may have the mail. */
  readonly signal: AbortSignal
}

/** A mail that is marked as spam is left out of its conversation. */
const history = async (message: Message, maxTokens: number, signal: AbortSignal): Promise<string> => {
  const thread = await message.thread({ signal })
  const isIn = thread.messages.some(({ id }) => id === message.id)
  const told = await (isIn ? thread : message).toPrompt({ maxTokens, signal })
  return `${told}\n\nAnswer ${message.handle}: what you say last is sent as the reply, unless you answered by a tool.`
}

/**
 * Runs an agent of whatever kind on each mail that comes in, and sends its last words as the reply: once, also where a
 * tool has answered, or the mail comes again after a crash. What needs a human's approval becomes a draft that waits,
 * the last words too. A mail whose turn throws comes again later.
 *
 * @throws UsageError `invalid_options`, `inbox_not_found`
 * @example
 * ```ts
 * import { runInbox } from 'restante/tools'
 *
 * const run = runInbox({ mailbox, approve: 'send' }, ({ prompt, signal }) => agent(prompt, signal))
 * process.once('SIGTERM', () => run.stop())
 * ```
 */
export function runInbox(options: InboxOptions, think: (turn: Turn) => Promise<string>): Run {
  const { mailbox, consumer = 'agent', historyTokens = 8_000, onAnswer } = options
  // Wrong options are told now, and not of each mail.
  createToolbox(mailbox, options)
  const { concurrency, onError, signal: stop, inbox, spam, from } = options
  return mailbox.run(
    async (message, { signal }) => {
      const toolbox = createToolbox(mailbox, { ...options, message })
      const prompt = await history(message, historyTokens, signal)
      const text = await think({ message, prompt, toolbox, signal })
      await onAnswer?.(await toolbox.answer(text, { signal }), message)
    },
    { consumer, concurrency, onError, signal: stop, inbox, spam, from },
  )
}
