import type { ErrorCode } from '../errors/error-codes'
import { type Route, scopeSetsOf } from './route'

const always = () => true
const takesKey = ({ access }: Route) => scopeSetsOf(access).length > 0
const admitsOperators = ({ access }: Route) => access !== 'none'
const mayHaveBody = ({ method }: Route) => method !== 'GET'

/** Returns whether the body of a request is read as JSON. */
export const readsJson = ({ method, rawBody }: Pick<Route, 'method' | 'rawBody'>): boolean =>
  !rawBody && (method === 'POST' || method === 'PATCH')

/** Returns whether the layer reads `Idempotency-Key`: not if the route has this header or a `request_id`. */
export const takesIdempotencyKey = ({ method, access, headers, body }: Route): boolean =>
  method === 'POST' &&
  access !== 'none' &&
  !(headers && 'idempotency-key' in headers.shape) &&
  !(body && 'request_id' in body.shape)

/**
 * Refusals of the layer around the operations, with the routes that can return each. Refusals of an operation
 * itself are in the `errors` of its route.
 */
const ofTheLayer = {
  malformed_request: always,
  header_too_large: always,
  invalid_request: always,
  invalid_json: readsJson,
  unsupported_media_type: readsJson,
  payload_too_large: mayHaveBody,
  request_timeout: mayHaveBody,
  unauthorized: takesKey,
  account_not_found: takesKey,
  account_suspended: takesKey,
  insufficient_scope: takesKey,
  sign_in_required: admitsOperators,
  origin_refused: (route) => admitsOperators(route) && route.method !== 'GET',
  not_found: takesKey,
  client_id_conflict: takesIdempotencyKey,
  request_in_progress: takesIdempotencyKey,
  method_not_allowed: always,
  rate_limited: ({ repeatsAt }) => repeatsAt === undefined,
  internal_error: always,
  unavailable: always,
  storage_unavailable: always,
} as const satisfies Partial<Record<ErrorCode, (route: Route) => boolean>>

/** A code with which the layer around the operations refuses. */
export type LayerRefusal = keyof typeof ofTheLayer

/** Returns the codes with which the layer around an operation can refuse a request. */
export const layerRefusalsOf = (route: Route): LayerRefusal[] =>
  (Object.keys(ofTheLayer) as LayerRefusal[]).filter((code) => ofTheLayer[code](route))

/** Returns every code that a route can answer. `method_not_allowed` is for other methods. */
export const refusalsOf = (route: Route): ErrorCode[] => [
  ...new Set<ErrorCode>([...layerRefusalsOf(route), ...route.errors]),
]
