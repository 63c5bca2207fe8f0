import { Mailbox } from 'restante'
import { createToolbox } from 'restante/tools'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openService, type QuietService } from '../../../support/service'
import { claimedTenant } from '../../../support/tenant'

let service: QuietService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service[Symbol.asyncDispose]())

const draftOf = async (id: string, key?: string) =>
  (await service.call('GET', `/drafts/${id}?include=content`, key === undefined ? {} : { key })).body
const newest = async (key?: string) =>
  (await service.call('GET', '/messages', key === undefined ? {} : { key })).body.messages[0]

it('a draft names what had been read before it was written, as far as its key reaches it, and why it waits', async () => {
  const other = await claimedTenant(service, 'g')
  const { inboxes } = (await service.call('GET', '/account', { key: other.key })).body
  await service.mail({ to: inboxes[0].address, subject: 'of another account' })
  const foreign = await newest(other.key)
  await service.mail({ subject: 'our own' })
  const own = await newest()
  const body = {
    inbox_id: service.home.inboxId,
    client_id: 'grounds-1',
    text: 'Hi',
    read_message_ids: [own.id, foreign.id, 'msg_0000000000000000', own.id],
    approval_reason: 'it goes to somebody new',
  }
  const made = await service.call('POST', '/drafts', { body })
  expect(made.status).toBe(201)
  expect(await draftOf(made.body.id)).toMatchObject({
    read_message_ids: [own.id],
    approval_reason: 'it goes to somebody new',
  })
  // What it says of itself is no part of the mail: written again by a run that had read more, it is the same draft.
  const again = await service.call('POST', '/drafts', { body: { ...body, read_message_ids: [] } })
  expect(again).toMatchObject({ status: 201, body: { id: made.body.id } })
  const many = Array.from({ length: 51 }, (_, i) => `msg_${i}`)
  expect(await service.call('POST', '/drafts', { body: { ...body, read_message_ids: many } })).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  })
  const plain = await service.call('POST', '/drafts', { body: { inbox_id: service.home.inboxId } })
  expect(await draftOf(plain.body.id)).toMatchObject({ read_message_ids: [], approval_reason: null })
})

it('a key of one inbox names what is in that inbox only', async () => {
  await service.mail({ subject: 'in the first inbox' })
  const first = await newest()
  const inbox = (await service.call('POST', '/inboxes', { body: { local_part: 'second' } })).body
  const { api_key } = await service.service.keys.create({
    account_id: service.home.tenantId,
    name: 'second',
    scopes: ['read', 'manage'],
    inbox_id: inbox.id,
  })
  const body = { inbox_id: inbox.id, text: 'Hi', read_message_ids: [first.id] }
  const made = await service.call('POST', '/drafts', { key: api_key, body })
  expect(await draftOf(made.body.id)).toMatchObject({ read_message_ids: [] })
})

it('the tools tell of each draft what the model was shown, and why it is held', async () => {
  await using mailbox = await Mailbox.open({ service: service.service, inbox: service.home.address })
  await service.mail({ from: 'ana@example.com', subject: 'Invoice 12', text: 'It is 120 EUR.' })
  const message = await mailbox.messages.get((await newest()).id)
  const { tools } = createToolbox(mailbox)
  await tools.read_message!.call({ message: message.handle })
  const held = (await tools.send_mail!.call({
    to: 'carol@example.com',
    subject: 'About an invoice',
    text: 'It is 120 EUR.',
  })) as { status: string; draft: string }
  expect(held.status).toBe('waiting_for_approval')
  expect(await draftOf(held.draft)).toMatchObject({
    read_message_ids: [message.id],
    approval_reason: expect.stringContaining('“Invoice 12”, which carol@example.com was no part of'),
  })
})

