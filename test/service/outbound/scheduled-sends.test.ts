import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { draftCalls } from '../../support/draft-calls'
import { startDrafting } from '../../support/drafting'
import { useService } from '../../support/use-service'

const minuteMs = 60_000

describeDatabases('sends with a time', (openDatabase) => {
  const { service: drafting } = useService(openDatabase, startDrafting)
  const { call, whole, read, content, change, outbox, message, in1h, settled, arrived } = draftCalls(drafting)
  const post = (path: string, body: object) => call('POST', path, { body })
  const idOf = (name: string) => `<${name}.expected@example.com>`
  const mail = (name: string, first?: string) =>
    arrived({
      messageId: idOf(name),
      ...(first !== undefined && { inReplyTo: idOf(first), references: [idOf(first)] }),
    })

  it('are drafts that send themselves, and their client_id leads to what they became', async () => {
    const scheduled_at = in1h()
    const body = whole({
      scheduled_at,
      to: ['"Bo, the first" <bo@example.com>'],
      headers: { 'X-Ticket': '42' },
      client_id: 'later',
    })
    const { status, body: draft } = await post('/messages', body)
    expect([status, draft.status, draft.scheduled_at]).toEqual([202, 'scheduled', scheduled_at])
    expect(await content(draft.id)).toMatchObject({
      to: ['"Bo, the first" <bo@example.com>'],
      text: 'hello',
      headers: { 'X-Ticket': '42' },
    })
    expect(await post('/messages', body)).toMatchObject({ status: 202, body: draft })
    const other = await post('/messages', { ...body, text: 'other' })
    expect([other.body.error, other.body.details]).toEqual(['client_id_conflict', { draft_id: draft.id }])
    expect(await outbox()).toEqual([])
    drafting.clock.jump(61 * minuteMs)
    await settled(draft.id).toBe('sent')
    const { sent_message_id } = await read(draft.id)
    const replay = await post('/messages', body)
    expect(replay).toMatchObject({ status: 200, body: { id: sent_message_id, idempotent: true } })
    await call('DELETE', `/drafts/${draft.id}`)
    await call('DELETE', `/messages/${sent_message_id}`)
    expect((await post('/messages', body)).body).toEqual(replay.body)
  })

  it('are cancelled by deleting the draft, and changed by changing it', async () => {
    const body = whole({ scheduled_at: in1h(), client_id: 'a' })
    const first = (await post('/messages', body)).body
    await call('DELETE', `/drafts/${first.id}`)
    expect((await post('/messages', body)).body).toMatchObject({
      error: 'client_id_conflict',
      details: { draft_id: first.id },
    })
    const second = (await post('/messages', { ...body, client_id: 'b' })).body
    await change(second.id, { text: 'changed' })
    drafting.clock.jump(61 * minuteMs)
    await settled(second.id).toBe('sent')
    expect((await outbox()).map((sent: { preview: string }) => sent.preview)).toEqual(['changed'])
  })

  it('are one under 50 equal calls at once', async () => {
    const body = whole({ scheduled_at: in1h(), client_id: 'once' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/messages', body)))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.id}`)).size).toBe(1)
    expect((await call('GET', '/drafts')).body.drafts).toHaveLength(1)
  })

  it('reply in thread and pass on with what was attached', async () => {
    const attachments = [{ filename: 'plan.bin', content: Buffer.from([0, 255]) }]
    const mail = await arrived({ subject: 'Plans', messageId: '<q@example.com>', attachments })
    const time = { scheduled_at: in1h() }
    const reply = await post(`/messages/${mail.id}/reply`, { text: 'later', reply_all: true, ...time })
    const forward = await post(`/messages/${mail.id}/forward`, { to: ['bo@example.com'], ...time })
    expect([reply.status, forward.status]).toEqual([202, 202])
    drafting.clock.jump(61 * minuteMs)
    for (const { body } of [reply, forward]) await settled(body.id).toBe('sent')
    const sent = async (id: string) => message((await read(id)).sent_message_id)
    expect(await sent(reply.body.id)).toMatchObject({
      thread_id: mail.thread_id,
      in_reply_to: '<q@example.com>',
      subject: 'Re: Plans',
      to_addrs: ['ana@example.com'],
    })
    const passed = await sent(forward.body.id)
    expect(passed).toMatchObject({ subject: 'Fwd: Plans', attachments: [{ filename: 'plan.bin', size: 2 }] })
    expect(passed.thread_id).not.toBe(mail.thread_id)
  })

  it('are refused at once where they could never leave', async () => {
    const time = { scheduled_at: in1h() }
    expect((await post('/messages', { text: 'hi', ...time })).body.error).toBe('no_recipients')
    expect((await post('/messages', { to: ['bo@example.com'], ...time })).body.error).toBe('message_empty')
    const [first, newer] = [await mail('first'), await mail('newer', 'first')]
    const late = { text: 'hi', expect_last_message_id: first.id, ...time }
    expect(await post(`/messages/${first.id}/reply`, late)).toMatchObject({
      status: 409,
      body: { error: 'thread_moved', details: { last_message_id: newer.id } },
    })
  })

  it('leave only while the expected message is the newest of the thread', async () => {
    const reply = async (id: string) =>
      (await post(`/messages/${id}/reply`, { text: 'hi', expect_last_message_id: id, scheduled_at: in1h() }))
        .body
    const leaves = await reply((await mail('1')).id)
    drafting.clock.jump(61 * minuteMs)
    await settled(leaves.id).toBe('sent')
    const second = await mail('2', '1')
    const stays = await reply(second.id)
    expect(await content(stays.id)).toMatchObject({ expect_last_message_id: second.id })
    const third = await mail('3', '1')
    drafting.clock.jump(61 * minuteMs)
    await settled(stays.id).toBe('failed')
    expect((await read(stays.id)).error.code).toBe('thread_moved')
    const again = await post(`/drafts/${stays.id}/send`, {})
    expect(again.body).toMatchObject({ error: 'thread_moved', details: { last_message_id: third.id } })
    await change(stays.id, { expect_last_message_id: null })
    expect((await post(`/drafts/${stays.id}/send`, {})).status).toBe(200)
  })

  it('as drafts, too, leave only then', async () => {
    const first = await mail('d1')
    const { body: draft } = await post('/drafts', {
      ...{ inbox_id: first.inbox_id, reply_to_message_id: first.id, text: 'hi', scheduled_at: in1h() },
      expect_last_message_id: first.id,
    })
    await mail('d2', 'd1')
    drafting.clock.jump(61 * minuteMs)
    await settled(draft.id).toBe('failed')
    expect((await read(draft.id)).error.code).toBe('thread_moved')
  })

  it('expect a newest message only as replies', async () => {
    const first = await mail('e1')
    const expecting = { expect_last_message_id: first.id }
    const refused = { status: 400, body: { error: 'invalid_request' } }
    const draft = { inbox_id: first.inbox_id, to: ['bo@example.com'], text: 'hi' }
    const created = await post('/drafts', { ...draft, ...expecting })
    expect(created).toMatchObject(refused)
    expect(JSON.stringify(created.body)).toContain('expect_last_message_id')
    const forward = { inbox_id: first.inbox_id, to: ['bo@example.com'], forward_message_id: first.id }
    expect(await post('/drafts', { ...forward, ...expecting })).toMatchObject(refused)
    const { id } = (await post('/drafts', draft)).body
    expect(await change(id, expecting)).toMatchObject(refused)
    await change(id, { reply_to_message_id: first.id, ...expecting })
    expect(await content(id)).toMatchObject(expecting)
    await change(id, { reply_to_message_id: null })
    expect(await content(id)).toMatchObject({ expect_last_message_id: null })
  })
})
