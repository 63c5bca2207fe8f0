/**
 * Waits for answers by mail in any engine for durable execution: Inngest, Temporal, Trigger.dev and their like. It is a
 * contract of two functions on their side; nothing of an engine is imported.
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
 * A run of an engine, as far as a question by mail needs it.
 *
 * The engine runs the code again from its beginning after a crash, and has to give both functions the outcome that it
 * gave before.
 */
export interface DurableRun {
  /**
   * Names the run: the same whenever it is run again, and another for each run. It stands in a header of the mail, in
   * letters, digits and `-`: let it tell the recipient nothing.
   */
  readonly id: string
  /** Does something at least once, and keeps its outcome. */
  step<T>(name: string, action: () => Promise<T>): Promise<T>
  /**
   * Sleeps until the token is woken; null after so many milliseconds (undefined: never). It is called before the mail goes
   * out. What is woken before the engine sleeps must either be kept for it or refused: {@link resumeByMail} tries again.
   */
  wait(name: string, token: string, timeoutMs: number | undefined): Promise<MailAnswer | null>
}

const divider = '/'

/**
 * Gives the token that a question of a run waits under: for engines that wait by a name of their own.
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
 * Sends the mail of a question, once, however often it is called: what `step` does, for engines whose steps are functions
 * elsewhere, such as activities.
 *
 * @returns the id of the message
 * @throws UsageError `invalid_token`, `several_inboxes`. ServiceError where the mail is refused.
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
 * Asks somebody by mail, from within a run of an engine, and sleeps until the answer comes, days too. The mail goes out
 * once, whichever process is killed meanwhile. Answers come by {@link resumeByMail}.
 *
 * @returns the first answer in its thread; null where none came in time
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
  // An answer can be quicker than the step that sent the mail.
  const waiting = run.wait(`answer to ${name}`, tokenOf(run, question), timeoutMs)
  const [, answer] = await Promise.all([run.step(name, () => sendQuestion(mailbox, run, question)), waiting])
  return answer
}

/**
 * Wakes the runs that wait: each answer is told to the engine at least once, until `wake` returns. Run it in any process,
 * and in as many as you like.
 *
 * @param wake tells the engine; `answer.id` is the same whenever it comes. Where it throws the answer comes again later,
 * and is a dead letter after ten attempts.
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
