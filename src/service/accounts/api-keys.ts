import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ApiKey, InboundProvider, NewApiKey } from '../../protocol/records'
import type { KeyScope } from '../../protocol/routes'
import { decodeIdCursor, notFound, pageOf, refuse, refuseSuspended } from '../base'
import { type ChangeContext, changeAccount, type LogPorts } from '../log'
import type { ApiKeyTable } from '../store/tables'
import { type Room, requireRoom } from './account'
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

/** The keys of an account, oldest first; revoked ones stay in the list. */
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

const room: Room = {
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

/** The ports of making a key. */
type KeyPorts = LogPorts & Pick<AccountPorts, 'secrets'>

/** A key to make: its account, and its scopes. */
export interface KeyRequest {
  account_id: string
  name: string
  scopes: KeyScope[]
  inbox_id?: string | undefined
  /** With the scope `inbound`: what its owner says of where mail comes from counts for SPF. */
  trusted?: boolean | undefined
  /** With the scope `inbound`: it brings mail in for every account of the service. Only the host makes such a key. */
  everywhere?: boolean | undefined
  /** With the scope `inbound`: the provider that brings the mail, and what its requests are checked with. */
  provider?: InboundProvider | undefined
  /** The key is refused from this time on. Default: it does not expire. */
  expires_at?: string | undefined
}

/**
 * Makes a key of 256 random bits. Only its hash is kept: this answer is the only place where it ever shows.
 *
 * @throws ServiceError `not_found`, `key_limit_reached`, `account_suspended`
 */
export async function createKey(ports: KeyPorts, request: KeyRequest): Promise<NewApiKey> {
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
    await requireRoom(change, 'api_keys', room)
    const row = await insertKey(change.tx, ports, api_key, {
      tenantId: account_id,
      name,
      scopes,
      inboxId: inbox_id ?? null,
      trusted,
      everywhere,
      expiresAt: expires_at ?? null,
    })
    if (!provider) return row
    const told = { secret: provider, apiKey: provider.type === 'cloudflare' ? api_key : null }
    const sealed = ports.secrets.seal('inbound provider', row.id, Buffer.from(JSON.stringify(told)))
    const columns = { provider: provider.type, provider_secret: sealed }
    await change.tx.updateTable('api_keys').set(columns).where('key_hash', '=', row.key_hash).execute()
    return { ...row, ...columns }
  })
  return { ...keyRecord(row), api_key }
}

/**
 * Takes a key back: the next request with it is refused, and what it holds open is closed. Revoking it again
 * changes nothing.
 *
 * @throws ServiceError `not_found`
 */
export async function revokeKey(
  ports: LogPorts,
  { account_id, key_id }: { account_id: string; key_id: string },
): Promise<undefined> {
  await changeAccount(ports, account_id, async ({ tx, now, wake }) => {
    const key = tx
      .selectFrom('api_keys')
      .select(['key_hash', 'revoked_at'])
      .where('tenant_id', '=', account_id)
      .where('id', '=', key_id)
    const row = await key.executeTakeFirst()
    if (!row) throw notFound('key', key_id)
    if (row.revoked_at !== null) return
    await tx.updateTable('api_keys').set({ revoked_at: now }).where('key_hash', '=', row.key_hash).execute()
    wake(revocationsTopic)
  })
}
