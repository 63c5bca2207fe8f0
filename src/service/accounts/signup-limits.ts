import { refuseForNow } from '../base/refuse'
import { hourMs } from '../base/time'
import type { MakeLimiter } from '../net/rate-limiter'

/** Maximum numbers of accounts in an hour. */
interface SignupRates {
  signupsPerHour: number
  signupsPerHourInAll: number
}

/** Limit on signups. @throws ServiceError `rate_limited` from `count` */
export interface SignupLimits {
  /** `client` is the group of the caller's address; null if it is not limited. */
  count(client: string | null): Promise<void>
}

export function createSignupLimits(rates: SignupRates, limiterOf: MakeLimiter): SignupLimits {
  const perClient = limiterOf('signups', { limit: rates.signupsPerHour, windowMs: hourMs })
  const inAll = limiterOf('all_signups', { limit: rates.signupsPerHourInAll, windowMs: hourMs })
  return {
    async count(client) {
      if (client === null) return
      const mine = await perClient.take(client)
      if (!mine.allowed)
        throw refuseForNow(
          `Your address made ${rates.signupsPerHour} signups within an hour, which is the limit. Wait for the time in Retry-After, then repeat the same request.`,
          mine.retryAfterMs,
        )
      const everybody = await inAll.take('')
      if (!everybody.allowed)
        throw refuseForNow(
          'The service is creating too many accounts right now. Wait for the time in Retry-After, then repeat the same request.',
          everybody.retryAfterMs,
        )
    },
  }
}
