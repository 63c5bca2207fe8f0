import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventData } from '../../../src/protocol/records/event'
import { answersJson, type Route } from '../../../src/protocol/routes/route'
import { routes } from '../../../src/protocol/routes/routes'
import type { Description, Operation } from '../../../src/service/http/openapi'
import type { Schema } from '../../../src/service/http/openapi-examples'
import { openService, type QuietService } from '../../support/service'

const all = Object.entries(routes).flatMap(([group, operations]) =>
  Object.entries(operations as Record<string, Route>).map(([name, route]) => ({
    id: `${group}.${name}`,
    route,
  })),
)

describe('the description of the interface', () => {
  let service: QuietService
  let document: Description
  const operationOf = ({ path, method }: Route): Operation => document.paths[path]![method.toLowerCase()]!
  beforeAll(async () => {
    service = await openService()
    document = (await service.call('GET', '/openapi.json', { key: null })).body
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('is OpenAPI 3.1 to somebody else', async () => {
    expect(await new Validator().validate(structuredClone({ ...document }))).toMatchObject({ valid: true })
    const broken = { ...structuredClone(document), paths: { '/x': { get: { responses: 3 } } } }
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false })
  })

  it('has a place for every $ref', () => {
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(document.components.schemas).toHaveProperty([name!])
  })

  it.each(all)(
    '$id: says what it takes, answers and refuses, and gives examples that are right',
    ({ id, route }) => {
      const operation = operationOf(route)
      expect(operation.operationId).toBe(id)
      const success = operation.responses[route.success.status]!
      const example = success.content?.['application/json']?.example
      if (route.success.status !== 204 && answersJson(route.answer))
        expect(route.answer.safeParse(example).error).toBeUndefined()
      const body = operation.requestBody?.content['application/json']?.example
      if (route.body) expect(route.body.safeParse(body).error).toBeUndefined()
      const statuses = Object.keys(operation.responses)
      const busy = String(route.repeatsAt ?? 429)
      expect(statuses).toEqual(expect.arrayContaining(['400', busy, '500', '503']))
      if (route.access !== 'none') expect(statuses).toContain('401')
    },
  )

  it('says of each field that may be null when it is', () => {
    const silent: string[] = []
    let nullable = 0
    const look = (name: string, { properties = {} }: Schema) => {
      for (const [field, schema] of Object.entries(properties)) {
        look(`${name}.${field}`, schema.items ?? schema)
        if (!schema.anyOf?.some(({ type }) => type === 'null') && ![schema.type].flat().includes('null'))
          continue
        nullable += 1
        if (!/null/i.test(schema.description ?? '')) silent.push(`${name}.${field}`)
      }
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) look(name, schema)
    for (const { route } of all)
      for (const content of [
        operationOf(route).requestBody?.content,
        operationOf(route).responses[route.success.status]?.content,
      ])
        look(route.path, content?.['application/json']?.schema ?? {})
    expect(nullable).toBeGreaterThan(60)
    expect(silent).toEqual([])
  })

  it('says which bodies may be left out', () => {
    const isRequired = (route: Route) => operationOf(route).requestBody?.required
    for (const { id, route } of all)
      if (route.body) expect([id, isRequired(route)]).toEqual([id, !route.body.safeParse({}).success])
    expect(isRequired(routes.drafts.send)).toBe(false)
    expect(isRequired(routes.signups.create)).toBe(false)
    expect(isRequired(routes.drafts.create)).toBe(true)
  })

  it('says what the fields of a signup may be, and what it answers', () => {
    const { schema } = operationOf(routes.signups.create).requestBody!.content['application/json']!
    const { name, local_part } = schema!.properties as Record<string, Schema & { pattern?: string }>
    expect(name).toMatchObject({ type: 'string', minLength: 1, maxLength: 100, default: 'Agent workspace' })
    expect(local_part).toMatchObject({ type: 'string', minLength: 1, maxLength: 64 })
    const pattern = new RegExp(local_part!.pattern!, 'u')
    for (const good of ['a', 'Wren', 'a.b_c-9', '0']) expect([good, pattern.test(good)]).toEqual([good, true])
    for (const bad of ['', '.a', 'a-', 'a..b', '\u212A', 'a@b', 'a b'])
      expect([bad, pattern.test(bad)]).toEqual([bad, false])
    const { limits } = document.components.schemas.AgentSignup!.properties!
    for (const limit of Object.values(limits!.properties!)) expect(limit.type).toBe('integer')
  })

  it('has the answer to a range', () => {
    const { responses } = operationOf(routes.attachments.content)
    expect(responses[206]?.content).toEqual(responses[200]!.content)
  })

  it('has every field of the events of an account', async () => {
    await service.service.admin.pause(service.home.tenantId)
    const { body } = await service.call('GET', '/events?after=0&types=account.paused')
    const { schema } = document.webhooks['account.paused']!.post!.requestBody!.content['application/json']!
    const resolve = ({ $ref, ...rest }: Schema): Schema =>
      $ref ? resolve(document.components.schemas[$ref.split('/').at(-1)!]!) : rest
    const data = resolve(resolve(schema!).properties!.data!)
    const fields = (one: Schema): string[] => [
      ...Object.keys(one.properties ?? {}),
      ...(one.allOf ?? []).flatMap((part) => fields(resolve(part))),
    ]
    expect(fields(data)).toEqual(expect.arrayContaining(Object.keys(body.events[0].data)))
    expect(fields(data)).toEqual(expect.arrayContaining(['id', 'seq']))
  })

  it('tells every event, with an example that is right', () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventData))
    for (const [type, data] of Object.entries(eventData)) {
      const { example } = document.webhooks[type]!.post!.requestBody!.content['application/json']!
      expect(data.safeParse((example as { data: unknown }).data).error, type).toBeUndefined()
    }
  })
})
