import { describe, expect, it } from 'vitest'
import { array, boolean, dateTime, email, fields, integer, string } from '../types'
import { dayMs, minuteMs, newIdempotencyKey, type World } from '../world'

export const signupResponse = (world: World) =>
  describe('2.6 agent signup response', () => {
    fields(async () => (await world.newAgent()).body, {
      tenant_id: string,
      inbox: expect.objectContaining({ id: string, address: email }),
      api_key: string,
      onboarding_state: 'unclaimed',
      capabilities: { receive: boolean, read: boolean, send: boolean, manage: boolean },
      limits: { inboxes: integer, received_messages: integer, received_bytes: integer },
      unclaimed_expires_at: dateTime,
      claim_url: string,
      claim_expires_at: dateTime,
      instructions: array,
    })

    it('api_key is the bearer credential of this tenant, unchanged across replays', async () => {
      const { key, tenantId, idempotencyKey } = await world.newAgent()
      expect((await world.get('/account', key)).body.tenant_id).toBe(tenantId)
      const replay = await world.signup({ 'idempotency-key': idempotencyKey })
      expect(replay.body.api_key).toBe(key)
    })

    it('unclaimed_expires_at: seven days', async () => {
      const { body } = await world.newAgent()
      expect(Date.parse(body.unclaimed_expires_at) - world.clock.now()).toBe(7 * dayMs)
    })

    it('claim_url carries a bearer secret of its own in its #token fragment', async () => {
      const { body } = await world.newAgent()
      const url = new URL(body.claim_url)
      expect([url.hash, url.search]).toEqual([expect.stringMatching(/^#token=[\w-]{43}$/), ''])
      expect(body.claim_url).not.toContain(body.api_key)
    })

    it('claim_expires_at: 30 minutes', async () => {
      const { body } = await world.newAgent()
      expect(Date.parse(body.claim_expires_at) - world.clock.now()).toBe(30 * minuteMs)
    })

    it('claim_expires_at is bounded by the account expiry; a new link does not extend the lifetime', async () => {
      const headers = { 'idempotency-key': newIdempotencyKey() }
      const { unclaimed_expires_at } = (await world.signup(headers)).body
      world.clock.jump(7 * dayMs - 30 * minuteMs)
      expect((await world.signup(headers)).body.claim_expires_at).toBe(unclaimed_expires_at)
      world.clock.jump(20 * minuteMs)
      const replay = await world.signup(headers)
      expect(replay.body).toMatchObject({ unclaimed_expires_at, claim_expires_at: unclaimed_expires_at })
      expect((await world.get('/account', replay.body.api_key)).body).toMatchObject({ unclaimed_expires_at })
    })

    it('instructions tell the agent what to do', async () => {
      const { instructions } = (await world.newAgent()).body
      expect(instructions.length).toBeGreaterThan(0)
      for (const line of instructions) expect(line).toMatch(/\w+ \w+/)
    })
  })
