import * as z from 'zod'
import { readsJson } from '../../../protocol/routes/refusals'
import type { Route } from '../../../protocol/routes/route'
import { refuse } from '../../base/refuse'

/** Entry of `details`: one invalid field. */
interface Issue {
  field: string
  problem: string
}

function pathOf(path: PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i ? '.' : ''}${String(part)}`))
    .join('')
}

/** Converts zod's issues to texts that name the field and, for an unknown one, the known fields. */
function issuesOf(error: z.ZodError, part: string, known: string[]): Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    if (issue.code !== 'unrecognized_keys')
      return [{ field: pathOf(issue.path) || part, problem: issue.message }]
    const options = issue.path.length === 0 && known.length > 0 ? `; there are: ${known.join(', ')}` : ''
    return issue.keys.map((key) => ({
      field: pathOf([...issue.path, key]),
      problem: `unknown field${options}`,
    }))
  })
}

const maxShown = 5

/**
 * Refuses strings that cannot be stored. PostgreSQL has no text with U+0000, and no message may have one (RFC
 * 5322 section 2.2). A lone surrogate would change when it is written.
 */
function refuseUnstorable(value: unknown, field: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0'))
      throw refuse('invalid_request', `${field} has a NUL character (U+0000): leave it out.`, [{ field }])
    if (/\p{Surrogate}/u.test(value))
      throw refuse('invalid_request', `${field} has half of a character (a lone surrogate): send it whole.`, [
        { field },
      ])
  }
  if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) refuseUnstorable(one, name)
}

/** Returns the schema within a default, an optional field or a transformation. */
function innerOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return innerOf(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodPipe ? innerOf(schema.in as z.ZodType) : schema
}

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

/** Removes null values of optional fields that are not nullable: clients write null for none. */
function withoutNulls(schema: z.ZodType, value: unknown): unknown {
  const inner = innerOf(schema)
  if (typeof value !== 'object' || value === null) return value
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const element = innerOf(inner.element as z.ZodType)
    return element instanceof z.ZodObject ? value.map((one) => withoutNulls(element, one)) : value
  }
  if (!(inner instanceof z.ZodObject) || Array.isArray(value)) return value
  const kept = Object.entries(value).flatMap(([name, one]) => {
    const field = Object.hasOwn(inner.shape, name) ? (inner.shape[name] as z.ZodType) : undefined
    if (field === undefined) return [[name, one]]
    const isNone = one === null && takes(field, undefined) && !takes(field, null)
    return isNone ? [] : [[name, withoutNulls(field, one)]]
  })
  return Object.fromEntries(kept)
}

/** @throws ServiceError `invalid_request`, which names each field */
function validate(schema: z.ZodObject, value: unknown, part: string): Record<string, unknown> {
  const result = schema.safeParse(value)
  if (result.success) {
    refuseUnstorable(result.data, part)
    return result.data
  }
  const issues = issuesOf(result.error, part, Object.keys(schema.shape))
  const problems = issues.slice(0, maxShown).map(({ field, problem }) => `${field}: ${problem}`)
  throw refuse('invalid_request', `The ${part} is not valid. ${problems.join('. ')}.`, issues.slice(0, 50))
}

/** Returns the query fields that are lists: each of their values has its own `name=value`. */
const listsIn = (schema: z.ZodObject): Set<string> =>
  new Set(
    Object.entries(schema.shape).flatMap(([name, field]) => {
      const inner = field instanceof z.ZodOptional ? field.unwrap() : field
      return inner instanceof z.ZodArray ? [name] : []
    }),
  )

/** Parses a query; refuses a repeated field, since one of its values would be lost. */
function readQuery(url: string, lists: Set<string>): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {}
  if (!url.includes('?')) return query
  for (const [name, text] of new URL(url).searchParams) {
    // An unencoded + of a time arrives as a space.
    const value = /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:\d\d$/.test(text) ? text.replace(' ', '+') : text
    if (lists.has(name)) {
      const before = query[name]
      query[name] = Array.isArray(before) ? [...before, value] : [value]
      continue
    }
    if (Object.hasOwn(query, name))
      throw refuse('invalid_request', `The query has ${name} twice: give it once.`, [{ field: name }])
    query[name] = value
  }
  return query
}

/** @throws ServiceError `invalid_json` for bytes that are not UTF-8 (RFC 8259 section 8.1) */
function readUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refuse('invalid_json', 'The body has bytes that are not UTF-8: encode its text as UTF-8.')
  }
}

async function readBody(request: Request): Promise<unknown> {
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength === 0) return {}
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw refuse(
      'unsupported_media_type',
      `The body came as ${JSON.stringify(type.slice(0, 80))}: send JSON with "Content-Type: application/json".`,
    )
  }
  const text = readUtf8(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw refuse('invalid_json', `The body is not JSON: ${(error as Error).message.slice(0, 200)}.`)
  }
}

const nothing = z.strictObject({})

async function readFields(route: Route, request: Request) {
  const schema = route.body ?? nothing
  const body = await readBody(request)
  // In a PATCH body null has its own meaning.
  return validate(schema, route.method === 'POST' ? withoutNulls(schema, body) : body, 'body')
}

/** Parses a request into one object, by the schemas of its route. */
export async function readRequest(route: Route, request: Request, params: Record<string, string>) {
  const query = route.query ?? nothing
  const headers = route.headers && validate(route.headers, Object.fromEntries(request.headers), 'header')
  return {
    ...headers,
    ...(route.params && validate(route.params, params, 'path')),
    ...validate(query, readQuery(request.url, listsIn(query)), 'query'),
    ...(readsJson(route) && (await readFields(route, request))),
  }
}
