import { randomBytes } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import type { SignupAnswer } from '../../protocol/account'
import type { Database, SignupTable } from '../store/schema'
import { accountRow, capabilitiesOf, limitsOf, unclaimedLimits } from './account'
import { isReserved } from './addresses'
import { type Core, now, timeOf } from './context'
import { randomDigitsOf } from './ids'
import { deriveKey, insertKey } from './keys'
import { openAccount } from './open-account'
import { refuse } from './refuse'
import { sha256 } from './secrets'

const dayMs = 86_400_000
const accountLifetimeMs = 7 * dayMs
const claimLifetimeMs = 30 * 60_000
const purpose = 'signup key'

export interface SignupRequest {
  'idempotency-key': string
  name: string
  local_part?: string | undefined
}

type SignupRow = Selectable<SignupTable>

const findSignup = (core: Core, idempotencyHash: string) =>
  core.store.db
    .selectFrom('signups')
    .selectAll()
    .where('idempotency_hash', '=', idempotencyHash)
    .executeTakeFirst()

async function makeAccount(
  core: Core,
  request: SignupRequest,
  bodyHash: string,
  idempotencyHash: string,
): Promise<void> {
  const key = deriveKey(core, core.secrets.currentId, purpose, request['idempotency-key'])
  await core.store.write(async (tx) => {
    const account = {
      name: request.name,
      plan: 'standard',
      onboarding_state: 'unclaimed',
      unclaimed_expires_at: timeOf(core.clock.now() + accountLifetimeMs),
    }
    const inbox = await openAccount(core, tx, account, request.local_part ?? `agent-${randomDigitsOf(8)}`)
    const row = {
      idempotency_hash: idempotencyHash,
      body_hash: bodyHash,
      secret_id: core.secrets.currentId,
      tenant_id: inbox.tenant_id,
      inbox_id: inbox.id,
      created_at: inbox.created_at,
    }
    await tx.insertInto('signups').values(row).execute()
    await insertKey(tx, core, key, inbox.tenant_id)
  })
}

/** A fresh claim link; its secret is stored as a hash and rides in the fragment, which no server ever sees. */
async function issueClaimLink(
  core: Core,
  tx: Transaction<Database>,
  tenantId: string,
  accountExpiresAt: string,
) {
  const secret = randomBytes(32).toString('base64url')
  const inHalfAnHour = timeOf(core.clock.now() + claimLifetimeMs)
  const expires_at = inHalfAnHour < accountExpiresAt ? inHalfAnHour : accountExpiresAt
  await tx
    .insertInto('claim_tokens')
    .values({ token_hash: sha256(secret), tenant_id: tenantId, expires_at, used_at: null })
    .execute()
  return { claim_url: `${core.settings.consoleUrl}/claim#token=${secret}`, claim_expires_at: expires_at }
}

async function answer(core: Core, row: SignupRow, request: SignupRequest): Promise<SignupAnswer> {
  const account = await accountRow(core, row.tenant_id)
  const inbox = await core.store.db
    .selectFrom('inboxes')
    .select(['id', 'address'])
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.inbox_id)
    .executeTakeFirstOrThrow()
  const expiresAt = account.unclaimed_expires_at!
  const link = await core.store.write((tx) => issueClaimLink(core, tx, row.tenant_id, expiresAt))
  return {
    tenant_id: row.tenant_id,
    inbox,
    api_key: deriveKey(core, row.secret_id, purpose, request['idempotency-key']),
    onboarding_state: account.onboarding_state,
    capabilities: capabilitiesOf(account, now(core)),
    limits: limitsOf(core, account),
    unclaimed_expires_at: expiresAt,
    ...link,
    instructions: [
      'Save api_key now and keep it private: send it as "Authorization: Bearer <api_key>".',
      `The inbox ${inbox.address} receives at once: up to ${unclaimedLimits.received_messages} messages until the account is claimed.`,
      'To send mail, a human must claim the account: give claim_url to your operator over a channel you already trust. Never log or e-mail it.',
      'If you lose this answer, repeat the request with the same Idempotency-Key and the same body.',
    ],
  }
}

/**
 * Creates an unclaimed account, or finds the one that the same Idempotency-Key made before. The API key is
 * derived from the Idempotency-Key and the server's secret: a replay returns it, and nobody stores it.
 *
 * @param client What the caller's address is limited by; null where it is not.
 * @throws ServiceError `idempotency_key_reused`, `inbox_unavailable`, `signup_unavailable`, `rate_limited`
 */
export async function signUp(
  core: Core,
  request: SignupRequest,
  client: string | null,
): Promise<{ replayed: boolean; answer: SignupAnswer }> {
  if (!core.settings.signup)
    throw refuse(
      'signup_unavailable',
      'Signup is switched off at this service: ask its operator for an account.',
    )
  const idempotencyHash = sha256(request['idempotency-key'])
  const bodyHash = sha256(JSON.stringify([request.name, request.local_part ?? null]))
  const before = await findSignup(core, idempotencyHash)
  if (!before) {
    core.signupLimits.count(client)
    if (request.local_part !== undefined && isReserved(request.local_part)) {
      throw refuse(
        'inbox_unavailable',
        `The name ${request.local_part} is reserved: choose another, or leave local_part out to be given one.`,
      )
    }
    await makeAccount(core, request, bodyHash, idempotencyHash).catch(async (error) => {
      if (!(await findSignup(core, idempotencyHash))) throw error // else the same signup, made by a call beside this one
    })
  }
  const row = before ?? (await findSignup(core, idempotencyHash))!
  if (row.body_hash !== bodyHash) {
    throw refuse(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body: repeat the first body exactly, or make a new key.',
    )
  }
  return { replayed: before !== undefined, answer: await answer(core, row, request) }
}
