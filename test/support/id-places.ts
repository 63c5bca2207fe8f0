import fc from 'fast-check'
import { routes } from 'restante/protocol'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { Route } from '../../src/protocol/routes/route'
import { arbitraryOf } from './arbitrary'
import type { Answer, CallOptions } from './service'
import { nounOf, nounsIn } from './tenant'

/** One field of one route that takes an id. */
export interface Place {
  route: Route
  field: string
  noun: string
  /** The field of the body that is a list of what the id stands in. */
  within?: string
}

interface Def {
  type: string
  shape?: object
  innerType?: z.ZodType
  element?: z.ZodType
  in?: z.ZodType
}

/** The fields of the records of a list. */
function namesIn(schema: z.ZodType): string[] {
  const { def } = (schema as unknown as { _zod: { def: Def } })._zod
  if (def.type === 'object') return Object.keys(def.shape!)
  const inner = def.innerType ?? def.element ?? def.in
  return inner ? namesIn(inner) : []
}

/** Where a route takes ids: in its path, its query and its body, however deep. */
export function placesOf(route: Route): Place[] {
  const inPath = Object.entries(nounsIn(route.path)).map(([field, noun]) => ({ route, field, noun }))
  const shape = { ...route.query?.shape, ...route.body?.shape }
  const beside = Object.keys(shape).map((field) => ({ route, field, noun: nounOf(field) }))
  const nested = Object.keys(route.body?.shape ?? {}).flatMap((within) =>
    namesIn(route.body!.shape[within] as z.ZodType).map((field) => ({
      route,
      field,
      noun: nounOf(field),
      within,
    })),
  )
  return [...inPath, ...[...beside, ...nested].filter((one): one is Place => one.noun !== null)]
}

/** Every operation that needs to know who asks. */
export const guardedRoutes = (Object.values(routes) as Record<string, Route>[])
  .flatMap((group) => Object.values(group))
  .filter((route) => route.access !== 'none')

export const nameOf = ({ route, field }: Place) => `${route.method} ${route.path} ${field}`

/** An id of the same form that there never was. */
const neverOf = (id: string) => id.replace(/.{7}$/, 'zzzzzz0')

const isList = (schema: z.ZodType | undefined) =>
  JSON.stringify((schema as unknown as { _zod: { def: unknown } })?._zod.def ?? '').includes('"type":"array"')

/** Ids of which a request has one at most. */
const exclusive = ['reply_to_message_id', 'forward_message_id']

/** Every id of the route is the caller's own, but for the one in question, and leases, which are good once. */
function idsFor({ route, field, within }: Place, id: string, records: Record<string, string>) {
  const own: Record<string, string> = { ...records, leases: neverOf(records.leases!) }
  const ids: Record<string, unknown> = {}
  for (const place of placesOf(route).filter(({ within }) => within === undefined)) {
    const schema = route.body?.shape[place.field] as z.ZodType | undefined
    const value = place.field === field ? id : own[place.noun]
    ids[place.field] = schema && isList(schema) ? [value] : value
  }
  const kept = exclusive.includes(field) ? field : exclusive[0]
  for (const other of exclusive) if (other !== kept && other in ids) ids[other] = undefined
  // Only a reply expects a last message.
  if (kept === 'forward_message_id' && 'expect_last_message_id' in ids) ids.expect_last_message_id = undefined
  if (within !== undefined) ids[within] = [{ [field]: id }]
  return ids
}

/** A request as people make it, and what was made up for its query and body. */
const usual = {
  to: ['a@example.com'],
  text: 'x',
  name: 'n',
  events: ['*'],
  url: 'https://example.com',
  scopes: ['read'],
}

/** Where a log begins: made up, it is mostly beyond the end. */
const fromTheStart = { after: 0 }

/** The path and body of a request with this id in this place. */
function requestWith(place: Place, ids: Record<string, unknown>, query: object, body: object) {
  const { route } = place
  const pick = (from: object, schema: z.ZodObject) =>
    Object.entries({ ...from, ...ids }).filter(([name]) => name in schema.shape)
  const reported = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const params = route.query ? pick(query, route.query).map(([name, value]) => [name, reported(value)]) : []
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => String(ids[name]))
  return {
    path: `${path}?${new URLSearchParams(params)}`,
    ...(route.body && { body: Object.fromEntries(pick(body, route.body)) }),
  }
}

export type Ask = (route: Route, path: string, options: Omit<CallOptions, 'key'>) => Promise<Answer>

/**
 * Asks with an id that is not the caller's and with one that there never was, in this place of a usual request and
 * of made-up ones, and expects the same answer.
 *
 * @returns The statuses that it answered
 */
export async function expectNoDifference(
  place: Place,
  foreign: string,
  own: Record<string, string>,
  ask: Ask,
): Promise<Set<number>> {
  const { route } = place
  const statuses = new Set<number>()
  const answer = async (id: string, query: object, body: object) => {
    const { path, ...options } = requestWith(place, idsFor(place, id, own), query, body)
    const answer = await ask(route, path, options)
    // What was made has an id and a time of its own, each change its own time, and what is sent is sent once.
    const changed = { seq: 0, updated_at: 0, idempotent: 0 }
    const made = { ...changed, id: 0, created_at: 0 }
    const isChange = answer.status === 200 && route.method !== 'GET'
    const unlike = answer.status === 201 ? made : isChange ? changed : null
    const reported = unlike ? { ...answer.body, ...unlike } : (answer.body ?? '')
    return { status: answer.status, body: JSON.stringify(reported).replaceAll(id, 'ID') }
  }
  const check = async (query: object, body: object) => {
    const still = { ...query, ...('wait_ms' in (route.query?.shape ?? {}) && { wait_ms: 0 }) }
    // A change moves the number that is expected, whatever it names beside.
    const clean = { ...body, client_id: undefined, expect_seq: undefined }
    const theirs = await answer(foreign, still, clean)
    expect(theirs, nameOf(place)).toEqual(await answer(neverOf(foreign), still, clean))
    statuses.add(theirs.status)
  }
  await check({}, usual)
  if (route.query?.safeParse(fromTheStart).success) await check(fromTheStart, usual)
  const madeUp = fc.record({
    query: route.query ? arbitraryOf(route.query) : fc.constant({}),
    body: route.body ? arbitraryOf(route.body) : fc.constant({}),
  })
  const property = fc.asyncProperty(madeUp, ({ query, body }) => check(query as object, body as object))
  await fc.assert(property, { numRuns: 8 })
  return statuses
}
