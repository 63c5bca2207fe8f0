import { type Kysely, type Selectable, sql } from 'kysely'
import { type KeyScope, type Route, scopeSetsOf } from '../../protocol/routes/route'
import { newId } from '../base/ids'
import { refuse, refuseSuspended } from '../base/refuse'
import { sha256 } from '../base/secrets'
import type { StoredSender } from '../base/sender'
import { now } from '../base/time'
import { runPrepared } from '../store/prepared'
import type { AccountTable, ApiKeyTable } from '../store/tables/account-tables'
import type { Database } from '../store/tables/schema'
import type { AccountPorts } from './ports'

/** Account, key and scopes of a request, which every use case receives. */
export interface Scope {
  readonly tenantId: string
  readonly keyId: string
  /** Only inbox that the key opens; null for the whole account. */
  readonly inboxId: string | null
  readonly scopes: readonly KeyScope[]
  /** Author of the request; undefined for the service itself. */
  readonly sender?: StoredSender
}

/** Columns for the standing of an account, which every request reads. */
const standingColumns = [
  'accounts.name',
  'accounts.plan',
  'accounts.onboarding_state',
  'accounts.claimed_at',
  'accounts.sending_enabled_at',
  'accounts.unclaimed_expires_at',
  'accounts.suspended_at',
  'accounts.sending_paused_at',
  'accounts.sending_pause_reason',
  'accounts.received_messages',
  'accounts.received_bytes',
  'accounts.stored_bytes',
  'accounts.seq',
  'accounts.deleted_inboxes',
  'accounts.erasing_threads',
] as const

type Standing = (typeof standingColumns)[number] extends `accounts.${infer Column}` ? Column : never

/** Standing of an account: its state, limits and counters. */
export type AccountStanding = Pick<Selectable<AccountTable>, 'tenant_id' | (Standing & keyof AccountTable)>

/** Caller of a request. `account` is its standing at the lookup of the key; null if it is deleted. */
export interface Caller extends Scope {
  /** True if the origin that its requests report counts for SPF. */
  readonly trusted: boolean
  /** True if it delivers to all accounts. */
  readonly everywhere: boolean
  readonly account: AccountStanding | null
}

/** Scopes of the first key of an account, and of its operators. */
export const everyScope: readonly KeyScope[] = ['read', 'send', 'manage']

const hintLength = 4
/** Returns the last characters of a key, which its owner can recognise it by. */
const hintOf = (key: string): string => key.slice(-hintLength)

/**
 * Derives a key from a secret and a context, so that only its hash is stored. Null if the secret was dropped.
 */
export function deriveKey(
  ports: Pick<AccountPorts, 'secrets'>,
  secretId: string,
  purpose: string,
  context: string,
): string | null {
  const bytes = ports.secrets.derive(secretId, purpose, context)
  return bytes === null ? null : `rst_${bytes}`
}

/** Account, inbox and scopes of a new key. */
interface KeyGrant {
  tenantId: string
  name: string
  inboxId?: string | null
  scopes?: readonly KeyScope[]
  trusted?: boolean
  everywhere?: boolean
  expiresAt?: string | null
}

/** Stores a key: its hash, never the key itself. */
export async function insertKey(
  db: Kysely<Database>,
  ports: Pick<AccountPorts, 'clock'>,
  key: string,
  { tenantId, name, inboxId = null, scopes = everyScope, trusted, everywhere, expiresAt = null }: KeyGrant,
): Promise<Selectable<ApiKeyTable>> {
  const row = {
    key_hash: sha256(key),
    id: newId('key', ports.clock.now()),
    tenant_id: tenantId,
    inbox_id: inboxId,
    scopes: scopes.join(' '),
    created_at: now(ports),
    revoked_at: null,
    expires_at: expiresAt,
    name,
    hint: hintOf(key),
    last_used_at: null,
    trusted: trusted ? 1 : 0,
    everywhere: everywhere ? 1 : 0,
    provider: null,
    provider_secret: null,
    refused_at: null,
    refused_reason: null,
  }
  await db.insertInto('api_keys').values(row).execute()
  return row
}

/** Columns of a key whose account was erased: only its hash is left. */
export const erasedKey = {
  ...{ inbox_id: null, scopes: '', expires_at: null, name: null, hint: null, last_used_at: null },
  ...{ trusted: 0, everywhere: 0, provider: null, provider_secret: null },
  ...{ refused_at: null, refused_reason: null },
} as const

