import { RestanteError } from 'restante'
import { defineTool } from './define'
import { toolInput, words } from './input'
import { sentOutput, silenceOutput } from './schemas'

/**
 * The end of an agent's turn. A string is its last words, which are sent as the reply: an empty one is no answer, and
 * the turn counts as unfinished.
 */
export type Ending =
  | string
  /** Nobody is to be answered: why. */
  | { readonly silent: string }
  /** The mail has its answer by other means, such as a tool of the agent's own set. */
  | { readonly answered: true }
  /** The agent was cut off before it was done: why, and what to change. Nothing is sent, and the mail comes again later. */
  | { readonly unfinished: string; readonly cause?: unknown }

/** Says that a turn ended without an answer. The mail comes again later, and is a dead letter in the end. */
export const unanswered = (why: string, cause?: unknown): RestanteError =>
  new RestanteError(
    'unanswered',
    `the mail was not answered: ${why}. It comes again later, and is a dead letter after ten attempts`,
    { cause },
  )

const more = 'raise its limit of output tokens'
const filter = "change the prompt, or the provider's filter"
/** Advice on what to change, by the reasons that providers give. */
const remedies: Record<string, string> = {
  length: more,
  max_tokens: more,
  content_filter: filter,
  safety: filter,
  refusal: filter,
  tool_calls: 'let the agent take more steps',
}

/**
 * Says that an agent was cut off, by the reason that its model gave for ending: `length`, `content-filter` and the like.
 *
 * @param remedy what to change, where the framework has words of its own for it
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

/**
 * Tells whether the output of the tool `reply` says that the mail has its answer now: it went out, will go out, or
 * waits for a human.
 */
const isAnswer = (output: unknown): boolean =>
  answers.has((output as { status?: unknown } | undefined)?.status)

/**
 * Tells how a turn ended by what the mailbox's tools have put out in it, for an agent that has tools of its own: that its
 * `reply` has answered, or `no_answer_needed` said why nobody is to be answered. Undefined where neither was called.
 *
 * @param results the names of the tools, with what they put out
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
  const silence = results.findLast(({ name, output }) => name === 'no_answer_needed' && isSilence(output))
  return silence && { silent: (silence.output as { reason: string }).reason }
}

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

export const silenceTools = { no_answer_needed: noAnswerNeeded }
