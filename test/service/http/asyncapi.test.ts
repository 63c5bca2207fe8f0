import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { closeCodes, eventDataSchemas, serverFrameSchema } from 'restante/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientFrame } from '../../../src/protocol/frames'
import type { SocketDescription } from '../../../src/service/http/asyncapi'
import { openService, type QuietService } from '../../support/service'

/** The schema of AsyncAPI itself, by those who make it. */
const specification = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json')

describe('the description of the socket', () => {
  let service: QuietService
  let document: SocketDescription
  beforeAll(async () => {
    service = await openService()
    document = (await service.call('GET', '/asyncapi.json', { key: null })).body
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it('is AsyncAPI 3.0 to somebody else', () => {
    const isAsyncApi = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(
      specification,
    )
    isAsyncApi(document)
    expect(isAsyncApi.errors).toBeNull()
    const broken = structuredClone(document)
    broken.operations.tell!.action = 'say' as 'send'
    expect(isAsyncApi(broken)).toBe(false)
  })

  it('has something at the end of every $ref', () => {
    for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = path!
        .split('/')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document)
      expect(found, path).toBeDefined()
    }
  })

  it('has every frame, with an example that both the wire and its own schema take', () => {
    const { messages, schemas } = document.components
    const types = (side: string) =>
      new Set(
        Object.entries(messages)
          .filter(([key]) => key.startsWith(`${side}.`))
          .map(([, { examples }]) => (examples[0]!.payload as { type: string }).type),
      )
    expect(types('agent')).toEqual(new Set(clientFrame.options.map(({ shape }) => shape.type.value)))
    expect(types('service')).toEqual(new Set(serverFrameSchema.options.map(({ shape }) => shape.type.value)))
    const events = Object.keys(messages).filter((key) => key.startsWith('service.event.'))
    expect(events).toEqual(Object.keys(eventDataSchemas).map((type) => `service.event.${type}`))
    const ajv = new Ajv({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'wire', components: { schemas } })
    for (const [key, { payload, examples }] of Object.entries(messages)) {
      const example = examples[0]!.payload
      const wire = key.startsWith('agent.') ? clientFrame : serverFrameSchema
      expect(wire.safeParse(example).error, key).toBeUndefined()
      const schema = JSON.parse(JSON.stringify(payload).replaceAll('"#/', '"wire#/'))
      expect([key, ajv.validate(schema, example), ajv.errors]).toEqual([key, true, null])
      expect(ajv.validate(schema, { type: 'no such frame' }), key).toBe(false)
    }
  })

  it('has the close codes, and says where the socket is and how a browser brings its key', () => {
    const reported = document.channels.realtime['x-close-codes'].map(({ reason, code, reconnect }) => [
      reason,
      { code, reconnect },
    ])
    expect(Object.fromEntries(reported)).toEqual(closeCodes)
    const [{ host, pathname, protocol }] = Object.values(document.servers) as [
      SocketDescription['servers'][string],
    ]
    expect(protocol).toMatch(/^wss?$/)
    expect(`${host}${pathname}${document.channels.realtime.address}`).toMatch(/\/v1\/realtime$/)
    expect(document.info.description).toMatch(/restante\.v1.*restante\.bearer\./s)
  })
})
