import type { InboundProvider } from '../../protocol/records/inbound/provider'
import { createKey, listKeys, revokeKey } from '../accounts/api-keys'
import type { ChangePorts } from '../accounts/ports'
import { refuse } from '../base/refuse'
import type { Secrets } from '../base/secrets'
import { findAccountId } from '../inbound/recipient-check'

type KeyPorts = ChangePorts & { readonly secrets: Secrets }

/** Returns the id of the home account. @throws ServiceError `account_not_found` */
async function homeOf({ store }: ChangePorts): Promise<string> {
  const row = await store.db.selectFrom('host').select('value').where('key', '=', 'home').executeTakeFirst()
  if (row) return (JSON.parse(row.value) as { tenantId: string }).tenantId
  throw refuse('account_not_found', 'The service was never started: start it once.')
}

/** Returns the id of an account; of the home account by default. @throws ServiceError `account_not_found` */
const accountIdOf = (ports: ChangePorts, account: string | undefined): Promise<string> =>
  account === undefined ? homeOf(ports) : findAccountId(ports, account)

/** Creates a key that delivers incoming messages: to one account, or to all. */
export async function createInboundKey(
  ports: KeyPorts,
  {
    account,
    ...asked
  }: {
    account?: string | undefined
    name: string
    trusted: boolean
    provider?: InboundProvider | undefined
  },
) {
  const account_id = await accountIdOf(ports, account)
  return createKey(ports, { ...asked, account_id, scopes: ['inbound'], everywhere: account === undefined })
}

/** Maximum number of keys on one page. */
const pageKeys = 100

async function findInboxId({ store }: ChangePorts, tenantId: string, inbox: string): Promise<string> {
  const row = await store.db
    .selectFrom('inboxes')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where((rows) => rows.or([rows('id', '=', inbox), rows('address', '=', inbox.toLowerCase())]))
    .executeTakeFirst()
  if (row) return row.id
  throw refuse('not_found', `The account has no inbox ${inbox.slice(0, 320)}.`)
}

interface NewKey {
  account?: string | undefined
  name: string
  scopes: ('read' | 'send' | 'manage')[]
  /** Address or id of the only inbox that the key opens. */
  inbox?: string | undefined
  expires_at?: string | undefined
}

/** Creates an API key. @throws ServiceError `account_not_found`, `not_found`, `key_limit_reached` */
export async function createAccountKey(ports: KeyPorts, { account, inbox, ...asked }: NewKey) {
  const account_id = await accountIdOf(ports, account)
  const inbox_id = inbox === undefined ? undefined : await findInboxId(ports, account_id, inbox)
  return createKey(ports, { ...asked, account_id, inbox_id })
}

/** Lists a page of the API keys of an account, oldest first. @throws ServiceError `account_not_found` */
export async function listAccountKeys(
  ports: KeyPorts,
  { account, cursor }: { account?: string | undefined; cursor?: string | undefined },
) {
  return listKeys(ports, { account_id: await accountIdOf(ports, account), limit: pageKeys, cursor })
}

/** Revokes an API key. @throws ServiceError `account_not_found`, `not_found` */
export async function revokeAccountKey(
  ports: KeyPorts,
  { account, key }: { account?: string | undefined; key: string },
) {
  await revokeKey(ports, { account_id: await accountIdOf(ports, account), key_id: key })
  return {}
}
