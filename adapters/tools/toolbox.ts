import { isRestanteError, type Mailbox, UsageError, untrustedField } from 'restante'
import { z } from 'zod'
import type { MailTool } from './define'
import { answeredCodes, Desk, type DeskOptions, isThread } from './desk'
import { readingTools } from './reading'
import { type Refusal, refusal, sentOutput } from './schemas'
import { sendingTools } from './sending'
import { waitingTools } from './waiting'

/** Every tool over a mailbox, in no framework's words. */
export const mailTools = { ...readingTools, ...sendingTools, ...waitingTools }
/** The name of a tool, such as `read_thread`. */
export type ToolName = keyof typeof mailTools
/** Tools that only look. */
export type ReadingToolName = keyof typeof readingTools | keyof typeof waitingTools

/** Which tools there are, and what they may do. */
export interface ToolboxOptions extends DeskOptions {
  /** Only these tools. */
  only?: readonly ToolName[]
  /** Only tools that look. */
  readOnly?: boolean
}

/** The names that are left by options. */
export type ChosenTool<Options extends ToolboxOptions> = (Options extends { only: readonly (infer Name)[] }
  ? Name
  : ToolName) &
  (Options extends { readOnly: true } ? ReadingToolName : ToolName)

/** What the model gives to a tool. */
export type ToolInput<Name extends ToolName> = z.input<(typeof mailTools)[Name]['input']>
/** What a tool answers. */
export type ToolOutput<Name extends ToolName> = z.output<(typeof mailTools)[Name]['output']> | Refusal

/** How a framework calls a tool. */
export interface CallContext {
  /** The id that the framework gave the call: repeated under it, it sends nothing twice. */
  callId?: string | undefined
  signal?: AbortSignal | undefined
  /** A human was asked about this very call and said yes. */
  approved?: boolean
}

/** A tool that is bound to a mailbox. */
export interface BoundTool<Name extends ToolName = ToolName> {
  readonly name: Name
  readonly description: string
  readonly risk: MailTool['risk']
  readonly input: z.ZodType<ToolInput<Name>, ToolInput<Name>>
  readonly output: z.ZodType<ToolOutput<Name>>
  /** Whether a human is to be asked first. */
  needsApproval(input: unknown): Promise<boolean>
  /** Runs it. What the service or the options refuse is an answer that says what to do instead. */
  call(input: unknown, context?: CallContext): Promise<ToolOutput<Name>>
}

/** What became of the last words of an agent. */
export type Answer =
  | z.output<typeof sentOutput>
  | Refusal
  /** A tool had answered: nothing was sent now. */
  | { status: 'answered' }
  /** There were no words, or no mail that is being answered. */
  | { status: 'silent' }

/** Tools of one agent, over one mailbox. */
export interface Toolbox {
  readonly tools: { readonly [Name in ToolName]?: BoundTool<Name> }
  /**
   * Whether one of the tools answered the conversation of `message` (any mail where there is none), or wrote an answer
   * that waits for a human.
   */
  readonly answered: boolean
  /**
   * Answers `message` with the last words of an agent, as the tool `reply` would: it may become a draft that waits.
   * Does nothing where a tool has answered.
   *
   * @throws RestanteError what is not for the agent to know, such as a failure of the network
   */
  answer(text: string, context?: Pick<CallContext, 'signal'>): Promise<Answer>
}

const chosen = ({ only, readOnly = false }: ToolboxOptions): [ToolName, MailTool][] => {
  const all = Object.entries(mailTools) as [ToolName, MailTool][]
  const unknown = only?.find((name) => !Object.hasOwn(mailTools, name))
  if (unknown !== undefined)
    throw new UsageError(
      'invalid_options',
      `there is no tool ${unknown}: only takes ${Object.keys(mailTools).join(', ')}`,
    )
  return all.filter(([name, { risk }]) => (only?.includes(name) ?? true) && (!readOnly || risk === 'read'))
}

const refused = (error: string, message: string): Refusal => ({ status: 'refused', error, message })

/** What an input may name a message with. */
interface References {
  message?: string
  reply_to?: string
  attachments?: readonly { message?: string }[]
}

/** A thread that an input gives for its newest message. */
const threadIn = (input: unknown): string | undefined => {
  const { message, reply_to, attachments = [] } = input as References
  return [message, reply_to, ...attachments.map((file) => file.message)].find(
    (ref) => ref !== undefined && isThread(ref),
  )
}

/** The message that is answered or passed on must be the one whose recipients were looked at, whatever comes meanwhile. */
const pinned = async (desk: Desk, { risk }: MailTool, input: unknown): Promise<unknown> => {
  const { message } = input as References
  const isMoving = risk === 'send' && message !== undefined && isThread(message)
  return isMoving ? { ...(input as References), message: (await desk.message(message)).id } : input
}

/** Whom a call would write to that is not known here. */
const strangersOf = async (desk: Desk, tool: MailTool, input: unknown): Promise<string[]> =>
  tool.recipients && desk.options.onlyKnownRecipients !== false
    ? desk.unknown(await tool.recipients(desk, input))
    : []

const asks = async ({ options }: Desk, { name, risk }: MailTool, input: unknown, newRecipients: string[]) => {
  const { approve = 'none', onlyKnownRecipients } = options
  if (risk === 'read' || (newRecipients.length > 0 && onlyKnownRecipients)) return false
  if (newRecipients.length > 0 && onlyKnownRecipients === undefined) return true
  if (typeof approve === 'function') return approve({ name, risk, input, newRecipients })
  return approve === 'all' || (approve === 'send' && risk === 'send')
}

