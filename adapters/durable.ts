/**
 * Waits for answers by email in any engine for durable execution: Inngest, Temporal, Trigger.dev and similar.
 * The contract is two functions that you write for the engine; nothing of an engine is imported.
 *
 * @module
 */
import { type Mailbox, type Run, UsageError } from 'restante'
import {
  type AnswersOptions,
  checkAsk,
  checkQuestion,
  type MailAnswer,
  type Question,
  runAnswers,
  sendOnce,
} from './durable/asking'

export type { AnswersOptions, MailAnswer, Question } from './durable/asking'

/**
 * Run of an engine, as far as a question by email needs it.
 *
 * After a crash the engine runs the code again from the start. Both functions must then return the same
 * result as before.
 */
export interface DurableRun {
  /**
   * Id of the run: the same each time it is repeated, and different for each run. It is in a header of the
   * message: use letters, digits and `-`, and no confidential words.
   */
  readonly id: string
  /** Runs an action at least once, and stores its result. */
  step<T>(name: string, action: () => Promise<T>): Promise<T>
  /**
   * Sleeps until the token is woken; returns null after `timeoutMs` milliseconds (undefined: never). It is
   * called before the message is sent. A wake-up before the engine sleeps must be stored for it or refused:
   * {@link resumeByMail} tries again.
   */
  wait(name: string, token: string, timeoutMs: number | undefined): Promise<MailAnswer | null>
}

const divider = '/'

/**
 * Returns the token under which a question of a run waits, for engines that wait by a name of their own.
 *
 * @example
 * ```ts
 * import { tokenOf } from 'restante/durable'
 *
 * const token = tokenOf({ id: 'order-17' }, { key: 'approval' }) // order-17/approval
 * store.keep(token)
 * ```
 */
export const tokenOf = (run: Pick<DurableRun, 'id'>, { key }: Pick<Question, 'key'>): string =>
  run.id + divider + key

/**
 * Sends the message of a question once, also if it is called again. It does the work of `step`, for engines
 * whose steps are functions elsewhere, such as activities.
 *
 * @returns the id of the message
 * @throws UsageError `invalid_token`, `several_inboxes`. ServiceError if the message is refused.
 * @example
 * ```ts
 * import { sendQuestion } from 'restante/durable'
 *
 * const run = { id: 'order-17' }
 * await sendQuestion(mailbox, run, { key: 'approval', to: 'boss@example.com', subject: 'May I?', text: 'Yes or no?' })
 * ```
 */
export const sendQuestion = async (
  mailbox: Mailbox,
  run: Pick<DurableRun, 'id'>,
  question: Question,
): Promise<string> => {
  checkQuestion(question)
  if (run.id.includes(divider))
    throw new UsageError('invalid_token', `the id of a run has no ${divider}: name ${run.id} otherwise`)
  return (await sendOnce(mailbox, run.id, tokenOf(run, question), question)).id
}

/**
 * Asks somebody by email from within a run of an engine, and sleeps until the answer arrives, for days if
 * necessary. The message is sent once, even if a process is killed meanwhile. {@link resumeByMail} delivers
 * the answers.
 *
 * @returns the first answer in its thread; null if none arrived in time
 * @throws as `sendQuestion`
 * @example
 * ```ts
 * import { askByMail, type DurableRun } from 'restante/durable'
 *
 * export const approve = async (run: DurableRun) => {
 *   const question = { key: 'approval', to: 'boss@example.com', subject: 'May I?', text: 'Yes or no?' }
 *   return (await askByMail(run, mailbox, { ...question, timeoutMs: 7 * 86_400_000 }))?.text ?? 'no answer'
 * }
 * ```
 */
export async function askByMail(
  run: DurableRun,
  mailbox: Mailbox,
  options: Question & { timeoutMs?: number | undefined },
): Promise<MailAnswer | null> {
  checkAsk(options)
  const { timeoutMs, ...question } = options
  const name = `mail ${question.key}`
  // An answer can arrive before the step that sent the message has ended.
  const waiting = run.wait(`answer to ${name}`, tokenOf(run, question), timeoutMs)
  const [, answer] = await Promise.all([run.step(name, () => sendQuestion(mailbox, run, question)), waiting])
  return answer
}

/**
 * Wakes waiting runs. Each answer is passed to the engine at least once, until `wake` returns. Run it in any
 * number of processes.
 *
 * @param wake wakes the engine; `answer.id` is the same on each attempt. If it throws, the answer is
 * delivered again later, and becomes a dead letter after ten attempts.
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { resumeByMail } from 'restante/durable'
 *
 * const run = resumeByMail(mailbox, (token, answer) => app.wake(token, answer))
 * process.once('SIGTERM', () => run.stop())
 * ```
 */
export const resumeByMail = (
  mailbox: Mailbox,
  wake: (token: string, answer: MailAnswer) => Promise<unknown>,
  options: AnswersOptions = {},
): Run => runAnswers(mailbox, async (token, answer) => void (await wake(token, answer)), options)
