import type { KeyScope, Route } from 'restante/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { agentRoutes, scopeSetsOf } from '../../src/protocol/routes'
import { describeDatabases } from '../support/databases'
import { startService } from '../support/service'
import { makeAll, nounsIn } from '../support/tenant'
import { perBlock, useService } from '../support/use-service'

/** Every set of scopes that a key can have. */
const grants: KeyScope[][] = [
  ['read'],
  ['send'],
  ['manage'],
  ['read', 'send'],
  ['read', 'manage'],
  ['send', 'manage'],
  ['read', 'send', 'manage'],
]
const blind = grants.filter((scopes) => !scopes.includes('read'))

const guarded = Object.entries(agentRoutes as Record<string, Record<string, Route>>).flatMap(
  ([group, routes]) =>
    Object.entries(routes)
      .filter(([, { access }]) => access !== 'none')
      .map(([name, route]) => ({ name: `${group}.${name}`, route })),
)

/** Stands in a mail: a key that may not read must not come by it. */
const mark = 'the-word-of-the-mail'

describeDatabases('scopes', (openDatabase) => {
  const { service } = useService(openDatabase, startService, perBlock)
  const keys = new Map<string, string>()
  let own: Record<string, string>
  beforeAll(async () => {
    const { home, mail } = service
    await mail({ text: mark, attachments: [{ filename: mark, content: mark }] })
    const { messages } = (await service.call('GET', '/messages?limit=1')).body
    const [{ id, thread_id, attachments }] = messages
    own = { ...(await makeAll(service, home.apiKey)), messages: id, threads: thread_id }
    own.attachments = attachments[0].id
    for (const scopes of grants) {
      const { api_key } = await service.service.keys.create({
        account_id: home.tenantId,
        name: scopes.join(),
        scopes,
      })
      keys.set(scopes.join(), api_key)
    }
  })
  const keyOf = (scopes: readonly KeyScope[]) => keys.get(scopes.join())!
  const pathOf = ({ path }: Route, ids: Record<string, string>) =>
    path.replace(/\{(\w+)\}/g, (_, field) => ids[nounsIn(path)[field]!] ?? 'none')

  it('each route is open to the keys that it names, and to no other; OpenAPI names the same', async () => {
    const { paths } = (await service.call('GET', '/openapi.json')).body
    for (const { name, route } of guarded) {
      const sets = scopeSetsOf(route.access)
      const told = sets.map((set) => set.map((one) => `\`${one}\``).join(' and ')).join(' or ')
      const { description } = paths[route.path][route.method.toLowerCase()]
      expect(description, name).toContain(`Needs the scope ${told}.`)
      for (const scopes of grants) {
        // What is asked for is not there, so that nothing changes.
        const { status, body } = await service.call(route.method, pathOf(route, {}), { key: keyOf(scopes) })
        const opens = sets.some((set) => set.every((one) => scopes.includes(one)))
        const refused = status === 403 && body.error === 'insufficient_scope'
        expect(refused, `${name} with ${scopes}`).toBe(!opens)
      }
    }
  })

  it('a key that may not read comes by no mail through any route, nor by having it sent somewhere', async () => {
    const everything = {
      inbox_id: own.inboxes,
      to: ['eve@evil.example'],
      cc: ['eve@evil.example'],
      text: 'for me',
      url: 'https://evil.example/hook',
      events: ['*'],
      name: 'x',
      message_ids: [own.messages],
      labels: [],
    }
    const ask = async (route: Route, key: string, more: object = {}) => {
      const body = Object.entries({ ...everything, ...more }).filter(
        ([field]) => field in (route.body?.shape ?? {}),
      )
      const query = route.query && 'after' in route.query.shape && route.path === '/events' ? '?after=0' : ''
      const answer = await service.call(route.method, `${pathOf(route, own)}${query}`, {
        key,
        ...(route.body && { body: Object.fromEntries(body) }),
      })
      return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? '')
    }
    const routes = guarded.filter(({ route }) => route.method !== 'DELETE')
    const answering = { quote: true, reply_to_message_id: own.messages }
    for (const scopes of blind)
      for (const { name, route } of routes)
        for (const more of [{}, answering])
          expect(await ask(route, keyOf(scopes), more), `${name} with ${scopes}`).not.toContain(mark)
    const sentOn = async () => {
      const { messages } = (await service.call('GET', '/messages?direction=outbound&limit=100')).body
      const { drafts } = (await service.call('GET', '/drafts?limit=100')).body
      const { webhooks } = (await service.call('GET', '/webhooks')).body
      const written = await Promise.all([
        ...messages.map(({ id }: { id: string }) => service.call('GET', `/messages/${id}/raw`)),
        ...drafts.map(({ id }: { id: string }) => service.call('GET', `/drafts/${id}?include=content`)),
      ])
      const told = [...written.map(({ body }) => body), ...webhooks]
      return { count: told.length, text: JSON.stringify(told) }
    }
    const before = await sentOn()
    expect(before.count).toBeGreaterThan(blind.length)
    expect(before.text).not.toContain(mark)
    expect(before.text).not.toContain(everything.url)

    const seen = []
    for (const { name, route } of routes)
      if ((await ask(route, keyOf(['read', 'send', 'manage']))).includes(mark)) seen.push(name)
    expect(seen).toEqual(
      expect.arrayContaining(['messages.get', 'messages.raw', 'events.list', 'attachments.content']),
    )
    const after = await sentOn()
    expect(after.text).toContain(mark)
    expect(after.text).toContain(everything.url)
  })

  describe('a socket', () => {
    const overNetwork = (key: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = new WebSocket(`${service.url.replace('http', 'ws')}/realtime`, {
          headers: { authorization: `Bearer ${key}` },
        })
        socket.on('open', () => socket.send('{"type":"subscribe","after":0}'))
        socket.on('message', (data) => {
          socket.close()
          resolve(JSON.parse(data.toString()).type)
        })
        socket.on('unexpected-response', (_, response) => resolve(`status ${response.statusCode}`))
        socket.on('error', reject)
      })
    const inProcess = (apiKey: string) =>
      new Promise<string>((resolve) => {
        const socket = service.service.socket({ apiKey })
        socket.onopen = () => socket.send('{"type":"subscribe","after":0}')
        socket.onmessage = ({ data }) => {
          socket.close()
          resolve(JSON.parse(String(data)).type)
        }
        socket.onclose = ({ code }) => resolve(`closed ${code}`)
      })

    it.each(grants.map((scopes) => [scopes]))('with %s tells only what the log does', async (scopes) => {
      const reads = scopes.includes('read')
      expect(await overNetwork(keyOf(scopes))).toBe(reads ? 'subscribed' : 'status 403')
      expect(await inProcess(keyOf(scopes))).toBe(reads ? 'subscribed' : 'closed 4403')
    })
  })
})
