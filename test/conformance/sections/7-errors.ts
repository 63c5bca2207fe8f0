import { describe, expect, it } from 'vitest'
import { error } from '../types'
import { dayMs, newIdempotencyKey, type World } from '../world'

export const errors = (world: World) =>
  describe('7 errors', () => {
    it('1: error is a code, message says how to recover', async () => {
      const { headers, body } = await world.get('/messages/msg_none')
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(body).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/), message: expect.any(String) })
    })

    it('3: the error bodies of POST /agent-signups', async () => {
      const signUp = (body: unknown, key = newIdempotencyKey()) =>
        world.signup({ 'idempotency-key': key }, body)
      const key = newIdempotencyKey()
      await signUp({}, key)
      expect(await signUp({}, 'short')).toMatchObject(error(400, 'invalid_request'))
      expect(await signUp({ name: 'other' }, key)).toMatchObject(error(409, 'idempotency_key_reused'))
      expect(await signUp({ local_part: 'abuse' })).toMatchObject(error(422, 'inbox_unavailable'))
    })

    it('4: reading contents of an expired unclaimed account is refused', async () => {
      const { key } = await world.newAgent()
      world.clock.jump(7 * dayMs)
      expect(await world.get('/messages', key)).toMatchObject(error(403, 'account_expired'))
    })
  })
