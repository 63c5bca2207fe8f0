import { type Core, now, timeOf } from './context'

/** What a domain demands of those who send to it, as it was fetched. */
export interface StoredPolicy {
  domain: string
  /** What its owner calls this version of it. */
  id: string
  policy: object
  maxAgeMs: number
}

type Ground = Pick<Core, 'store' | 'clock'>

/** The policy of a domain, while it holds. */
export async function readPolicy(
  core: Ground,
  domain: string,
): Promise<{ id: string; policy: unknown } | null> {
  const row = await core.store.db
    .selectFrom('transport_policies')
    .select(['policy_id', 'policy'])
    .where('domain', '=', domain)
    .where('expires_at', '>', now(core))
    .executeTakeFirst()
  return row ? { id: row.policy_id, policy: JSON.parse(row.policy) } : null
}

/** Keeps a policy for as long as it says; the one before is gone. */
export async function savePolicy(
  core: Ground,
  { domain, id, policy, maxAgeMs }: StoredPolicy,
): Promise<void> {
  const row = {
    policy_id: id,
    policy: JSON.stringify(policy),
    fetched_at: now(core),
    expires_at: timeOf(core.clock.now() + maxAgeMs),
  }
  await core.store.write((tx) =>
    tx
      .insertInto('transport_policies')
      .values({ domain, ...row })
      .onConflict((conflict) => conflict.column('domain').doUpdateSet(row))
      .execute(),
  )
}

/** Forgets policies that hold no longer. */
export async function dropOldPolicies(core: Ground): Promise<void> {
  await core.store.write((tx) =>
    tx.deleteFrom('transport_policies').where('expires_at', '<=', now(core)).execute(),
  )
}
