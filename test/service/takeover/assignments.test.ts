import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { consumerOf, type Owner, ownerOf } from '../../support/desk'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const hourMs = 3_600_000

describeDatabases('a thread with an assignee and a status', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (options) => openService(options, { clock }), perBlock)
  let owner: Owner
  let names = 0
  beforeAll(async () => {
    owner = await ownerOf(service)
  })

  /** A conversation that a stranger began, and a consumer that is new. */
  async function conversation() {
    const name = `desk-${names++}`
    const bot = consumerOf(service, name)
    await service.call('POST', '/consumers', { body: { name, from: 'now' } })
    let mails = 0
    const mail = async () => {
      const number = mails++
      await service.mail({
        subject: name,
        messageId: `<${name}.${number}@example.com>`,
        ...(number > 0 && { inReplyTo: `<${name}.0@example.com>`, references: [`<${name}.0@example.com>`] }),
      })
      return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
    }
    const first = await mail()
    const id: string = first.thread_id
    const does = async (verb: string, body?: object) => owner.call('POST', `/threads/${id}/${verb}`, body)
    const thread = async () => (await service.call('GET', `/threads/${id}`)).body
    return { name, bot, mail, first, id, does, thread }
  }
  const listed = async (query: string) =>
    (await owner.call('GET', `/threads?limit=100&${query}`)).body.threads.map(({ id }: { id: string }) => id)

  it('is held by the operator who gets it, and released to the consumer who gets it', async () => {
    const { name, bot, does, thread, first } = await conversation()
    const assigned = await does('assign', { assignee: { kind: 'operator', id: 'me' } })
    expect(assigned.body).toMatchObject({
      assignee: owner.sender,
      hold: { by: owner.sender, until: null, reason: 'Assigned to an operator.' },
    })
    expect(await bot.lease()).toEqual([])
    const again = await does('assign', { assignee: { kind: 'operator', id: owner.sender.id } })
    expect(again.body.seq).toBe(assigned.body.seq)
    await does('assign', { assignee: { kind: 'consumer', id: name } })
    expect(await thread()).toMatchObject({ assignee: { kind: 'consumer', id: name, name }, hold: null })
    expect(await bot.lease()).toMatchObject([{ handed_back: true, message: { id: first.id } }])
    await does('assign', { assignee: null })
    expect(await thread()).toMatchObject({ assignee: null, hold: null })
  })

  it('refuses assignees that the account does not have', async () => {
    const { does, id } = await conversation()
    for (const assignee of [
      { kind: 'operator', id: 'nobody' },
      { kind: 'consumer', id: 'nobody' },
    ])
      expect(await does('assign', { assignee })).toMatchObject({ status: 404, body: { error: 'not_found' } })
    const byKey = await service.call('POST', `/threads/${id}/assign`, {
      body: { assignee: { kind: 'operator', id: 'me' } },
    })
    expect(byKey.status).toBe(404)
  })

  it('is archived when it is closed, which ends its hold and leaves nothing to consumers', async () => {
    const { bot, does, thread, mail, id } = await conversation()
    await does('hold', {})
    expect((await does('close')).body).toMatchObject({ status: 'closed', hold: null, labels: ['archived'] })
    expect(await bot.lease()).toEqual([])
    const { messages } = (await service.call('GET', `/messages?thread_id=${id}`)).body
    expect(messages[0].label_ids).toContain('archived')
    const next = await mail()
    expect(next.thread_id).toBe(id)
    expect(await thread()).toMatchObject({ status: 'open' })
    expect(await bot.lease()).toMatchObject([{ message: { id: next.id } }])
  })

  it('is open again without the label, and closed by the label of its newest message', async () => {
    const { does, thread, first } = await conversation()
    await does('close')
    expect((await does('reopen')).body).toMatchObject({ status: 'open', labels: [] })
    await service.call('POST', '/labels/archived/assign', { body: { message_id: first.id } })
    expect(await thread()).toMatchObject({ status: 'closed', hold: null })
    await service.call('POST', '/labels/archived/unassign', { body: { message_id: first.id } })
    expect(await thread()).toMatchObject({ status: 'open' })
    // A label decides nothing about a thread that a person holds.
    await does('hold', {})
    await service.call('POST', '/labels/archived/assign', { body: { message_id: first.id } })
    expect(await thread()).toMatchObject({ status: 'open', hold: { by: owner.sender } })
  })

  it('leaves what waits to consumers when a key closes it', async () => {
    const { bot, id, first } = await conversation()
    await service.call('POST', `/threads/${id}/close`)
    expect(await bot.lease()).toMatchObject([{ message: { id: first.id } }])
  })

  it('is open again at the end of its snooze, or with a new message, and held as before', async () => {
    const { does, thread, mail, bot } = await conversation()
    const until = new Date(clock.now() + hourMs).toISOString()
    expect((await does('snooze', { until })).body).toMatchObject({ status: 'snoozed', snoozed_until: until })
    clock.jump(hourMs)
    await expect.poll(async () => (await thread()).status).toBe('open')
    const later = new Date(clock.now() + hourMs).toISOString()
    await does('assign', { assignee: { kind: 'operator', id: 'me' } })
    await does('snooze', { until: later })
    await mail()
    expect(await thread()).toMatchObject({ status: 'open', snoozed_until: null, hold: { until: null } })
    expect(await bot.lease()).toEqual([])
    expect(await does('snooze', { until: new Date(clock.now()).toISOString() })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
  })

  it('is found by hold, assignee, status, and what waits in it', async () => {
    const [held, closed, snoozed, waiting] = [
      await conversation(),
      await conversation(),
      await conversation(),
      await conversation(),
    ]
    await held.does('assign', { assignee: { kind: 'operator', id: 'me' } })
    await closed.does('close')
    await snoozed.does('snooze', { until: new Date(clock.now() + hourMs).toISOString() })
    await service.call('POST', `/threads/${held.id}/hold`, { body: {} })
    const suggested = await service.call('POST', `/messages/${held.first.id}/reply`, {
      body: { text: 'Perhaps.', when_held: 'draft' },
    })
    expect(suggested.status).toBe(202)
    const all = [held, closed, snoozed, waiting].map(({ id }) => id)
    const ofThese = async (query: string) =>
      (await listed(query)).filter((id: string) => all.includes(id)).sort()
    expect(await ofThese('held=true')).toEqual([held.id])
    expect(await ofThese('held=false')).toEqual([closed.id, snoozed.id, waiting.id].sort())
    expect(await ofThese('assignee=me')).toEqual([held.id])
    expect(await ofThese(`assignee=${owner.sender.id}&status=open`)).toEqual([held.id])
    expect(await ofThese('assignee=none')).toEqual([closed.id, snoozed.id, waiting.id].sort())
    expect(await ofThese('status=closed')).toEqual([closed.id])
    expect(await ofThese('status=snoozed')).toEqual([snoozed.id])
    expect(await ofThese('has_suggestion=true')).toEqual([held.id])
    expect(await ofThese('waiting_for_agent=true&status=open')).toEqual([waiting.id])
    expect(await ofThese(`q=${waiting.name}&status=open&held=false`)).toEqual([waiting.id])
    expect((await service.call('GET', '/threads?assignee=me')).body.error).toBe('invalid_request')
  })

  it('names its assignee to keys with manage only', async () => {
    const { does, id } = await conversation()
    await does('assign', { assignee: { kind: 'operator', id: 'me' } })
    const { tenantId } = service.home
    const { body: key } = await owner.browser.ask('POST', `/v1/console/accounts/${tenantId}/keys`, {
      ...{ name: 'reader', scopes: ['read'] },
    })
    const answer = await service.service.fetch(
      new Request(`http://restante.test/v1/threads/${id}`, {
        headers: { authorization: `Bearer ${key.api_key}` },
      }),
    )
    expect(await answer.json()).toMatchObject({
      assignee: { kind: 'operator' },
      hold: { by: { kind: 'operator' } },
    })
    const { body } = await owner.browser.ask('GET', `/v1/console/accounts/${tenantId}/operators`)
    expect(body.operators).toMatchObject([{ id: owner.sender.id }])
  })
})
