import { hourMs, refuseForNow } from '../base'
import type { MakeLimiter } from '../net'

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
          `Your address made ${rates.signupsPerHour} signups within the hour, which is the most: wait as Retry-After says, and then repeat the same request.`,
          mine.retryAfterMs,
        )
      const everybody = await inAll.take('')
      if (!everybody.allowed)
        throw refuseForNow(
          'Too many accounts are being made here just now: wait as Retry-After says, and then repeat the same request.',
          everybody.retryAfterMs,
        )
    },
  }
}
