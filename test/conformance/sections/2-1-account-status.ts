import { describe, expect, it } from 'vitest'
import { array, boolean, dateTime, email, fields, integer, oneOf, orNull, string } from '../types'
import { claimedAt, type SignedUp, type World } from '../world'

const sendingStatuses = ['enabled', 'paused', 'unclaimed', 'expired', 'suspended']

export function accountStatus(world: World): void {
  const mine = async () => (await world.get('/account')).body
  const theirs = async ({ key }: SignedUp) => (await world.get('/account', key)).body

  describe('2.1 account status (response of GET /account)', () => {
    fields(mine, {
      tenant_id: string,
      name: string,
      onboarding_state: oneOf('unclaimed', 'claimed'),
      claimed_at: orNull(dateTime),
      sending_enabled_at: orNull(dateTime),
      unclaimed_expires_at: orNull(dateTime),
      expired: boolean,
      capabilities: { receive: boolean, read: boolean, send: boolean, manage: boolean },
      limits: { inboxes: integer, received_messages: orNull(integer), received_bytes: orNull(integer) },
      usage: { received_messages: integer, received_bytes: integer },
      inboxes: array,
      sending_status: oneOf(...sendingStatuses),
      sending_paused_at: orNull(dateTime),
    })

    it('sending_enabled_at is set at claim time for accounts made by agents', async () => {
      const agent = await world.newAgent()
      expect((await theirs(agent)).sending_enabled_at).toBeNull()
      const time = new Date(world.clock.now()).toISOString()
      await world.setAccount(agent.tenantId, claimedAt(time))
      expect(await theirs(agent)).toMatchObject({ claimed_at: time, sending_enabled_at: time })
    })

    it('sending_paused_at is null if no current pause is recorded', async () => {
      expect((await mine()).sending_paused_at).toBeNull()
    })
  })

  describe('2.2 capabilities', () => {
    const states = [
      ['unclaimed', { receive: true, read: true, send: false, manage: false }],
      ['claimed', { receive: true, read: true, send: true, manage: true }],
      ['paused', { receive: true, read: true, send: false, manage: true }],
    ] as const
    it.each(states)('of an account that is %s', async (state, capabilities) => {
      const agent = await world.newAgent()
      const time = new Date(world.clock.now()).toISOString()
      if (state !== 'unclaimed') await world.setAccount(agent.tenantId, claimedAt(time))
      if (state === 'paused') await world.setAccount(agent.tenantId, { sending_paused_at: time })
      expect((await theirs(agent)).capabilities).toEqual(capabilities)
    })
  })

  describe('2.3 limits', () => {
    it('while unclaimed: one inbox, 50 messages, 10485760 bytes', async () => {
      const expected = { inboxes: 1, received_messages: 50, received_bytes: 10_485_760 }
      expect((await theirs(await world.newAgent())).limits).toEqual(expected)
    })

    it('after claim: inboxes by the plan, no cap of onboarding', async () => {
      const agent = await world.newAgent()
      await world.setAccount(agent.tenantId, claimedAt(new Date(world.clock.now()).toISOString()))
      const { limits } = await theirs(agent)
      expect(limits).toMatchObject({ received_messages: null, received_bytes: null })
      expect(limits.inboxes).toBeGreaterThanOrEqual(1)
    })
  })

  describe('2.4 usage', () => {
    it('tracks the receive quota of onboarding: messages and their bytes', async () => {
      const agent = await world.newAgent()
      expect((await theirs(agent)).usage).toEqual({ received_messages: 0, received_bytes: 0 })
      const raw = 'From: ana@example.com\r\nSubject: counted\r\n\r\nevery byte\r\n'
      await world.mail({ raw, envelope: { from: 'ana@example.com', to: agent.body.inbox.address } })
      expect((await theirs(agent)).usage).toEqual({ received_messages: 1, received_bytes: raw.length })
    })

    it('is not usage after claim', async () => {
      const before = (await mine()).usage
      await world.mail({})
      expect((await mine()).usage).toEqual(before)
    })
  })

  describe('2.5 account inbox', () => {
    fields(async () => (await mine()).inboxes[0], { id: string, address: email })
  })
}
