import type { Transaction } from 'kysely'
import { isServiceError } from '../../protocol/errors/error'
import { randomDigitsOf } from '../base/ids'
import { refuse } from '../base/refuse'
import { now } from '../base/time'
import type { ChangeContext } from '../log/registry'
import type { Database } from '../store/tables/schema'
import type { InboxRow } from './account-inboxes'
import { homeName } from './addresses'
import { deriveKey, insertKey } from './keys'
import { openAccount } from './open-account'
import type { AccountPorts } from './ports'

/** Account of the service itself: claimed, with the plan `unlimited`, the same after every restart. */
export interface HostAccount {
  tenantId: string
  inboxId: string
  address: string
}

/** Definition of such an account, for its creation. */
interface HostAccountPlan<Extra extends object> {
  /** Key under which the service stores it. */
  role: string
  name: string
  localPart: string
  /** Runs in the transaction of the creation; its result is stored with the account. */
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

async function make<Extra extends object>(
  ports: AccountPorts,
  plan: HostAccountPlan<Extra>,
  localPart: string,
): Promise<void> {
  const time = now(ports)
  await ports.store.write(async (tx) => {
    const account = {
      name: plan.name,
      plan: 'unlimited',
      onboarding_state: 'claimed',
      claimed_at: time,
      sending_enabled_at: time,
    }
    const inbox = await openAccount(ports, tx, account, localPart)
    const extra = await plan.complete(tx, inbox)
    const value = { tenantId: inbox.tenant_id, inboxId: inbox.id, address: inbox.address, ...extra }
    await tx
      .insertInto('host')
      .values({ key: plan.role, value: JSON.stringify(value) })
      .execute()
  })
}

/** Creates the account, or finds the one that another node created meanwhile. */
async function makeOnce<Extra extends object>(
  ports: AccountPorts,
  plan: HostAccountPlan<Extra>,
  localPart: string,
): Promise<HostAccount & Extra> {
  const failure = await make(ports, plan, localPart).catch((error: unknown) => error)
  const made = await read<Extra>(ports, plan.role)
  if (made) return made
  throw failure
}

/** Returns the account; creates it on first use. */
export async function findHostAccount<Extra extends object>(
  ports: AccountPorts,
  plan: HostAccountPlan<Extra>,
): Promise<HostAccount & Extra> {
  const found = await read<Extra>(ports, plan.role)
  if (found) return found
  return makeOnce(ports, plan, plan.localPart).catch((error) => {
    if (!isServiceError(error, 'inbox_unavailable')) throw error
    // The name was given to an account before it was reserved.
    return makeOnce(ports, plan, `${plan.localPart}-${randomDigitsOf(8)}`)
  })
}

/** Account that every service has from the start, with its key. */
export interface Home extends HostAccount {
  apiKey: string
}

const homeRole = 'home'
const purpose = 'home key'

/** Returns the key of the home account. @throws ServiceError `internal_error` if its secret was dropped */
function keyOf(ports: AccountPorts, secretId: string, tenantId: string): string {
  const key = deriveKey(ports, secretId, purpose, tenantId)
  if (key !== null) return key
  throw refuse(
    'internal_error',
    'The secret that derived this key is no longer set. Add it to RESTANTE_SECRET after the new one.',
  )
}

/** Returns the home account without its key; creates it on first use. Does not need the secret of the key. */
export const openHome = (ports: AccountPorts): Promise<HostAccount & { secretId: string }> =>
  findHostAccount(ports, {
    role: homeRole,
    name: 'Home',
    localPart: homeName,
    async complete(tx, { tenant_id }) {
      const secretId = ports.secrets.currentId
      await insertKey(tx, ports, keyOf(ports, secretId, tenant_id), {
        tenantId: tenant_id,
        name: 'Home key',
      })
      return { secretId }
    },
  })

/** Records the new address of the home inbox. */
export async function renameHome(tx: Transaction<Database>, address: string): Promise<void> {
  const { value } = await tx
    .selectFrom('host')
    .select('value')
    .where('key', '=', homeRole)
    .executeTakeFirstOrThrow()
  const renamed = JSON.stringify({ ...JSON.parse(value), address })
  await tx.updateTable('host').set({ value: renamed }).where('key', '=', homeRole).execute()
}

/** Assigns the home account to an operator, like a claim. */
export async function bindHome(ports: AccountPorts, email: string): Promise<void> {
  const { tenantId } = await openHome(ports)
  await ports.store.write(async (tx) => {
    const { id } = await tx
      .selectFrom('operators')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('account_operators')
      .values({ operator_id: id, tenant_id: tenantId, created_at: now(ports) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** Returns true if a change is to the home account. */
export async function isHome({ tx, account }: ChangeContext): Promise<boolean> {
  const home = await tx.selectFrom('host').select('value').where('key', '=', homeRole).executeTakeFirst()
  return home !== undefined && (JSON.parse(home.value) as HostAccount).tenantId === account.tenant_id
}

/** Returns the home account with its key. @throws ServiceError `internal_error` if its secret was lost */
export async function findHome(ports: AccountPorts): Promise<Home> {
  const { secretId, ...home } = await openHome(ports)
  return { ...home, apiKey: keyOf(ports, secretId, home.tenantId) }
}
