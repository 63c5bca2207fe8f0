import { Mailbox } from 'restante'
import { beforeAll, expect, it } from 'vitest'
import { Browser, secretOf } from '../../support/console'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('who sent a message', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  const to = ['bo@example.com']
  let human: Browser
  let operator: object
  let agent: { id: string; key: string }
  const asOperator = (method: string, path: string, body?: object) =>
    human.ask(method, `/v1${path}`, body, {
      origin: 'http://restante.test',
      'restante-account': service.home.tenantId,
    })
  const newKey = async (name: string, scopes: string[]) => {
    const { body } = await human.call('POST', `/accounts/${service.home.tenantId}/keys`, { name, scopes })
    return { id: body.id as string, key: body.api_key as string }
  }
  beforeAll(async () => {
    human = new Browser(service.service)
    await human.sign('use-link', { token: secretOf(service.service.ownerLink()) })
    const { operator: signedIn } = (await human.ask('GET', '/console/auth/session')).body
    operator = { kind: 'operator', id: signedIn.id, name: 'Owner of this service' }
    agent = await newKey('Support agent', ['read', 'send'])
  })

  const received = async () => {
    await service.mail({ subject: `Question ${Math.random()}` })
    return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
  }
  const read = async (id: string, key?: string) =>
    (await service.call('GET', `/messages/${id}`, key === undefined ? {} : { key })).body
  const sendersOf = async (id: string, key?: string) => {
    const { sent_by, approved_by } = await read(id, key)
    return { sent_by, approved_by }
  }

  it('is the operator who answers in the console, by name', async () => {
    const message = await received()
    const { body } = await asOperator('POST', `/messages/${message.id}/reply`, { text: 'By hand.' })
    expect(await sendersOf(body.id)).toEqual({ sent_by: operator, approved_by: null })
    expect(await read(message.id)).not.toHaveProperty('sent_by')
    const claimed = { text: 'By hand.', consumer: 'desk' }
    const { body: second } = await asOperator('POST', `/messages/${message.id}/reply`, claimed)
    expect((await sendersOf(second.id)).sent_by).toEqual(operator)
  })

  it('is the key of a program, or the consumer that it names', async () => {
    const { key, id } = agent
    const message = await received()
    const reply = async (body: object) =>
      (await service.call('POST', `/messages/${message.id}/reply`, { key, body })).body.id
    const byKey = { kind: 'key', id, name: 'Support agent' }
    expect((await sendersOf(await reply({ text: 'A' }))).sent_by).toEqual(byKey)
    const byConsumer = { kind: 'consumer', id: 'desk', name: 'desk' }
    const sent = await reply({ text: 'B', consumer: 'desk', client_id: `b ${message.id}` })
    expect((await sendersOf(sent)).sent_by).toEqual(byConsumer)
    // The consumer is no part of what a repeat is compared by.
    expect(await reply({ text: 'B', client_id: `b ${message.id}` })).toBe(sent)
  })

  it('is the consumer whose handler replies by the mailbox', async () => {
    const message = await received()
    await using mailbox = await Mailbox.open({ service: service.service, inbox: service.home.inboxId })
    for await (const incoming of mailbox.incoming({ consumer: 'night-shift', from: 'start' })) {
      if (incoming.id !== message.id) continue
      const { id } = await incoming.reply('From a handler.')
      expect((await sendersOf(id)).sent_by).toEqual({
        kind: 'consumer',
        id: 'night-shift',
        name: 'night-shift',
      })
      break
    }
  })

  it('is who asked, beside the operator who approved', async () => {
    const { key, id } = await newKey('Drafter', ['read', 'manage'])
    const draftOf = async (body: object = {}) => {
      const mail = { inbox_id: service.home.inboxId, to, subject: 'Hi', text: 'Hello.', ...body }
      const { body: draft } = await service.call('POST', '/drafts', { key, body: mail })
      return (await service.call('POST', `/drafts/${draft.id}/send`, { key })).body
    }
    const approve = async ({ id, seq }: { id: string; seq: number }) =>
      (await human.call('POST', `/accounts/${service.home.tenantId}/drafts/${id}/approve`, { seq })).body
    const byKey = { kind: 'key', id, name: 'Drafter' }
    const sent = await approve(await draftOf())
    expect(await sendersOf(sent.id)).toEqual({ sent_by: byKey, approved_by: operator })
    const atNight = await draftOf()
    const byHost = await service.service.approvals.approve({ ...atNight, tenantId: service.home.tenantId })
    const host = { kind: 'operator', id: null, name: null }
    expect(await sendersOf(byHost.id)).toEqual({ sent_by: byKey, approved_by: host })
    const changed = await draftOf()
    await asOperator('PATCH', `/drafts/${changed.id}`, { text: 'By hand.' })
    const { body } = await asOperator('POST', `/drafts/${changed.id}/send`)
    expect(await sendersOf(body.id)).toEqual({ sent_by: operator, approved_by: null })
  })

  it('shows its kind only to a key without manage, in every answer and event', async () => {
    const message = await received()
    const { body } = await asOperator('POST', `/messages/${message.id}/reply`, { text: 'By hand.' })
    const reported = { sent_by: { kind: 'operator' }, approved_by: null }
    const { key } = agent
    expect(await sendersOf(body.id, key)).toEqual(reported)
    const list = `/messages?thread_id=${message.thread_id}&direction=outbound`
    expect((await service.call('GET', list, { key })).body.messages).toMatchObject([reported])
    expect((await service.call('GET', list)).body.messages).toMatchObject([{ sent_by: operator }])
    const events = async (options: object) => {
      const page = await service.call('GET', `/events?after=${message.seq}&types=message.queued`, options)
      return page.body.events.map(({ data: { sent_by } }: { data: { sent_by: object } }) => sent_by)
    }
    expect(await events({ key })).toEqual([reported.sent_by])
    expect(await events({})).toEqual([operator])
    await using mailbox = await Mailbox.open({ service: service.service, apiKey: key })
    const heard = new Promise<unknown>((resolve) =>
      mailbox.on('event', ({ type, data }) => type === 'message.queued' && resolve(data.sent_by)),
    )
    await asOperator('POST', `/messages/${message.id}/reply`, { text: 'By hand again.' })
    expect(await heard).toEqual(reported.sent_by)
  })
})