it('a draft that is changed names all that was read for it, and no reason of the mail that it was', async () => {
  const read: string[] = []
  for (const subject of ['first', 'second', 'third']) {
    await service.mail({ subject })
    read.push((await newest()).id)
  }
  const [first, second, third] = read
  const body = { inbox_id: service.home.inboxId, to: ['carol@example.net'], text: 'Hi' }
  const grounds = { read_message_ids: [first], approval_reason: 'it names a price' }
  const { id } = (await service.call('POST', '/drafts', { body: { ...body, ...grounds } })).body
  const change = async (changes: object) => {
    expect((await service.call('PATCH', `/drafts/${id}`, { body: changes })).status).toBe(200)
    const { read_message_ids, approval_reason } = await draftOf(id)
    return { read: read_message_ids, why: approval_reason }
  }
  const at = new Date(Date.now() + 3_600_000).toISOString()
  expect(await change({ scheduled_at: at })).toEqual({ read: [first], why: 'it names a price' })
  expect(await change({ scheduled_at: null, text: 'Hi', to: ['carol@example.net'] })).toEqual({
    read: [first],
    why: 'it names a price',
  })
  expect(await change({ text: 'Hello', read_message_ids: [second, first] })).toEqual({
    read: [second, first],
    why: null,
  })
  expect(await change({ cc: ['dave@example.net'], approval_reason: 'it goes to Dave' })).toEqual({
    read: [second, first],
    why: 'it goes to Dave',
  })
  // Whoever asks for it to be sent says why, and what had been read by then.
  const { api_key: key } = await service.service.keys.create({
    account_id: service.home.tenantId,
    name: 'asks',
    scopes: ['read', 'manage'],
  })
  const asked = { read_message_ids: [third], approval_reason: 'it is the first to Dave' }
  const sent = await service.call('POST', `/drafts/${id}/send`, { key, body: asked })
  expect(sent).toMatchObject({ status: 202, body: { status: 'pending_approval' } })
  expect(await draftOf(id)).toMatchObject({ ...asked, read_message_ids: [second, first, third] })
})

it('a reason that is told alone leaves the draft as it is, and each change of the mail is another', async () => {
  const body = { inbox_id: service.home.inboxId, to: ['carol@example.net'], text: 'Hi' }
  const made = (await service.call('POST', '/drafts', { body })).body
  const note = { approval_reason: 'it names a price', expect_seq: made.seq }
  const noted = await service.call('PATCH', `/drafts/${made.id}`, { body: note })
  expect(noted).toMatchObject({ status: 200, body: made })
  expect(await draftOf(made.id)).toMatchObject({ ...made, approval_reason: 'it names a price' })
  const changed = await service.call('PATCH', `/drafts/${made.id}`, { body: { ...note, text: 'Hello' } })
  expect(changed.body.seq).toBeGreaterThan(made.seq)
  const late = await service.call('PATCH', `/drafts/${made.id}`, { body: note })
  expect(late).toMatchObject({ status: 409, body: { error: 'draft_changed' } })
})

it('the tools tell of a draft that they change and send what was read by then, and delete only what they know', async () => {
  const { api_key } = await service.service.keys.create({
    account_id: service.home.tenantId,
    name: 'tools',
    scopes: ['read', 'manage'],
  })
  await using mailbox = await Mailbox.open({
    service: service.service,
    inbox: service.home.address,
    apiKey: api_key,
  })
  await service.mail({ from: 'ana@example.com', subject: 'Invoice 13', text: 'It is 130 EUR.' })
  const message = await mailbox.messages.get((await newest()).id)
  const { tools } = createToolbox(mailbox, { flow: 'off' })
  const call = (name: keyof typeof tools, input: object) =>
    tools[name]!.call(input as never) as Promise<{ status: string; draft: string; seq: number }>
  const made = await call('create_draft', { to: 'carol@example.com', subject: 'An invoice', text: 'Later.' })
  expect(await draftOf(made.draft)).toMatchObject({ read_message_ids: [] })
  await call('read_message', { message: message.handle })
  const changed = await call('change_draft', { draft: made.draft, seq: made.seq, text: 'It is 130 EUR.' })
  expect(await draftOf(made.draft)).toMatchObject({ read_message_ids: [message.id] })
  await call('send_draft', { draft: made.draft, seq: changed.seq })
  expect(await draftOf(made.draft)).toMatchObject({ status: 'pending_approval' })
  // A human changes it between the look of the tool and its request.
  const other = await call('create_draft', { to: 'carol@example.com', subject: 'Another', text: 'Hi' })
  const get = mailbox.drafts.get
  mailbox.drafts.get = async (...asked) => {
    const draft = await get(...asked)
    await service.call('PATCH', `/drafts/${other.draft}`, { body: { text: 'Hi from a human' } })
    return draft
  }
  expect(await call('delete_draft', { draft: other.draft, seq: other.seq })).toMatchObject({
    status: 'refused',
    error: 'draft_changed',
  })
  expect(await draftOf(other.draft)).toMatchObject({ text: 'Hi from a human' })
})

it('a draft is deleted as it was seen, where that is asked for', async () => {
  const { id, seq } = (
    await service.call('POST', '/drafts', { body: { inbox_id: service.home.inboxId, text: 'Hi' } })
  ).body
  await service.call('PATCH', `/drafts/${id}`, { body: { text: 'Hello' } })
  const refused = await service.call('DELETE', `/drafts/${id}?expect_seq=${seq}`)
  expect(refused).toMatchObject({ status: 409, body: { error: 'draft_changed' } })
  const now = (await draftOf(id)).seq
  expect((await service.call('DELETE', `/drafts/${id}?expect_seq=${now}`)).status).toBe(204)
})
