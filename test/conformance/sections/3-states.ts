import { describe, expect, it } from 'vitest'
import { error } from '../types'
import { claimedAt, dayMs, type World } from '../world'

export function states(world: World): void {
  const now = () => new Date(world.clock.now()).toISOString()

  describe('3.1 onboarding_state', () => {
    it('(none) by agent signup to unclaimed: inbox, key, expiry and claim link', async () => {
      const { body, key } = await world.newAgent()
      expect((await world.get('/account', key)).body).toMatchObject({
        onboarding_state: 'unclaimed',
        claimed_at: null,
        unclaimed_expires_at: body.unclaimed_expires_at,
        expired: false,
        inboxes: [body.inbox],
        sending_status: 'unclaimed',
      })
    })

    it('unclaimed by expiry: still unclaimed, expired, readable in status only', async () => {
      const { body, key } = await world.newAgent()
      await world.mail({ to: body.inbox.address })
      const { id } = (await world.get('/messages', key)).body.messages[0]
      world.clock.jump(7 * dayMs - 1)
      expect((await world.get('/account', key)).body).toMatchObject({ expired: false })
      expect((await world.get(`/messages/${id}`, key)).status).toBe(200)
      world.clock.jump(1)
      expect(await world.get('/account', key)).toMatchObject({
        status: 200,
        body: {
          onboarding_state: 'unclaimed',
          expired: true,
          sending_status: 'expired',
          capabilities: { receive: false, read: false, send: false, manage: false },
        },
      })
      for (const path of [
        `/messages/${id}`,
        '/messages',
        '/inboxes',
        `/inboxes/${body.inbox.id}`,
        '/threads',
      ])
        expect(await world.get(path, key), path).toMatchObject(error(403, 'account_expired'))
      await expect(world.mail({ to: body.inbox.address })).rejects.toThrow(/550 5\.2\.1/)
    })
  })

  describe('3.2 sending_status', () => {
    const agentIn = async (values: (time: string) => object) => {
      const agent = await world.newAgent()
      await world.setAccount(agent.tenantId, values(now()))
      const send = () => world.post('/messages', { to: ['bo@example.com'], text: 'hi' }, agent.key)
      return { account: await world.get('/account', agent.key), send, time: now() }
    }

    it('unclaimed: may not send', async () => {
      const { account, send } = await agentIn(() => ({ name: 'unclaimed' }))
      expect(account.body).toMatchObject({ sending_status: 'unclaimed', capabilities: { send: false } })
      expect(await send()).toMatchObject(error(403, 'claim_required'))
    })

    it('enabled: sends', async () => {
      const { account, send } = await agentIn(claimedAt)
      expect(account.body).toMatchObject({ sending_status: 'enabled', capabilities: { send: true } })
      expect((await send()).status).toBe(200)
    })

    it('paused: capabilities.send false, sending_paused_at set', async () => {
      const { account, send, time } = await agentIn((time) => ({
        ...claimedAt(time),
        sending_paused_at: time,
      }))
      expect(account.body).toMatchObject({
        sending_status: 'paused',
        sending_paused_at: time,
        capabilities: { receive: true, read: true, send: false, manage: true },
      })
      expect(await send()).toMatchObject(error(403, 'sending_paused'))
    })

    it('expired: may do nothing', async () => {
      const { account, send } = await agentIn((time) => ({ unclaimed_expires_at: time }))
      expect(account.body).toMatchObject({ sending_status: 'expired', capabilities: { send: false } })
      expect(await send()).toMatchObject(error(403, 'account_expired'))
    })

    it('suspended: gets 403 on GET /account', async () => {
      const { account, send } = await agentIn((time) => ({ ...claimedAt(time), suspended_at: time }))
      expect(account).toMatchObject(error(403, 'account_suspended'))
      expect(await send()).toMatchObject(error(403, 'account_suspended'))
    })
  })

  describe('3.3 draft status', () => {
    it('a draft can carry scheduled_at; sending a draft yields a send result (2.8)', async () => {
      const inbox_id = world.home.inboxId
      const scheduled_at = new Date(world.clock.now() + dayMs).toISOString()
      const { body } = await world.post('/drafts', {
        inbox_id,
        to: ['bo@example.com'],
        text: 'x',
        scheduled_at,
      })
      expect(body).toMatchObject({ status: 'scheduled', scheduled_at })
      const sent = await world.post(`/drafts/${body.id}/send`, {})
      expect(sent).toMatchObject({ status: 200, body: { idempotent: false } })
      expect((await world.get(`/drafts/${body.id}`)).body.status).toBe('sent')
    })
  })
}
