import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { AttachmentContent, Message, OutgoingAttachment } from 'restante'
import { describe, expect, test } from 'vitest'
import { readFile as readFileInBrowser } from '../../../src/client/platform/files-web'
import { temporaryFolder } from '../../cli/support/cli'
import { openReal } from '../support/real'

const contentsOf = async (message: Message) =>
  Promise.all(
    message.attachments.map(async (one) => [
      one.filename,
      one.contentType,
      new TextDecoder().decode((await one.content()).slice(0, 40)),
    ]),
  )

describe('where answers get lost after the service has committed', () => {
  test.each<[string, (message: Message) => Promise<unknown>, number]>([
    ['reply', (message) => message.reply({ text: 'Yes' }), 1],
    ['replyAll', (message) => message.replyAll({ text: 'Yes' }), 1],
    ['forward', (message) => message.forward({ to: 'bo@example.com' }), 1],
    ['a reply by the thread', async (message) => (await message.thread()).reply({ text: 'Yes' }), 1],
    [
      'a forward by the thread',
      async (message) => (await message.thread()).forward({ to: 'b@x.example' }),
      1,
    ],
    ['a draft that is sent', async (message) => (await message.draft({ text: 'Yes' })).send(), 1],
    [
      'a reply with a large file',
      (message) =>
        message.reply({ text: 'Yes', attachments: [{ filename: 'a', content: 'a'.repeat(600_000) }] }),
      1,
    ],
  ])('%s sends one mail', async (_what, answer, count) => {
    await using context = await openReal()
    const { service, receive, sentMail } = context
    const message = await receive()
    service.lossy = true
    await answer(message)
    expect(service.requests.filter((request) => request.endsWith('!')).length).toBeGreaterThan(0)
    expect(await sentMail()).toHaveLength(count)
  })

  test('send sends one mail, and labels and deletions are done', async () => {
    await using context = await openReal()
    const { mailbox, service, receive, sentMail } = context
    const message = await receive()
    service.lossy = true
    await mailbox.send({ to: 'ana@example.com', text: 'Hi' })
    expect(await sentMail()).toHaveLength(1)
    const labelled = await message.label('Invoices')
    expect(labelled.labels).toEqual(['Invoices', 'unread'])
    expect((await labelled.unlabel('invoices')).labels).toEqual(['unread'])
    expect((await labelled.unlabel('never heard of')).labels).toEqual(['Invoices', 'unread'])
    await message.delete()
    await message.delete()
    await expect(mailbox.client.messages.get({ id: message.id })).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('a whole thread is labelled, unlabelled and deleted', async () => {
  await using context = await openReal()
  const { mailbox, receive } = context
  const first = await receive({ messageId: '<1@example.com>' })
  await receive({ inReplyTo: '<1@example.com>', subject: 'Re: Hello' })
  const thread = await first.thread()
  await thread.label('done')
  const { items } = await mailbox.messages.list({ threadId: thread.id })
  expect(items.map(({ labels }) => labels)).toEqual([
    ['done', 'unread'],
    ['done', 'unread'],
  ])
  expect((await items[0]!.label('spam')).record.label_ids).toContain('spam')
  await thread.unlabel('done')
  await thread.delete()
  await expect(mailbox.client.threads.get({ id: thread.id })).rejects.toMatchObject({ code: 'not_found' })
})

describe('an attachment', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  test.each<[string, AttachmentContent]>([
    ['text', 'grün'],
    ['bytes', bytes('grün')],
    ['an ArrayBuffer', bytes('grün').buffer as ArrayBuffer],
    ['a Blob', new Blob(['grün'], { type: 'text/plain;charset=utf-8' })],
    ['a web stream', new Blob(['gr', 'ün']).stream()],
    ['a Node stream', Readable.from([Buffer.from('gr'), Buffer.from('ün')])],
    ['a Node stream of text', Readable.from(['gr', 'ün'])],
  ])('is sent from %s', async (_what, content) => {
    await using context = await openReal()
    const { mailbox, sentMail } = context
    const attachments = [{ filename: 'ü.txt', content }]
    await mailbox.send({ to: 'ana@example.com', text: 'Here', attachments })
    expect(await contentsOf((await sentMail())[0]!)).toEqual([['ü.txt', 'text/plain', 'grün']])
  })

  test('is sent from a path or a File, which give its name and type where nothing else does', async () => {
    await using context = await openReal()
    const { mailbox, sentMail, service } = context
    const path = join(await temporaryFolder(), 'two words.txt')
    await writeFile(path, 'grün')
    const attachments: OutgoingAttachment[] = [
      { path },
      { path: pathToFileURL(path), filename: 'b.bin', contentType: 'application/x-b' },
      { content: new File(['{}'], 'c.json', { type: 'application/json' }) },
    ]
    await mailbox.send({ to: 'ana@example.com', text: 'Here', attachments })
    expect(await contentsOf((await sentMail())[0]!)).toEqual([
      ['two words.txt', 'text/plain', 'grün'],
      ['b.bin', 'application/x-b', 'grün'],
      ['c.json', 'application/json', '{}'],
    ])
    expect(service.requests.join()).not.toContain('/uploads')
  })

  test('is uploaded ahead of the mail where it is large', async () => {
    await using context = await openReal()
    const { mailbox, sentMail, service } = context
    const content = new Uint8Array(3 * 1024 * 1024).fill(65)
    await mailbox.send({ to: 'a@x.example', text: 'Here', attachments: [{ filename: 'a.bin', content }] })
    expect(service.requests.filter((request) => request.startsWith('POST'))).toEqual([
      'POST /uploads',
      'POST /messages',
    ])
    expect((await sentMail())[0]?.attachments[0]?.size).toBe(content.length)
  })

  test('is refused before anything is sent where it cannot be sent', async () => {
    await using context = await openReal()
    const { mailbox, sentMail } = context
    const send = (attachment: unknown) =>
      mailbox.send({ to: 'a@x.example', text: 'Hi', attachments: [attachment as OutgoingAttachment] })
    await expect(send({ path: '/nowhere/a.txt' })).rejects.toMatchObject({ code: 'unreadable_attachment' })
    await expect(send({ content: 'a' })).rejects.toMatchObject({ code: 'invalid_options' })
    const refusals: [attachment: unknown, words: RegExp][] = [
      [{ filename: 'a', data: 'a' }, /takes \{ filename, content, path.* not data: say content/],
      [{ filename: 'a' }, /the attachment a needs content/],
      [{ filename: 'a', content: { length: 1 } }, /the attachment a needs content/],
      [{ filename: 'a', content: null }, /the attachment a needs content/],
      ['a.pdf', /not string/],
    ]
    for (const [attachment, message] of refusals)
      await expect(send(attachment)).rejects.toMatchObject({
        code: 'invalid_options',
        message: expect.stringMatching(message),
      })
    const endless = (async function* () {
      for (;;) yield new Uint8Array(1024 * 1024)
    })()
    await expect(send({ filename: 'a', content: endless })).rejects.toMatchObject({
      code: 'attachment_too_large',
    })
    await expect(readFileInBrowser('a.txt', 1)).rejects.toMatchObject({ code: 'no_files' })
    expect(await sentMail()).toEqual([])
  })
})

test('drafts are listed, read, changed, scheduled, sent and deleted', async () => {
  await using context = await openReal()
  const { mailbox, receive, sentMail } = context
  const draft = await mailbox.drafts.create({ to: 'ana@example.com', subject: 'Offer', text: '10 %' })
  expect(draft).toMatchObject({ subject: 'Offer', status: 'draft', scheduledAt: null })
  const scheduledAt = new Date('2100-01-01T00:00:00Z')
  const later = await draft.update({
    scheduledAt,
    text: '5 %',
    attachments: [{ filename: 'a', content: 'a' }],
  })
  expect(later).toMatchObject({ status: 'scheduled', scheduledAt })
  const now = await mailbox.drafts.update(draft.id, { scheduledAt: null })
  expect(now.status).toBe('draft')
  expect((await mailbox.drafts.get(draft.id)).record).toMatchObject({ text: '5 %', to: ['ana@example.com'] })

  const message = await receive()
  const answer = await message.draft({ text: 'Yes' })
  expect(answer.threadId).toBe(message.threadId)
  const byHandle = await mailbox.drafts.create({ inReplyTo: message.handle, text: 'Yes' })
  expect(byHandle.threadId).toBe(message.threadId)
  const { items, nextCursor } = await mailbox.drafts.list({ limit: 2, status: 'draft' })
  expect(items.map(({ id }) => id)).toEqual([byHandle.id, answer.id])
  expect(nextCursor).not.toBeNull()

  await byHandle.delete()
  await byHandle.delete()
  const sent = await answer.send()
  expect(sent).toMatchObject({ status: 'sent', threadId: message.threadId, idempotent: false })
  expect(await mailbox.drafts.send(answer.id)).toMatchObject({ status: 'sent', idempotent: true })
  expect(await sentMail()).toHaveLength(1)
})

test('S5: a turn has one draft, also where it is handled again', async () => {
  await using context = await openReal()
  const { mailbox, real } = context
  await using first = mailbox.incoming()
  await using second = mailbox.incoming()
  await real.mail({})
  const message = (await first.next()).value as Message
  const again = (await second.next()).value as Message
  const draft = await message.draft({ text: 'Yes' })
  await expect(message.draft({ text: 'No' })).rejects.toMatchObject({ code: 'already_drafted' })
  await draft.send()
  expect(await again.draft({ text: 'In other words' })).toMatchObject({ id: draft.id, status: 'sent' })
  expect((await again.draft({ text: 'No', key: 'second' })).id).not.toBe(draft.id)
  const clientId = 'mine'
  await mailbox.drafts.create({ text: 'A', clientId })
  await expect(mailbox.drafts.create({ text: 'B', clientId })).rejects.toMatchObject({
    code: 'client_id_conflict',
  })
})

test('S5: a message that is read by its id is answered once under a key, in the same words', async () => {
  await using context = await openReal()
  const { mailbox, sentMail } = context
  const { id } = await context.receive()
  const byId = () => mailbox.messages.get(id)
  const first = await (await byId()).reply({ text: 'Yes', key: 'k' })
  expect(await (await byId()).reply({ text: 'Yes', key: 'k' })).toMatchObject({
    id: first.id,
    idempotent: true,
  })
  const { items } = await mailbox.messages.list({ direction: 'inbound' })
  const thread = await mailbox.threads.get(first.threadId)
  for (const again of [await byId(), items[0]!, thread])
    await expect(again.reply({ text: 'No', key: 'k' })).rejects.toMatchObject({
      code: 'already_replied',
      message: expect.stringMatching(/key.*replay: 'first_wins'/),
    })
  expect(await (await byId()).reply({ text: 'No', key: 'k', replay: 'first_wins' })).toMatchObject({
    id: first.id,
    idempotent: true,
  })
  const to = 'bo@example.com'
  const passed = await (await byId()).forward({ to, text: 'Yours?' })
  expect(await (await byId()).forward({ to, text: 'Yours?' })).toMatchObject({
    id: passed.id,
    idempotent: true,
  })
  await expect((await byId()).forward({ to, text: 'Mine?' })).rejects.toMatchObject({
    code: 'already_forwarded',
  })
  expect(await sentMail()).toHaveLength(2)
})

test('S5: a message that is read by its id in the body that has it uses the slot of the consumer', async () => {
  await using context = await openReal()
  const { mailbox, real, sentMail } = context
  const handled: unknown[] = []
  const run = mailbox.run(
    async (message) => {
      const sent = [
        await message.reply('Yes'),
        await (await mailbox.messages.get(message.id)).reply('Yes'),
        await (await mailbox.messages.get(message.id)).reply('In other words'),
      ]
      handled.push(sent.map(({ id }) => id))
    },
    { consumer: 'bot', onError: (error) => handled.push(error) },
  )
  await real.mail({})
  await expect.poll(() => handled).toHaveLength(1)
  await run.stop()
  const [sent, ...more] = await sentMail()
  expect([handled[0], more]).toEqual([[sent!.id, sent!.id, sent!.id], []])
})

test('S5: a message that two consumers have in one mailbox is answered by its id in a slot of its own', async () => {
  await using context = await openReal()
  const { mailbox, real, sentMail } = context
  const [triage, support] = ['triage', 'support'].map((consumer) => mailbox.incoming({ consumer }))
  await real.mail({})
  const first = (await triage!.next()).value as Message
  await support!.next()
  await first.reply('Triage')
  await (await mailbox.messages.get(first.id)).reply('Support')
  expect((await sentMail()).map(({ preview }) => preview)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Triage/), expect.stringMatching(/^Support/)]),
  )
})

test('S5: a draft by id that was deleted or rejected frees its slot', async () => {
  await using context = await openReal()
  const { mailbox, real, sentMail } = context
  const { id } = await context.receive()
  const byId = () => mailbox.messages.get(id)
  const draft = await (await byId()).draft({ text: 'Yes' })
  expect((await (await byId()).draft({ text: 'Yes' })).id).toBe(draft.id)
  await expect((await byId()).draft({ text: 'No' })).rejects.toMatchObject({ code: 'already_drafted' })
  await expect((await byId()).reply({ text: 'No' })).rejects.toMatchObject({
    code: 'already_replied',
    message: expect.stringMatching(/^this message was already answered by a draft/),
  })
  await draft.delete()
  const second = await (await byId()).draft({ text: 'No' })
  expect(second.id).not.toBe(draft.id)
  const tenantId = (await mailbox.account()).tenant_id
  const { api_key } = await real.service.keys.create({
    account_id: tenantId,
    name: 'w',
    scopes: ['read', 'manage'],
  })
  const { Mailbox } = await import('restante')
  await using writer = await Mailbox.open({ service: real.service, apiKey: api_key })
  const asked = await writer.drafts.send(second.id)
  if (asked.status !== 'pending_approval') throw new Error(asked.status)
  await real.service.approvals.reject({ tenantId, id: second.id, seq: asked.draft.record.seq })
  const sent = await (await byId()).reply({ text: 'At last' })
  expect(await (await byId()).reply({ text: 'At last' })).toMatchObject({ id: sent.id, idempotent: true })
  expect(await sentMail()).toHaveLength(1)
})

test('a key that may not send asks an operator, and is told that what it scheduled stays approved', async () => {
  await using context = await openReal()
  const { mailbox, real } = context
  const account_id = (await mailbox.account()).tenant_id
  const { api_key } = await real.service.keys.create({ account_id, name: 'w', scopes: ['read', 'manage'] })
  const { Mailbox } = await import('restante')
  await using writer = await Mailbox.open({ service: real.service, apiKey: api_key })
  const draft = await writer.drafts.create({ to: 'ana@example.com', text: 'Hi' })
  const sent = await draft.send()
  expect(sent).toMatchObject({ status: 'pending_approval', draft: { status: 'pending_approval' } })
  const scheduledAt = new Date(Date.now() + 3_600_000)
  const later = await writer.drafts.create({ to: 'ana@example.com', text: 'Later', scheduledAt })
  const { seq } = later.record
  await real.service.approvals.approve({ tenantId: account_id, id: later.id, seq })
  expect(await later.send({ expectSeq: seq })).toMatchObject({
    status: 'scheduled',
    draft: { id: later.id, status: 'scheduled', scheduledAt },
  })
})

test('a forward by a key that may not send is a draft, with the attachments, which an operator approves', async () => {
  await using context = await openReal()
  const { mailbox, real, receive, sentMail } = context
  const attachments = [{ filename: 'plan.txt', content: 'Plan' }]
  const received = await receive({ subject: 'Plans', attachments })
  const { body: second } = await real.call('POST', '/inboxes', { body: { local_part: 'second' } })
  expect(second.id).toBeDefined()
  const tenantId = (await mailbox.account()).tenant_id
  const scopes = ['read' as const, 'manage' as const]
  const { api_key } = await real.service.keys.create({ account_id: tenantId, name: 'w', scopes })
  const { Mailbox } = await import('restante')
  await using writer = await Mailbox.open({ service: real.service, apiKey: api_key })
  const message = await writer.messages.get(received.id)
  const to = 'sales@example.com'
  for (const [index, forward] of [message, message.id, message.handle].entries()) {
    const draft = await writer.drafts.create({ forward, to, text: 'Yours?', key: `forward-${index}` })
    expect([draft.subject, draft.inboxId]).toEqual(['Fwd: Plans', message.inboxId])
    expect(await draft.send()).toMatchObject({ status: 'pending_approval' })
    const { seq } = (await writer.drafts.get(draft.id)).record
    await real.service.approvals.approve({ tenantId, id: draft.id, seq })
  }
  expect(await sentMail()).toHaveLength(3)
  for (const { record } of await sentMail())
    expect(record).toMatchObject({ to_addrs: [to], attachments: [{ filename: 'plan.txt' }] })
  await expect(
    writer.drafts.create({ forward: message, inReplyTo: message.id, text: 'Hi' }),
  ).rejects.toMatchObject({ code: 'invalid_request' })
})

test('S5: a draft of a forward belongs to the turn of its message', async () => {
  await using context = await openReal()
  const { mailbox, receive } = context
  await receive()
  for await (const message of mailbox.incoming({ consumer: 'bot' })) {
    await message.forward({ to: 'sales@example.com', text: 'Yours?' })
    const other = { forward: message, to: 'support@example.com', text: 'Or yours?' }
    await expect(mailbox.drafts.create(other)).rejects.toMatchObject({ code: 'already_forwarded' })
    expect((await mailbox.drafts.create({ ...other, key: 'support' })).id).toMatch(/^drf_/)
    const byId = { ...other, forward: message.id, key: 'legal' }
    expect((await mailbox.drafts.create(byId)).id).toMatch(/^drf_/)
    await expect(mailbox.drafts.create({ ...byId, to: 'hr@example.com' })).rejects.toMatchObject({
      code: 'already_forwarded',
    })
    break
  }
})

test('S5: a draft of a forward counts as the forward of its message, under its key, until it is deleted', async () => {
  await using context = await openReal()
  const { mailbox, receive, sentMail } = context
  const message = await mailbox.messages.get((await receive()).id)
  const forward = { forward: message.id, to: 'sales@example.com', text: 'Yours?' }
  const draft = await mailbox.drafts.create(forward)
  expect((await mailbox.drafts.create({ ...forward, forward: message })).id).toBe(draft.id)
  const other = { ...forward, text: 'Or theirs?' }
  await expect(mailbox.drafts.create(other)).rejects.toMatchObject({
    code: 'already_forwarded',
    message: expect.stringMatching(/key/),
  })
  await expect(message.forward({ to: 'sales@example.com', text: 'Yours?' })).rejects.toMatchObject({
    code: expect.stringMatching(/^(already_forwarded|drafted_before)$/),
  })
  expect((await mailbox.drafts.create({ ...other, key: 'second' })).id).not.toBe(draft.id)
  await draft.delete()
  expect(await message.forward({ to: 'sales@example.com', text: 'Yours?' })).toMatchObject({
    idempotent: false,
  })
  expect(await sentMail()).toHaveLength(1)
  await expect(mailbox.drafts.create({ text: 'Hi', key: 'third' })).rejects.toMatchObject({
    code: 'invalid_options',
  })
})

test('a draft that this mailbox sent or deleted is not read from its cache', async () => {
  await using context = await openReal()
  const { mailbox } = context
  const write = async () => {
    const { id } = await mailbox.drafts.create({ to: 'ana@example.com', subject: 'Offer', text: '10 %' })
    await mailbox.drafts.get(id)
    return id
  }
  const [sent, gone] = [await write(), await write()]
  await mailbox.drafts.send(sent)
  expect((await mailbox.drafts.get(sent)).status).not.toBe('draft')
  await mailbox.drafts.delete(gone)
  await expect(mailbox.drafts.get(gone)).rejects.toMatchObject({ code: 'not_found' })
})

test('a handle means the same message in every mailbox, and is taken in place of its id', async () => {
  await using context = await openReal()
  const { mailbox, real, receive } = context
  const message = await receive()
  const { handle, record } = message
  expect(handle).toBe(`m${record.created_seq}-${message.id.slice(-3)}`)
  const answer = await receive({ inReplyTo: record.rfc822_message_id!, subject: 'Re: Hello' })
  const spam = await receive({ subject: 'Win' })
  await spam.label('spam')
  const { Mailbox } = await import('restante')
  await using other = await Mailbox.open({ service: real.service })
  for (const { id, handle } of [answer, message, spam]) {
    const again = await other.messages.get(handle)
    expect([again.id, again.handle]).toEqual([id, handle])
  }
  const thread = await other.threads.get(handle)
  expect([thread.id, thread.handle]).toEqual([message.threadId, answer.handle])
  const { items } = await other.threads.list()
  expect(items.map((one) => one.handle)).toEqual([answer.handle])
  expect((await other.messages.list({ threadId: handle })).items).toHaveLength(2)
  expect((await other.drafts.create({ inReplyTo: handle, text: 'Hi' })).threadId).toBe(message.threadId)
  const unknown = { code: 'unknown_handle' }
  for (const wrong of [`m${record.created_seq}-000`, `m9${handle.slice(1)}`, handle.toUpperCase(), 't1'])
    await expect(mailbox.messages.get(wrong)).rejects.toMatchObject(unknown)
  expect(() => mailbox.nextReply({ id: handle })).toThrow('read its message')
  expect(() => mailbox.waitFor({ threadId: handle })).toThrow('give its threadId')
  expect(() => mailbox.messages.watch({ threadId: handle })).toThrow('give its threadId')
  await message.delete()
  await expect(other.messages.get(handle)).rejects.toMatchObject(unknown)
  const rest = await mailbox.threads.get(answer.handle)
  expect([rest.messageCount, rest.handle]).toEqual([1, answer.handle])
})

test('a send with a large file under the caller’s id is recognised when it is repeated', async () => {
  await using context = await openReal()
  const { mailbox, sentMail } = context
  const attachments = [{ filename: 'a.txt', content: 'a'.repeat(600_000) }]
  const mail = { to: 'ana@example.com', text: 'Here', attachments, clientId: 'mine' }
  const { id } = await mailbox.send(mail)
  expect(await mailbox.send(mail)).toMatchObject({ id, idempotent: true })
  expect(await sentMail()).toHaveLength(1)
})

test('answers to a mail go where it says', async () => {
  await using context = await openReal()
  const { mailbox, receive, sentMail } = context
  const replyTo = ['help@example.com']
  const message = await receive()
  await mailbox.send({ to: 'bo@example.com', text: 'Hi', replyTo: 'help@example.com' })
  await message.reply({ text: 'Hi', replyTo })
  await message.forward({ to: 'bo@example.com', replyTo })
  await (await message.draft({ key: 'later', text: 'Hi', replyTo })).send()
  const draft = await mailbox.drafts.create({ inReplyTo: message.id, text: 'Hi', replyTo })
  expect(draft.threadId).toBe(message.threadId)
  await draft.send()
  expect((await sentMail()).map(({ record }) => record.reply_to)).toEqual(Array(5).fill(replyTo))
})

test('times of drafts and lists are Dates, or texts with a zone', async () => {
  await using context = await openReal()
  const { mailbox, receive } = context
  const { receivedAt } = await receive()
  const draft = await mailbox.drafts.create({ text: 'Hi', scheduledAt: '2031-01-31T14:00:00+02:00' })
  expect(draft.scheduledAt).toEqual(new Date('2031-01-31T12:00:00Z'))
  const { items } = await mailbox.messages.list({ after: receivedAt.toISOString().replace('Z', '+00:00') })
  expect(items).toHaveLength(1)
  for (const scheduledAt of ['2031-01-31T14:00:00', 'tomorrow', new Date(Number.NaN)])
    await expect(draft.update({ scheduledAt })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('scheduledAt takes a Date, or a time with its zone'),
    })
  expect((await draft.update({ scheduledAt: null })).scheduledAt).toBeNull()
})
