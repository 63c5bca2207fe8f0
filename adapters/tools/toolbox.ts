import {
  checkChoice,
  checkOptions,
  isRestanteError,
  type Mailbox,
  type OptionNames,
  type PromptOptions,
  type RestanteError,
  splitRecipients,
  UsageError,
  untrustedField,
} from 'restante'
import * as z from 'zod'
import type { MailTool } from './define'
import { draftingTools } from './drafting'
import { type Ending, endingTools, unanswered } from './ending'
import { checkList } from './flow'
import { inMarkdown } from './input'
import { invitingTools } from './inviting'
import { overviewTools } from './overview'
import type { ToolPicture } from './pictures/pictures'
import type { ProposedMail } from './proposal'
import { mailText, readingTools } from './reading'
import {
  because,
  type handOverOutput,
  type Refusal,
  refusal,
  type sentOutput,
  type silenceOutput,
} from './schemas'
import { sendingTools } from './sending'
import type { ShownMail } from './shown'
import {
  answeredCodes,
  type RunSoFar,
  type ToolRisk,
  ToolSession,
  type ToolSessionOptions,
} from './tool-session'
import { waitingTools } from './waiting'

const surveyTools = { ...overviewTools, ...draftingTools }
/** All tools over a mailbox, independent of frameworks. */
export const mailTools = {
  ...readingTools,
  ...sendingTools,
  ...waitingTools,
  ...endingTools,
  ...surveyTools,
  ...invitingTools,
}
/** Name of a tool, such as `read_thread`. */
export type ToolName = keyof typeof mailTools
/** Tools that only read. */
type ReadingToolName =
  | keyof typeof readingTools
  | keyof typeof overviewTools
  | 'list_drafts'
  | keyof typeof waitingTools
  | 'read_invitation'
  | 'no_answer_needed'
/** Tools that search the whole mailbox, rarely needed when answering a single message. */
type SurveyToolName = keyof typeof surveyTools
type EndingToolName = keyof typeof endingTools
/** Tools for calendar invitations, which few messages are. */
type InvitingToolName = keyof typeof invitingTools

/** Options of a toolbox: which tools it has, and what they may do. */
export interface ToolboxOptions extends ToolSessionOptions {
  /**
   * Includes only these tools. By default, `no_answer_needed` and `hand_over` are included only with a `message`. The tools
   * `find_contact`, `what_waits`, `list_drafts`, `change_draft` and `delete_draft` are included only without
   * one. The tools `read_invitation`, `answer_invitation` and `propose_time` are included only with a
   * `message` that brings an invitation.
   */
  only?: readonly ToolName[] | undefined
  /** Includes only tools that read. */
  readOnly?: boolean | undefined
}

/** Names of the tools that the options include. */
export type ChosenTool<Options extends ToolboxOptions> = (Options extends { only: readonly (infer Name)[] }
  ? Name
  : Options extends { message: object }
    ? Exclude<ToolName, SurveyToolName | InvitingToolName>
    : Exclude<ToolName, EndingToolName | InvitingToolName>) &
  (Options extends { readOnly: true } ? ReadingToolName : ToolName)

/** Input of a tool, as the model gives it. */
export type ToolInput<Name extends ToolName> = z.input<(typeof mailTools)[Name]['input']>
/** Output of a tool. */
export type ToolOutput<Name extends ToolName> = z.output<(typeof mailTools)[Name]['output']> | Refusal

/** Context in which a framework calls a tool. */
export interface CallContext {
  /** Id of the call from the framework: repeated under it, the call sends nothing twice. */
  callId?: string | undefined
  signal?: AbortSignal | undefined
  /** A human was asked about exactly this call, and approved it. */
  approved?: boolean | undefined
}

const contextNames: OptionNames<CallContext> = { callId: true, signal: true, approved: true }

