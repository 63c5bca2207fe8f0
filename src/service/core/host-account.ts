import type { Transaction } from 'kysely'
import type { Database } from '../store/schema'
import { type Core, now } from './context'
import { openAccount } from './open-account'
import type { InboxRow } from './records'

/** An account that belongs to the host itself: claimed, without caps, the same after every restart. */
export interface HostAccount {
  tenantId: string
  inboxId: string
  address: string
}

/** What is made the first time. */
export interface HostAccountPlan<Extra extends object> {
  /** Under which key the host remembers it. */
  role: string
  name: string
  localPart: string
  /** Runs with the creation; what it returns is remembered with the account. */
  complete(tx: Transaction<Database>, inbox: InboxRow): Promise<Extra>
}

async function read<Extra extends object>(core: Core, role: string): Promise<(HostAccount & Extra) | null> {
  const row = await core.store.db
    .selectFrom('host')
    .select('value')
    .where('key', '=', role)
    .executeTakeFirst()
  return row ? JSON.parse(row.value) : null
}

async function make<Extra extends object>(core: Core, plan: HostAccountPlan<Extra>): Promise<void> {
  const time = now(core)
  await core.store.write(async (tx) => {
    const account = {
      name: plan.name,
      plan: 'unlimited',
      onboarding_state: 'claimed',
      claimed_at: time,
      sending_enabled_at: time,
    }
    const inbox = await openAccount(core, tx, account, plan.localPart)
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
  core: Core,
  plan: HostAccountPlan<Extra>,
): Promise<HostAccount & Extra> {
  const found = await read<Extra>(core, plan.role)
  if (found) return found
  try {
    await make(core, plan)
  } catch (error) {
    const madeMeanwhile = await read<Extra>(core, plan.role)
    if (madeMeanwhile) return madeMeanwhile
    throw error
  }
  return (await read<Extra>(core, plan.role))!
}
