import { RestanteError } from 'restante'
import { defineTool } from './define'
import { toolInput, words } from './input'
import { handOverOutput, sentOutput, silenceOutput } from './schemas'

/**
 * End of an agent's turn. A string is its final text, which is sent as the reply. An empty string is no
 * answer, and the turn counts as unfinished.
 */
export type Ending =
  | string
  /** Nobody is to be answered, for this reason. */
  | { readonly silent: string }
  /** People take the conversation over, for this reason: nothing is sent. */
  | { readonly handOver: string }
  /** The message was answered by other means, such as a tool of the agent's own set. */
  | { readonly answered: true }
  /** The agent was cut off: why, and what to change. Nothing is sent, and the message is redelivered. */
  | { readonly unfinished: string; readonly cause?: unknown }

/** Makes the error of a turn without an answer: the message is redelivered, or finally a dead letter. */
export const unanswered = (why: string, cause?: unknown): RestanteError =>
  new RestanteError(
    'unanswered',
    `the mail was not answered: ${why}. It comes again later, and is a dead letter after ten attempts`,
    { cause },
  )

const more = 'raise its limit of output tokens'
const filter = "change the prompt, or the provider's filter"
/** Advice on what to change, by the finish reasons of providers. */
const remedies: Record<string, string> = {
  length: more,
  max_tokens: more,
  content_filter: filter,
  safety: filter,
  refusal: filter,
  tool_calls: 'let the agent take more steps',
}

/**
 * Makes the ending of an agent that was cut off, from the finish reason of its model: `length`,
 * `content-filter` and similar.
 *
 * @param remedy what to change, if the framework has its own words for it
 * @example
 * ```ts
 * import { cutOff, runInbox } from 'restante/tools'
 *
 * runInbox({ mailbox }, async ({ prompt }) => {
 *   const { text, finishReason } = await model(prompt)
 *   return finishReason === 'stop' ? text : cutOff(finishReason)
 * })
 * ```
 */
export const cutOff = (
  reason: string,
  remedy = remedies[reason.toLowerCase().replaceAll('-', '_')],
): { unfinished: string } => ({
  unfinished: `its model ended with "${reason}", and so perhaps before it was done${remedy ? `: ${remedy}` : ''}`,
})

const answers: ReadonlySet<unknown> = new Set(sentOutput.shape.status.options)

/** Returns whether `reply` has answered the message: the reply is sent, scheduled, or awaits a human. */
const isAnswer = (output: unknown): boolean =>
  answers.has((output as { status?: unknown } | undefined)?.status)

/**
 * Finds how a turn ended from the outputs of the mailbox tools, for an agent that has its own tools. Its
 * `reply` has answered, `hand_over` called people, or `no_answer_needed` gave the reason why not. Undefined
 * if none was called.
 *
 * @param results the names of the tools, with their outputs
 * @example
 * ```ts
 * import { endingOf, runInbox } from 'restante/tools'
 *
 * runInbox({ mailbox }, async ({ prompt }) => {
 *   const { text, toolResults } = await agent.generate({ prompt })
 *   return endingOf(toolResults) ?? text
 * })
 * ```
 */
export function endingOf(
  results: readonly { readonly name?: string | undefined; readonly output: unknown }[],
): Ending | undefined {
  if (results.some(({ name, output }) => name === 'reply' && isAnswer(output))) return { answered: true }
  const handed = results.findLast(({ name, output }) => name === 'hand_over' && isHandedOver(output))
  if (handed) return { handOver: (handed.output as { reason: string }).reason }
  const silence = results.findLast(({ name, output }) => name === 'no_answer_needed' && isSilence(output))
  return silence && { silent: (silence.output as { reason: string }).reason }
}

const isHandedOver = (output: unknown): boolean => handOverOutput.safeParse(output).success
const isSilence = (output: unknown): boolean => silenceOutput.safeParse(output).success

const noAnswerNeeded = defineTool({
  name: 'no_answer_needed',
  description: 'Says that the mail you were given needs no answer: nothing is sent, whatever you say last.',
  risk: 'read',
  input: toolInput({ reason: words(500, 1).describe('Why, in one sentence') }),
  output: silenceOutput,
  run: async (_mailbox, { reason }, { session }) => {
    session.silence = reason
    return { status: 'silent' as const, reason }
  },
})

const handOver = defineTool({
  name: 'hand_over',
  description: 'Hands the conversation over to a person, who answers from now on: nothing is sent.',
  risk: 'write',
  input: toolInput({ reason: words(1_000, 1).describe('Why') }),
  output: handOverOutput,
  run: async (_mailbox, { reason }, { session, signal }) => {
    await session.handOver(reason, signal)
    return { status: 'handed_over' as const, reason }
  },
})

/** Tools that end the turn without a reply. */
export const endingTools = { no_answer_needed: noAnswerNeeded, hand_over: handOver }
