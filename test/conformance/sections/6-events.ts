import { describe, expect, it } from 'vitest'
import type { World } from '../world'

export const events = (world: World) =>
  describe('6 events', () => {
    it('webhooks are created with a target url and a list of events', async () => {
      const asked = { url: 'https://example.com/events', events: ['message.received', 'message.sent'] }
      const { body } = await world.post('/webhooks', asked)
      expect((await world.get(`/webhooks/${body.id}`)).body).toMatchObject(asked)
      await world.delete(`/webhooks/${body.id}`)
    })
  })
