import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openService, type QuietService } from '../../support/service'

let service: QuietService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service[Symbol.asyncDispose]())

const post = (path: string, body: unknown) => service.call('POST', path, { body })
const draft = (fields: object) => post('/drafts', { inbox_id: service.home.inboxId, ...fields })

describe('null for a field that may be left out', () => {
  it('is as if it were left out, where something is created', async () => {
    const none = {
      ...{ to: null, cc: null, bcc: null, subject: null, text: null, html: null, markdown: null },
      ...{ reply_to: null, reply_to_message_id: null, reply_all: null, attachments: null, headers: null },
      ...{ scheduled_at: null, client_id: null, replay: null },
    }
    expect(await draft(none)).toMatchObject({ status: 201, body: { subject: '', status: 'draft' } })
    const attachments = [{ filename: 'a.txt', content_base64: 'aGk=', content_type: null, content_id: null }]
    expect(await draft({ attachments })).toMatchObject({ status: 201 })
    const webhook = { url: 'https://hook.example/', events: ['message.received'] }
    expect(await post('/webhooks', { ...webhook, inbox_ids: null })).toMatchObject({ status: 201 })
    expect(await post('/inboxes', { local_part: null, name: null })).toMatchObject({ status: 201 })
    const headers = { 'idempotency-key': 'n'.repeat(43) }
    const body = { name: null, local_part: null }
    const signup = await service.call('POST', '/agent-signups', { key: null, headers, body })
    expect(signup).toMatchObject({ status: 201 })
    const again = await service.call('POST', '/agent-signups', { key: null, headers, body: {} })
    expect(again).toMatchObject({ status: 200, body: { api_key: signup.body.api_key } })
  })

  it('is refused for a field that is needed or unknown, and in a change', async () => {
    expect(await draft({ inbox_id: null })).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(await draft({ bcc_to: null })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'bcc_to' }] },
    })
    const { id } = (await draft({})).body
    const change = await service.call('PATCH', `/drafts/${id}`, { body: { subject: null } })
    expect(change).toMatchObject({ status: 400, body: { details: [{ field: 'subject' }] } })
  })
})

describe('a subject', () => {
  const send = (subject: string) =>
    post('/messages', {
      ...{ inbox_id: service.home.inboxId, to: ['ana@example.com'] },
      ...{ text: 'x', subject },
    })

  it('is trimmed', async () => {
    const { body } = await send('  Your order \r\n')
    expect(body).toHaveProperty('id')
    expect((await service.call('GET', `/messages/${body.id}`)).body.subject).toBe('Your order')
    expect((await draft({ subject: '\t one ' })).body.subject).toBe('one')
    const { id } = (await draft({})).body
    const change = await service.call('PATCH', `/drafts/${id}`, { body: { subject: ' other ' } })
    expect(change.body.subject).toBe('other')
  })

  it.each(['a\r\nBcc: b@example.com', 'a\nb', 'a\rb'])('is one line: %j is refused', async (subject) => {
    for (const answer of [await send(subject), await draft({ subject })])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', details: [{ field: 'subject' }] },
      })
  })
})

describe('the query of a list', () => {
  const idsOf = async (path: string) => {
    const { status, body } = await service.call('GET', path)
    expect([status, body.error]).toEqual([200, undefined])
    return body[path.startsWith('/threads') ? 'threads' : 'messages'].map(({ id }: { id: string }) => id)
  }
  const dayAt = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

  it('takes a day, as `q` does', async () => {
    await service.mail({ subject: 'of today' })
    const [all, today, tomorrow] = [await idsOf('/messages'), dayAt(-1), dayAt(2)]
    expect(all.length).toBeGreaterThan(0)
    expect(await idsOf(`/messages?after=${today}`)).toEqual(all)
    expect(await idsOf(`/messages?after=${tomorrow}`)).toEqual([])
    expect(await idsOf(`/messages?before=${tomorrow}`)).toEqual(all)
    expect(await idsOf(`/messages?before=${today}`)).toEqual([])
    expect(await idsOf(`/messages?q=${encodeURIComponent(`after:${today}`)}&order=desc`)).toEqual(all)
  })

  it.each(['2026-02-30', '2026-13-01', '2026-01-31T12:00', 'yesterday'])(
    'refuses what is no day: %s',
    async (day) => {
      expect(await service.call('GET', `/messages?after=${day}`)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', message: expect.stringContaining('a day such as 2026-01-31') },
      })
    },
  )

  it.each(['/messages', '/threads'])('%s: an empty `q` is no search', async (path) => {
    await service.mail({ subject: 'something' })
    const all = await idsOf(path)
    expect(all.length).toBeGreaterThan(0)
    for (const q of ['', '%20', '+']) expect(await idsOf(`${path}?q=${q}`)).toEqual(all)
  })
})

describe('a local part', () => {
  const signUp = (local_part: string) =>
    service.call('POST', '/agent-signups', {
      key: null,
      headers: { 'idempotency-key': Buffer.from(local_part).toString('hex').padEnd(43, 'l') },
      body: { local_part },
    })

  it('is trimmed and lowercased', async () => {
    const { status, body } = await signUp(' Wren.Two_a-9 ')
    expect([status, body.inbox?.address.split('@')[0]]).toEqual([201, 'wren.two_a-9'])
  })

  it.each(['\u212Aate', 'kat\u212A', 'k\u0130', 'a..b', '.a', 'a.', '-a', 'a_', '', 'a'.repeat(65), 'a@b'])(
    'is refused: %j',
    async (local_part) => {
      const answer = await signUp(local_part)
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
      const inbox = await post('/inboxes', { local_part })
      expect(inbox).toMatchObject({ status: 400, body: { details: [{ field: 'local_part' }] } })
    },
  )
})
