import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { array, dateTime, fields, orNull, string, uuid } from '../types'
import type { World } from '../world'

const uniqueLabel = () => `d${randomBytes(6).toString('hex')}`

export function mailResources(world: World): void {
  const draft = async (more: object = {}) =>
    (
      await world.post('/drafts', {
        inbox_id: world.home.inboxId,
        to: ['bo@example.com'],
        text: 'hi',
        ...more,
      })
    ).body

  describe('2.7 draft', () => {
    fields(() => draft({ subject: 'Hello', scheduled_at: '2099-01-31T12:00:00.000Z' }), {
      id: string,
      inbox_id: string,
      subject: 'Hello',
      status: string,
      scheduled_at: '2099-01-31T12:00:00.000Z',
    })

    it('to, text, html and reply_to_message_id are not returned in the record', async () => {
      const parent = await world.received()
      const made = await draft({ html: '<p>hi</p>', reply_to_message_id: parent.id })
      for (const record of [made, (await world.get(`/drafts/${made.id}`)).body])
        for (const field of ['to', 'text', 'html', 'reply_to_message_id'])
          expect(record).not.toHaveProperty(field)
    })
  })

  describe('2.8 send result', () => {
    const ways = {
      'sending a draft': async () => world.post(`/drafts/${(await draft()).id}/send`, {}),
      replying: async () => world.post(`/messages/${(await world.received()).id}/reply`, { text: 'thanks' }),
    }
    for (const [way, send] of Object.entries(ways))
      describe(`from ${way}`, () => {
        fields(async () => (await send()).body, {
          id: string,
          thread_id: string,
          message_id: string,
          relay_message_id: string,
          idempotent: false,
        })
      })

    it('idempotent: true marks a replayed, already-performed send', async () => {
      const { id } = await draft()
      const [first, again] = [
        await world.post(`/drafts/${id}/send`, {}),
        await world.post(`/drafts/${id}/send`, {}),
      ]
      expect(again.body).toEqual({ ...first.body, idempotent: true })
    })
  })

  describe('2.9 message', () => {
    const row = {
      id: string,
      thread_id: string,
      direction: 'inbound',
      from_addr: 'ana@example.com',
      to_addrs: [expect.stringContaining('@')],
      subject: 'Hello',
      delivery_status: string,
    }
    fields(async () => (await world.get(`/messages/${(await world.received()).id}`)).body, {
      ...row,
      body_text: expect.stringContaining('Hi'),
    })
  })

  describe('2.10 domain', () => {
    fields(async () => (await world.post('/domains', { hostname: `${uniqueLabel()}.example.net` })).body, {
      id: uuid,
      hostname: expect.stringMatching(/^\w+\.example\.net$/),
      mail_from_domain: string,
      verified_at: orNull(dateTime),
      created_at: dateTime,
    })
  })

  describe('2.11 attachment (response of GET /attachments/{id})', () => {
    const content = Buffer.from([0, 13, 10, 46, 13, 10, 255])
    fields(
      async () => {
        const attachments = [{ filename: 'bytes.bin', contentType: 'application/x-bytes', content }]
        const message = await world.received({ attachments })
        return (await world.get(`/attachments/${message.attachments[0].id}`)).body
      },
      {
        filename: 'bytes.bin',
        content_type: 'application/x-bytes',
        content_base64: content.toString('base64'),
      },
    )
  })

  describe('2.12 other resources', () => {
    it('a list is created from a single pattern', async () => {
      const { status, body } = await world.post('/lists', { pattern: 'spam@example.net' })
      expect([status, body.pattern]).toEqual([201, 'spam@example.net'])
      expect((await world.delete(`/lists/${body.id}`)).status).toBe(204)
    })

    it('a webhook is created from url and events', async () => {
      const asked = { url: 'https://example.com/hook', events: ['message.received'] }
      const { status, body } = await world.post('/webhooks', asked)
      expect([status, body]).toEqual([201, expect.objectContaining(asked)])
      expect((await world.delete(`/webhooks/${body.id}`)).status).toBe(204)
    })

    it('label and thread records have ids', async () => {
      const label = (await world.post('/labels', { name: 'section 2.12' })).body
      expect(label).toMatchObject({ id: string, name: 'section 2.12' })
      const { thread_id } = await world.received()
      expect((await world.get(`/threads/${thread_id}`)).body).toMatchObject({ id: thread_id, labels: array })
    })
  })
}
