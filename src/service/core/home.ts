import { type Core, now } from './context'
import { deriveKey, insertKey } from './keys'
import { openAccount } from './open-account'

/** The account that an embedded service has from the start: claimed, without caps, the same after every restart. */
export interface Home {
  tenantId: string
  inboxId: string
  address: string
  apiKey: string
}

const purpose = 'home key'

async function readHome(core: Core): Promise<Home | null> {
  const row = await core.store.db
    .selectFrom('host')
    .select('value')
    .where('key', '=', 'home')
    .executeTakeFirst()
  if (!row) return null
  const { secretId, ...home } = JSON.parse(row.value) as Omit<Home, 'apiKey'> & { secretId: string }
  return { ...home, apiKey: deriveKey(core, secretId, purpose, home.tenantId) }
}

async function makeHome(core: Core): Promise<void> {
  const time = now(core)
  await core.store.write(async (tx) => {
    const account = {
      name: 'Home',
      plan: 'unlimited',
      onboarding_state: 'claimed',
      claimed_at: time,
      sending_enabled_at: time,
    }
    const inbox = await openAccount(core, tx, account, 'agent')
    const secretId = core.secrets.currentId
    const value = JSON.stringify({
      tenantId: inbox.tenant_id,
      inboxId: inbox.id,
      address: inbox.address,
      secretId,
    })
    await tx.insertInto('host').values({ key: 'home', value }).execute()
    await insertKey(tx, core, deriveKey(core, secretId, purpose, inbox.tenant_id), inbox.tenant_id)
  })
}

/** Finds the account, making it the first time. */
export async function findHome(core: Core): Promise<Home> {
  const home = await readHome(core)
  if (home) return home
  try {
    await makeHome(core)
  } catch (error) {
    const madeMeanwhile = await readHome(core)
    if (madeMeanwhile) return madeMeanwhile
    throw error
  }
  return (await readHome(core))!
}
