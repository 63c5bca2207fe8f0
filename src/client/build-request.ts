import { UsageError } from '../protocol/errors/error'
import type { Operation } from '../protocol/wire'

/** Request for an operation and its input, before authorization. */
export interface BuiltRequest {
  readonly method: Operation['method']
  /** Relative to the base URL, with query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** True if repeating it is safe: the service recognises the repeat, or it has no further effect. */
  readonly repeatable: boolean
}

type Fields = Record<string, unknown>

const take = (fields: Fields, names: readonly string[] = []): Fields => {
  const taken: Fields = {}
  for (const name of names) {
    if (fields[name] !== undefined) taken[name] = fields[name]
    delete fields[name]
  }
  return taken
}

/** Fills the names in braces and removes them from the fields. */
const fillPath = (path: string, fields: Fields): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const { [name]: value } = take(fields, [name])
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
      throw new UsageError('invalid_request', `${name} must be the id of what ${path} is asked for`)
    return encodeURIComponent(value)
  })

const queryString = (query: Fields): string => {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  if (entries.length === 0) return ''
  const pairs = entries.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  return `?${new URLSearchParams(pairs)}`
}

/** Builds a request whose body is raw bytes; the other fields go into the query. */
const bytesRequest = (
  { method, idempotent = false }: Operation,
  path: string,
  headers: Record<string, string>,
  input: Fields,
): BuiltRequest => {
  const { content, content_type = 'application/octet-stream', ...query } = input
  return {
    method,
    path: path + queryString(query),
    headers: { ...headers, 'content-type': String(content_type) },
    body: content as Uint8Array<ArrayBuffer>,
    repeatable: idempotent,
  }
}

/** Sorts the input fields into path, query, headers and body, as the operation defines. */
export const buildRequest = (operation: Operation, input: object = {}): BuiltRequest => {
  const { method, idempotent } = operation
  const rest: Fields = { ...input }
  const path = fillPath(operation.path, rest)
  const headers = take(rest, operation.headers) as Record<string, string>
  if (operation.body === 'bytes') return bytesRequest(operation, path, headers, rest)
  const hasBody = operation.body === 'json'
  // Unknown fields are sent too: the service names them in its refusal.
  const query = hasBody ? take(rest, operation.query) : rest
  const key = (hasBody ? rest.client_id : undefined) ?? headers['idempotency-key']
  return {
    method,
    path: path + queryString(query),
    headers: hasBody ? { ...headers, 'content-type': 'application/json' } : headers,
    body: hasBody ? JSON.stringify(rest) : undefined,
    repeatable: method === 'GET' || idempotent === true || (typeof key === 'string' && key !== ''),
  }
}
