import { UsageError } from '../protocol/errors'
import type { Route } from '../protocol/routes'

/** A request before authorization: what a route and its input come to. */
export interface BuiltRequest {
  readonly method: Route['method']
  /** Relative to the base address, with query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** True where doing it again does no harm: the service recognises a repetition, or nothing comes of one. */
  readonly repeatable: boolean
}

type Fields = Record<string, unknown>

const fieldsOf = (schema: Route['params']): readonly string[] => (schema ? Object.keys(schema.shape) : [])

const take = (fields: Fields, names: readonly string[]): Fields => {
  const taken: Fields = {}
  for (const name of names) {
    if (fields[name] !== undefined) taken[name] = fields[name]
    delete fields[name]
  }
  return taken
}

const fillPath = (path: string, params: Fields): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
      throw new UsageError('invalid_request', `${name} must be the id of what ${path} is asked for`)
    return encodeURIComponent(value)
  })

const queryString = (query: Fields): string => {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (entries.length === 0) return ''
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

/** Makes a request whose body is bytes, as they are; the other fields go into the query. */
const rawRequest = (route: Route, params: Fields, input: Fields): BuiltRequest => {
  const { content, content_type = 'application/octet-stream', ...query } = input
  return {
    method: route.method,
    path: fillPath(route.path, params) + queryString(query),
    headers: { 'content-type': String(content_type) },
    body: content as Uint8Array<ArrayBuffer>,
    repeatable: route.idempotent ?? false,
  }
}

/** Sorts the fields of the input into path, query, headers and body, as the route says. */
export const buildRequest = (route: Route, input: object = {}): BuiltRequest => {
  const rest: Fields = { ...input }
  const params = take(rest, fieldsOf(route.params))
  const headers = take(rest, fieldsOf(route.headers)) as Record<string, string>
  // What is left over goes along: the service names the field that it does not know.
  const query = route.body ? take(rest, fieldsOf(route.query)) : rest
  if (route.rawBody) return rawRequest(route, params, rest)
  const key = (route.body && rest.client_id) ?? headers['idempotency-key']
  return {
    method: route.method,
    path: fillPath(route.path, params) + queryString(query),
    headers: route.body ? { ...headers, 'content-type': 'application/json' } : headers,
    body: route.body ? JSON.stringify(rest) : undefined,
    repeatable:
      route.method === 'GET' || route.idempotent === true || (typeof key === 'string' && key !== ''),
  }
}
