import { describe, expect, it } from 'vitest'
import { error } from '../types'
import type { World } from '../world'

export function messages(world: World): void {
  describe('4.4 POST /messages/{id}/reply', () => {
    const reply = async (body: object) => {
      const { home } = world
      const parent = await world.received({ to: [home.address, 'bo@example.com'], cc: 'cy@example.com' })
      const answer = await world.post(`/messages/${parent.id}/reply`, body)
      expect([answer.status, answer.body.thread_id]).toEqual([200, parent.thread_id])
      return (await world.get(`/messages/${answer.body.id}`)).body
    }

    it('sends the text in thread', async () => {
      expect(await reply({ text: 'thanks' })).toMatchObject({
        direction: 'outbound',
        to_addrs: ['ana@example.com'],
        cc_addrs: [],
        body_text: expect.stringContaining('thanks'),
      })
    })

    it('sends the html', async () => {
      expect((await reply({ html: '<b>thanks</b>' })).body_html).toContain('<b>thanks</b>')
    })

    it('with reply_all goes to everybody on the message', async () => {
      const sent = await reply({ text: 'thanks', reply_all: true })
      expect([...sent.to_addrs, ...sent.cc_addrs].sort()).toEqual(
        ['ana@example.com', 'bo@example.com', 'cy@example.com'].sort(),
      )
    })

    it('of a message that is not there: 404', async () => {
      expect(await world.post('/messages/msg_none/reply', { text: 'x' })).toMatchObject(
        error(404, 'not_found'),
      )
    })
  })

  describe('4.5 GET /messages (search)', () => {
    const search = (query: Record<string, string>) => world.get(`/messages?${new URLSearchParams(query)}`)

    it.each(['keyword', 'semantic', 'hybrid'])('mode %s is taken, mode_used tells what ran', async (mode) => {
      const { id } = await world.received({ subject: `Searched by ${mode}`, text: `mode${mode}` })
      const { status, body } = await search({ q: `mode${mode}`, mode })
      expect([status, body.mode_used]).toEqual([200, expect.toBeOneOf(['keyword', 'semantic', 'hybrid'])])
      expect(body.messages).toMatchObject([{ id, subject: `Searched by ${mode}` }])
    })

    it('searches by keyword where no mode is given, and refuses an unknown mode', async () => {
      expect((await search({ q: 'anything' })).body.mode_used).toBe('keyword')
      const answer = await search({ q: 'anything', mode: 'magic' })
      expect(answer).toMatchObject(error(400, 'invalid_request'))
      expect(answer.body.message).toContain('mode')
    })

    it('answers an array of message, with the fields of 2.9', async () => {
      const { id } = await world.received({ subject: 'Fields of a found message', text: 'Größe\nzwei' })
      const [found] = (await search({ q: '"fields of a found message"' })).body.messages
      const message = (await world.get(`/messages/${id}`)).body
      const fields = ['id', 'thread_id', 'direction', 'from_addr', 'to_addrs', 'subject', 'body_text']
      for (const field of [...fields, 'delivery_status']) expect(found[field], field).toEqual(message[field])
      expect(found).toMatchObject({ body_text: 'Größe\nzwei\n', body_truncated: false })
    })

    it('carries at most 64 KiB of a text, and none where none is wanted', async () => {
      const [min, more] = ['é'.repeat(32_768), 'é'.repeat(40_000)]
      await world.received({ subject: 'Long texts', text: more })
      const list = async (query = '') => (await world.get(`/messages?limit=1${query}`)).body.messages[0]
      expect(await list()).toMatchObject({ body_text: min, body_truncated: true })
      expect(await list('&body=false')).not.toHaveProperty('body_text')
    })

    it('lists messages where q is left out', async () => {
      const { id } = await world.received({ subject: 'To be listed' })
      expect((await world.get('/messages')).body.messages[0]).toMatchObject({ id, subject: 'To be listed' })
    })
  })

  describe('4.6 GET /messages/{id}', () => {
    it('returns a message', async () => {
      const { id } = await world.received({ text: 'to be read' })
      const { status, body } = await world.get(`/messages/${id}`)
      expect([status, body.id, body.body_text.trim()]).toEqual([200, id, 'to be read'])
    })
  })

  describe('4.7 GET /attachments/{id}', () => {
    it('carries the content inline as base64; 404 where there is none', async () => {
      const { attachments } = await world.received({ attachments: [{ filename: 'a.txt', content: 'abc' }] })
      expect((await world.get(`/attachments/${attachments[0].id}`)).body.content_base64).toBe('YWJj')
      expect(await world.get('/attachments/att_none')).toMatchObject(error(404, 'not_found'))
    })
  })
}
