import { Mailbox, type Message } from 'restante'
import { createToolbox, mailTools, type ToolboxOptions } from 'restante/tools'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openReal } from '../mailbox/support/real'
import { escaped, hostileMails } from '../support/hostile-mails'

type Real = Awaited<ReturnType<typeof openReal>>
type Answer = { status: string; mail?: string; draft?: string; error?: string; message?: string }

const toolsOf = ({ mailbox }: Real, options: ToolboxOptions = {}) => {
  const toolbox = createToolbox(mailbox, options)
  const call = async (name: keyof typeof mailTools, input: object, context = {}): Promise<Answer> => {
    const tool = toolbox.tools[name]!
    const answer = await tool.call(input, context)
    expect(tool.output.safeParse(answer).error).toBeUndefined()
    return answer as Answer
  }
  return { toolbox, call }
}

test('every tool has schemas that a model can be given', () => {
  for (const [name, tool] of Object.entries(mailTools)) {
    expect(tool.name).toBe(name)
    expect(z.toJSONSchema(tool.input, { io: 'input' })).toMatchObject({ type: 'object' })
    expect(z.toJSONSchema(tool.output)).toMatchObject({ type: 'object' })
  }
})

test('a mail is found, read, answered once, and the answer is read', async () => {
  await using real = await openReal()
  await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
  const { call, toolbox } = toolsOf(real)
  expect((await call('list_threads', {})).mail).toContain('subject "Bicycle"')
  const found = await call('search_mail', { query: 'blue', after: '2020-01-01' })
  expect(found.mail).toContain('SENDER NOT PROVEN; from "ana@example.com"')
  const [handle = ''] = /^m\d+(?=;)/m.exec(found.mail!) ?? []
  expect((await call('read_message', { message: handle })).mail).toContain('Is it blue?')
  expect((await call('read_thread', { thread: handle })).mail).toContain('E-mail thread t1: 1 message')
  expect(toolbox.answered).toBe(false)
  const both = await Promise.all([
    call('reply', { message: handle, text: 'Yes.' }),
    call('reply', { message: 't1', text: 'It is blue.' }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['refused', 'sent'])
  expect(both.find(({ status }) => status === 'refused')).toMatchObject({
    error: 'already_replied',
    message: expect.stringContaining('end your turn'),
  })
  expect(toolbox.answered).toBe(true)
  expect(await real.sentMail()).toHaveLength(1)
  expect(await call('reply', { message: handle, text: 'And fast.', again: true })).toMatchObject({
    status: 'sent',
  })
  expect(await real.sentMail()).toHaveLength(2)
})

test('a tool and the loop answer a delivered message once between them', async () => {
  await using real = await openReal()
  const message = await real.receive()
  const { call } = toolsOf(real, { message })
  expect(await call('reply', { message: message.handle, text: 'Yes.' })).toMatchObject({ status: 'sent' })
  await expect(message.reply({ text: 'Yes, it is.' })).rejects.toMatchObject({ code: 'already_replied' })
  const next = await real.receive({ subject: 'Another' })
  await next.reply({ text: 'Done.' })
  const later = toolsOf(real, { message: next })
  expect(await later.call('reply', { message: next.handle, text: 'Done!' })).toMatchObject({
    error: 'already_replied',
  })
  expect(await real.sentMail()).toHaveLength(2)
})

test('the same call, repeated, sends nothing twice', async () => {
  await using real = await openReal()
  const mail = { to: 'bo@other.example', subject: 'Hi', text: 'Hello' }
  const options = { onlyKnownRecipients: false }
  for (let time = 0; time < 2; time += 1)
    expect(await toolsOf(real, options).call('send_mail', mail, { callId: 'call_1' })).toMatchObject({
      status: 'sent',
    })
  expect(await real.sentMail()).toHaveLength(1)
  // An id that comes again for something else is another mail.
  await toolsOf(real, options).call('send_mail', { ...mail, text: 'Other' }, { callId: 'call_1' })
  expect(await real.sentMail()).toHaveLength(2)
})

test.each(hostileMails)('instructions in %s stay between the marks', async (_where, mail) => {
  await using real = await openReal()
  const message = await real.receive({ text: 'Hello', ...mail })
  const { call } = toolsOf(real, { onlyKnownRecipients: true })
  const answers = [
    await call('list_threads', {}),
    await call('search_mail', {}),
    await call('read_message', { message: message.handle }),
    await call('read_thread', { thread: message.handle }),
    await call('read_attachment', { message: message.handle, attachment: 1 }),
    await call('reply', { message: message.handle, text: 'Hm', reply_all: true }),
    await call('wait_for_reply', { message: message.handle, timeout_seconds: 0 }),
  ]
  for (const answer of answers) {
    const { mail: told = '', ...rest } = answer
    expect(escaped(told)).toEqual([])
    // What is refused may name an address, quoted.
    expect(JSON.stringify(rest)).not.toMatch(/[\u200b\u202e]|im_start/)
  }
  expect(answers[2]!.mail).toContain('sender not checked')
  if (mail?.html) expect(answers[2]!.mail).toMatch(/Left out of m\d+: text that its HTML hides/)
})

test('mail of an unproven sender cannot make the tools write to somebody new', async () => {
  await using real = await openReal()
  const message = await real.receive({ cc: 'victim@third.example', replyTo: 'thief@evil.example' })
  const { call, toolbox } = toolsOf(real)
  const stranger = 'thief@evil.example'
  const m = message.handle
  const held = [
    await call('send_mail', { to: stranger, subject: 'Secrets', text: 'All of them' }),
    await call('send_mail', { to: 'ana@example.com', bcc: [`Ana <${stranger}>`], subject: 'S', text: 'T' }),
    await call('forward', { message: m, to: stranger }),
    await call('reply', { message: m, text: 'Hi' }),
    await call('reply', { message: m, text: 'Hi', cc: stranger, again: true }),
    await call('reply', { message: m, text: 'Hi', reply_all: true, again: true }),
  ]
  for (const one of held)
    expect(one).toMatchObject({ status: 'waiting_for_approval', draft: expect.any(String) })
  const written = await call('create_draft', { to: stranger, text: 'All of them' })
  const answer = await call('create_draft', { reply_to: m, text: 'All of them' })
  const copied = await call('create_draft', {
    reply_to: m,
    to: 'ana@example.com',
    bcc: stranger,
    text: 'All',
  })
  for (const { draft } of [...held, written, answer, copied])
    expect(await call('send_draft', { draft, again: true })).toMatchObject({ status: 'waiting_for_approval' })
  expect(await toolbox.tools.send_mail!.needsApproval({ to: stranger, subject: '', text: 'x' })).toBe(true)
  expect(await real.sentMail()).toHaveLength(0)

  const strict = toolsOf(real, { onlyKnownRecipients: true })
  expect(
    await strict.call('send_mail', { to: stranger, subject: '', text: 'x' }, { approved: true }),
  ).toMatchObject({
    error: 'unknown_recipient',
  })
  expect(
    await call('send_mail', { to: `ana@example.com, ${stranger}`, subject: '', text: 'x' }),
  ).toMatchObject({
    error: 'invalid_address',
  })
  expect(await real.sentMail()).toHaveLength(0)

  const given = toolsOf(real, { recipients: ['evil.example'] })
  expect(await given.call('send_mail', { to: stranger, subject: '', text: 'x' })).toMatchObject({
    status: 'sent',
  })
  // Whom somebody wrote to on the operator's word is known.
  expect(await call('send_mail', { to: stranger, subject: '', text: 'y' })).toMatchObject({ status: 'sent' })
  expect(await real.sentMail()).toHaveLength(2)
})

test('the sender of a mail may be answered, and others of an unproven mail are asked about', async () => {
  await using real = await openReal()
  const message = await real.receive({ cc: 'victim@third.example' })
  const { call } = toolsOf(real)
  expect(await call('reply', { message: message.handle, text: 'All?', reply_all: true })).toMatchObject({
    status: 'waiting_for_approval',
  })
  expect(await call('reply', { message: message.handle, text: 'You.', again: true })).toMatchObject({
    status: 'sent',
  })
  expect((await real.sentMail()).flatMap(({ to, cc }) => [...to, ...cc])).toEqual(['ana@example.com'])
})

test('approval: nothing, what is sent, all that changes, or what a function says', async () => {
  await using real = await openReal()
  const message = await real.receive()
  const m = message.handle
  const asked = async (options: ToolboxOptions) => {
    const { tools } = createToolbox(real.mailbox, options)
    const inputs = {
      read_message: { message: m },
      label: { message: m, add: ['x'] },
      reply: { message: m, text: 'x' },
    }
    const each = Object.entries(inputs) as [keyof typeof inputs, object][]
    return Promise.all(each.map(([name, input]) => tools[name]!.needsApproval(input)))
  }
  expect(await asked({})).toEqual([false, false, false])
  expect(await asked({ approve: 'send' })).toEqual([false, false, true])
  expect(await asked({ approve: 'all' })).toEqual([false, true, true])
  expect(await asked({ approve: ({ name }) => name === 'label' })).toEqual([false, true, false])
  const { call } = toolsOf(real, { approve: 'all' })
  expect(await call('label', { message: m, add: ['x'] })).toMatchObject({ error: 'approval_needed' })
  expect(await call('label', { message: m, add: ['x'] }, { approved: true })).toEqual({ status: 'done' })
  expect(await call('reply', { message: m, text: 'x' }, { approved: true })).toMatchObject({ status: 'sent' })
})

test('tools are chosen, and refusals say what to do', async () => {
  await using real = await openReal()
  const message: Message = await real.receive({ attachments: [{ filename: 'a.pdf', content: '%PDF' }] })
  const reading = createToolbox(real.mailbox, { readOnly: true }).tools
  expect(Object.values(reading).every(({ risk }) => risk === 'read')).toBe(true)
  expect(Object.keys(reading)).toHaveLength(8)
  expect(Object.keys(createToolbox(real.mailbox, { only: ['reply', 'read_thread'] }).tools).sort()).toEqual([
    'read_thread',
    'reply',
  ])
  expect(() => createToolbox(real.mailbox, { only: ['replay' as 'reply'] })).toThrow(
    'there is no tool replay',
  )
  expect(() => createToolbox(real.mailbox, { budget: 10 })).toThrow('400 or more')
  const { call } = toolsOf(real)
  expect(await call('read_message', { message: 'm999' })).toMatchObject({ error: 'unknown_handle' })
  expect(await call('read_message', {})).toMatchObject({ error: 'invalid_input' })
  expect(await call('read_attachment', { message: message.handle })).toMatchObject({ error: 'not_text' })
  expect(await call('read_attachment', { message: message.handle, attachment: 3 })).toMatchObject({
    error: 'no_such_attachment',
  })
  expect(await call('wait_for_reply', { message: message.handle, timeout_seconds: 0 })).toMatchObject({
    status: 'timed_out',
  })
  expect(await call('account_status', {})).toMatchObject({
    addresses: [real.mailbox.address],
    may: { send: true },
  })
})

test('files of a mail and new ones go along', async () => {
  await using real = await openReal()
  const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0xff, 0x00])
  const { handle } = await real.receive({
    attachments: [
      { filename: 'offer.pdf', content: bytes },
      { filename: 'a.txt', content: 'Text' },
    ],
  })
  const { call } = toolsOf(real, { onlyKnownRecipients: false })
  const mail = { to: 'bo@other.example', subject: 'Hi', text: 'See the files' }
  const csv = { filename: 'list.csv', text: 'name;size\nAna;é' }
  const filesOf = async (attachments: object[]) => {
    expect(await call('send_mail', { ...mail, attachments })).toMatchObject({ status: 'sent' })
    const [newest] = await real.sentMail()
    return newest!.attachments
  }
  const [pdf, list] = await filesOf([{ message: handle, attachment: 1 }, csv])
  expect([pdf!.filename, pdf!.contentType]).toEqual(['offer.pdf', 'application/pdf'])
  expect(Buffer.from(await pdf!.content())).toEqual(bytes)
  expect([list!.filename, list!.contentType, await list!.text()]).toEqual(['list.csv', 'text/csv', csv.text])
  const [renamed] = await filesOf([{ message: handle, attachment: 'a.txt', filename: 'b.txt' }])
  expect([renamed!.filename, await renamed!.text()]).toEqual(['b.txt', 'Text'])
  for (const [attachment, error] of [
    [{ message: handle }, 'no_such_attachment'],
    [{ message: handle, attachment: 9 }, 'no_such_attachment'],
    [{ message: 'm99', attachment: 1 }, 'unknown_handle'],
    [{ filename: 'a.txt' }, 'invalid_attachment'],
    [{ ...csv, message: handle }, 'invalid_attachment'],
  ] as const)
    expect(await call('send_mail', { ...mail, attachments: [attachment] })).toMatchObject({ error })
  const { draft } = await call('create_draft', { ...mail, attachments: [csv] })
  expect(await call('send_draft', { draft })).toMatchObject({ status: 'sent' })
  expect((await real.sentMail())[0]!.attachments).toMatchObject([{ filename: 'list.csv' }])
  await call('reply', { message: handle, text: 'Back', attachments: [{ message: handle, attachment: 2 }] })
  expect((await real.sentMail())[0]!.attachments).toMatchObject([{ filename: 'a.txt' }])
  // What waits for a human has its files too.
  const held = await toolsOf(real).call('forward', { message: handle, to: 'new@third.example' })
  const { record } = await real.mailbox.drafts.get(held.draft!)
  expect(record.attachments?.map(({ filename }) => filename)).toEqual(['offer.pdf', 'a.txt'])
})