/** Tool that is bound to a mailbox. */
export interface BoundTool<Name extends ToolName = ToolName> {
  readonly name: Name
  readonly description: string
  readonly risk: ToolRisk
  readonly input: z.ZodType<ToolInput<Name>, ToolInput<Name>>
  readonly output: z.ZodType<ToolOutput<Name>>
  /** Returns whether the call needs a human's approval. */
  needsApproval(input: unknown): Promise<boolean>
  /**
   * Returns the message that a call would send, to show to an approver: see `proposalText`. Null if it sends
   * none. Every process shows the same for a call, also days later.
   *
   * @throws RestanteError if the call is always refused, for example `unknown_handle`, `draft_changed`
   */
  propose(input: unknown): Promise<ProposedMail | null>
  /** Runs the tool. A refusal by the service or the options is an output that suggests an alternative. */
  call(input: unknown, context?: CallContext): Promise<ToolOutput<Name>>
}

/** Outcome of an agent's final text. */
export type Answer =
  | z.output<typeof sentOutput>
  | Refusal
  /** A tool had answered: nothing was sent now. */
  | { status: 'answered' }
  /** People take the conversation over: why, in the words of the agent or the caller. */
  | z.output<typeof handOverOutput>
  /** Nobody is answered: why, in the words of the agent or the caller. */
  | z.output<typeof silenceOutput>

/** Tools of one agent, over one mailbox. */
export interface Toolbox {
  readonly tools: { readonly [Name in ToolName]?: BoundTool<Name> }
  /**
   * True if a tool answered the conversation of `message`, or wrote an answer that waits for a human. Without
   * a `message`, any conversation counts.
   */
  readonly answered: boolean
  /**
   * Answers `message` with the final text of an agent, as the tool `reply` would: it may become a draft that
   * waits. Sends nothing if a tool has answered, or if the agent or the caller declared that no answer is
   * needed.
   *
   * @throws RestanteError `unanswered` if there is no text, or the agent was cut off; also errors that do not
   * concern the agent, such as a network failure
   */
  answer(ending: Ending, context?: Pick<CallContext, 'signal'>): Promise<Answer>
  /**
   * Returns the conversation of `message` and the task as text for the model, with text of others between
   * marks. Messages that its sender was not part of are left out, and their number is given.
   *
   * @throws UsageError `invalid_options` if there is no `message`
   */
  prompt(options?: PromptOptions): Promise<string>
  /**
   * Messages that the model was shown by the tools, and with `message` and `shown`: its text may go to those
   * who were part of all of them. Store it with the run, and pass it to `createToolbox` when the run is
   * resumed.
   */
  readonly shown: ShownMail
  /** Notes messages that the model was shown otherwise, such as in a prompt: ids or handles of messages. */
  show(shown: ShownMail): void
  /** Returns the same tools for another run. They share what was sent, but not what was shown. */
  fork(options?: RunSoFar): Toolbox
}

const chosen = ({ only, readOnly = false, message }: ToolboxOptions): [ToolName, MailTool][] => {
  const all = Object.entries(mailTools) as [ToolName, MailTool][]
  const left = {
    ...(message === undefined ? endingTools : surveyTools),
    ...(message?.invitation ? {} : invitingTools),
  }
  const isWanted = (name: ToolName) => only?.includes(name) ?? !(name in left)
  return all.filter(([name, { risk }]) => isWanted(name) && (!readOnly || risk === 'read'))
}

const refused = (error: string, message: string): Refusal => ({ status: 'refused', error, message })

/** Returns the recipients that a call names, which the model therefore knows. */
const namedIn = (session: ToolSession, input: unknown): ReadonlySet<string> => {
  const { to, cc, bcc } = input as Record<'to' | 'cc' | 'bcc', string | readonly string[] | undefined>
  const lists = [to, cc, bcc].filter((list) => Array.isArray(list) || String(list).includes('@'))
  return new Set(lists.flatMap((list) => session.addresses(list)))
}

