import { describe, expect, it } from 'vitest'
import { error } from '../types'
import type { World } from '../world'

export const drafts = (world: World) =>
  describe('4.3 drafts', () => {
    it('POST /drafts takes every field, and answers the draft record', async () => {
      const parent = await world.received()
      const body = {
        inbox_id: world.home.inboxId,
        to: ['bo@example.com'],
        subject: 'Every field',
        text: 'text',
        html: '<p>html</p>',
        reply_to_message_id: parent.id,
        scheduled_at: '2099-01-31T12:00:00.000Z',
      }
      const { status, body: made } = await world.post('/drafts', body)
      const { inbox_id, subject, scheduled_at } = body
      expect([status, made]).toEqual([201, expect.objectContaining({ inbox_id, subject, scheduled_at })])
      expect((await world.get(`/drafts/${made.id}?include=content`)).body).toMatchObject(body)
    })

    it.each([
      ['inbox_id', 7],
      ['to', 'bo@example.com'],
      ['subject', 'two\nlines'],
      ['text', 1],
      ['html', {}],
      ['reply_to_message_id', []],
      ['scheduled_at', 'tomorrow'],
      ['bc', []],
    ])('POST /drafts with a wrong %s: 400', async (field, value) => {
      const body = { inbox_id: world.home.inboxId, [field]: value }
      const answer = await world.post('/drafts', body)
      expect(answer).toMatchObject(error(400, 'invalid_request'))
      expect(answer.body.message).toContain(field)
    })

    it('GET, send and DELETE by id', async () => {
      const { id } = (
        await world.post('/drafts', { inbox_id: world.home.inboxId, to: ['bo@example.com'], text: 'x' })
      ).body
      expect((await world.get(`/drafts/${id}`)).body.id).toBe(id)
      expect((await world.call('POST', `/drafts/${id}/send`)).status).toBe(200)
      expect((await world.delete(`/drafts/${id}`)).status).toBe(204)
      for (const answer of [
        await world.get(`/drafts/${id}`),
        await world.delete(`/drafts/${id}`),
        await world.call('POST', `/drafts/${id}/send`),
      ])
        expect(answer).toMatchObject(error(404, 'not_found'))
    })
  })
