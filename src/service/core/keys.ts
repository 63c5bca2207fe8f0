import { type Kysely, type Selectable, sql } from 'kysely'
import type { KeyScope } from '../../protocol/route'
import { runPrepared } from '../store/prepared'
import type { ApiKeyTable, Database } from '../store/schema'
import { type AccountStanding, standingColumns } from './account-standing'
import { type Core, now } from './context'
import { newId } from './ids'
import { refuse, refuseSuspended } from './refuse'
import { sha256 } from './secrets'

/** Who asks, and what the key lets them do: the first thing every use case takes. */
export interface Scope {
  readonly tenantId: string
  readonly keyId: string
  /** The one inbox that the key opens; null for the whole account. */
  readonly inboxId: string | null
  readonly scopes: readonly KeyScope[]
}

/** Who asks by a key, and how the account stood when the key was looked up: null where it is gone. */
export interface Caller extends Scope {
  readonly account: AccountStanding | null
}

/** What the first key of an account may do. */
export const everyScope: readonly KeyScope[] = ['read', 'send', 'manage']

const hintLength = 4
/** What may be shown of a key, so that its owner knows it again. */
export const hintOf = (key: string): string => key.slice(-hintLength)

/** The key of an account, which a secret and a context lead to: only its hash is stored. */
export function deriveKey(core: Core, secretId: string, purpose: string, context: string): string {
  const bytes = core.secrets.derive(secretId, purpose, context)
  if (bytes === null) {
    throw refuse(
      'internal_error',
      'The secret that this key was derived from is no longer set: add it to RESTANTE_SECRET after the new one.',
    )
  }
  return `rst_${bytes}`
}

/** Who a key is for, and what it may do. */
export interface KeyGrant {
  tenantId: string
  name: string
  inboxId?: string | null
  scopes?: readonly KeyScope[]
}

/** Writes down a key: its hash, never the key. */
export async function insertKey(
  db: Kysely<Database>,
  core: Core,
  key: string,
  { tenantId, name, inboxId = null, scopes = everyScope }: KeyGrant,
): Promise<Selectable<ApiKeyTable>> {
  const row = {
    key_hash: sha256(key),
    id: newId('key', core.clock.now()),
    tenant_id: tenantId,
    inbox_id: inboxId,
    scopes: scopes.join(' '),
    created_at: now(core),
    revoked_at: null,
    name,
    hint: hintOf(key),
    last_used_at: null,
  }
  await db.insertInto('api_keys').values(row).execute()
  return row
}

export const unauthorized = () =>
  refuse(
    'unauthorized',
    'The API key is missing, unknown or revoked: send it as "Authorization: Bearer <key>".',
  )

/**
 * Finds whom a key belongs to. The look-up is by the hash of a key of 256 random bits, so its timing tells a
 * guesser nothing.
 *
 * @throws ServiceError `unauthorized`, `account_suspended`
 */
export async function authenticate(core: Core, key: string | undefined): Promise<Caller> {
  if (!key) throw unauthorized()
  const { db } = core.store
  const hash = sha256(key)
  const [row] = await runPrepared(db, 'key', [hash], () =>
    db
      .selectFrom('api_keys')
      .leftJoin('accounts', 'accounts.tenant_id', 'api_keys.tenant_id')
      .select(['id', 'api_keys.tenant_id', 'inbox_id', 'scopes', 'revoked_at'])
      .select(standingColumns)
      .where('key_hash', '=', hash)
      .limit(sql.lit(1)),
  )
  if (!row || row.revoked_at !== null) throw unauthorized()
  refuseSuspended(row)
  core.keyUses.note(hash)
  return {
    tenantId: row.tenant_id,
    keyId: row.id,
    inboxId: row.inbox_id,
    scopes: row.scopes.split(' ') as KeyScope[],
    // Every account has a name.
    account: row.name === null ? null : (row as AccountStanding),
  }
}

/** The key of an `Authorization` header (RFC 6750 section 2.1). */
export const bearerOf = (header: string | null | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
