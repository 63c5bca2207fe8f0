import { LRUCache } from 'lru-cache'
import type { Core } from '../core/context'
import { readPolicy, savePolicy } from '../core/transport-policies'
import { namesExchanger, parsePolicy, policyIdOf, type StsPolicy } from './mta-sts'
import type { PolicyFetcher } from './mta-sts-fetch'
import type { DomainPolicy } from './transport-direct'

/** A domain is asked no more often than this, be it that it has a policy, has none, or cannot be asked. */
const askAgainMs = 5 * 60_000

/** What policies need of the service. */
export type PolicyGround = Pick<Core, 'store' | 'clock' | 'resolver' | 'logger'>

interface Found {
  policy: Promise<StsPolicy | null>
  untilMs: number
}

/**
 * Finds what domains demand (RFC 8461): by the DNS whether there is something new, by HTTPS what, and from the
 * database what was fetched before and still holds, which counts where neither can be had: else whoever can keep us
 * from asking could switch it off.
 */
export function createPolicies(
  core: PolicyGround,
  fetchPolicy: PolicyFetcher,
): (domain: string) => Promise<DomainPolicy | null> {
  const asked = new LRUCache<string, Found>({ max: 10_000 })

  const announcedId = (domain: string): Promise<string | null> =>
    core.resolver.txt(`_mta-sts.${domain}`).then(policyIdOf, () => null)

  async function fetchNew(domain: string, id: string): Promise<StsPolicy | null> {
    try {
      const policy = parsePolicy(await fetchPolicy(domain))
      if (!policy) throw new Error('it is not a policy')
      await savePolicy(core, { domain, id, policy, maxAgeMs: policy.maxAgeSeconds * 1_000 })
      return policy
    } catch (error) {
      core.logger.info({ domain, error }, 'the MTA-STS policy of a domain could not be read')
      return null
    }
  }

  async function find(domain: string): Promise<StsPolicy | null> {
    const [kept, id] = await Promise.all([readPolicy(core, domain), announcedId(domain)])
    const held = kept ? (kept.policy as StsPolicy) : null
    if (id === null || id === kept?.id) return held
    return (await fetchNew(domain, id)) ?? held
  }

  function findOnce(domain: string): Promise<StsPolicy | null> {
    const known = asked.get(domain)
    if (known && core.clock.now() < known.untilMs) return known.policy
    const policy = find(domain)
    policy.catch(() => asked.delete(domain))
    asked.set(domain, { policy, untilMs: core.clock.now() + askAgainMs })
    return policy
  }

  /** In testing, what enforcing would keep from being sent is told to the log. */
  function report(domain: string, policy: StsPolicy, exchanger: string, distrust: string | null): void {
    const isNamed = namesExchanger(policy, exchanger)
    if (policy.mode !== 'testing' || (isNamed && distrust === null)) return
    const reason = isNamed ? distrust : 'the policy does not name it'
    core.logger.warn({ domain, exchanger, reason }, 'the MTA-STS policy of a domain, if enforced, would fail')
  }

  return async (domain) => {
    const policy = await findOnce(domain)
    if (!policy || policy.mode === 'none') return null
    return {
      mode: policy.mode,
      names: (exchanger) => namesExchanger(policy, exchanger),
      seen: (exchanger, distrust) => report(domain, policy, exchanger, distrust),
    }
  }
}
