import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('what is written in Markdown', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  const post = (path: string, body: object = {}) => service.call('POST', path, { body })
  const read = async (id: string) => (await service.call('GET', `/messages/${id}`)).body
  const contentOf = async (id: string) => (await service.call('GET', `/drafts/${id}?include=content`)).body
  const received = async () => {
    await service.mail({ subject: `Question ${Math.random()}`, text: 'Is it *blue*?' })
    return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0].id
  }
  const to = ['bo@example.com']
  const markdown = 'Yes, **very**: [see](https://shop.example/b).\n\n<b>Bo</b>'
  const text = 'Yes, very: see <https://shop.example/b>.\n\n<b>Bo</b>'
  const html =
    '<p>Yes, <strong>very</strong>: <a href="https://shop.example/b">see</a>.</p>\n<p>&lt;b&gt;Bo&lt;/b&gt;</p>\n'

  it('goes out as HTML, and as the text that it reads as', async () => {
    const { status, body } = await post('/messages', { to, markdown })
    expect(status).toBe(200)
    const sent = await read(body.id)
    expect(sent.body_text.trim()).toBe(text)
    expect(sent.body_html.trim()).toBe(html.trim())
  })

  it('stands above what is quoted or passed on, which is none', async () => {
    for (const [what, body] of [
      ['reply', { quote: true }],
      ['forward', { to }],
    ] as const) {
      const sent = await read(
        (await post(`/messages/${await received()}/${what}`, { ...body, markdown })).body.id,
      )
      expect(sent.body_text.startsWith(text)).toBe(true)
      expect(sent.body_html.startsWith(html)).toBe(true)
      expect(sent.body_text).toContain('Is it *blue*?')
      expect(sent.body_html).toContain('Is it *blue*?')
    }
  })

  it('is kept by a draft and by a mail with a time as what it becomes', async () => {
    const { body: draft } = await post('/drafts', { inbox_id: service.home.inboxId, to, text: 'Not yet.' })
    const { status } = await service.call('PATCH', `/drafts/${draft.id}`, { body: { markdown } })
    expect(status).toBe(200)
    expect(await contentOf(draft.id)).toMatchObject({ text, html })
    const { body: made } = await post('/drafts', { inbox_id: service.home.inboxId, to, markdown })
    expect(await contentOf(made.id)).toMatchObject({ text, html })
    const { body: later } = await post('/messages', { to, markdown, scheduled_at: '2031-01-31T12:00:00Z' })
    expect(await contentOf(later.id)).toMatchObject({ text, html })
  })

  it('is the whole body, says something, and is as long as a letter', async () => {
    const inbox_id = service.home.inboxId
    const parent = await received()
    for (const path of ['/messages', `/messages/${parent}/reply`, `/messages/${parent}/forward`, '/drafts'])
      for (const other of [{ text: 'x' }, { html: 'x' }]) {
        const whom = path.endsWith('reply') ? {} : { to, ...(path === '/drafts' && { inbox_id }) }
        expect(await post(path, { ...whom, markdown, ...other })).toMatchObject({
          status: 400,
          body: {
            message: expect.stringContaining('markdown: is the whole body: give it, or text and html'),
          },
        })
      }
    expect((await post('/messages', { to, markdown: ' \n' })).body.error).toBe('message_empty')
    expect((await post('/messages', { to, markdown: 'x'.repeat(200_001) })).status).toBe(400)
  })

  it('is a part of what a client_id stands for', async () => {
    const mail = { to, markdown, client_id: 'markdown-1' }
    expect((await post('/messages', mail)).status).toBe(200)
    expect((await post('/messages', mail)).body.idempotent).toBe(true)
    const other = { to, text: markdown, client_id: 'markdown-1' }
    expect((await post('/messages', other)).body.error).toBe('client_id_conflict')
  })
})
