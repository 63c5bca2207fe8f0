import {
  checkOptions,
  type Mailbox,
  type Message,
  type OptionNames,
  type Run,
  type RunOptions,
} from 'restante'
import type { Ending } from './ending'
import { type Answer, createToolbox, type Toolbox, type ToolboxOptions, toolboxNames } from './toolbox'

/** Options of an agent that works through an inbox. */
export interface InboxOptions extends Omit<ToolboxOptions, 'message'>, Omit<RunOptions, 'consumer'> {
  mailbox: Mailbox
  /** Name of the consumer, which the service remembers: see `mailbox.run`. Default `agent`. */
  consumer?: string | undefined
  /** Maximum number of tokens of the conversation in the prompt. Default 8,000. */
  historyTokens?: number | undefined
  /**
   * Called with the outcome of each message: its answer, or why it has none (`silent`). An error of it counts
   * as the agent's. Failed turns are reported to `onError`.
   */
  onAnswer?: ((answer: Answer, message: Message) => unknown) | undefined
}

/** Input of an agent for one message. */
export interface Turn {
  readonly message: Message
  /** Prompt for a model: the conversation, and which message to answer. Text of others is between marks. */
  readonly prompt: string
  /** Tools of this turn: together with the final text they answer the message once. */
  readonly toolbox: Toolbox
  /** Aborts when another worker may have the message. */
  readonly signal: AbortSignal
}

const { message: _message, ...toolNames } = toolboxNames
export const inboxNames: OptionNames<InboxOptions> = {
  ...toolNames,
  mailbox: true,
  consumer: 'string',
  historyTokens: 'number',
  onAnswer: 'function',
  onError: 'function',
  onGiveUp: 'string',
  concurrency: 'number',
  signal: true,
  inbox: 'string',
  spam: 'boolean',
  unanswerable: 'boolean',
  from: true,
}

/**
 * Runs any agent on each incoming message, and sends its final text as the reply. The reply is sent once,
 * also if a tool has answered or the message is delivered again after a crash. A message that needs a human's
 * approval becomes a draft that waits, the final text too.
 *
 * Only a finished turn answers. If nobody is to be answered, the agent calls the tool `no_answer_needed`, or
 * `think` returns `{ silent: reason }`. A turn fails if it throws, or with `unanswered` if it returns no text
 * (`''`) or was cut off (`{ unfinished: why }`). The message is then delivered again later, and finally
 * becomes a dead letter. If people are to take over, the agent calls the tool `hand_over`, or `think` returns
 * `{ handOver: reason }`.
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
export function runInbox(options: InboxOptions, think: (turn: Turn) => Promise<Ending>): Run {
  checkOptions('runInbox()', options, inboxNames)
  const { mailbox, consumer = 'agent', historyTokens = 8_000, onAnswer, ...others } = options
  const { concurrency, onError, onGiveUp, signal: stop, inbox, spam, unanswerable, from, ...allowed } = others
  // Reports wrong options now instead of for each message.
  createToolbox(mailbox, allowed)
  return mailbox.run(
    async (message, { signal }) => {
      const toolbox = createToolbox(mailbox, { ...allowed, message })
      const prompt = await toolbox.prompt({ maxTokens: historyTokens, signal })
      const ending = await think({ message, prompt, toolbox, signal })
      const answer = await toolbox.answer(ending, { signal })
      await onAnswer?.(answer, message)
    },
    { consumer, concurrency, onError, onGiveUp, signal: stop, inbox, spam, unanswerable, from },
  )
}
