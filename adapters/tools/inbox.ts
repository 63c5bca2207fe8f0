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
  /** Tokens that the conversation counts at most when the agent is told of it. Default 8,000. */
  historyTokens?: number | undefined
  /**
   * Told of what became of each message: of its answer, or of why it has none (`silent`). What it throws counts as thrown by
   * the agent. Turns that failed are told to `onError`.
   */
  onAnswer?: ((answer: Answer, message: Message) => unknown) | undefined
}

/** The input of an agent for one message. */
export interface Turn {
  readonly message: Message
  /** The conversation and which mail of it to answer, as text for a model. What others wrote stands between marks. */
  readonly prompt: string
  /** The tools of this turn: between them and the last words the mail is answered once. */
  readonly toolbox: Toolbox
  /** Aborts when another worker may have the mail. */
  readonly signal: AbortSignal
}

const { message: _message, ...toolNames } = toolboxNames
export const inboxNames: OptionNames<InboxOptions> = {
  ...toolNames,
  ...{
    mailbox: true,
    consumer: 'string',
    historyTokens: 'number',
    onAnswer: 'function',
    onError: 'function',
  },
  ...{ concurrency: 'number', signal: true, inbox: 'string', spam: 'boolean', unanswerable: 'boolean' },
  from: true,
}

/**
 * Runs an agent of whatever kind on each message that comes in, and sends its last words as the reply: once, also where a
 * tool has answered, or the mail comes again after a crash. What needs a human's approval becomes a draft that waits,
 * the last words too.
 *
 * Only a finished turn answers. Where nobody is to be answered, the agent says so by the tool `no_answer_needed`, or
 * `think` by `{ silent: reason }`. A turn that throws, says nothing (`''`) or was cut off (`{ unfinished: why }`) fails
 * with `unanswered`: the mail comes again later, and is a dead letter in the end.
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
  const { concurrency, onError, signal: stop, inbox, spam, unanswerable, from, ...allowed } = others
  // Wrong options are told now, and not of each message.
  createToolbox(mailbox, allowed)
  return mailbox.run(
    async (message, { signal }) => {
      const toolbox = createToolbox(mailbox, { ...allowed, message })
      const prompt = await toolbox.prompt({ maxTokens: historyTokens, signal })
      const ending = await think({ message, prompt, toolbox, signal })
      const answer = await toolbox.answer(ending, { signal })
      await onAnswer?.(answer, message)
    },
    { consumer, concurrency, onError, signal: stop, inbox, spam, unanswerable, from },
  )
}
