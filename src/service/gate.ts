import { LRUCache } from 'lru-cache'
import { isServiceError } from '../protocol/error'
import type { Core } from './core/context'
import { authenticate, type Caller } from './core/keys'
import { RateLimiter, type RateVerdict } from './core/rate-limiter'
import { refuseForNow } from './core/refuse'
import { sha256 } from './core/secrets'
import { addressGroup, type Networks, parseNetworks } from './networks'

const minuteMs = 60_000
const failuresPerMinute = 20
const firstPenaltyMs = minuteMs
const mostPenaltyMs = 60 * minuteMs
const mostRemembered = 50_000
const mostGroups = 1_000

/** What was limited. */
export type HttpLimit = 'requests' | 'failed_keys'

export interface GateOptions {
  core: Core
  /** Of one key, or of one address that needs none. */
  requestsPerMinute: number
  /** Addresses and networks that are not limited. */
  unlimited: string
  onLimited?: (limit: HttpLimit) => void
}

interface Penalty {
  untilMs: number
  strikes: number
}

/**
 * Who may come in, and how often: a rate of requests for each key, and a growing penalty for addresses that try key
 * after key. It counts in this process, so that the limits of several nodes add up. An address is null within this
 * process, which is not limited.
 */
export class Gate {
  readonly #core: Core
  readonly #unlimited: Networks
  readonly #requests: RateLimiter
  readonly #failures: RateLimiter
  readonly #penalties = new LRUCache<string, Penalty>({ max: mostRemembered })
  /** Hashes of keys that were good: a neighbour who guesses must not lock them out. */
  readonly #good = new LRUCache<string, true>({ max: mostRemembered })
  /** To read an address costs more than all the counting. */
  readonly #groups = new LRUCache<string, { group: string | null }>({ max: mostGroups })
  readonly #policy: string
  readonly #onLimited: (limit: HttpLimit) => void

  constructor({ core, requestsPerMinute, unlimited, onLimited = () => {} }: GateOptions) {
    const nowMs = () => core.clock.now()
    this.#core = core
    this.#unlimited = parseNetworks(unlimited)
    this.#requests = new RateLimiter({ limit: requestsPerMinute, windowMs: minuteMs }, nowMs)
    this.#failures = new RateLimiter({ limit: failuresPerMinute, windowMs: minuteMs }, nowMs)
    this.#policy = `"requests";q=${requestsPerMinute};w=${minuteMs / 1000}`
    this.#onLimited = onLimited
  }

  /** What an address is counted by; null where it is not limited. */
  groupOf(address: string | null): string | null {
    if (address === null) return null
    const known = this.#groups.get(address)
    if (known) return known.group
    const group = this.#unlimited.has(address) ? null : addressGroup(address)
    this.#groups.set(address, { group })
    return group
  }

  /** Whose key it is. @throws ServiceError `unauthorized`, `rate_limited` */
  async authenticate(key: string | undefined, group: string | null): Promise<Caller> {
    if (group === null) return authenticate(this.#core, key)
    const hash = sha256(key ?? '')
    if (!this.#good.has(hash)) this.#requirePatience(group)
    try {
      const scope = await authenticate(this.#core, key)
      this.#good.set(hash, true)
      return scope
    } catch (error) {
      if (isServiceError(error, 'unauthorized')) {
        this.#good.delete(hash)
        this.#countFailure(group)
      }
      throw error
    }
  }

  /** Counts a request of a key or an address. */
  count(who: string): RateVerdict {
    const verdict = this.#requests.take(who)
    if (!verdict.allowed) this.#onLimited('requests')
    return verdict
  }

  /** Lets a socket in; it counts as a request. @throws ServiceError `unauthorized`, `rate_limited` */
  async admit(key: string | undefined, address: string | null): Promise<Caller> {
    const group = this.groupOf(address)
    const scope = await this.authenticate(key, group)
    const quota = group === null ? undefined : this.count(scope.keyId)
    if (quota?.allowed === false) throw this.tooMany(quota)
    return scope
  }

  /** The refusal of a request that is one too many. */
  tooMany({ retryAfterMs }: RateVerdict) {
    const { limit } = this.#requests.rate
    return refuseForNow(
      `More than ${limit} requests a minute: slow down, and wait as Retry-After says.`,
      retryAfterMs,
    )
  }

  /** What a quota says in the fields of draft-ietf-httpapi-ratelimit-headers-10. */
  headers({ remaining, resetMs }: RateVerdict): Record<string, string> {
    return {
      'ratelimit-policy': this.#policy,
      ratelimit: `"requests";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
    }
  }

  #requirePatience(group: string): void {
    const waitMs = (this.#penalties.get(group)?.untilMs ?? 0) - this.#core.clock.now()
    if (waitMs <= 0) return
    this.#onLimited('failed_keys')
    throw refuseForNow(
      'Too many API keys from your address were wrong: check the key, and wait as Retry-After says.',
      waitMs,
    )
  }

  #countFailure(group: string): void {
    if (this.#failures.take(group).allowed) return
    const now = this.#core.clock.now()
    const before = this.#penalties.get(group)
    const strikes = before && now - before.untilMs < mostPenaltyMs ? before.strikes + 1 : 1
    const penaltyMs = Math.min(mostPenaltyMs, firstPenaltyMs * 2 ** (strikes - 1))
    this.#penalties.set(group, { untilMs: now + penaltyMs, strikes })
  }
}
