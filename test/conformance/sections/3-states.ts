import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/protocol/routes/route'
import { agentRoutes } from '../../../src/protocol/routes/routes'
import { signedIn } from '../../support/console'
import { error } from '../types'
import { dayMs, minuteMs, type SignedUp, type World } from '../world'

const keyed = (Object.values(agentRoutes) as Record<string, Route>[]).flatMap((group) => Object.values(group))

/** Everything that is read with a key, but the status of the account. */
const readPaths = keyed
  .filter(({ method, access }) => method === 'GET' && access !== 'none')
  .map(({ path }) => path.replace(/\{\w+\}/g, 'none'))
  .filter((path) => path !== '/account')

/**
 * Every change to the account but a fresh claim link: to be handed a message is to read, and keys that bring mail in
 * are made by operators, who have claimed the account.
 */
const changes = keyed.filter(
  ({ method, path, access }) =>
    method !== 'GET' &&
    !['none', 'read', 'inbound'].includes(access as string) &&
    path !== '/account/claim-link',
)

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

    it('unclaimed by human claim through the claim link to claimed: all of it at once, and one event', async () => {
      const { body, key } = await world.newAgent()
      const [before] = (await world.get('/events?after=0&limit=500', key)).body.events.slice(-1)
      world.clock.jump(30 * minuteMs - 1)
      const time = now()
      expect((await world.claim(body.claim_url)).status).toBe(200)
      const account = {
        onboarding_state: 'claimed',
        claimed_at: time,
        sending_enabled_at: time,
        unclaimed_expires_at: null,
        expired: false,
        limits: { inboxes: 1_000, received_messages: null, received_bytes: null },
        sending_status: 'enabled',
      }
      expect((await world.get('/account', key)).body).toMatchObject(account)
      const { events } = (await world.get(`/events?after=${before.seq}`, key)).body
      expect(events).toMatchObject([{ type: 'account.claimed', data: account }])
      world.clock.jump(7 * dayMs)
      expect((await world.get('/account', key)).body).toMatchObject(account)
    })

    it('a claim link works once: its owner is answered the same again, another human is not', async () => {
      const { claim_url } = (await world.newAgent()).body
      const first = await world.claim(claim_url)
      const again = await world.claim(claim_url)
      const { account } = first.body
      expect([first.body, again.body]).toMatchObject([
        { already_claimed: false },
        { already_claimed: true, account },
      ])
      const other = await signedIn(world.service)
      expect(await world.claim(claim_url, other)).toMatchObject(error(409, 'claim_link_used'))
    })

    it('a claim link that is no longer valid claims nothing', async () => {
      const { body, key, idempotencyKey } = await world.newAgent()
      world.clock.jump(30 * minuteMs)
      expect(await world.claim(body.claim_url)).toMatchObject(error(410, 'claim_link_expired'))
      const fresh = (await world.post('/account/claim-link', undefined, key)).body
      const replay = (await world.signup({ 'idempotency-key': idempotencyKey })).body
      const newest = (await world.post('/account/claim-link', undefined, key)).body
      for (const { claim_url } of [body, fresh, replay])
        expect(await world.claim(claim_url)).toMatchObject(error(404, 'claim_link_unknown'))
      expect((await world.get('/account', key)).body.onboarding_state).toBe('unclaimed')
      const added = (await world.signup({ 'idempotency-key': idempotencyKey })).body
      expect((await world.claim(newest.claim_url)).status).toBe(200)
      expect(await world.claim(added.claim_url)).toMatchObject(error(404, 'claim_link_unknown'))
    })

    it('a claim link is bounded by the account expiry', async () => {
      const { body, key } = await world.newAgent()
      world.clock.jump(7 * dayMs - minuteMs)
      const { claim_url, claim_expires_at } = (await world.post('/account/claim-link', undefined, key)).body
      expect(claim_expires_at).toBe(body.unclaimed_expires_at)
      world.clock.jump(minuteMs)
      expect(await world.claim(claim_url)).toMatchObject(error(403, 'account_expired'))
      expect(await world.post('/account/claim-link', undefined, key)).toMatchObject(
        error(403, 'account_expired'),
      )
      expect((await world.get('/account', key)).body).toMatchObject({
        onboarding_state: 'unclaimed',
        expired: true,
      })
    })

    it('a replay of the signup answers as at first, and claims nothing once it is claimed', async () => {
      const agent = await world.claimedAgent()
      const { claim_url, claim_expires_at, ...rest } = agent.body
      const replay = await world.signup({ 'idempotency-key': agent.idempotencyKey })
      expect(replay).toMatchObject({ status: 200, body: rest })
      expect(await world.claim(replay.body.claim_url)).toMatchObject(error(404, 'claim_link_unknown'))
      expect(await world.post('/account/claim-link', undefined, agent.key)).toMatchObject(
        error(409, 'already_claimed'),
      )
      expect((await world.get('/account', replay.body.api_key)).body.onboarding_state).toBe('claimed')
    })

    it('unclaimed: nothing may be changed, whatever is asked for, but the claim link', async () => {
      const { body, key } = await world.newAgent()
      await world.mail({ to: body.inbox.address })
      const [{ id: message_id, thread_id }] = (await world.get('/messages', key)).body.messages
      const real: Record<string, string> = {
        ...{ inboxes: body.inbox.id, messages: message_id, threads: thread_id },
      }
      const plain = {
        ...{ inbox_id: body.inbox.id, message_id, to: ['bo@example.com'], text: 'hi', name: 'n' },
        ...{ hostname: 'u.example.net', pattern: 'u@example.org', address: 'u@example.org' },
        ...{ url: 'https://example.com/hook', events: ['message.received'] },
        since: '2026-01-31T12:00:00Z',
        reason: 'a refund',
        ...{ assignee: null, until: '2036-01-31T12:00:00Z', for_agent: false, answer: 'accepted' },
        ...{ imap: { host: 'imap.example.com' }, login: { type: 'password', password: 'p' } },
      }
      for (const { method, path, body: schema } of changes) {
        const named = path.replace(/([\w-]+)\/\{\w+\}/g, (_, noun) => `${noun}/${real[noun] ?? 'none'}`)
        const fields = Object.entries(plain).filter(([name]) => name in (schema?.shape ?? {}))
        const asked = schema && { body: Object.fromEntries(fields) }
        const answer = await world.call(method, named, { key, ...asked })
        expect(answer, `${method} ${path}`).toMatchObject(error(403, 'claim_required'))
      }
      expect((await world.post('/account/claim-link', undefined, key)).status).toBe(201)
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
      for (const path of [`/messages/${id}`, `/inboxes/${body.inbox.id}`, ...readPaths])
        expect(await world.get(path, key), path).toMatchObject(error(403, 'account_expired'))
      await expect(world.mail({ to: body.inbox.address })).rejects.toThrow(/550 5\.2\.1/)
    })
  })

  describe('3.2 sending_status', () => {
    const admin = () => world.service.admin
    const look = async ({ key }: SignedUp) => ({
      account: await world.get('/account', key),
      sent: await world.post('/messages', { to: ['bo@example.com'], text: 'hi' }, key),
    })

    it('unclaimed: may not send', async () => {
      const { account, sent } = await look(await world.newAgent())
      expect(account.body).toMatchObject({ sending_status: 'unclaimed', capabilities: { send: false } })
      expect(sent).toMatchObject(error(403, 'claim_required'))
    })

    it('enabled: sends', async () => {
      const { account, sent } = await look(await world.claimedAgent())
      expect(account.body).toMatchObject({ sending_status: 'enabled', capabilities: { send: true } })
      expect(sent.status).toBe(200)
    })

    it('paused: capabilities.send false, sending_paused_at set, until it is resumed', async () => {
      const agent = await world.claimedAgent()
      await admin().pause(agent.tenantId)
      const { account, sent } = await look(agent)
      expect(account.body).toMatchObject({
        sending_status: 'paused',
        sending_paused_at: now(),
        capabilities: { receive: true, read: true, send: false, manage: true },
      })
      expect(sent).toMatchObject(error(403, 'sending_paused'))
      await admin().resume(agent.tenantId)
      const resumed = await look(agent)
      expect(resumed.account.body).toMatchObject({ sending_status: 'enabled', sending_paused_at: null })
      expect(resumed.sent.status).toBe(200)
    })

    it('expired: may do nothing', async () => {
      const agent = await world.newAgent()
      world.clock.jump(7 * dayMs)
      const { account, sent } = await look(agent)
      expect(account.body).toMatchObject({ sending_status: 'expired', capabilities: { send: false } })
      expect(sent).toMatchObject(error(403, 'account_expired'))
    })

    it('suspended: gets 403 on GET /account, until it is no longer', async () => {
      const agent = await world.claimedAgent()
      expect(await admin().suspend(agent.tenantId)).toMatchObject({
        sending_status: 'suspended',
        capabilities: { receive: false, read: false, send: false, manage: false },
      })
      const { account, sent } = await look(agent)
      expect(account).toMatchObject(error(403, 'account_suspended'))
      expect(sent).toMatchObject(error(403, 'account_suspended'))
      await expect(world.mail({ to: agent.body.inbox.address })).rejects.toThrow(/550 /)
      await admin().unsuspend(agent.tenantId)
      expect((await look(agent)).account.body.sending_status).toBe('enabled')
    })

    it('suspended outranks expired, unclaimed and paused', async () => {
      const [agent, paused] = [await world.newAgent(), await world.claimedAgent()]
      await admin().pause(paused.tenantId)
      for (const { tenantId, key } of [agent, paused]) {
        expect((await admin().suspend(tenantId)).sending_status).toBe('suspended')
        expect(await world.get('/account', key)).toMatchObject(error(403, 'account_suspended'))
      }
      world.clock.jump(7 * dayMs)
      expect(await world.get('/account', agent.key)).toMatchObject(error(403, 'account_suspended'))
      await admin().unsuspend(paused.tenantId)
      expect((await world.get('/account', paused.key)).body.sending_status).toBe('paused')
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
