import type { Kysely } from 'kysely'
import { planOf } from '../accounts'
import type { Settings } from '../settings'
import type { Database } from '../store/tables'
import type { Finding } from './fitness'

const maxNamed = 5

/** Returns accounts that an upgrade found above the limit of their plan; none before that upgrade. */
async function accountsWithAllowance(db: Kysely<Database>) {
  try {
    return await db
      .selectFrom('accounts')
      .select(['tenant_id', 'plan', 'stored_bytes', 'storage_allowance'])
      .where('storage_allowance', 'is not', null)
      .execute()
  } catch (error) {
    if (/storage_allowance|stored_bytes/.test((error as Error).message)) return []
    throw error
  }
}

/** Finds accounts that store more than their plan allows, from the time before there was a limit. */
export async function judgeStorage(db: Kysely<Database>, { plans }: Settings): Promise<Finding[]> {
  const over = (await accountsWithAllowance(db)).filter((account) => {
    const { maxStorageBytes } = planOf(plans, account)
    return maxStorageBytes !== null && account.stored_bytes > maxStorageBytes
  })
  if (over.length === 0) return []
  const named = over.slice(0, maxNamed).map(({ tenant_id }) => tenant_id)
  const rest = over.length > named.length ? ` and ${over.length - named.length} more` : ''
  return [
    {
      check: 'storage_over_limit',
      problem: `These accounts store more than their plan allows, and may store 1 GiB more than at the upgrade: ${named.join(', ')}${rest}.`,
      remedy: 'Erase messages there, or give them a plan with a larger maxStorageBytes: restante admin plan.',
    },
  ]
}
