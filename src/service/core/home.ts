import type { Core } from './context'
import { findHostAccount, type HostAccount } from './host-account'
import { deriveKey, insertKey } from './keys'

/** The account that an embedded service has from the start: claimed, without caps, the same after every restart. */
export interface Home extends HostAccount {
  apiKey: string
}

const purpose = 'home key'

/** Finds the account, making it the first time. */
export async function findHome(core: Core): Promise<Home> {
  const { secretId, ...home } = await findHostAccount(core, {
    role: 'home',
    name: 'Home',
    localPart: 'agent',
    async complete(tx, { tenant_id }) {
      const secretId = core.secrets.currentId
      await insertKey(tx, core, deriveKey(core, secretId, purpose, tenant_id), {
        tenantId: tenant_id,
        name: 'Home key',
      })
      return { secretId }
    },
  })
  return { ...home, apiKey: deriveKey(core, secretId, purpose, home.tenantId) }
}
