import { isServiceError } from '../../protocol/errors/error'
import { monotonicNow } from '../../protocol/time/clock'
import { authenticate, type Caller } from '../accounts/keys'
import { boundedMap } from '../base/bounded-map'
import { refuseForNow } from '../base/refuse'
import { minuteMs } from '../base/time'
import { addressGroup, type Networks, parseNetworks } from '../net/networks'
import { type Limiter, type MakeLimiter, RateLimiter, type RateVerdict } from '../net/rate-limiter'
import type { HttpPorts } from './handlers/ports'

const failuresPerMinute = 20
const firstPenaltyMs = minuteMs
const maxPenaltyMs = 60 * minuteMs
const maxRemembered = 50_000
const maxGroups = 1_000

/** Limit that was reached. */
type HttpLimit = 'requests' | 'failed_keys'

interface RequestLimiterOptions {
  ports: HttpPorts
  /** Maximum number of requests of one key, or of one address on routes without a key. */
  requestsPerMinute: number
  /** Addresses and networks without limits. */
  unlimited: string
  /** Creates a request limiter shared by all nodes; by default each process counts for itself. */
  limiterOf?: MakeLimiter | undefined
  onLimited?: (limit: HttpLimit) => void
}

interface Penalty {
  untilMs: number
  strikes: number
}

/**
 * Admits requests: a rate limit for each key, and a growing penalty for addresses that try many wrong keys,
 * which each process counts for itself. An address is null within the process, which is not limited.
 */
export class RequestLimiter {
  readonly #ports: HttpPorts
  readonly #unlimited: Networks
  readonly #requests: Limiter
  readonly #failures: RateLimiter
  readonly #penalties = boundedMap<Penalty>(maxRemembered)
  /** Parsing an address costs more than counting. */
  readonly #groups = boundedMap<{ group: string | null }>(maxGroups)
  readonly #policy: string
  readonly #onLimited: (limit: HttpLimit) => void

  constructor(options: RequestLimiterOptions) {
    const { ports, requestsPerMinute, unlimited, limiterOf, onLimited = () => {} } = options
    const nowMs = () => monotonicNow(ports.clock)
    this.#ports = ports
    this.#unlimited = parseNetworks(unlimited)
    const rate = { limit: requestsPerMinute, windowMs: minuteMs }
    this.#requests = limiterOf?.('requests', rate) ?? new RateLimiter(rate, nowMs)
    this.#failures = new RateLimiter({ limit: failuresPerMinute, windowMs: minuteMs }, nowMs)
    this.#policy = `"requests";q=${requestsPerMinute};w=${minuteMs / 1000}`
    this.#onLimited = onLimited
  }

  /** Returns the group that an address is counted in; null if it is not limited. */
  groupOf(address: string | null): string | null {
    if (address === null) return null
    const known = this.#groups.get(address)
    if (known) return known.group
    const group = this.#unlimited.has(address) ? null : addressGroup(address)
    this.#groups.set(address, { group })
    return group
  }

  /**
   * Returns the owner of a key. A valid key passes even if its address has a penalty: the lookup costs less
   * than the request did.
   *
   * @throws ServiceError `unauthorized`, `rate_limited`
   */
  async authenticate(key: string | undefined, group: string | null): Promise<Caller> {
    try {
      return await authenticate(this.#ports, key)
    } catch (error) {
      if (group !== null && isServiceError(error, 'unauthorized')) {
        this.#requirePatience(group)
        this.#countFailure(group)
      }
      throw error
    }
  }

  /** Counts a request of a key or an address. */
  async count(who: string): Promise<RateVerdict> {
    const verdict = await this.#requests.take(who)
    if (!verdict.allowed) this.#onLimited('requests')
    return verdict
  }

  /** Admits a socket, which counts as a request. @throws ServiceError `unauthorized`, `rate_limited` */
  async admit(
    key: string | undefined,
    address: string | null,
  ): Promise<{ scope: Caller; group: string | null }> {
    const scope = await this.authenticate(key, this.groupOf(address))
    return this.letIn(scope, scope.keyId, address)
  }

  /** Counts a socket of a known caller and admits it. @throws ServiceError `rate_limited` */
  async letIn(
    scope: Caller,
    who: string,
    address: string | null,
  ): Promise<{ scope: Caller; group: string | null }> {
    const quota = address === null ? undefined : await this.count(who)
    if (quota?.allowed === false) throw this.tooMany(quota)
    return { scope, group: this.groupOf(address) }
  }

  /** Returns the refusal of a request over the limit. */
  tooMany({ retryAfterMs }: RateVerdict, code?: 'unavailable') {
    const { limit } = this.#requests.rate
    return refuseForNow(
      `More than ${limit} requests a minute: slow down, and wait as Retry-After says.`,
      retryAfterMs,
      code,
    )
  }

  /** Writes a quota as the fields of draft-ietf-httpapi-ratelimit-headers-10. */
  headers({ remaining, resetMs }: RateVerdict): Record<string, string> {
    return {
      'ratelimit-policy': this.#policy,
      ratelimit: `"requests";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
    }
  }

  #requirePatience(group: string): void {
    const waitMs = (this.#penalties.get(group)?.untilMs ?? 0) - monotonicNow(this.#ports.clock)
    if (waitMs <= 0) return
    this.#onLimited('failed_keys')
    throw refuseForNow(
      'Too many API keys from your address were wrong: check the key, and wait as Retry-After says.',
      waitMs,
    )
  }

  #countFailure(group: string): void {
    if (this.#failures.take(group).allowed) return
    const now = monotonicNow(this.#ports.clock)
    const before = this.#penalties.get(group)
    const strikes = before && now - before.untilMs < maxPenaltyMs ? before.strikes + 1 : 1
    const penaltyMs = Math.min(maxPenaltyMs, firstPenaltyMs * 2 ** (strikes - 1))
    this.#penalties.set(group, { untilMs: now + penaltyMs, strikes })
  }
}
