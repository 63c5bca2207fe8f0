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
    const mail = await arrived()
    const both = { text: 'hi', expect_last_message_id: mail.id, ...time }
    expect((await post(`/messages/${mail.id}/reply`, both)).body.details[0].field).toBe(
      'expect_last_message_id',
    )
  })
})
