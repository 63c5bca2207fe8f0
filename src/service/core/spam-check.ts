import type { SpamFilter, SpamVerdict, SuspectMail } from '../ports'
import type { Core } from './context'

const patienceMs = 5_000

/** Waits no longer than that, whether the filter minds its signal or not. */
async function verdictInTime(
  { clock }: Pick<Core, 'clock'>,
  filter: SpamFilter,
  mail: SuspectMail,
): Promise<SpamVerdict> {
  const waiting = new AbortController()
  let cancel = () => {}
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(patienceMs, () => {
      const error = new Error(`no answer within ${patienceMs} ms`)
      waiting.abort(error)
      reject(error)
    })
  })
  return Promise.race([filter.judge(mail, waiting.signal), late]).finally(cancel)
}

/** Whether a mail is spam. Without a verdict it is not: a filter that is down must not hide mail. */
export async function isJudgedSpam(
  core: Pick<Core, 'clock' | 'logger'>,
  filter: SpamFilter,
  mail: SuspectMail,
): Promise<boolean> {
  try {
    const { spam, score, reasons } = await verdictInTime(core, filter, mail)
    if (spam) core.logger.info({ score, reasons }, 'a mail was judged to be spam')
    return spam
  } catch (error) {
    core.logger.warn({ error }, 'the spam filter gave no verdict: the mail is taken as any other')
    return false
  }
}