test('a mail is sent later, once, and not without the human who is to be asked', async () => {
  await using real = await openReal()
  const message = await real.receive()
  const { call, toolbox } = toolsOf(real, { message, recipients: ['other.example'] })
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const mail = { to: 'bo@other.example', subject: 'Later', text: 'Hello', send_at: inAnHour }
  const later = await call('send_mail', mail, { callId: 'call_1' })
  expect(later).toMatchObject({ status: 'scheduled', note: expect.stringContaining(inAnHour) })
  expect(await call('send_mail', mail, { callId: 'call_1' })).toEqual(later)
  const reply = { message: message.handle, text: 'Good morning', send_at: inAnHour }
  expect(await call('reply', reply)).toMatchObject({ status: 'scheduled' })
  expect(toolbox.answered).toBe(true)
  expect(await call('reply', reply)).toMatchObject({ error: 'already_replied' })
  const { draft } = await call('create_draft', { to: 'bo@other.example', text: 'Third' })
  expect(await call('send_draft', { draft, send_at: inAnHour })).toMatchObject({ status: 'scheduled', draft })

  const stranger = { ...mail, to: 'thief@evil.example' }
  const held = await call('send_mail', stranger)
  const written = await call('create_draft', { to: 'thief@evil.example', text: 'Secrets' })
  for (const answer of [held, await call('send_draft', { draft: written.draft, send_at: inAnHour })]) {
    expect(answer).toMatchObject({ status: 'waiting_for_approval' })
    expect((await real.mailbox.drafts.get(answer.draft!)).status).toBe('draft')
  }
  expect(await call('send_mail', { ...mail, send_at: '2020-01-31T09:00' })).toMatchObject({
    error: 'time_passed',
    message: expect.stringContaining('2020-01-31T09:00:00.000Z has passed'),
  })
  expect(await call('send_mail', { ...mail, send_at: 'soon' })).toMatchObject({ error: 'invalid_date' })

  expect(await real.sentMail()).toEqual([])
  const { items } = await real.mailbox.drafts.list({ status: 'scheduled' })
  expect(items.map(({ scheduledAt }) => scheduledAt?.toISOString())).toEqual([inAnHour, inAnHour, inAnHour])
  const { record } = await real.mailbox.drafts.get(items[1]!.id)
  expect(record).toMatchObject({ to: ['ana@example.com'], reply_to_message_id: message.id })
})

