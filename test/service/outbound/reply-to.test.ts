import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('where answers go', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  const post = (path: string, body: object = {}) => service.call('POST', path, { body })
  const reply_to = ['Help <help@example.com>', 'desk@example.org']
  const header = /^Reply-To: Help <help@example\.com>, desk@example\.org\r$/m
  const read = async (id: string) => (await service.call('GET', `/messages/${id}`)).body
  const rawOf = async (id: string) => (await service.call('GET', `/messages/${id}/raw`)).body
  const received = async () => {
    await service.mail({ subject: `Question ${Math.random()}` })
    return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
  }
  const to = ['bo@example.com']

  it.each([
    ['a mail', async () => post('/messages', { to, text: 'hi', reply_to })],
    ['a reply', async () => post(`/messages/${(await received()).id}/reply`, { text: 'hi', reply_to })],
    ['a forward', async () => post(`/messages/${(await received()).id}/forward`, { to, reply_to })],
  ])('is said in %s', async (_what, send) => {
    const { status, body } = await send()
    expect(status).toBe(200)
    expect(await rawOf(body.id)).toMatch(header)
    expect((await read(body.id)).reply_to).toEqual(['help@example.com', 'desk@example.org'])
  })

  it('is kept with a draft, changed and taken away', async () => {
    const { inboxId: inbox_id } = service.home
    const { body: draft } = await post('/drafts', { inbox_id, to, text: 'hi', reply_to: ['x@example.com'] })
    const content = async () => (await service.call('GET', `/drafts/${draft.id}?include=content`)).body
    const change = (body: object) => service.call('PATCH', `/drafts/${draft.id}`, { body })
    expect((await content()).reply_to).toEqual(['x@example.com'])
    await change({ subject: 'Hi' })
    expect((await content()).reply_to).toEqual(['x@example.com'])
    await change({ reply_to: [] })
    expect((await content()).reply_to).toEqual([])
    await change({ reply_to })
    expect((await content()).reply_to).toEqual(reply_to)
    expect(await rawOf((await post(`/drafts/${draft.id}/send`)).body.id)).toMatch(header)
  })

  it.each(['send', 'reply', 'forward'])('is kept by a %s with a time', async (what) => {
    const path = what === 'send' ? '/messages' : `/messages/${(await received()).id}/${what}`
    const mail = { ...(what !== 'reply' && { to }), text: 'hi', reply_to }
    const { status, body } = await post(path, { ...mail, scheduled_at: '2031-01-31T12:00:00Z' })
    expect(status).toBe(202)
    expect((await service.call('GET', `/drafts/${body.id}?include=content`)).body.reply_to).toEqual(reply_to)
    expect(await rawOf((await post(`/drafts/${body.id}/send`)).body.id)).toMatch(header)
  })

  it('is left out where nobody said it', async () => {
    const { body } = await post('/messages', { to, text: 'hi' })
    expect(await rawOf(body.id)).not.toMatch(/^Reply-To:/m)
    expect((await read(body.id)).reply_to).toEqual([])
  })

  it('is refused where it is no address, at once and in a draft', async () => {
    const wrong = { to, text: 'hi', reply_to: ['somebody'] }
    const refused = {
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining('reply_to has "somebody"') },
    }
    expect(await post('/messages', wrong)).toMatchObject(refused)
    expect(await post('/messages', { ...wrong, scheduled_at: '2031-01-31T12:00:00Z' })).toMatchObject(refused)
    expect(await post('/drafts', { inbox_id: service.home.inboxId, ...wrong })).toMatchObject(refused)
  })

  it('is a part of what a client_id stands for', async () => {
    const mail = { to, text: 'hi', client_id: 'answers-1' }
    expect((await post('/messages', { ...mail, reply_to })).status).toBe(200)
    expect((await post('/messages', { ...mail, reply_to })).body.idempotent).toBe(true)
    expect((await post('/messages', mail)).body.error).toBe('client_id_conflict')
  })
})
