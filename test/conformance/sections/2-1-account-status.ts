import { describe, expect, it } from 'vitest'
import { array, boolean, dateTime, email, error, fields, integer, oneOf, orNull, string } from '../types'
import type { SignedUp, World } from '../world'

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
      await world.claim(agent.body.claim_url)
      expect(await theirs(agent)).toMatchObject({ claimed_at: time, sending_enabled_at: time })
    })

    it('sending_paused_at is null if no current pause is recorded', async () => {
      const agent = await world.claimedAgent()
      expect((await theirs(agent)).sending_paused_at).toBeNull()
      await world.service.admin.pause(agent.tenantId)
      expect((await theirs(agent)).sending_paused_at).toEqual(dateTime)
      await world.service.admin.resume(agent.tenantId)
      expect((await theirs(agent)).sending_paused_at).toBeNull()
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
      if (state !== 'unclaimed') await world.claim(agent.body.claim_url)
      if (state === 'paused') await world.service.admin.pause(agent.tenantId)
      expect((await theirs(agent)).capabilities).toEqual(capabilities)
    })
  })

  describe('2.3 limits', () => {
    it('while unclaimed: one inbox, 50 messages, 10485760 bytes', async () => {
      const expected = { inboxes: 1, received_messages: 50, received_bytes: 10_485_760 }
      expect((await theirs(await world.newAgent())).limits).toEqual(expected)
    })

    it('after claim: inboxes by the plan, no cap of onboarding', async () => {
      const agent = await world.claimedAgent()
      const limits = async () => (await theirs(agent)).limits
      expect(await limits()).toEqual({ inboxes: 1_000, received_messages: null, received_bytes: null })
      await world.service.admin.plan(agent.tenantId, 'small')
      expect(await limits()).toEqual({ inboxes: 2, received_messages: null, received_bytes: null })
      expect((await world.post('/inboxes', {}, agent.key)).status).toBe(201)
      expect(await world.post('/inboxes', {}, agent.key)).toMatchObject(error(422, 'inbox_limit_reached'))
    })

    it('after claim mail is taken beyond what an unclaimed account may receive', async () => {
      const { key, body } = await world.newAgent()
      const to = body.inbox.address
      for (let i = 1; i <= 50; i++) await world.mail({ to, subject: `mail ${i}` })
      await expect(world.mail({ to, subject: 'too many' })).rejects.toThrow(/452 4\.2\.2/)
      await world.claim(body.claim_url)
      await world.mail({ to, subject: 'after claim' })
      expect((await world.get('/messages', key)).body.messages[0].subject).toBe('after claim')
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

    it('counts no mail that comes after claim', async () => {
      const agent = await world.newAgent()
      const to = agent.body.inbox.address
      await world.mail({ to, subject: 'before claim' })
      const before = (await theirs(agent)).usage
      await world.claim(agent.body.claim_url)
      await world.mail({ to, subject: 'after claim' })
      expect((await theirs(agent)).usage).toEqual(before)
    })
  })

  describe('2.5 account inbox', () => {
    fields(async () => (await mine()).inboxes[0], { id: string, address: email })
  })
}