test('what a human approves is an answer to one message, whatever comes meanwhile', async () => {
  await using real = await openReal()
  const { handle, threadId } = await real.receive({ messageId: '<first@example.com>' })
  const { toolbox, call } = toolsOf(real, { approve: 'send' })
  const reply = { message: 't1', text: 'The price is 10' }
  expect(await toolbox.tools.read_thread!.call({ thread: handle })).toMatchObject({ status: 'ok' })
  // Else it would go to whoever writes into the conversation before the human says yes.
  expect(await toolbox.tools.reply!.needsApproval(reply)).toBe(false)
  const refused = { error: 'unclear_message', message: expect.stringContaining(`${handle} is its newest`) }
  expect(await call('reply', reply)).toMatchObject(refused)
  expect(await call('reply', reply, { approved: true })).toMatchObject(refused)
  expect(await toolbox.tools.reply!.needsApproval({ ...reply, message: handle })).toBe(true)
  const eve = await real.receive({ from: 'eve@evil.example', inReplyTo: '<first@example.com>' })
  expect(eve.threadId).toBe(threadId)
  expect(await call('reply', { ...reply, message: handle }, { approved: true })).toMatchObject({
    status: 'sent',
  })
  expect((await real.sentMail()).flatMap(({ to }) => to)).toEqual(['ana@example.com'])
})