/** Runs a tool as far as the options let it. @throws RestanteError */
const attempt = async (
  desk: Desk,
  tool: MailTool,
  raw: unknown,
  { callId, signal, approved = false }: CallContext,
): Promise<unknown> => {
  const parsed = tool.input.safeParse(raw)
  if (!parsed.success) return refused('invalid_input', z.prettifyError(parsed.error).slice(0, 1_000))
  const given = parsed.data as object
  const input = (await pinned(desk, tool, given)) as object
  const strangers = await strangersOf(desk, tool, input)
  if (strangers.length > 0 && desk.options.onlyKnownRecipients === true) {
    const who = strangers
      .slice(0, 5)
      .map((one) => untrustedField(one, 100))
      .join(', ')
    return refused(
      'unknown_recipient',
      `only people this mailbox knows may be written to, not ${who}: tell whoever asked you`,
    )
  }
  const held = !approved && (await asks(desk, tool, input, strangers))
  const thread = threadIn(given)
  // Mail that comes while the human thinks must not change what it says yes to.
  if ((held || approved) && thread !== undefined)
    return refused(
      'unclear_message',
      `a human is asked about this, so say which message of ${thread} is meant: ${(await desk.message(thread)).handle} is its newest`,
    )
  if (held && tool.risk !== 'send')
    return refused('approval_needed', 'a human has to approve this first: tell whoever asked you')
  return tool.run(desk.mailbox, input, { desk, given, callId, signal, held })
}

const bind = (desk: Desk, tool: MailTool) => ({
  name: tool.name,
  description: tool.description,
  risk: tool.risk,
  input: tool.input,
  output: z.union([tool.output, refusal]),
  needsApproval: async (given: unknown) => {
    const parsed = tool.input.safeParse(given)
    // What is refused in any case is nothing to ask about.
    if (!parsed.success || threadIn(parsed.data) !== undefined) return false
    try {
      return await asks(desk, tool, parsed.data, await strangersOf(desk, tool, parsed.data))
    } catch (error) {
      // The call is refused for the same reason, and says so.
      if (isRestanteError(error)) return false
      throw error
    }
  },
  call: async (given: unknown, context: CallContext = {}) => {
    try {
      return await attempt(desk, tool, given, context)
    } catch (error) {
      if (!isRestanteError(error) || error.code === 'mailbox_closed') throw error
      return refused(error.code, JSON.parse(untrustedField(error.message, 600)) as string)
    }
  },
})

/** What last words are refused with for good: to say them again would not help. */
const isSettled = (code: string): boolean => code === 'automatic_mail' || answeredCodes.has(code)

/**
 * Binds the tools to a mailbox: make one for each run of an agent. The tools tell the model what others wrote only
 * between marks that it cannot contain, and write to people as `options` allow.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { createToolbox } from 'restante/tools'
 *
 * const { tools } = createToolbox(mailbox, { readOnly: true })
 * const answer = await tools.search_mail?.call({ query: 'invoice' })
 * ```
 */
export function createToolbox(mailbox: Mailbox, options: ToolboxOptions = {}): Toolbox {
  const desk = new Desk(mailbox, options)
  const tools = Object.fromEntries(chosen(options).map(([name, tool]) => [name, bind(desk, tool)]))
  return {
    tools: tools as unknown as Toolbox['tools'],
    get answered() {
      return desk.answered
    },
    answer: async (text, context = {}) => {
      const { message } = options
      if (desk.answered) return { status: 'answered' }
      if (!message || text.trim() === '') return { status: 'silent' }
      try {
        const answer = await attempt(desk, mailTools.reply, { message: message.id, text }, context)
        return answer as Answer
      } catch (error) {
        if (isRestanteError(error) && isSettled(error.code)) return refused(error.code, error.message)
        throw error
      }
    },
  }
}

const answers: ReadonlySet<unknown> = new Set(sentOutput.shape.status.options)

/**
 * Whether the output of the tool `reply` says that the mail has its answer now: it went out, will go out, or waits for a
 * human.
 *
 * @example
 * ```ts
 * import { createToolbox, isAnswer } from 'restante/tools'
 *
 * const { tools } = createToolbox(mailbox)
 * const output = await tools.reply?.call({ message: 'm1', text: 'Yes.' })
 * if (isAnswer(output)) console.log('answered')
 * ```
 */
export const isAnswer = (output: unknown): boolean =>
  answers.has((output as { status?: unknown } | undefined)?.status)

/**
 * What a tool answered as text for a model: mail as it stands, the rest as JSON.
 *
 * @example
 * ```ts
 * import { createToolbox, toolText } from 'restante/tools'
 *
 * const { tools } = createToolbox(mailbox, { readOnly: true })
 * console.log(toolText(await tools.read_thread?.call({ thread: 't1' })))
 * ```
 */
export function toolText(output: unknown): string {
  const { mail, ...rest } = output as { mail?: unknown }
  if (typeof mail !== 'string') return JSON.stringify(output)
  const { next_cursor } = rest as { next_cursor?: string }
  return next_cursor === undefined ? mail : `${mail}\n\nThere is more: give the cursor ${next_cursor}`
}
