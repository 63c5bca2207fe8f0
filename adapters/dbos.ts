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

/** The part of `DBOS` that the adapter needs. */
export interface DbosLike {
  readonly workflowID: string | undefined
  runStep<T>(action: () => Promise<T>, config?: { name?: string | undefined }): Promise<T>
  recv<T>(topic?: string, options?: number): Promise<T | null>
  send<T>(workflowId: string, message: T, topic?: string, idempotencyKey?: string): Promise<void>
}

/** Practically unlimited: without a timeout DBOS waits for a minute only. */
const foreverSeconds = 10 * 365 * 86_400

const divider = '/'

/**
 * Asks somebody by email from within a DBOS workflow, and sleeps until the answer arrives, for days if
 * necessary. The message is sent once, even if a process is killed meanwhile. {@link resumeByMail} delivers
 * the answers. The workflow id is in a header of the message: build it from letters, digits and `-`, without
 * confidential words.
 *
 * @returns the first answer in its thread; null if none arrived in time
 * @throws UsageError `not_in_workflow`. ServiceError if the message is refused.
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
  const send = async () =>
    (await sendOnce(mailbox, workflow, encodeURIComponent(workflow) + divider + key, question)).id
  await dbos.runStep(send, { name: `mail ${key}` })
  return dbos.recv<MailAnswer>(key, timeoutMs === undefined ? foreverSeconds : timeoutMs / 1_000)
}

/**
 * Wakes waiting workflows. Each answer is sent to DBOS at least once, which accepts it once. Run it after
 * `DBOS.launch()`, in any number of processes.
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
      await dbos.send(decodeURIComponent(token.slice(0, at)), answer, token.slice(at + 1), answer.id)
    },
    options,
  )
