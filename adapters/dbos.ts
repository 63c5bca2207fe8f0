import { type Mailbox, type Run, UsageError } from 'restante'
import {
  type AnswersOptions,
  checkAsk,
  type MailAnswer,
  type Question,
  runAnswers,
  sendOnce,
} from './durable/asking'

export type { AnswersOptions, MailAnswer, Question } from './durable/asking'

/** The part of `DBOS` that is needed. */
export interface DbosLike {
  readonly workflowID: string | undefined
  runStep<T>(action: () => Promise<T>, config?: { name?: string | undefined }): Promise<T>
  recv<T>(topic?: string, options?: number): Promise<T | null>
  send<T>(workflowId: string, message: T, topic?: string, idempotencyKey?: string): Promise<void>
}

/** As good as for ever: DBOS takes a minute where nothing is said. */
const foreverSeconds = 10 * 365 * 86_400

const divider = '/'

/**
 * Asks somebody by mail, from within a workflow of DBOS, and sleeps until the answer comes, days too. The mail goes out
 * once, whichever process is killed meanwhile. Answers come by {@link resumeByMail}. The workflow's id stands in a header
 * of the mail: name it with letters, digits and `-`, and so that it tells the recipient nothing.
 *
 * @returns the first answer in its thread; null where none came in time
 * @throws UsageError `not_in_workflow`. ServiceError where the mail is refused.
 * @example
 * ```ts
 * import { DBOS } from '@dbos-inc/dbos-sdk'
 * import { askByMail } from 'restante/dbos'
 *
 * const approve = DBOS.registerWorkflow(async (order: string) => {
 *   const question = { key: 'approval', to: 'boss@example.com', subject: order, text: 'Yes or no?' }
 *   return (await askByMail(DBOS, mailbox, { ...question, timeoutMs: 7 * 86_400_000 }))?.text ?? 'no answer'
 * })
 * ```
 */
export async function askByMail(
  dbos: DbosLike,
  mailbox: Mailbox,
  options: Question & { timeoutMs?: number | undefined },
): Promise<MailAnswer | null> {
  checkAsk(options)
  const { timeoutMs, ...question } = options
  const { workflowID: workflow } = dbos
  if (workflow === undefined)
    throw new UsageError(
      'not_in_workflow',
      'askByMail waits in a workflow: call it within DBOS.registerWorkflow()',
    )
  const { key } = question
  const send = async () => (await sendOnce(mailbox, workflow, workflow + divider + key, question)).id
  await dbos.runStep(send, { name: `mail ${key}` })
  return dbos.recv<MailAnswer>(key, timeoutMs === undefined ? foreverSeconds : timeoutMs / 1_000)
}

/**
 * Wakes the workflows that wait: each answer is told to DBOS at least once, which takes it once. Run it after
 * `DBOS.launch()`, in any process, and in as many as you like.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { DBOS } from '@dbos-inc/dbos-sdk'
 * import { resumeByMail } from 'restante/dbos'
 *
 * await DBOS.launch()
 * const run = resumeByMail(DBOS, mailbox)
 * process.once('SIGTERM', () => run.stop())
 * ```
 */
export const resumeByMail = (
  dbos: Pick<DbosLike, 'send'>,
  mailbox: Mailbox,
  options: AnswersOptions = {},
): Run =>
  runAnswers(
    mailbox,
    async (token, answer) => {
      const at = token.indexOf(divider)
      await dbos.send(token.slice(0, at), answer, token.slice(at + 1), answer.id)
    },
    options,
  )