/** Finds what a call would let flow, and why a human must be asked: for the human and for the model. */
const judged = async (session: ToolSession, tool: MailTool, input: unknown) => {
  if (!tool.flow || session.options.flow === 'off') return { material: [], reasons: [], notes: [] }
  const { to, material, reasons = [] } = await tool.flow(session, input)
  const held = await session.guard.held(to, material)
  const named = held.length > 0 ? namedIn(session, input) : new Set<string>()
  const notes = held.map(({ recipient, note }) =>
    note(named.has(recipient) || session.guard.knows(recipient)),
  )
  return {
    material,
    reasons: [...reasons, ...held.map(({ reason }) => reason)],
    notes: [...new Set([...reasons, ...notes])],
  }
}

const asks = async (
  { options }: ToolSession,
  { name, risk }: MailTool,
  input: unknown,
  reasons: readonly string[],
): Promise<boolean> => {
  const { approve = 'none', flow } = options
  // Handing over asks a person already.
  if (risk === 'read' || name === 'hand_over' || (reasons.length > 0 && flow === 'refuse')) return false
  if (reasons.length > 0) return true
  if (typeof approve === 'function') return approve({ name, risk, input, reasons })
  return approve === 'all' || (approve === 'send' && risk === 'send')
}

/** Fields of a call in which a model may put several addresses into one text. */
const recipientNames = ['to', 'cc', 'bcc'] as const

/** Splits texts that could name several addresses, so that the checked recipients are the actual ones. */
const splitIn = async (value: unknown): Promise<unknown> => {
  const list = [value].flat()
  const hasSeveral = list.some((one) => typeof one === 'string' && /[,;]|@[^@]*@/.test(one))
  return hasSeveral && list.every((one) => typeof one === 'string') ? splitRecipients(list) : value
}

/** Parses the input of a call, with each recipient separate. @throws UsageError `invalid_address` */
const readInput = async (tool: MailTool, given: unknown): Promise<z.ZodSafeParseResult<unknown>> => {
  if (tool.risk === 'read' || typeof given !== 'object' || given === null) return tool.input.safeParse(given)
  const input: Record<string, unknown> = { ...given }
  for (const name of recipientNames) if (name in input) input[name] = await splitIn(input[name])
  return tool.input.safeParse(input)
}

/** Runs a tool as far as the options allow. @throws RestanteError */
const attempt = async (
  session: ToolSession,
  tool: MailTool,
  raw: unknown,
  { callId, signal, approved = false }: CallContext,
): Promise<unknown> => {
  const parsed = await readInput(tool, raw)
  if (!parsed.success) return refused('invalid_input', z.prettifyError(parsed.error).slice(0, 1_000))
  const input = parsed.data as object
  const { material, reasons, notes } = await judged(session, tool, input)
  if (reasons.length > 0 && session.options.flow === 'refuse')
    return refused('outside_conversation', `${because(notes)}: tell the person who asked you`)
  const held = approved !== true && (await asks(session, tool, input, reasons))
  if (held && tool.risk !== 'send') {
    const why = notes.length > 0 ? `, since ${because(notes)}` : ''
    return refused(
      'approval_needed',
      `a human has to approve this first${why}: tell the person who asked you`,
    )
  }
  // Sent content counts as shown, even before it is sent.
  if (!held && tool.risk === 'send') session.guard.show(material)
  return tool.run(session.mailbox, input, { session, callId, signal, held, reasons, notes, material })
}

const bind = (session: ToolSession, tool: MailTool) => ({
  name: tool.name,
  description: tool.description,
  risk: tool.risk,
  input: session.options.markdown ? inMarkdown(tool.input) : tool.input,
  output: z.union([tool.output, refusal]),
  needsApproval: async (given: unknown) => {
    try {
      const parsed = await readInput(tool, given)
      // No question about a call that is refused anyway.
      if (!parsed.success) return false
      const { reasons } = await judged(session, tool, parsed.data)
      const isAsked = await asks(session, tool, parsed.data, reasons)
      // Throws if the message cannot be shown to a human.
      if (isAsked) await tool.propose?.(session, parsed.data)
      return isAsked
    } catch (error) {
      // The call is refused for the same reason, and reports it.
      if (isRestanteError(error)) return false
      throw error
    }
  },
  propose: async (given: unknown) => {
    const parsed = await readInput(tool, given)
    if (!parsed.success) throw new UsageError('invalid_input', z.prettifyError(parsed.error).slice(0, 1_000))
    const mail = await tool.propose?.(session, parsed.data)
    return mail ? { ...mail, reasons: (await judged(session, tool, parsed.data)).reasons } : null
  },
  call: async (given: unknown, context: CallContext = {}) => {
    checkOptions('call()', context, contextNames)
    try {
      return await attempt(session, tool, given, context)
    } catch (error) {
      if (!isRestanteError(error) || error.code === 'mailbox_closed') throw error
      return refused(error.code, withoutAddresses(session, given, error))
    }
  },
})

