import type { Transaction } from 'kysely'
import { now } from '../base'
import type { Database } from '../store/tables'
import type { InboxRow } from './account-inboxes'
import { deriveKey, insertKey } from './keys'
import { openAccount } from './open-account'
import type { AccountPorts } from './ports'

/** An account that belongs to the host itself: claimed, without caps, the same after every restart. */
export interface HostAccount {
  tenantId: string
  inboxId: string
  address: string
}

/** The plan of an account of the host, which is made the first time. */
export interface HostAccountPlan<Extra extends object> {
  /** The key under which the host remembers it. */
  role: string
  name: string
  localPart: string
  /** Runs with the creation; what it returns is remembered with the account. */
  complete(tx: Transaction<Database>, inbox: InboxRow): Promise<Extra>
}

async function read<Extra extends object>(
  ports: AccountPorts,
  role: string,
): Promise<(HostAccount & Extra) | null> {
  const row = await ports.store.db
    .selectFrom('host')
    .select('value')
    .where('key', '=', role)
    .executeTakeFirst()
  return row ? JSON.parse(row.value) : null
}

async function make<Extra extends object>(ports: AccountPorts, plan: HostAccountPlan<Extra>): Promise<void> {
  const time = now(ports)
  await ports.store.write(async (tx) => {
    const account = {
      name: plan.name,
      plan: 'unlimited',
      onboarding_state: 'claimed',
      claimed_at: time,
      sending_enabled_at: time,
    }
    const inbox = await openAccount(ports, tx, account, plan.localPart)
    const extra = await plan.complete(tx, inbox)
    const value = { tenantId: inbox.tenant_id, inboxId: inbox.id, address: inbox.address, ...extra }
    await tx
      .insertInto('host')
      .values({ key: plan.role, value: JSON.stringify(value) })
      .execute()
  })
}

/** Finds the account, making it the first time. */
export async function findHostAccount<Extra extends object>(
  ports: AccountPorts,
  plan: HostAccountPlan<Extra>,
): Promise<HostAccount & Extra> {
  const found = await read<Extra>(ports, plan.role)
  if (found) return found
  try {
    await make(ports, plan)
  } catch (error) {
    const madeMeanwhile = await read<Extra>(ports, plan.role)
    if (madeMeanwhile) return madeMeanwhile
    throw error
  }
  return (await read<Extra>(ports, plan.role))!
}

/** The account that an embedded service has from the start: claimed, without caps, the same after every restart. */
export interface Home extends HostAccount {
  apiKey: string
}

const purpose = 'home key'

/** Finds the account, making it the first time. */
export async function findHome(ports: AccountPorts): Promise<Home> {
  const { secretId, ...home } = await findHostAccount(ports, {
    role: 'home',
    name: 'Home',
    localPart: 'agent',
    async complete(tx, { tenant_id }) {
      const secretId = ports.secrets.currentId
      await insertKey(tx, ports, deriveKey(ports, secretId, purpose, tenant_id), {
        tenantId: tenant_id,
        name: 'Home key',
      })
      return { secretId }
    },
  })
  return { ...home, apiKey: deriveKey(ports, secretId, purpose, home.tenantId) }
}
