import { checkOptions, type Mailbox, NetworkError, type OptionNames, type Run } from 'restante'
import {
  type AnswersOptions,
  answersNames,
  checkAsk,
  type MailAnswer,
  type Question,
  runAnswers,
  sendOnce,
} from './durable/asking'

export type { AnswersOptions, MailAnswer, Question } from './durable/asking'

// Restate's SDK requires `Promise.withResolvers`. Without it, its handlers never start, and no error is
// reported.
if (!('withResolvers' in Promise))
  console.warn(
    'restante/restate: handlers of the Restate SDK never run on this version of Node: use Node 22 or newer',
  )

interface TimedPromise<T> extends Promise<T> {
  orTimeout(milliseconds: number): Promise<T>
}

/** The part of a Restate context that the adapter needs: that of a service, an object or a workflow. */
export interface RestateContext {
  run<T>(name: string, action: () => Promise<T>): Promise<T>
  awakeable<T>(): { id: string; promise: TimedPromise<T> }
}

/** Options of {@link resumeByMail}. */
export interface ResumeOptions extends AnswersOptions {
  /** Address of Restate's ingress, such as `http://127.0.0.1:8080`. */
  ingress: string
  /** Headers of the requests to it, such as `authorization`. */
  headers?: Readonly<Record<string, string>> | undefined
}

const names: OptionNames<ResumeOptions> = { ...answersNames, ingress: 'string', headers: true }

/**
 * Asks somebody by email from within a Restate handler, and sleeps until the answer arrives, for days if
 * necessary. The message is sent once, even if a process is killed meanwhile. {@link resumeByMail} delivers
 * the answers.
 *
 * @returns the first answer in its thread; null if none arrived in time
 * @throws ServiceError if the message is refused: let Restate retry, or make it a TerminalError
 * @example
 * ```ts
 * import { askByMail } from 'restante/restate'
 *
 * const answer = await askByMail(ctx, mailbox, {
 *   key: 'approval', to: 'boss@example.com', subject: 'May I?', text: 'Yes or no?', timeoutMs: 7 * 86_400_000,
 * })
 * ```
 */
export async function askByMail(
  context: RestateContext,
  mailbox: Mailbox,
  options: Question & { timeoutMs?: number | undefined },
): Promise<MailAnswer | null> {
  checkAsk(options)
  const { timeoutMs, ...question } = options
  // The id is the same on each run of the handler, and reveals nothing to a stranger.
  const { id: token, promise } = context.awakeable<MailAnswer>()
  await context.run(`mail ${question.key}`, async () => (await sendOnce(mailbox, token, token, question)).id)
  if (timeoutMs === undefined) return promise
  try {
    return await promise.orTimeout(timeoutMs)
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return null
    throw error
  }
}

/**
 * Wakes waiting handlers. Each answer is sent to Restate at least once, which accepts the first. Run it in
 * any number of processes.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { resumeByMail } from 'restante/restate'
 *
 * const run = resumeByMail(mailbox, { ingress: 'http://127.0.0.1:8080' })
 * process.once('SIGTERM', () => run.stop())
 * ```
 */
export const resumeByMail = (mailbox: Mailbox, options: ResumeOptions): Run => {
  checkOptions('resumeByMail()', options, names)
  const { ingress, headers, ...rest } = options
  return runAnswers(
    mailbox,
    async (token, answer) => {
      const url = new URL(`restate/awakeables/${token}/resolve`, ingress.replace(/\/*$/, '/'))
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(answer),
      })
      if (response.ok) return
      const body = (await response.text()).slice(0, 300)
      throw new NetworkError('bad_answer', `Restate answered ${response.status} to ${url.origin}: ${body}`)
    },
    rest,
  )
}
