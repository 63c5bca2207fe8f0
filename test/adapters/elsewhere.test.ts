import { Mailbox } from 'restante'
import { createToolbox, type ToolName } from 'restante/tools'
import { expect, test } from 'vitest'
import { openReal } from '../mailbox/support/real'
import { claimedTenant } from '../support/tenant'

test('what one process kept opens nothing for a mailbox of another account or inbox', async () => {
  await using real = await openReal()
  const { call, home, service } = real.real
  const ana = await real.receive({ from: 'Ana <ana@example.com>', subject: 'Price?', text: 'It is secret.' })
  const { tools } = createToolbox(real.mailbox)
  const draft = await tools.create_draft!.call({ to: 'bo@example.com', subject: 'Price', text: '10' })
  const wait = real.mailbox.nextReply(ana)
  wait.cancel()

  const { body: inbox } = await call('POST', '/inboxes', { body: { local_part: 'second' } })
  const scopes = ['read' as const, 'send' as const, 'manage' as const]
  const place = { account_id: home.tenantId, name: 'second', inbox_id: inbox.id }
  const ofInbox = await service.keys.create({ ...place, scopes })
  const { key: ofOther } = await claimedTenant(real.real, 'h')
  for (const [options, refusal] of [
    [{ apiKey: ofOther }, 'not_found'],
    [{ apiKey: ofInbox.api_key }, 'not_found'],
    [{ inbox: inbox.address }, 'not_in_mailbox'],
  ] as const) {
    await using elsewhere = await Mailbox.open({ service, ...options })
    await expect(elsewhere.resumeWait(wait.token!)).rejects.toMatchObject({ code: refusal })
    const toolbox = createToolbox(elsewhere, { shown: [ana.id] })
    const approved = (name: ToolName, input: object) =>
      toolbox.tools[name]!.call(input as never, { callId: '1', approved: true })
    const refused = { status: 'refused', error: refusal }
    expect(await approved('reply', { message: ana.id, text: 'Hi' })).toMatchObject(refused)
    expect(await approved('reply', { message: ana.handle, text: 'Hi' })).toMatchObject({
      error: 'unknown_handle',
    })
    const { draft: id, seq } = draft as { draft: string; seq: number }
    expect(await approved('send_draft', { draft: id, seq })).toMatchObject(refused)
    // What was read there may be told to nobody here.
    const mail = { to: 'bo@example.com', subject: 'Price', text: '10' }
    expect(await toolbox.tools.send_mail!.call(mail)).toMatchObject({ status: 'waiting_for_approval' })
  }
  expect(await real.sentMail()).toEqual([])
})

test('what the tools send by a key that may not send waits for an operator', async () => {
  await using real = await openReal()
  const { home, service } = real.real
  const attachments = [{ filename: 'plan.txt', content: 'Plan' }]
  const ana = await real.receive({ subject: 'Plans', html: '<p>See <b>this</b></p>', attachments })
  const scopes = ['read' as const, 'manage' as const]
  const { api_key } = await service.keys.create({ account_id: home.tenantId, name: 'w', scopes })
  await using writer = await Mailbox.open({ service, apiKey: api_key })
  const { tools } = createToolbox(writer, { flow: 'off' })
  const waits = { status: 'waiting_for_approval', draft: expect.stringMatching(/^drf_/) }
  const forward = { message: ana.handle, to: 'sales@example.com', text: 'Yours?' }
  expect(await tools.forward!.call(forward)).toMatchObject(waits)
  expect(await tools.forward!.call(forward)).toMatchObject({ error: 'already_forwarded' })
  expect(await tools.reply!.call({ message: ana.handle, text: 'Yes.' })).toMatchObject(waits)
  const mail = { to: 'bo@example.com', subject: 'Hi', text: 'Hello' }
  expect(await tools.send_mail!.call(mail)).toMatchObject(waits)
  const { drafts } = await service.approvals.list()
  const asked = await Promise.all(drafts.map(({ id }) => service.approvals.get(id)))
  expect(asked.map(({ subject, to }) => [subject, ...to])).toEqual([
    ['Fwd: Plans', 'sales@example.com'],
    ['Re: Plans', 'ana@example.com'],
    ['Hi', 'bo@example.com'],
  ])
  expect(asked[0]).toMatchObject({
    forward_message_id: ana.id,
    html: expect.stringContaining('<p>See <b>this</b></p>'),
    attachments: [{ filename: 'plan.txt' }],
  })
  expect(await real.sentMail()).toEqual([])
})

test('an account of a run that is no list of names is refused', async () => {
  await using real = await openReal()
  for (const shown of [null, 'msg_1', '["msg_1"]', { 0: 'msg_1' }, ['msg_1', 2]])
    expect(() => createToolbox(real.mailbox, { shown: shown as never })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining('shown takes') }),
    )
  expect(createToolbox(real.mailbox, { shown: 'everything' }).shown).toBe('everything')
})
