import type { Transaction } from 'kysely'
import type { Route } from '../../protocol/routes/route'
import { randomDigitsOf } from '../base/ids'
import { refuse } from '../base/refuse'
import { sha256 } from '../base/secrets'
import { timeOf } from '../base/time'
import { sha256InTurns } from '../base/turns'
import type { Database } from '../store/tables/schema'
import { AnswerWith } from './answers/answer-with'
import type { HttpPorts } from './handlers/ports'
import { keptMs } from './idempotency-key'
import { readUpTo } from './requests/body-limit'

/** Time in ms after which a request without an answer counts as lost with its process. */
const maxRunMs = 120_000
const purpose = 'kept answer'
/** Length of a fingerprint in digits of 5 bits. It is keyed, since a request may hold a password. */
const fingerprintDigits = 32

/** Request with an idempotency key. */
interface KeyedRequest {
  /** Account, or the operator if the request belongs to no account. */
  tenantId: string
  /** Name of the operation. */
  name: string
  route: Route
  key: string
  /** Inbox of the key and the operator, which distinguish callers of one account. */
  holder: readonly (string | null)[]
  request: unknown
  incoming: Request
}

interface Place {
  tenant_id: string
  route: string
  key_hash: string
  /** Distinguishes the request that holds the place from an earlier one. */
  token: string
}

const keyOf = ({ tenant_id, route, key_hash }: Place) => ({ tenant_id, route, key_hash })
const ownKeyOf = (place: Place) => ({ ...keyOf(place), token: place.token })

const removeAt = (tx: Transaction<Database>, place: Place) =>
  tx
    .deleteFrom('kept_answers')
    .where((row) => row.and(ownKeyOf(place)))
    .execute()

const inProgress = () =>
  refuse(
    'request_in_progress',
    'The first request with this Idempotency-Key is still in progress: repeat it in a moment.',
    undefined,
    1_000,
  )

/** Returns the kept answer. @throws ServiceError `client_id_conflict` if its secret was removed */
function openAnswer({ secrets }: HttpPorts, place: Place, answer: string): string {
  const opened = secrets.open(purpose, contextOf(place), answer)
  if (opened) return opened.toString()
  throw refuse(
    'client_id_conflict',
    'This Idempotency-Key was used, but its answer was encrypted with a secret that the service no longer has. Check whether the first request took effect, then use a new key.',
  )
}

const contextOf = ({ tenant_id, route, key_hash }: Place) => `${tenant_id} ${route} ${key_hash}`

/**
 * Reserves the place of a request, or returns the kept answer. @throws ServiceError `client_id_conflict`,
 * `request_in_progress`
 */
async function takePlace(ports: HttpPorts, place: Place, content: string) {
  const nowMs = ports.clock.now()
  const created_at = timeOf(nowMs)
  return ports.store.write(async (tx) => {
    const held = await tx
      .selectFrom('kept_answers')
      .selectAll()
      .where((row) => row.and(keyOf(place)))
      .executeTakeFirst()
    const limitMs = held?.answer === null ? maxRunMs : keptMs
    if (held && Date.parse(held.created_at) > nowMs - limitMs) {
      const answer = held.answer && openAnswer(ports, place, held.answer)
      if (!ports.secrets.isSigned(purpose, content, held.fingerprint))
        throw refuse(
          'client_id_conflict',
          'This Idempotency-Key was used for another request to this path: use a new one.',
        )
      if (answer === null) throw inProgress()
      return answer
    }
    if (held) await removeAt(tx, held)
    const fingerprint = ports.secrets.sign(purpose, content, fingerprintDigits)
    const taken = await tx
      .insertInto('kept_answers')
      .values({ ...place, fingerprint, answer: null, created_at })
      .onConflict((conflict) => conflict.doNothing())
      .returning('token')
      .executeTakeFirst()
    // Another request reserved it at the same moment.
    if (!taken) throw inProgress()
    return null
  }, `${place.tenant_id} answers`)
}

const toText = (answer: unknown) =>
  JSON.stringify(answer instanceof AnswerWith ? { ...answer } : { body: answer })

function fromText(text: string): unknown {
  const { body, status, headers } = JSON.parse(text)
  return status === undefined ? body : new AnswerWith(body, status, headers)
}

/** Reads a raw body for comparison, and returns a request with the same body for the operation. */
async function bytesOf({ rawBody, maxBodyBytes }: Route, incoming: Request) {
  if (!rawBody) return { hash: null, incoming }
  const body = await readUpTo(maxBodyBytes!, incoming)
  const { url, method, headers, signal } = incoming
  return {
    hash: await sha256InTurns(body),
    incoming: new Request(url, { method, headers, signal, body: new Uint8Array(body) }),
  }
}

/**
 * Runs a request once for its key, and keeps a success for 24 hours. A failure keeps nothing, so the request
 * can be repeated. Sends keep their `client_id` themselves, permanently.
 *
 * @throws ServiceError `client_id_conflict` for another request, `request_in_progress` during the first one
 */
export async function answerOnce(
  ports: HttpPorts,
  { tenantId, name, route, key, holder, request, incoming: given }: KeyedRequest,
  work: (incoming: Request) => Promise<unknown>,
): Promise<unknown> {
  const { hash, incoming } = await bytesOf(route, given)
  const key_hash = sha256(JSON.stringify([key, ...holder]))
  const place: Place = { tenant_id: tenantId, route: name, key_hash, token: randomDigitsOf(16) }
  const kept = await takePlace(ports, place, JSON.stringify([request, hash]))
  if (kept !== null) return fromText(kept)
  const remove = () => ports.store.write((tx) => removeAt(tx, place), `${tenantId} answers`)
  const answer = await work(incoming).catch(async (error) => {
    // The original error matters more than this one; the place expires by itself.
    await remove().catch(() => {})
    throw error
  })
  const sealed = ports.secrets.seal(purpose, contextOf(place), Buffer.from(toText(answer)))
  await ports.store.write(
    (tx) =>
      tx
        .updateTable('kept_answers')
        .set({ answer: sealed })
        .where((row) => row.and(ownKeyOf(place)))
        .execute(),
    `${tenantId} answers`,
  )
  return answer
}
