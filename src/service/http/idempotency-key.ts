import { takesIdempotencyKey } from '../../protocol/routes/refusals'
import type { Route } from '../../protocol/routes/route'
import { refuse } from '../base/refuse'
import { dayMs, timeOf } from '../base/time'
import type { HttpPorts } from './handlers/ports'

/** Time for which the answer to a request with a key is kept. */
export const keptMs = dayMs
/** Key as a token, or as a quoted string (RFC 8941 section 3.3.3). */
const keyPattern = /^(?:([!#-+\--:<-[\]-~]{1,255})|"((?:[ !#-[\]-~]|\\["\\])+)")$/

/**
 * Reads the key of a request, if its route accepts one; null if there is none. @throws ServiceError
 * `invalid_request`
 */
export function idempotencyKeyIn(route: Route, request: Request): string | null {
  const field = request.headers.get('idempotency-key')
  if (field === null || !takesIdempotencyKey(route)) return null
  const [, token, quoted] = keyPattern.exec(field.trim()) ?? []
  const key = token ?? quoted?.replace(/\\(.)/g, '$1')
  if (key !== undefined && key.length <= 255) return key
  const problem = 'must be a token, or a quoted string, of 1 to 255 characters'
  throw refuse('invalid_request', `The header is not valid. Idempotency-Key: ${problem}.`, [
    { field: 'idempotency-key', problem },
  ])
}

/** Returns true if a route recognises repeats by the `client_id` in its body. */
export const hasClientId = ({ body }: Route): boolean => body !== undefined && 'client_id' in body.shape

/**
 * Uses the key as the `client_id` of a send. @throws ServiceError `invalid_request` for two different ones
 */
export function withClientId(route: Route, key: string | null, request: object): object {
  if (key === null || !hasClientId(route)) return request
  const { client_id = key } = request as { client_id?: string }
  if (client_id === key) return { ...request, client_id }
  const problem = 'differs from the Idempotency-Key: give one of them, or both alike'
  throw refuse('invalid_request', `The body is not valid. client_id: ${problem}.`, [
    { field: 'client_id', problem },
  ])
}

/** Maximum number of answers that one transaction deletes. */
const maxRows = 500

/** Deletes answers older than {@link keptMs}. */
export async function dropKeptAnswers({ store, clock }: Pick<HttpPorts, 'store' | 'clock'>): Promise<void> {
  const before = timeOf(clock.now() - keptMs)
  for (;;) {
    const old = await store.db
      .selectFrom('kept_answers')
      .select(['tenant_id', 'route', 'key_hash'])
      .where('created_at', '<', before)
      .limit(maxRows)
      .execute()
    if (old.length === 0) return
    await store.write(async (tx) => {
      for (const { tenant_id, route, key_hash } of old)
        await tx
          .deleteFrom('kept_answers')
          .where('tenant_id', '=', tenant_id)
          .where('route', '=', route)
          .where('key_hash', '=', key_hash)
          .where('created_at', '<', before)
          .execute()
    })
  }
}
