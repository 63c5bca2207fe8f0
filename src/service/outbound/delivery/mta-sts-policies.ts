import { boundedMap, minuteMs, now, timeOf } from '../../base'
import { namesExchanger, parsePolicy, policyIdOf, type StsPolicy } from './mta-sts'
import type { PolicyFetcher } from './mta-sts-fetch'
import type { OutboundPorts } from './ports'
import type { DomainPolicy } from './transport-direct'

/** The pause before a domain is asked again, be it that it has a policy, has none, or cannot be asked. */
const askAgainMs = 5 * minuteMs

/** The ports of policies. */
type PolicyGround = Pick<OutboundPorts, 'store' | 'clock' | 'resolver' | 'logger'>

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
  ports: PolicyGround,
  fetchPolicy: PolicyFetcher,
): (domain: string) => Promise<DomainPolicy | null> {
  const asked = boundedMap<Found>(10_000)

  const announcedId = (domain: string): Promise<string | null> =>
    ports.resolver.txt(`_mta-sts.${domain}`).then(policyIdOf, () => null)

  async function fetchNew(domain: string, id: string): Promise<StsPolicy | null> {
    try {
      const policy = parsePolicy(await fetchPolicy(domain))
      if (!policy) throw new Error('it is not a policy')
      await savePolicy(ports, { domain, id, policy, maxAgeMs: policy.maxAgeSeconds * 1_000 })
      return policy
    } catch (error) {
      ports.logger.info({ domain, error }, 'the MTA-STS policy of a domain could not be read')
      return null
    }
  }

  async function find(domain: string): Promise<StsPolicy | null> {
    const [kept, id] = await Promise.all([readPolicy(ports, domain), announcedId(domain)])
    const held = kept ? (kept.policy as StsPolicy) : null
    if (id === null || id === kept?.id) return held
    return (await fetchNew(domain, id)) ?? held
  }

  function findOnce(domain: string): Promise<StsPolicy | null> {
    const known = asked.get(domain)
    if (known && ports.clock.now() < known.untilMs) return known.policy
    const policy = find(domain)
    policy.catch(() => asked.delete(domain))
    asked.set(domain, { policy, untilMs: ports.clock.now() + askAgainMs })
    return policy
  }

  /** Logs what a policy in testing would keep from being sent if it were enforced. */
  function report(domain: string, policy: StsPolicy, exchanger: string, distrust: string | null): void {
    const isNamed = namesExchanger(policy, exchanger)
    if (policy.mode !== 'testing' || (isNamed && distrust === null)) return
    const reason = isNamed ? distrust : 'the policy does not name it'
    ports.logger.warn(
      { domain, exchanger, reason },
      'the MTA-STS policy of a domain, if enforced, would fail',
    )
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

/** The policy of a domain for those who send to it, as it was fetched. */
interface StoredPolicy {
  domain: string
  /** The name that its owner gives this version of it. */
  id: string
  policy: object
  maxAgeMs: number
}

type Ground = Pick<OutboundPorts, 'store' | 'clock'>

/** The policy of a domain, while it holds. */
async function readPolicy(ports: Ground, domain: string): Promise<{ id: string; policy: unknown } | null> {
  const row = await ports.store.db
    .selectFrom('transport_policies')
    .select(['policy_id', 'policy'])
    .where('domain', '=', domain)
    .where('expires_at', '>', now(ports))
    .executeTakeFirst()
  return row ? { id: row.policy_id, policy: JSON.parse(row.policy) } : null
}

/** Keeps a policy for as long as it says; the one before is gone. */
async function savePolicy(ports: Ground, { domain, id, policy, maxAgeMs }: StoredPolicy): Promise<void> {
  const row = {
    policy_id: id,
    policy: JSON.stringify(policy),
    fetched_at: now(ports),
    expires_at: timeOf(ports.clock.now() + maxAgeMs),
  }
  await ports.store.write((tx) =>
    tx
      .insertInto('transport_policies')
      .values({ domain, ...row })
      .onConflict((conflict) => conflict.column('domain').doUpdateSet(row))
      .execute(),
  )
}

/** Forgets policies that hold no longer. */
export async function dropOldPolicies(ports: Ground): Promise<void> {
  await ports.store.write((tx) =>
    tx.deleteFrom('transport_policies').where('expires_at', '<=', now(ports)).execute(),
  )
}
