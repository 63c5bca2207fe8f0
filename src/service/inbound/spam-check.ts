import type { Clock, Logger, SpamFilter, SpamVerdict, SuspectMail } from '../ports'

const patienceMs = 5_000
/** Consecutive failures after which the filter is not asked for a while. */
const maxFailures = 5
const restMs = 30_000

interface Parts {
  clock: Clock
  logger: Logger
}

/**
 * Asks a spam filter about messages. Without a verdict a message is not spam: a filter that is down must
 * neither hide messages nor delay each one. After the pause, one message asks the filter again while the
 * others pass.
 */
export class SpamCheck {
  readonly #parts: Parts
  readonly #filter: SpamFilter
  #failures = 0
  #restsUntilMs = 0

  constructor(parts: Parts, filter: SpamFilter) {
    this.#parts = parts
    this.#filter = filter
  }

  async isSpam(mail: SuspectMail): Promise<boolean> {
    const { clock, logger } = this.#parts
    if (clock.now() < this.#restsUntilMs) return false
    if (this.#failures >= maxFailures) this.#rest()
    try {
      const { spam, score, reasons } = await this.#verdictInTime(mail)
      this.#failures = 0
      this.#restsUntilMs = 0
      if (spam) logger.info({ score, reasons }, 'a message was classified as spam')
      return spam
    } catch (error) {
      logger.warn({ error }, 'the spam filter gave no verdict: the mail is taken as any other')
      if (++this.#failures === maxFailures) {
        this.#rest()
        logger.warn(
          { restMs },
          'the spam filter is down: mail is taken unmarked, and it is asked again after a rest',
        )
      }
      return false
    }
  }

  #rest(): void {
    this.#restsUntilMs = this.#parts.clock.now() + restMs
  }

  /** Waits with a timeout, even if the filter ignores its signal. */
  async #verdictInTime(mail: SuspectMail): Promise<SpamVerdict> {
    const waiting = new AbortController()
    let cancel = () => {}
    const late = new Promise<never>((_, reject) => {
      cancel = this.#parts.clock.background(patienceMs, () => {
        const error = new Error(`no answer within ${patienceMs} ms`)
        waiting.abort(error)
        reject(error)
      })
    })
    return Promise.race([this.#filter.judge(mail, waiting.signal), late]).finally(cancel)
  }
}