test('who is written to is who was looked at, though mail comes in between', async () => {
  await using real = await openReal()
  await real.receive({ messageId: '<first@example.com>' })
  const approve = async () => {
    await real.receive({
      from: 'eve@evil.example',
      replyTo: 'thief@evil.example',
      inReplyTo: '<first@example.com>',
    })
    return false
  }
  const { call } = toolsOf(real, { approve })
  await call('list_threads', {})
  expect(await call('reply', { message: 't1', text: 'Hi' })).toMatchObject({ status: 'sent' })
  expect((await real.sentMail()).flatMap(({ to }) => to)).toEqual(['ana@example.com'])
})

test('a message is passed on once, unless once more is meant', async () => {
  await using real = await openReal()
  const message = await real.receive()
  const { call } = toolsOf(real, { message, onlyKnownRecipients: false })
  const forward = { message: message.handle, to: 'bo@other.example' }
  expect(await call('forward', forward)).toMatchObject({ status: 'sent' })
  expect(await call('forward', forward)).toMatchObject({
    error: 'already_forwarded',
    message: expect.stringContaining('set again to true'),
  })
  expect(await call('forward', { ...forward, again: true })).toMatchObject({ status: 'sent' })
  expect(await real.sentMail()).toHaveLength(2)
})

test('a code is given once, and only that of the sender who was named', async () => {
  await using real = await openReal()
  const { call } = toolsOf(real)
  const waiting = call('wait_for_code', { from: 'example.com', timeout_seconds: 20 })
  await real.receive({ from: 'eve@evil.example', subject: 'Your code', text: 'Your code is 111222' })
  await real.receive({ subject: 'Your code', text: 'Your verification code is 482913.' })
  expect(await waiting).toEqual({ status: 'ok', code: '482913' })
  expect(await call('wait_for_code', { from: 'example.com', timeout_seconds: 0 })).toMatchObject({
    status: 'timed_out',
  })
})

