import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('senders that an inbox treats otherwise than their headers say', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  let count = 0
  const received = async (mail: object) => {
    await service.mail({ subject: `Mail ${++count}`, text: `Message ${count}`, ...mail })
    return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
  }
  const set = (body: object) => service.call('PATCH', `/inboxes/${service.home.inboxId}`, { body })
  const program = { auto_submitted: 'auto-generated', auto_reason: 'notification' }
  const person = { auto_submitted: 'no', auto_reason: null, unanswerable: null }
  const away = { headers: { 'Auto-Submitted': 'auto-replied' } }
  const notice = {
    headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': '<https://x.example/u>' },
  }

  it('count as persons, by address or domain, until they are taken off', async () => {
    const mail = { from: 'Ann <Ann@Desk.example>', ...away }
    const before = await received(mail)
    expect(before).toMatchObject({ auto_submitted: 'auto-replied', unanswerable: 'automatic' })
    const changed = await set({ treat_as_person: ['ann@desk.example', 'news.example'] })
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { treat_as_person: ['ann@desk.example', 'news.example'], treat_as_program: [] },
    ])
    expect(await received(mail)).toMatchObject(person)
    expect(await received({ from: 'bob@mail.news.example', ...notice })).toMatchObject(person)
    expect(await received({ from: 'bob@desk.example', ...away })).toMatchObject({ unanswerable: 'automatic' })
    // What was decided at arrival stays.
    const { body } = await service.call('GET', `/messages/${before.id}`)
    expect(body).toMatchObject({ auto_submitted: 'auto-replied', unanswerable: 'automatic' })
    expect((await set({ treat_as_person: [] })).body.treat_as_person).toEqual([])
    expect(await received(mail)).toMatchObject({ unanswerable: 'automatic' })
  })

  it('are not counted as the authors of a program', async () => {
    await set({ treat_as_person: ['desk@zendesk.com'], automatic_answers_per_hour: 0 })
    const mail = (from: string) => ({
      from: `Ann (Shop) <${from}>`,
      headers: { 'X-Zendesk-From-Account-Id': '1', 'Auto-Submitted': 'auto-generated' },
    })
    expect(await received(mail('other@zendesk.com'))).toMatchObject({ unanswerable: 'mail_loop' })
    expect(await received(mail('desk@zendesk.com'))).toMatchObject({ ...person, via: { kind: 'ticket' } })
    await set({ treat_as_person: [], automatic_answers_per_hour: 5 })
  })

  it('are never persons where they report: bounces, receipts, the null sender', async () => {
    await set({ treat_as_person: ['there.example'] })
    const from = 'MAILER-DAEMON@there.example'
    const bounce = {
      ...{ from, subject: 'Undelivered Mail Returned to Sender' },
      text: 'The mail system\n\n<bob@there.example>: host mx.there.example said: 550 5.1.1 User unknown',
    }
    expect(await received(bounce)).toMatchObject({ auto_reason: 'bounce', unanswerable: 'automatic' })
    const envelope = { from: '', to: service.home.address }
    expect(await received({ from: 'ann@there.example', envelope, ...away })).toMatchObject({
      auto_submitted: 'auto-replied',
      unanswerable: 'automatic',
    })
    await set({ treat_as_person: [] })
  })

  it('count as programs, and the narrower entry counts', async () => {
    await set({
      treat_as_program: ['shop.example', 'eve@both.example'],
      treat_as_person: ['ann@shop.example', 'eve@both.example'],
    })
    expect(await received({ from: 'bob@shop.example' })).toMatchObject({ ...program, via: null })
    expect(await received({ from: 'ann@shop.example', ...notice })).toMatchObject(person)
    expect(await received({ from: 'eve@both.example' })).toMatchObject(program)
    // What a program answers to a message of ours begins no loop.
    const sent = await service.call('POST', '/messages', { body: { to: ['bob@shop.example'], text: 'Hi' } })
    const inReplyTo = sent.body.message_id
    expect(await received({ from: 'bob@shop.example', inReplyTo })).toMatchObject({
      unanswerable: 'automatic',
    })
    await set({ treat_as_program: [], treat_as_person: [] })
    expect(await received({ from: 'bob@shop.example' })).toMatchObject(person)
  })

  it('are given with a new inbox, and are bounded', async () => {
    const body = { local_part: 'treated', treat_as_program: [' *.Shop.example '] }
    const made = await service.call('POST', '/inboxes', { body })
    expect([made.status, made.body.treat_as_program]).toEqual([201, ['*.Shop.example']])
    const mail = { to: made.body.address, from: 'x@a.shop.example' }
    expect(await received(mail)).toMatchObject({ inbox_id: made.body.id, ...program })
    const many = Array.from({ length: 101 }, (_, at) => `p${at}@shop.example`)
    for (const wrong of [many, ['no pattern'], [''], 'shop.example'])
      expect((await set({ treat_as_person: wrong })).status).toBe(400)
  })

  it('are told by one event, which an equal change does not repeat', async () => {
    const after = (await service.call('GET', '/events?after=now')).body.to
    await set({ treat_as_program: ['shop.example'] })
    await set({ treat_as_program: ['shop.example'] })
    const { events } = (await service.call('GET', `/events?after=${after}`)).body
    expect(events.map(({ type, data }: { type: string; data: object }) => [type, data])).toMatchObject([
      ['inbox.updated', { treat_as_program: ['shop.example'] }],
    ])
  })
})
