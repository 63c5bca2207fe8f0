import { isServiceError } from '../../protocol/errors'
import { monotonicNow } from '../../protocol/time'
import { authenticate, type Caller } from '../accounts'
import { boundedMap, minuteMs, refuseForNow } from '../base'
import {
  addressGroup,
  type Limiter,
  type MakeLimiter,
  type Networks,
  parseNetworks,
  RateLimiter,
  type RateVerdict,
} from '../net'
import type { HttpPorts } from './ports'

const failuresPerMinute = 20
const firstPenaltyMs = minuteMs
const maxPenaltyMs = 60 * minuteMs
const maxRemembered = 50_000
const maxGroups = 1_000

/** The limit that was reached. */
type HttpLimit = 'requests' | 'failed_keys'

interface RequestLimiterOptions {
  ports: HttpPorts
  /** Requests of one key, or of one address that needs none. */
  requestsPerMinute: number
  /** Addresses and networks that are not limited. */
  unlimited: string
  /** Makes what counts requests, of all nodes where several are; by itself each process counts its own. */
  limiterOf?: MakeLimiter | undefined
  onLimited?: (limit: HttpLimit) => void
}

interface Penalty {
  untilMs: number
  strikes: number
}

/**
 * Decides who may come in, and how often: a rate of requests for each key, and a growing penalty for addresses that
 * try key after key, which each process counts for itself. An address is null within this process, which is not
 * limited.
 */
export class RequestLimiter {
  readonly #ports: HttpPorts
  readonly #unlimited: Networks
  readonly #requests: Limiter
  readonly #failures: RateLimiter
  readonly #penalties = boundedMap<Penalty>(maxRemembered)
  /** To read an address costs more than all the counting. */
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

  /** The group that an address is counted by; null where it is not limited. */
  groupOf(address: string | null): string | null {
    if (address === null) return null
    const known = this.#groups.get(address)
    if (known) return known.group
    const group = this.#unlimited.has(address) ? null : addressGroup(address)
    this.#groups.set(address, { group })
    return group
  }

  /**
   * Finds the owner of a key. A good key passes whatever its neighbours at the address tried: it is looked up even
   * there, which costs less than the request did.
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

  /** Lets a socket in; it counts as a request. @throws ServiceError `unauthorized`, `rate_limited` */
  async admit(
    key: string | undefined,
    address: string | null,
  ): Promise<{ scope: Caller; group: string | null }> {
    const scope = await this.authenticate(key, this.groupOf(address))
    return this.letIn(scope, scope.keyId, address)
  }

  /** Counts a socket of somebody who is known, and lets it in. @throws ServiceError `rate_limited` */
  async letIn(
    scope: Caller,
    who: string,
    address: string | null,
  ): Promise<{ scope: Caller; group: string | null }> {
    const quota = address === null ? undefined : await this.count(who)
    if (quota?.allowed === false) throw this.tooMany(quota)
    return { scope, group: this.groupOf(address) }
  }

  /** The refusal of a request that is one too many. */
  tooMany({ retryAfterMs }: RateVerdict, code?: 'unavailable') {
    const { limit } = this.#requests.rate
    return refuseForNow(
      `More than ${limit} requests a minute: slow down, and wait as Retry-After says.`,
      retryAfterMs,
      code,
    )
  }

  /** Writes a quota in the fields of draft-ietf-httpapi-ratelimit-headers-10. */
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
