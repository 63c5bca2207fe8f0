import { describe, expect, it } from 'vitest'
import { dateTime, error } from '../types'
import type { World } from '../world'

export const conventions = (world: World) =>
  describe('1 conventions that hold everywhere', () => {
    it('request and response bodies are JSON', async () => {
      for (const path of ['/account', '/messages', '/labels', '/lists', '/drafts/none'])
        expect((await world.get(path)).headers.get('content-type'), path).toMatch(/^application\/json/)
    })

    it('requests with a body carry Content-Type: application/json', async () => {
      const post = (type: string) =>
        world.call('POST', '/labels', { body: '{"name":"typed"}', headers: { 'content-type': type } })
      expect(await post('text/plain')).toMatchObject(error(415, 'unsupported_media_type'))
      expect((await post('application/json; charset=utf-8')).status).toBe(201)
    })

    it('resource ids are opaque: one with anything in it is one that there is not', async () => {
      for (const id of ['x', 'msg_', '🎉', '%2e%2e', "' or 1=1 --", 'a b'])
        expect(await world.get(`/messages/${encodeURIComponent(id)}`), id).toMatchObject(
          error(404, 'not_found'),
        )
    })

    it('timestamps are ISO 8601 in UTC', async () => {
      const message = await world.received()
      expect([message.created_at, message.received_at]).toEqual([dateTime, dateTime])
    })

    it('sends are made retry-safe by passing a client_id on the send', async () => {
      const send = () => world.post('/messages', { to: ['bo@example.com'], text: 'once', client_id: 'retry' })
      const [first, again] = [await send(), await send()]
      expect(again).toMatchObject({ status: 200, body: { ...first.body, idempotent: true } })
    })
  })
