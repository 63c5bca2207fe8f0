import type { Core } from './context'
import {
  type DkimKeyRow,
  dkimKeyName,
  dkimKeys,
  dkimKeyValue,
  makeDkimKey,
  refreshDkimKey,
  signerOf,
} from './dkim-keys'
import type { DkimSigner } from './dkim-sign'

const ownerOf = (core: Core) => ({ tenant_id: 'host', domain_id: core.settings.domain })

/** Nothing below `.localhost` is ever in the DNS (RFC 6761 section 6.3): a signature would prove nothing. */
const isInDns = (hostname: string): boolean => !hostname.endsWith('.localhost')

/** The key of the service's own domain, made when it is first asked for; the same on every node. */
async function hostKey(core: Core): Promise<DkimKeyRow | null> {
  const owner = ownerOf(core)
  if (!isInDns(owner.domain_id)) return null
  const [key] = await dkimKeys(core.store.db, owner)
  if (key) return key
  const fresh = await makeDkimKey(core, owner, 'current')
  await core.store.write(async (tx) => {
    const host = { key: `dkim ${owner.domain_id}`, value: fresh.selector }
    const taken = await tx
      .insertInto('host')
      .values(host)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .executeTakeFirst()
    if (Number(taken.numInsertedOrUpdatedRows) === 1) await tx.insertInto('dkim_keys').values(fresh).execute()
  })
  return (await dkimKeys(core.store.db, owner))[0]!
}

/** What signs for the service's own domain; null where nobody could check it. */
export async function hostSigner(core: Core): Promise<DkimSigner | null> {
  const key = await hostKey(core)
  return key && signerOf(core, key, core.settings.domain)
}

/** The record to publish for the service's own domain; null where it is not in the DNS. */
export async function hostDkimRecord(core: Core): Promise<{ name: string; value: string } | null> {
  const key = await hostKey(core)
  if (!key) return null
  await refreshDkimKey(core, key)
  return { name: dkimKeyName(key, core.settings.domain), value: dkimKeyValue(key) }
}
