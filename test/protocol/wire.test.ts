import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { eventData } from '../../src/protocol/records/event'
import { waitToken } from '../../src/protocol/records/wait-token'
import { answersJson, type Route } from '../../src/protocol/routes/route'
import { agentRoutes } from '../../src/protocol/routes/routes'
import { misfitOf } from '../../src/protocol/shape'
import { eventShapes, operations, type Shape, waitTokenShape } from '../../src/protocol/wire'
import { wireTables } from '../support/wire-tables'

test('wire.json is what `npm run wire` writes from the schemas', () => {
  expect(readFileSync('src/protocol/wire.json', 'utf8')).toBe(wireTables())
})

const ofFormat: Record<string, string> = {
  uuid: '0190a5e0-0000-7000-8000-000000000000',
  uri: 'https://example.com/',
  email: 'ana@example.com',
}

/** A value of each schema that the service answers with, made from its JSON Schema. */
function exampleOf(schema: z.core.JSONSchema.JSONSchema, root = schema): unknown {
  const { $ref, anyOf, oneOf, type, properties, items, examples, example } = schema
  if ($ref) return exampleOf(root.$defs![$ref.slice('#/$defs/'.length)]!, root)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (anyOf ?? oneOf) return exampleOf((anyOf ?? oneOf)![0]!, root)
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, exampleOf(one as typeof schema, root)]),
    )
  if (type === 'array') return [exampleOf(items as typeof schema, root)]
  if (examples ?? example) return (examples as unknown[])?.[0] ?? example
  const plain = {
    string: ofFormat[schema.format ?? ''] ?? 'text',
    integer: 1,
    number: 1,
    boolean: true,
    null: null,
    object: {},
  }
  return plain[[type].flat()[0] as keyof typeof plain]
}

const cases: [string, z.ZodType, Shape][] = [
  ...Object.entries(agentRoutes).flatMap(([group, routes]) =>
    Object.entries(routes as Record<string, Route>).flatMap(([name, { answer, success }]) =>
      answersJson(answer) && success.status !== 204
        ? [[`${group}.${name}`, answer, operations[group]![name]!.answer] as [string, z.ZodType, Shape]]
        : [],
    ),
  ),
  ...Object.entries(eventData).map(([type, schema]) => [type, schema, eventShapes[type]!] as const),
  ['a wait token', waitToken, waitTokenShape],
].map((one) => [...one] as [string, z.ZodType, Shape])

test.for(cases)('what the client takes for %s is what the service may answer', ([, schema, shape]) => {
  const right = exampleOf(z.toJSONSchema(schema, { io: 'input' })) as Record<string, unknown>
  expect(schema.safeParse(right).error?.issues).toBeUndefined()
  expect(misfitOf(shape, right)).toBeNull()
  for (const name of Object.keys(right)) {
    const wrong = { ...right, [name]: Symbol('of no type that JSON has') }
    const without = Object.fromEntries(Object.entries(right).filter(([one]) => one !== name))
    for (const value of [wrong, without])
      expect([name, misfitOf(shape, value) === null]).toEqual([name, schema.safeParse(value).success])
  }
})

test('every operation of an agent has its method, its path and the places of its fields', () => {
  for (const [group, routes] of Object.entries(agentRoutes))
    for (const [name, route] of Object.entries(routes as Record<string, Route>)) {
      const {
        method,
        path,
        query = [],
        headers = [],
        body = 'none',
        idempotent = false,
      } = operations[group]![name]!
      expect({ method, path, idempotent }).toEqual({
        method: route.method,
        path: route.path,
        idempotent: route.idempotent ?? false,
      })
      const namesOf = (schema: Route['params']) => Object.keys(schema?.shape ?? {})
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param)
      expect([inPath, headers]).toEqual([route.params, route.headers].map(namesOf))
      expect(query).toEqual(namesOf(route.body && route.query))
      expect(body).toBe(route.rawBody ? 'bytes' : route.body ? 'json' : 'none')
    }
})

test('a misfit says where it is', () => {
  const { answer } = operations.messages!.list!
  expect(misfitOf(answer as Shape, { mode_used: 'keyword', next_cursor: null, messages: [{}] })).toBe(
    '.messages[0].id is missing',
  )
  expect(misfitOf(answer as Shape, 'hello')).toBe(' is of the type string, not object')
})
