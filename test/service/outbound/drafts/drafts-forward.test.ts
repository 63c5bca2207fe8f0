import { expect, it } from 'vitest'
import { describeDatabases } from '../../../support/databases'
import { draftCalls } from '../../../support/draft-calls'
import { startDrafting } from '../../../support/drafting'
import { useService } from '../../../support/use-service'

describeDatabases('drafts that forward', (openDatabase) => {
  const { service: drafting } = useService(openDatabase, startDrafting)
  const { call, draft, made, content, change, send, message, in1h, arrived } = draftCalls(drafting)

  const attachments = [{ filename: 'plan.bin', content: Uint8Array.of(1, 2) }]
  const withPlan = () =>
    arrived({ from: 'Ana <ana@example.com>', subject: 'Plans', html: '<p>See <b>this</b></p>', attachments })
  const to = ['bo@example.com']

  it('have all that a forward has, and send it', async () => {
    const mail = await withPlan()
    const given = { to, text: 'Yours?', client_id: 'f' }
    const forwarded = (await call('POST', `/messages/${mail.id}/forward`, { body: given })).body
    const own = { attachments: [{ filename: 'note.txt', content_base64: 'aGk=' }] }
    const { id, thread_id } = await made({ to, text: 'Yours?', forward_message_id: mail.id, ...own })
    expect(thread_id).toBeNull()
    expect(await content(id)).toMatchObject({
      subject: 'Fwd: Plans',
      text: expect.stringMatching(/^Yours\?\n\n-+ Forwarded message -+\nFrom: Ana <ana@example\.com>\n/),
      html: expect.stringContaining('<p>See <b>this</b></p>'),
      forward_message_id: mail.id,
      reply_to_message_id: null,
      attachments: [{ filename: 'note.txt' }, { filename: 'plan.bin', size: 2 }],
    })
    const sent = await message((await send(id)).body.id)
    const same = await message(forwarded.id)
    for (const field of ['subject', 'body_text', 'body_html', 'to_addrs'])
      expect(sent[field], field).toEqual(same[field])
    expect(sent.attachments).toHaveLength(2)
    expect(sent.thread_id).not.toBe(mail.thread_id)
  })

  it('need no word of their own, and take a subject and Markdown', async () => {
    const mail = await withPlan()
    const bare = await made({ to, forward_message_id: mail.id })
    expect(await content(bare.id)).toMatchObject({ text: expect.stringMatching(/^-+ Forwarded message/) })
    const named = await made({ to, subject: 'For you', markdown: '**Now**', forward_message_id: mail.id })
    expect(await content(named.id)).toMatchObject({
      subject: 'For you',
      html: expect.stringMatching(/^<p><strong>Now<\/strong><\/p>[\s\S]*See <b>this<\/b>/),
    })
    expect((await send(bare.id)).status).toBe(200)
  })

  it('wait for an operator if the key may not send, and tell which message they forward', async () => {
    const mail = await withPlan()
    const key = drafting.keys.manage
    const { id } = await made({ to, forward_message_id: mail.id }, key)
    const asked = await send(id, undefined, key)
    expect([asked.status, asked.body.status]).toEqual([202, 'pending_approval'])
    const tenantId = drafting.home.tenantId
    const waiting = await drafting.service.approvals.get(id)
    expect(waiting).toMatchObject({ forward_message_id: mail.id, attachments: [{ filename: 'plan.bin' }] })
    const sent = await drafting.service.approvals.approve({ tenantId, id, seq: waiting.seq })
    expect(await message(sent.id)).toMatchObject({ subject: 'Fwd: Plans', to_addrs: to })
  })

  it('are what a forward with a time becomes', async () => {
    const mail = await withPlan()
    const body = { to, scheduled_at: in1h() }
    const later = await call('POST', `/messages/${mail.id}/forward`, { body })
    expect(await content(later.body.id)).toMatchObject({ forward_message_id: mail.id })
  })

  it('reply to nothing, forward mail of their own inbox, and need a key that reads', async () => {
    const mail = await withPlan()
    const refused = (answer: { status: number; body: { error: string; details?: { field: string }[] } }) => [
      answer.status,
      answer.body.error,
      answer.body.details?.[0]?.field,
    ]
    const both = { forward_message_id: mail.id, reply_to_message_id: mail.id }
    expect(refused(await draft(both))).toEqual([400, 'invalid_request', 'forward_message_id'])
    for (const field of ['reply_all', 'quote'])
      expect(refused(await draft({ forward_message_id: mail.id, text: 'a', [field]: true }))).toEqual([
        ...[400, 'invalid_request', field],
      ])
    const { id } = await made({ forward_message_id: mail.id })
    expect(refused(await change(id, { reply_to_message_id: mail.id }))).toEqual([
      ...[400, 'invalid_request', 'reply_to_message_id'],
    ])
    await change(id, { text: 'All new' })
    expect(await content(id)).toMatchObject({ text: 'All new', forward_message_id: mail.id })
    const { body: second } = await call('POST', '/inboxes', { body: { local_part: 'second' } })
    expect(refused(await draft({ inbox_id: second.id, forward_message_id: mail.id }))).toEqual([
      ...[400, 'invalid_request', 'forward_message_id'],
    ])
    expect((await draft({ forward_message_id: 'msg_0' })).status).toBe(404)
    const { api_key } = await drafting.service.keys.create({
      ...{ account_id: drafting.home.tenantId, name: 'w', scopes: ['send', 'manage'] },
    })
    expect(refused(await draft({ forward_message_id: mail.id }, api_key)).slice(0, 2)).toEqual([
      ...[403, 'insufficient_scope'],
    ])
  })
})