/** Error codes whose text names recipients, which the model may know only from a hidden message. */
const namingCodes: ReadonlySet<string> = new Set([
  'recipient_suppressed',
  'recipient_blocked',
  'recipient_domain_limit_reached',
])

/** Returns the text of an error for the model, without addresses that the model does not know. */
const withoutAddresses = (session: ToolSession, input: unknown, error: RestanteError): string => {
  if (namingCodes.has(error.code)) {
    const given = JSON.stringify(input).toLowerCase()
    const named =
      error.message.toLowerCase().match(/(?<![^\s"'<>(),;:@])[^\s"'<>(),;:@]+@[^\s"'<>(),;:@]+/g) ?? []
    const isGiven = named.length > 0 && named.every((one) => given.includes(one.replace(/\.$/, '')))
    if (!isGiven && !(named.length > 0 && named.every((one) => session.guard.knows(one))))
      return 'The service refuses a recipient of this mail, and nothing was sent: tell the person who asked you'
  }
  return JSON.parse(untrustedField(error.message, 600)) as string
}

/** Returns whether a code refuses the final text for good, so that a retry would not help. */
const isSettled = (code: string): boolean => code === 'automatic_mail' || answeredCodes.has(code)

/** Ends a turn. A tool's answer or declared silence takes precedence over the ending. */
const settle = async (session: ToolSession, ending: Ending, context: CallContext): Promise<Answer> => {
  const given = typeof ending === 'string' ? { text: ending } : ending
  if (session.answered || 'answered' in given) return { status: 'answered' }
  if ('handOver' in given && session.handedOver === undefined)
    await session.handOver(given.handOver, context.signal)
  if (session.handedOver !== undefined) return { status: 'handed_over', reason: session.handedOver }
  const reason = session.silence ?? ('silent' in given ? given.silent : undefined)
  if (reason !== undefined) return { status: 'silent', reason }
  if ('unfinished' in given) throw unanswered(given.unfinished, given.cause)
  if (!('text' in given) || given.text.trim() === '')
    throw unanswered(
      'the agent said nothing: where no answer is needed, let it call no_answer_needed, or give { silent: reason }',
    )
  const { message } = session.options
  if (!message)
    throw new UsageError('invalid_options', 'there is no mail to answer: give createToolbox its message')
  // RFC 3834 §2: automatic responders do not answer programs. A tool may answer them on purpose.
  if (message.automatic) return { status: 'silent', reason: 'a program wrote the mail' }
  try {
    return (await attempt(
      session,
      mailTools.reply,
      { message: message.id, text: given.text },
      context,
    )) as Answer
  } catch (error) {
    if (isRestanteError(error) && isSettled(error.code)) return refused(error.code, error.message)
    throw error
  }
}

/** Names of the options that adapters pass to {@link createToolbox}; adapters add theirs, and check all. */
export const toolboxNames: OptionNames<ToolboxOptions> = {
  approve: true,
  flow: true,
  recipients: true,
  public: true,
  attended: 'boolean',
  everyone: 'boolean',
  shown: true,
  message: true,
  markdown: 'boolean',
  maxTokens: 'number',
  maxWaitSeconds: 'number',
  pictures: true,
  only: true,
  readOnly: 'boolean',
}

/**
 * Checks the names and values of options: a misspelled guard would guard nothing.
 *
 * @throws UsageError `invalid_options`
 */
function checkToolboxOptions(options: ToolboxOptions): void {
  checkOptions('createToolbox()', options, toolboxNames)
  const { approve = 'none', only = [] } = options
  if (typeof approve !== 'function')
    checkChoice('approve, if it is no function,', approve, ['none', 'send', 'all'])
  checkList('only', only)
  for (const name of only) checkChoice('a tool of only', name, Object.keys(mailTools))
}

/**
 * Binds the tools to a mailbox: make one toolbox for each run of an agent. The tools show the model text of
 * others only between marks that it cannot contain. They write to people as `options` allow.
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
  checkToolboxOptions(options)
  return toolboxOver(new ToolSession(mailbox, options), options)
}

/** Returns the tools of a toolbox as a list. */
export const boundTools = ({ tools }: Pick<Toolbox, 'tools'>): BoundTool[] =>
  Object.values(tools) as BoundTool[]

const promptNames: OptionNames<PromptOptions> = {
  ...{ maxTokens: true, countTokens: true, attachments: 'boolean', signal: true },
}

const promptOf = async (
  { guard, options: { message } }: ToolSession,
  options: PromptOptions,
): Promise<string> => {
  checkOptions('prompt()', options, promptNames)
  if (!message)
    throw new UsageError('invalid_options', 'there is no mail to tell: give createToolbox its message')
  const text = await mailText(guard, message, options)
  return `${text}\n\nAnswer ${message.handle}: what you say last is sent as the reply, unless you answered, handed over, or said that no answer is needed, by a tool.`
}

const toolboxOver = (session: ToolSession, options: ToolboxOptions): Toolbox => {
  const tools = Object.fromEntries(chosen(options).map(([name, tool]) => [name, bind(session, tool)]))
  return {
    tools: tools as unknown as Toolbox['tools'],
    get answered() {
      return session.answered
    },
    get shown() {
      return session.guard.shown
    },
    prompt: (options = {}) => promptOf(session, options),
    show: (shown) => session.guard.add(shown),
    fork: (given = {}) => {
      checkOptions<RunSoFar>('fork()', given, { shown: true, pictures: 'number' })
      return toolboxOver(session.fork(given), options)
    },
    answer: (ending, context = {}) => settle(session, ending, context),
  }
}

/**
 * Formats the output of a tool as text for a model: messages as they are, the rest as JSON.
 *
 * @example
 * ```ts
 * import { createToolbox, toolText } from 'restante/tools'
 *
 * const { tools } = createToolbox(mailbox, { readOnly: true })
 * console.log(toolText(await tools.read_thread?.call({ thread: 'm1042-mxk' })))
 * ```
 */
export function toolText(output: unknown): string {
  const { text, pictures } = toolContent(output)
  // No picture disappears silently.
  return pictures.length === 0 ? text : `${text}\n\n[Left out: this tool shows text only, and no pictures.]`
}

/**
 * Returns the output of a tool as text and pictures, for a framework whose tool results have both.
 *
 * @example
 * ```ts
 * import { createToolbox, toolContent } from 'restante/tools'
 *
 * const { tools } = createToolbox(mailbox, { pictures: { maxBytes: 1_000_000 } })
 * const { text, pictures } = toolContent(await tools.read_attachment?.call({ message: 'm1042-mxk' }))
 * console.log(text, pictures.length)
 * ```
 */
export function toolContent(output: unknown): { text: string; pictures: readonly ToolPicture[] } {
  const { pictures = [], ...rest } = output as { pictures?: readonly ToolPicture[] }
  return { text: textOf(rest), pictures }
}

/** Returns options with pictures, unless they say otherwise: for adapters that show them. */
export const withPictures = <Options extends ToolboxOptions>(options: Options): Options => ({
  ...options,
  pictures: options.pictures ?? true,
})

function textOf(output: object): string {
  const { mail, ...rest } = output as { mail?: unknown }
  if (typeof mail !== 'string') return JSON.stringify(output)
  const { next_cursor } = rest as { next_cursor?: string }
  return next_cursor === undefined ? mail : `${mail}\n\nThere is more: give the cursor ${next_cursor}`
}
