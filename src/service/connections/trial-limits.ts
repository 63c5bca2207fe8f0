import type { ConnectionBody } from '../../protocol/connections/connection'
import { refuseForNow } from '../base/refuse'
import { hourMs } from '../base/time'
import type { MakeLimiter } from '../net/rate-limiter'
import type { TrialLimits } from './ports'
import type { ConnectionSettings } from './records'

/** Trials per hour of one user at one host. No plan lifts this: it protects other servers. */
const maxPerLogin = 10
/** Trials per hour of one account, and of one client address. */
const maxPerAccount = 30

const hostKey = (host: string): string => host.toLowerCase().replace(/\.$/, '')

/** Returns the logins that a trial makes: at IMAP, at SMTP and for a token, each once. */
export function loginsOf({ imap, smtp, user }: ConnectionSettings, { login }: ConnectionBody): string[] {
  const name = user.normalize('NFKC').toLowerCase()
  const logins = [imap.host, smtp.host].map((host) => JSON.stringify([hostKey(host), name]))
  if (login.type === 'oauth' && URL.canParse(login.token_url))
    logins.push(JSON.stringify([hostKey(new URL(login.token_url).hostname), login.client_id]))
  return [...new Set(logins)]
}

export function createTrialLimits(limiterOf: MakeLimiter): TrialLimits {
  const perLogin = limiterOf('trial_logins', { limit: maxPerLogin, windowMs: hourMs })
  const perAccount = limiterOf('trial_accounts', { limit: maxPerAccount, windowMs: hourMs })
  const perClient = limiterOf('trial_clients', { limit: maxPerAccount, windowMs: hourMs })
  return {
    async countCaller({ tenantId, client }) {
      await take(perAccount, tenantId, 'this account')
      if (client !== null) await take(perClient, client, 'your address')
    },
    async countLogins(logins) {
      for (const key of logins) await take(perLogin, key, 'this user at this server')
    },
  }
}

async function take(limiter: ReturnType<MakeLimiter>, key: string, what: string): Promise<void> {
  const { allowed, retryAfterMs } = await limiter.take(key)
  if (!allowed)
    throw refuseForNow(
      `At most ${limiter.rate.limit} logins of ${what} are tried in an hour: wait as Retry-After says, and check the password.`,
      retryAfterMs,
    )
}
