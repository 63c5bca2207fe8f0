import { expect, it } from 'vitest'
import { signedParts } from '../../../src/mail/dkim'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

const refusedNames = [
  'From', 'bcc', 'Subject', 'Message-ID', 'Content-Type', 'DKIM-Signature', 'Received', 'Return-Path',
  'X-Restante-Hops', 'X', 'X-', 'X-Ü', 'X A', 'X-A:', 'X-A\r\nBcc', `X-${'a'.repeat(80)}`,
] // biome-ignore format: a list

describeDatabases('header fields of a mail', (openDatabase) => {
  const { service } = useService(openDatabase, openService)
  const post = (path: string, body: object) => service.call('POST', path, { body })
  const send = (headers: unknown) => post('/messages', { to: ['bo@example.com'], text: 'hi', headers })
  const headers = {
    'X-Ticket': 'Größe 42',
    'List-Unsubscribe': '<https://example.com/u/1>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }

  const expectCarried = async (id: string) => {
    const message = (await service.call('GET', `/messages/${id}`)).body
    const given = Object.entries(headers).map(([name, value]) => ({ name: name.toLowerCase(), value }))
    const got = (message.headers as { name: string; value: string }[]).map(({ name, value }) => ({
      name: name.toLowerCase(),
      value,
    }))
    expect(got).toEqual(expect.arrayContaining(given))
  }

  it('go along with a send, a reply, a forward and a draft', async () => {
    await service.mail({ subject: 'Question' })
    const [message] = (await service.call('GET', '/messages')).body.messages
    const sends = [
      await send(headers),
      await post(`/messages/${message.id}/reply`, { text: 'hi', headers }),
      await post(`/messages/${message.id}/forward`, { to: ['bo@example.com'], headers }),
    ]
    for (const { body } of sends) await expectCarried(body.id)
    const draft = (
      await post('/drafts', { inbox_id: message.inbox_id, to: ['bo@example.com'], text: 'hi', headers })
    ).body
    const content = await service.call('GET', `/drafts/${draft.id}?include=content`)
    expect(content.body.headers).toEqual(headers)
    await service.call('PATCH', `/drafts/${draft.id}`, { body: { subject: 'Other' } })
    await expectCarried((await post(`/drafts/${draft.id}/send`, {})).body.id)
    const emptied = await post('/drafts', { inbox_id: message.inbox_id, headers })
    await service.call('PATCH', `/drafts/${emptied.body.id}`, { body: { headers: {} } })
    expect((await service.call('GET', `/drafts/${emptied.body.id}?include=content`)).body.headers).toEqual({})
  })

  it.each([
    ['List-Unsubscribe', '<https://people.example/ü>'],
    ['List-Id', 'News <nüws.people.example>'],
    ['List-Help', `<https://people.example/${'a'.repeat(950)}>`],
  ])('are refused where no encoding can carry them: %s: %s', async (name, value) => {
    const { status, body } = await send({ [name]: value })
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  it('are refused where the service writes them, or nobody may', async () => {
    for (const name of refusedNames) {
      const { status, body } = await send({ [name]: 'value' })
      expect([name, status, body.error]).toEqual([name, 400, 'invalid_request'])
      expect(body.details[0].field).toBe(`headers.${name.slice(0, 80)}`)
    }
  })

  it('are refused with what cannot stand in one line', async () => {
    for (const value of ['a\r\nBcc: eve@example.com', 'a\nb', 'a\0b', '', ' ', 'x'.repeat(999)]) {
      const { status, body } = await send({ 'X-Ticket': value })
      expect([value, status, body.error]).toEqual([value, 400, 'invalid_request'])
      expect(body.message).toContain('headers.X-Ticket')
    }
  })

  it('are refused twice and in masses', async () => {
    expect((await send({ 'X-A': '1', 'x-a': '2' })).body.details[0].field).toBe('headers.x-a')
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`X-${i}`, '1']))
    expect((await send(many)).status).toBe(400)
    expect((await send({ 'X-Long': 'x'.repeat(998) })).status).toBe(200)
  })
})

it('are signed where mail programs act on them', () => {
  const { names } = signedParts('From: a@b\r\nList-Unsubscribe: <x>\r\nFeedback-ID: 1\r\nX-A: 1\r\n\r\n')
  expect(names).toEqual(expect.arrayContaining(['list-unsubscribe', 'feedback-id']))
  expect(names).not.toContain('x-a')
})
