import type { Selectable } from 'kysely'
import type { SignupAnswer } from '../../protocol/records/account'
import { randomDigitsOf } from '../base/ids'
import { refuse } from '../base/refuse'
import { sha256 } from '../base/secrets'
import { dayMs, hourMs, timeOf } from '../base/time'
import type { SignupTable } from '../store/tables/account-tables'
import { unclaimedLimits } from './account'
import { isReserved } from './addresses'
import { replayClaimLink } from './claim'
import { accountDeleted, deriveKey, insertKey } from './keys'
import { openAccount } from './open-account'
import type { AccountPorts } from './ports'

const accountLifetimeMs = 7 * dayMs
const purpose = 'signup key'

interface SignupRequest {
  'idempotency-key': string
  name: string
  local_part?: string | undefined
}

type SignupRow = Selectable<SignupTable>

/** Columns of a signup whose account was erased: only its hash is left. */
export const erasedSignup = { body_hash: '', secret_id: '', inbox_id: '' } as const

/** Time in ms after which an unavailable signup may be retried: an operator has to act first. */
const unavailableMs = hourMs

const unavailable = (message: string) => refuse('signup_unavailable', message, undefined, unavailableMs)

/** Derives the key of a signup. @throws ServiceError `signup_unavailable` if its secret was dropped */
function keyOf(ports: AccountPorts, secretId: string, request: SignupRequest): string {
  const key = deriveKey(ports, secretId, purpose, request['idempotency-key'])
  if (key !== null) return key
  throw unavailable(
    'The secret that this API key was derived from is no longer set: its operator adds it to RESTANTE_SECRET after the new one.',
  )
}

const findSignup = (ports: AccountPorts, idempotencyHash: string) =>
  ports.store.db
    .selectFrom('signups')
    .selectAll()
    .where('idempotency_hash', '=', idempotencyHash)
    .executeTakeFirst()

async function makeAccount(
  ports: AccountPorts,
  request: SignupRequest,
  bodyHash: string,
  idempotencyHash: string,
): Promise<void> {
  const key = keyOf(ports, ports.secrets.currentId, request)
  await ports.store.write(async (tx) => {
    const account = {
      name: request.name,
      plan: 'standard',
      onboarding_state: 'unclaimed',
      unclaimed_expires_at: timeOf(ports.clock.now() + accountLifetimeMs),
    }
    const inbox = await openAccount(ports, tx, account, request.local_part ?? `agent-${randomDigitsOf(8)}`)
    const row = {
      idempotency_hash: idempotencyHash,
      body_hash: bodyHash,
      secret_id: ports.secrets.currentId,
      tenant_id: inbox.tenant_id,
      inbox_id: inbox.id,
      created_at: inbox.created_at,
    }
    await tx.insertInto('signups').values(row).execute()
    await insertKey(tx, ports, key, { tenantId: inbox.tenant_id, name: 'Signup key' })
  })
}

/** Returns the first address of the account, even after its inbox was deleted. */
async function firstInbox(
  ports: AccountPorts,
  { tenant_id, inbox_id }: SignupRow,
): Promise<SignupAnswer['inbox']> {
  const { address } = await ports.store.db
    .selectFrom('addresses')
    .select('address')
    .where('tenant_id', '=', tenant_id)
    .where('inbox_id', '=', inbox_id)
    .executeTakeFirstOrThrow()
  return { id: inbox_id, address }
}

const unclaimed = { receive: true, read: true, send: false, manage: false }

/** Repeats the first answer, whatever the state of the account, with another claim link. */
async function answer(ports: AccountPorts, row: SignupRow, request: SignupRequest): Promise<SignupAnswer> {
  const api_key = keyOf(ports, row.secret_id, request)
  const inbox = await firstInbox(ports, row)
  const expiresAt = timeOf(Date.parse(row.created_at) + accountLifetimeMs)
  return {
    tenant_id: row.tenant_id,
    inbox,
    api_key,
    onboarding_state: 'unclaimed',
    capabilities: unclaimed,
    limits: { ...unclaimedLimits },
    unclaimed_expires_at: expiresAt,
    ...(await replayClaimLink(ports, row.tenant_id, expiresAt)),
    instructions: [
      'Save api_key now and keep it private: send it as "Authorization: Bearer <api_key>".',
      `The inbox ${inbox.address} receives at once: up to ${unclaimedLimits.received_messages} messages until the account is claimed.`,
      'To send mail, a human must claim the account: give claim_url to your operator over a channel you already trust. Never log or e-mail it.',
      'If you lose this answer, repeat the request with the same Idempotency-Key and the same body.',
    ],
  }
}

/**
 * Creates an unclaimed account, or finds the one of the same Idempotency-Key. The API key is derived from the
 * Idempotency-Key and the server's secret: a replay returns it, and it is stored nowhere.
 *
 * @param client Group of the caller's address; null if it is not limited.
 * @throws ServiceError `account_not_found`, `idempotency_key_reused`, `inbox_unavailable`,
 *   `signup_unavailable`, `rate_limited`
 */
export async function signUp(
  ports: AccountPorts,
  request: SignupRequest,
  client: string | null,
): Promise<{ replayed: boolean; answer: SignupAnswer }> {
  const idempotencyHash = sha256(request['idempotency-key'])
  const bodyHash = sha256(JSON.stringify([request.name, request.local_part ?? null]))
  let replayed = true
  let row = await findSignup(ports, idempotencyHash)
  if (!row) {
    if (!ports.settings.signup)
      throw unavailable('Signup is switched off at this service: ask its operator for an account.')
    await ports.signupLimits.count(client)
    if (request.local_part !== undefined && isReserved(request.local_part)) {
      throw refuse(
        'inbox_unavailable',
        `The name ${request.local_part} is reserved. Choose another, or leave out local_part to get a generated one.`,
      )
    }
    const failure = await makeAccount(ports, request, bodyHash, idempotencyHash).catch((error) => ({ error }))
    row = await findSignup(ports, idempotencyHash)
    if (failure && !row) throw failure.error
    replayed = failure !== undefined // a concurrent call made the same signup
  }
  if (row!.body_hash === erasedSignup.body_hash) throw accountDeleted()
  if (row!.body_hash !== bodyHash) {
    throw refuse(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Repeat the first body exactly, or use a new key.',
    )
  }
  return { replayed, answer: await answer(ports, row!, request) }
}
