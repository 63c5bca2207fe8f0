import type { KeyScope, Route } from 'restante/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { scopeSetsOf } from '../../src/protocol/routes/route'
import { agentRoutes } from '../../src/protocol/routes/routes'
import { describeDatabases } from '../support/databases'
import { startService } from '../support/service'
import { makeAll, nounsIn } from '../support/tenant'
import { perBlock, useService } from '../support/use-service'

const scopes: KeyScope[] = ['read', 'send', 'manage', 'inbound']
/** Every set of scopes that a key can have. */
const grants = Array.from({ length: 15 }, (_, at) => scopes.filter((_, bit) => (at + 1) & (1 << bit)))
const blind = grants.filter((scopes) => !scopes.includes('read'))

const guarded = Object.entries(agentRoutes as Record<string, Record<string, Route>>).flatMap(
  ([group, routes]) =>
    Object.entries(routes)
      .filter(([, { access }]) => access !== 'none')
      .map(([name, route]) => ({ name: `${group}.${name}`, route })),
)

/** Stands in a mail: a key that may not read must not come by it. */
const mark = 'the-word-of-the-mail'
/** The sender of the marked mail: a key that may not read must not learn its address either. */
const sender = `${mark}@marked.example`

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
      const reported = sets.map((set) => set.map((one) => `\`${one}\``).join(' and ')).join(' or ')
      const { description } = paths[route.path][route.method.toLowerCase()]
      expect(description, name).toContain(`Needs the scope ${reported}.`)
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
      const reported = [...written.map(({ body }) => body), ...webhooks]
      return { count: reported.length, text: JSON.stringify(reported) }
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

  describe('what a key without read is answered', () => {
    const whole = (path: string) => service.call('GET', path).then(({ body }) => body)
    const draftBy = async (scopes: KeyScope[], body: object) =>
      service.call('POST', '/drafts', {
        key: keyOf(scopes),
        body: { inbox_id: service.home.inboxId, ...body },
      })
    let message: { id: string; thread_id: string }
    let newer: { id: string }
    beforeAll(async () => {
      const ask = async (path: string, body: object) => service.call('POST', path, { body })
      await service.mail({
        from: `${mark} <${sender}>`,
        subject: mark,
        text: mark,
        messageId: '<first@marked.example>',
      })
      message = (await whole('/messages?direction=inbound&limit=1')).messages[0]
      await service.mail({
        from: sender,
        subject: `Re: ${mark}`,
        text: mark,
        inReplyTo: '<first@marked.example>',
      })
      newer = (await whole('/messages?direction=inbound&limit=1')).messages[0]
      await ask('/suppressions', { address: sender })
      await ask('/messages', { to: ['bo@example.com'], subject: mark, text: mark, client_id: 'taken' })
      const later = { subject: mark, scheduled_at: '2099-01-31T12:00:00.000Z', client_id: 'taken-later' }
      await ask('/messages', { to: ['bo@example.com'], text: mark, ...later })
    })

    it('repeats no word, address or id of a mail, by any operation, with any set of scopes', async () => {
      const draft = { inbox_id: service.home.inboxId, to: [sender], subject: mark, text: mark }
      const theirs = (await service.call('POST', '/drafts', { body: draft })).body
      const ids = { ...own, messages: message.id, threads: message.thread_id, drafts: theirs.id }
      const usual = { inbox_id: service.home.inboxId, to: ['bo@example.com'], text: 'for me', name: 'y' }
      const variants = [
        { labels: [], message_id: message.id, message_ids: [message.id], pattern: 'x@example.org' },
        { reply_to_message_id: message.id, client_id: undefined, to: undefined },
        {
          expect_last_message_id: message.id,
          reply_to_message_id: message.id,
          reply_all: true,
          to: undefined,
        },
        { client_id: 'taken' },
        { client_id: 'taken', replay: 'first_wins' },
        { client_id: 'taken-later', replay: 'first_wins' },
        { address: sender.toUpperCase() },
        { allow_auto_reply: true, scheduled_at: '2099-01-31T12:00:00.000Z' },
      ]
      const reported: string[] = []
      for (const { name, route } of guarded.filter(({ route }) => route.method !== 'DELETE'))
        for (const scopes of blind)
          for (const more of variants) {
            const fields = Object.entries({ ...usual, ...more }).filter(
              ([field, value]) => value !== undefined && field in (route.body?.shape ?? {}),
            )
            const answer = await service.call(route.method, pathOf(route, ids), {
              key: keyOf(scopes),
              ...(route.body && { body: Object.fromEntries(fields) }),
            })
            const given = JSON.stringify(Object.fromEntries(fields)).toLowerCase()
            const text = JSON.stringify(answer.body ?? '').toLowerCase()
            const words = [mark, sender, 'marked.example', newer.id].filter((word) => !given.includes(word))
            const leaks = words.filter((word) => text.includes(word))
            if (leaks.length > 0) reported.push(`${name} with ${scopes}: ${leaks} in ${text}`)
          }
      expect(reported).toEqual([])
    })

    it('a label assignment says no more than which message it was', async () => {
      const path = `/labels/${own.labels}/assign`
      const body = { message_id: message.id }
      const { body: reported } = await service.call('POST', path, { key: keyOf(['manage']), body })
      expect(reported).toEqual({ id: message.id, seq: expect.any(Number) })
      expect((await service.call('POST', path, { body })).body).toMatchObject({ subject: mark })
    })

    it('a draft of a reply has no subject, and one that the key writes itself has', async () => {
      for (const scopes of blind.filter((scopes) => scopes.join() !== 'inbound')) {
        const derived = await draftBy(scopes, { reply_to_message_id: message.id, text: 'Hi' })
        expect(derived).toMatchObject({ status: 201, body: { subject: '' } })
        const written = await draftBy(scopes, { reply_to_message_id: message.id, subject: 'Mine' })
        expect(written).toMatchObject({ status: 201, body: { subject: 'Mine' } })
        expect((await whole(`/drafts/${derived.body.id}`)).subject).toBe(`Re: ${mark}`)
      }
    })

    it('a refusal names no message that the request does not name', async () => {
      const body = { text: 'Hi', expect_last_message_id: message.id }
      const ask = (scopes: KeyScope[]) =>
        service.call('POST', `/messages/${message.id}/reply`, { key: keyOf(scopes), body })
      const blindly = await ask(['send'])
      expect(blindly).toMatchObject({ status: 409, body: { error: 'thread_moved' } })
      expect(JSON.stringify(blindly.body)).not.toContain(newer.id)
      expect((await ask(['read', 'send'])).body.details).toEqual({ last_message_id: newer.id })
    })

    it('reaches only the drafts that it wrote, until somebody else changes them', async () => {
      const draft = { inbox_id: service.home.inboxId, to: ['bo@example.com'], text: mark }
      const theirs = (await service.call('POST', '/drafts', { body: draft })).body.id
      const act = (scopes: KeyScope[], id: string) =>
        [
          ['PATCH', `/drafts/${id}`, { to: ['eve@evil.example'] }] as const,
          ['POST', `/drafts/${id}/send`, {}] as const,
          ['DELETE', `/drafts/${id}`, undefined] as const,
        ].map(
          ([method, path, body]) =>
            () =>
              service.call(method, path, { key: keyOf(scopes), ...(body && { body }) }),
        )
      for (const scopes of blind.filter((scopes) => scopes.join() !== 'inbound')) {
        const other = (await draftBy(scopes.includes('send') ? ['manage'] : ['send'], { text: 'x' })).body.id
        for (const id of [theirs, other])
          for (const attempt of act(scopes, id))
            expect(await attempt(), `${scopes}`).toMatchObject({ status: 404, body: { error: 'not_found' } })

        const mine = (await draftBy(scopes, { to: ['bo@example.com'], text: 'Hi' })).body.id
        const [change, send, remove] = act(scopes, mine)
        expect((await change!()).status).toBe(200)
        expect((await send!()).status).toBe(scopes.includes('send') ? 200 : 202)
        expect((await remove!()).status).toBe(204)

        const shared = (await draftBy(scopes, { to: ['bo@example.com'], text: 'Hi' })).body.id
        expect((await service.call('PATCH', `/drafts/${shared}`, { body: { text: mark } })).status).toBe(200)
        for (const attempt of act(scopes, shared)) expect((await attempt()).status).toBe(404)
      }
      expect(await whole(`/drafts/${theirs}?include=content`)).toMatchObject({
        status: 'draft',
        to: draft.to,
      })
    })
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
