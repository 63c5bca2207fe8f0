import { boundedMap } from '../../base/bounded-map'
import { minuteMs, now, timeOf } from '../../base/time'
import { namesExchanger, parsePolicy, policyIdOf, type StsPolicy } from './mta-sts'
import type { PolicyFetcher } from './mta-sts-fetch'
import type { OutboundPorts } from './ports'
import type { DomainPolicy } from './transport-direct'

/** Time in ms before a domain is checked again, with any result. */
const askAgainMs = 5 * minuteMs

/** Ports of policies. */
type PolicyPorts = Pick<OutboundPorts, 'store' | 'clock' | 'resolver' | 'logger'>

interface Found {
  policy: Promise<StsPolicy | null>
  untilMs: number
}

/**
 * Creates a lookup of domains' policies (RFC 8461). The DNS shows whether there is a new one, which is
 * fetched by HTTPS. If either fails, a stored policy counts until it expires: otherwise an attacker who
 * blocks our requests could disable it.
 */
export function createPolicies(
  ports: PolicyPorts,
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

  /** Logs what a policy in testing would block if it were enforced. */
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

/** The fetched policy of a domain for its senders. */
interface StoredPolicy {
  domain: string
  /** Id that its owner gives this version. */
  id: string
  policy: object
  maxAgeMs: number
}

type StorePorts = Pick<OutboundPorts, 'store' | 'clock'>

/** Reads the policy of a domain, unless it has expired. */
async function readPolicy(
  ports: StorePorts,
  domain: string,
): Promise<{ id: string; policy: unknown } | null> {
  const row = await ports.store.db
    .selectFrom('transport_policies')
    .select(['policy_id', 'policy'])
    .where('domain', '=', domain)
    .where('expires_at', '>', now(ports))
    .executeTakeFirst()
  return row ? { id: row.policy_id, policy: JSON.parse(row.policy) } : null
}

/** Stores a policy until it expires, in place of an earlier one. */
async function savePolicy(ports: StorePorts, { domain, id, policy, maxAgeMs }: StoredPolicy): Promise<void> {
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

/** Deletes expired policies. */
export async function dropOldPolicies(ports: StorePorts): Promise<void> {
  await ports.store.write((tx) =>
    tx.deleteFrom('transport_policies').where('expires_at', '<=', now(ports)).execute(),
  )
}
