import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ApiKey, NewApiKey } from '../../protocol/records/console'
import type { InboundProvider } from '../../protocol/records/inbound/provider'
import type { KeyScope } from '../../protocol/routes/route'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { notFound, refuse, refuseSuspended } from '../base/refuse'
import { administrator, type StoredSender } from '../base/sender'
import { audit } from '../log/audit'
import { changeAccount } from '../log/change'
import type { LogPorts } from '../log/ports'
import type { ChangeContext } from '../log/registry'
import type { ApiKeyTable } from '../store/tables/account-tables'
import { type CountLimit, requireBelowLimit } from './account'
import { insertKey } from './keys'
import type { AccountPorts } from './ports'
import { revocationsTopic } from './revocations'

const list = 'keys'
const maxKeys = 100

const keyRecord = (row: Selectable<ApiKeyTable>): ApiKey => ({
  id: row.id,
  name: row.name ?? 'API key',
  hint: row.hint,
  scopes: row.scopes.split(' '),
  inbox_id: row.inbox_id,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  revoked_at: row.revoked_at,
  expires_at: row.expires_at,
  trusted: row.trusted === 1,
  everywhere: row.everywhere === 1,
  provider: row.provider,
  refused_at: row.refused_at,
  refused_reason: row.refused_reason,
})

/** Lists the keys of an account, oldest first, including revoked ones. */
export async function listKeys(
  ports: Pick<AccountPorts, 'store'>,
  { account_id, limit, cursor }: { account_id: string; limit: number; cursor?: string | undefined },
) {
  let query = ports.store.db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', account_id)
    .orderBy('id')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  return { keys: page.map(keyRecord), next_cursor }
}

const countLimit: CountLimit = {
  max: maxKeys,
  code: 'key_limit_reached',
  message: `The account has ${maxKeys} API keys, which is the most: revoke one.`,
}

async function requireInbox({ tx, account }: ChangeContext, inboxId: string): Promise<void> {
  const row = await tx
    .selectFrom('inboxes')
    .select('id')
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', inboxId)
    .executeTakeFirst()
  if (!row) throw notFound('inbox', inboxId)
}

/** Ports for making a key. */
type KeyPorts = LogPorts & Pick<AccountPorts, 'secrets'>

/** Key to make: its account, scopes and options. */
export interface KeyRequest {
  account_id: string
  name: string
  scopes: KeyScope[]
  inbox_id?: string | undefined
  /** With the scope `inbound`: the origin that its requests report counts for SPF. */
  trusted?: boolean | undefined
  /** With the scope `inbound`: delivers to all accounts. Only the administrator makes such keys. */
  everywhere?: boolean | undefined
  /** With the scope `inbound`: the provider that delivers, and the secrets that verify its requests. */
  provider?: InboundProvider | undefined
  /** Time from which the key is refused. Default: it does not expire. */
  expires_at?: string | undefined
}

/**
 * Makes a key of 256 random bits. Only its hash is stored, so it appears in this answer alone.
 *
 * @throws ServiceError `not_found`, `invalid_request`, `key_limit_reached`, `account_suspended`
 */
export async function createKey(
  ports: KeyPorts,
  request: KeyRequest,
  by: StoredSender = administrator,
): Promise<NewApiKey> {
  const { account_id, name, scopes, inbox_id, trusted = false, everywhere = false } = request
  const { provider, expires_at } = request
  if ((trusted || everywhere || provider) && scopes.join() !== 'inbound')
    throw refuse(
      'invalid_request',
      'Only a key with the scope inbound, and no other, can be trusted, or have a provider.',
    )
  const api_key = `rst_${randomBytes(32).toString('base64url')}`
  const row = await changeAccount(ports, account_id, async (change) => {
    refuseSuspended(change.account)
    if (inbox_id !== undefined) await requireInbox(change, inbox_id)
    await requireBelowLimit(change, 'api_keys', countLimit)
    const row = await insertKey(change.tx, ports, api_key, {
      tenantId: account_id,
      name,
      scopes,
      inboxId: inbox_id ?? null,
      trusted,
      everywhere,
      expiresAt: expires_at ?? null,
    })
    await audit(change, {
      ...{ action: 'key.created', by, target: row.id },
      details: { name, scopes, inbox_id: inbox_id ?? null },
    })
    if (!provider) return row
    const credentials = { secret: provider, apiKey: provider.type === 'cloudflare' ? api_key : null }
    const sealed = ports.secrets.seal('inbound provider', row.id, Buffer.from(JSON.stringify(credentials)))
    const columns = { provider: provider.type, provider_secret: sealed }
    await change.tx.updateTable('api_keys').set(columns).where('key_hash', '=', row.key_hash).execute()
    return { ...row, ...columns }
  })
  return { ...keyRecord(row), api_key }
}

/**
 * Revokes a key: its next request is refused, its connections are closed. Repeating it has no effect.
 *
 * @throws ServiceError `not_found`
 */
export async function revokeKey(
  ports: LogPorts,
  { account_id, key_id }: { account_id: string; key_id: string },
  by: StoredSender = administrator,
): Promise<undefined> {
  await changeAccount(ports, account_id, async (change) => {
    const { tx, now, wake } = change
    const key = tx
      .selectFrom('api_keys')
      .select(['key_hash', 'revoked_at'])
      .where('tenant_id', '=', account_id)
      .where('id', '=', key_id)
    const row = await key.executeTakeFirst()
    if (!row) throw notFound('key', key_id)
    if (row.revoked_at !== null) return
    await tx.updateTable('api_keys').set({ revoked_at: now }).where('key_hash', '=', row.key_hash).execute()
    await audit(change, { action: 'key.revoked', by, target: key_id })
    wake(revocationsTopic)
  })
}