/** Refusal of a key or signup whose account is deleted. */
export const accountDeleted = () => refuse('account_not_found', 'The account of this key no longer exists.')

export const unauthorized = () =>
  refuse(
    'unauthorized',
    'The API key is missing, unknown, revoked or expired: send it as "Authorization: Bearer <key>".',
  )

/** Returns true if the key is neither revoked nor expired. */
const isValid = (
  ports: Pick<AccountPorts, 'clock'>,
  row: Pick<Selectable<ApiKeyTable>, 'revoked_at' | 'expires_at'>,
) => row.revoked_at === null && (row.expires_at === null || row.expires_at > now(ports))

/**
 * Returns the owner of a key: 256 random bits, looked up by hash, so timing reveals nothing.
 *
 * @throws ServiceError `unauthorized`, `account_not_found`, `account_suspended`
 */
export async function authenticate(ports: AccountPorts, key: string | undefined): Promise<Caller> {
  if (!key) throw unauthorized()
  const { db } = ports.store
  const hash = sha256(key)
  const [row] = await runPrepared(db, 'key', [hash], () =>
    db
      .selectFrom('api_keys')
      .leftJoin('accounts', 'accounts.tenant_id', 'api_keys.tenant_id')
      .select(['id', 'api_keys.tenant_id', 'inbox_id', 'scopes', 'trusted', 'everywhere'])
      .select(['revoked_at', 'expires_at', 'api_keys.name as key_name'])
      .select(standingColumns)
      .where('key_hash', '=', hash)
      .limit(sql.lit(1)),
  )
  if (!row || !isValid(ports, row)) throw unauthorized()
  if (row.scopes === erasedKey.scopes) throw accountDeleted()
  refuseSuspended(row)
  ports.keyUses.note(hash)
  return {
    tenantId: row.tenant_id,
    keyId: row.id,
    inboxId: row.inbox_id,
    scopes: row.scopes.split(' ') as KeyScope[],
    trusted: row.trusted === 1,
    everywhere: row.everywhere === 1,
    sender: { kind: 'key', id: row.id, name: row.key_name },
    // Every account has a name, so null means that the join found none.
    account: row.name === null ? null : (row as AccountStanding),
  }
}

/** Key for requests of a provider. */
export interface KeyOfProvider extends Caller {
  readonly keyHash: string
  readonly provider: string
  /** Encrypted secrets that verify its requests. */
  readonly providerSecret: string
}

/** Finds the key of a provider by its id, which proves nothing: its requests must be verified. */
export async function authenticateById(
  ports: Pick<AccountPorts, 'store' | 'clock'>,
  keyId: string,
): Promise<KeyOfProvider | null> {
  const row = await ports.store.db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (!row?.provider || !row.provider_secret || !isValid(ports, row)) return null
  return {
    tenantId: row.tenant_id,
    keyId: row.id,
    keyHash: row.key_hash,
    inboxId: row.inbox_id,
    scopes: row.scopes.split(' ') as KeyScope[],
    trusted: row.trusted === 1,
    everywhere: row.everywhere === 1,
    account: null,
    provider: row.provider,
    providerSecret: row.provider_secret,
  }
}

/** Stores why a request of a provider was refused, for the owner of its key. */
export async function noteRefusal(
  ports: Pick<AccountPorts, 'store' | 'clock'>,
  { keyHash }: KeyOfProvider,
  reason: string,
): Promise<void> {
  const refused = { refused_at: now(ports), refused_reason: reason }
  await ports.store.write((tx) =>
    tx.updateTable('api_keys').set(refused).where('key_hash', '=', keyHash).execute(),
  )
}

/** Returns the key of an `Authorization` header (RFC 6750 section 2.1). */
export const bearerOf = (header: string | null | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]

/**
 * Requires that the scopes of a key allow a route, on every kind of endpoint.
 *
 * @throws ServiceError `insufficient_scope`
 */
export function requireScope({ scopes }: Scope, access: Route['access']): void {
  const sets = scopeSetsOf(access)
  if (sets.some((set) => set.every((one) => scopes.includes(one)))) return
  const needed = sets.map((set) => set.join(' and ')).join(' or ')
  throw refuse(
    'insufficient_scope',
    `This key may ${scopes.join(', ')}; this needs ${needed}: ask your operator for a key with that scope.`,
  )
}