test('what is told keeps to the budget', async () => {
  await using real = await openReal()
  for (let count = 0; count < 12; count += 1)
    await real.real.mail({ subject: `${count} ${'word '.repeat(40)}` })
  await real.receive({
    text: 'word '.repeat(5_000),
    attachments: [{ filename: 'a.txt', content: 'word '.repeat(5_000) }],
  })
  const { call } = toolsOf(real, { budget: 600 })
  const list = await call('search_mail', { limit: 12 })
  expect(list.mail).toMatch(/Ask again with limit \d+\.$/)
  const told = [
    list,
    await call('read_message', { message: 'm1' }),
    await call('read_attachment', { message: 'm1' }),
  ]
  for (const { mail = '' } of told) {
    expect(mail.length).toBeGreaterThan(900)
    expect(mail.length).toBeLessThan(4_000)
  }
})

test('mail of another inbox of the account is not read', async () => {
  await using real = await openReal()
  const { id, threadId } = await real.receive()
  const { address } = await real.mailbox.client.inboxes.create({ local_part: 'other' })
  await using other = await Mailbox.open({ service: real.real.service, inbox: address })
  const { tools } = createToolbox(other)
  const refused = { status: 'refused', error: 'not_in_mailbox' }
  expect(await tools.read_message!.call({ message: id })).toMatchObject(refused)
  expect(await tools.read_thread!.call({ thread: threadId })).toMatchObject(refused)
  expect(await tools.reply!.call({ message: id, text: 'Hi' })).toMatchObject(refused)
})
