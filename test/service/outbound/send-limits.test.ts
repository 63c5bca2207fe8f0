import type { PlanInput, ServiceOptions } from 'restante/service'
import { describe, expect, it } from 'vitest'
import { claimed, type TestAccount } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const hourMs = 60 * 60_000
const plans: Record<string, PlanInput> = {
  daily: { inboxes: 2, messagesPerDay: 3 },
  domains: { messagesPerDomainPerDay: 2 },
  warm: { messagesPerDay: 5, warmup: [1, 3], warmupPerDomain: [1, 2] },
  threads: { messagesPerThreadPerHour: 2 },
}

describeDatabases('limits on sending', (openDatabase) => {
  const clock = new JumpClock(Date.parse('2026-03-01T18:00:00.000Z'))
  const begin = (options: ServiceOptions) => openService({ ...options, plans }, { clock })
  const { service, database } = useService(openDatabase, begin, perBlock)
  /** Moves to the next time that it is this hour of UTC. */
  const goTo = (hour: number) => {
    const day = Math.floor(clock.now() / (24 * hourMs))
    const at = (day * 24 + hour) * hourMs
    clock.jump((at > clock.now() ? at : at + 24 * hourMs) - clock.now())
  }
  const account = (plan: string) => claimed(service, database.options, { at: clock.now(), plan })
  const midnight = () => new Date((Math.floor(clock.now() / (24 * hourMs)) + 1) * 24 * hourMs).toISOString()
  const sent = async (one: TestAccount) =>
    (await one.call('GET', '/messages?direction=outbound&limit=100')).body.messages.length

  it('let out the last of the day and refuse the next until the day of UTC turns', async () => {
    goTo(18)
    const one = await account('daily')
    expect((await one.send({ to: ['a@one.test'], cc: ['b@two.test'] })).status).toBe(200)
    const over = await one.send({ to: ['a@one.test'], bcc: ['b@two.test'] })
    expect(over).toMatchObject({
      status: 429,
      body: {
        error: 'daily_limit_reached',
        message: expect.stringContaining(`repeat this from ${midnight()}`),
        details: { limit: 3, sent: 2, wanted: 2, warming: false, retry_at: midnight() },
      },
    })
    expect(over.headers.get('retry-after')).toBe(String(6 * 60 * 60))
    expect((await one.send({ client_id: 'third' })).status).toBe(200)
    expect((await one.send()).body.error).toBe('daily_limit_reached')
    expect((await one.send({ client_id: 'third' })).body).toMatchObject({ idempotent: true })
    clock.jump(6 * hourMs - 1)
    const late = await one.send()
    expect([late.status, late.headers.get('retry-after')]).toEqual([429, '1'])
    clock.jump(1)
    expect((await one.send()).status).toBe(200)
    expect(await sent(one)).toBe(3)
  })

  it('hold a scheduled mail up, which says so until it is sent', async () => {
    goTo(18)
    const one = await account('daily')
    await one.send({ to: ['a@one.test', 'b@one.test', 'c@one.test'] })
    const { id } = (await one.send({ scheduled_at: new Date(clock.now() + hourMs).toISOString() })).body
    const draft = async () => (await one.call('GET', `/drafts/${id}`)).body
    clock.jump(hourMs)
    await expect.poll(draft).toMatchObject({ status: 'scheduled', error: { code: 'daily_limit_reached' } })
    goTo(0)
    await expect
      .poll(() => {
        clock.jump(1_000)
        return draft()
      })
      .toMatchObject({ status: 'sent', error: null })
  })

  it('refuse a mail to more recipients than any day allows, and name no time to try again', async () => {
    const one = await account('daily')
    const over = await one.send({ to: ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test'] })
    expect(over).toMatchObject({
      status: 429,
      body: { error: 'daily_limit_reached', details: { retry_at: null } },
    })
    expect(over.body.message).toContain('send to fewer at once')
    expect(over.headers.get('retry-after')).toBeNull()
  })

  it('do not count what is refused, or sent by another account', async () => {
    const [one, other] = [await account('daily'), await account('daily')]
    await one.send({ to: ['a@x.test', 'b@x.test', 'c@x.test'] })
    for (let i = 0; i < 3; i++) expect((await one.send()).status).toBe(429)
    expect((await one.send({ to: [] })).body.error).toBe('no_recipients')
    expect((await other.send({ to: ['a@x.test', 'b@x.test', 'c@x.test'] })).status).toBe(200)
  })

  it('hold for each domain, however it is written', async () => {
    goTo(12)
    const one = await account('domains')
    expect((await one.send({ to: ['a@bücher.test', 'b@XN--BCHER-KVA.test', 'c@else.test'] })).status).toBe(
      200,
    )
    expect(await one.send({ to: ['c@else.test', 'd@bücher.test'] })).toMatchObject({
      status: 429,
      body: {
        error: 'recipient_domain_limit_reached',
        details: { domain: 'xn--bcher-kva.test', limit: 2, sent: 2, wanted: 1, retry_at: midnight() },
      },
    })
    expect((await one.send({ to: ['c@else.test', 'd@third.test'] })).status).toBe(200)
  })

  it('rise with each day since sending began, to the moment', async () => {
    goTo(18)
    const began = clock.now()
    const one = await account('warm')
    const inDays = (days: number) => new Date(began + days * 24 * hourMs).toISOString()
    expect((await one.send({ to: ['a@one.test'] })).status).toBe(200)
    expect(await one.send({ to: ['a@two.test'] })).toMatchObject({
      status: 429,
      body: { error: 'warmup_limit_reached', details: { limit: 1, warming: true, retry_at: midnight() } },
    })
    expect(await one.send({ to: ['a@two.test', 'a@three.test'] })).toMatchObject({
      body: { error: 'warmup_limit_reached', details: { retry_at: inDays(1) } },
    })
    clock.jump(6 * hourMs)
    expect((await one.send({ to: ['a@one.test'] })).status).toBe(200)
    expect(await one.send({ to: ['a@one.test'] })).toMatchObject({
      body: { error: 'warmup_limit_reached', details: { retry_at: inDays(1) } },
    })
    clock.jump(18 * hourMs - 1)
    expect((await one.send({ to: ['a@two.test'] })).status).toBe(429)
    clock.jump(1)
    expect((await one.send({ to: ['a@two.test'] })).status).toBe(200)
    expect((await one.send({ to: ['a@two.test'] })).status).toBe(200)
    expect(await one.send({ to: ['a@two.test'] })).toMatchObject({
      body: { error: 'warmup_limit_reached', details: { limit: 3, sent: 3 } },
    })
    clock.jump(24 * hourMs)
    expect(
      (await one.send({ to: ['a@two.test', 'b@two.test', 'c@two.test', 'd@two.test', 'e@two.test'] })).status,
    ).toBe(200)
    expect((await one.send()).body.error).toBe('daily_limit_reached')
  })

  it('are in GET /account, with the ramp while it lasts', async () => {
    goTo(12)
    const one = await account('warm')
    const limits = async () => (await one.call('GET', '/account')).body.sending_limits
    const ramp = {
      ends_at: new Date(clock.now() + 48 * hourMs).toISOString(),
      ...{ messages_per_day: [1, 3], messages_per_domain_per_day: [1, 2] },
    }
    expect(await limits()).toEqual({
      ...{ messages_per_day: 1, messages_per_domain_per_day: 1 },
      warmup: { ...ramp, day: 1 },
    })
    clock.jump(24 * hourMs)
    expect(await limits()).toEqual({
      ...{ messages_per_day: 3, messages_per_domain_per_day: 2 },
      warmup: { ...ramp, day: 2 },
    })
    clock.jump(24 * hourMs)
    expect(await limits()).toEqual({
      ...{ messages_per_day: 5, messages_per_domain_per_day: null, warmup: null },
    })
  })

  it('hold for each domain while the account is new', async () => {
    const one = await account('warm')
    clock.jump(24 * hourMs)
    expect((await one.send({ to: ['a@one.test', 'b@one.test'] })).status).toBe(200)
    expect(await one.send({ to: ['c@one.test'] })).toMatchObject({
      body: { error: 'recipient_domain_limit_reached', details: { limit: 2, warming: true } },
    })
    expect((await one.send({ to: ['c@two.test'] })).status).toBe(200)
  })

  it('stop two programs that answer each other', async () => {
    const one = await account('threads')
    await service.mail({ to: one.address, subject: 'ping' })
    const [message] = (await one.call('GET', '/messages')).body.messages
    const reply = () => one.call('POST', `/messages/${message.id}/reply`, { body: { text: 'pong' } })
    expect((await reply()).status).toBe(200)
    clock.jump(10 * 60_000)
    expect((await reply()).status).toBe(200)
    const stopped = await reply()
    expect(stopped).toMatchObject({
      status: 429,
      body: { error: 'loop_suspected', details: { thread_id: message.thread_id, limit: 2 } },
    })
    expect(stopped.headers.get('retry-after')).toBe(String(50 * 60))
    expect((await one.send()).status).toBe(200)
    clock.jump(50 * 60_000)
    expect((await reply()).status).toBe(200)
  })

  it('bound the answers to one author whose messages a program submits, across threads', async () => {
    const one = await account('unlimited')
    let count = 0
    const received = async (person: string) => {
      await service.mail({
        ...{ from: 'Shop <wordpress@shop.example>', replyTo: `Ann <${person}>`, to: one.address },
        ...{ subject: `Form ${count}`, text: `Message ${count++}` },
      })
      return (await one.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
    }
    const reply = ({ id }: { id: string }, body: object = {}) =>
      one.call('POST', `/messages/${id}/reply`, { body: { text: `Answer ${id}`, ...body } })
    const waiting = await received('ann@people.example')
    expect(waiting).toMatchObject({
      auto_submitted: 'no',
      unanswerable: null,
      via: { program: null, kind: 'form', author_addr: 'ann@people.example', author_name: 'Ann' },
    })
    for (let i = 0; i < 5; i++) {
      const form = await received('ann@people.example')
      expect([form.unanswerable, (await reply(form)).status]).toEqual([null, 200])
      clock.jump(60_000)
    }
    expect((await received('ann@people.example')).unanswerable).toBe('mail_loop')
    const refused = await reply(waiting)
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'automatic_mail', details: { unanswerable: 'mail_loop' } },
    })
    expect(refused.body.message).toContain('automatic_answers_per_hour')
    expect((await reply(waiting, { allow_auto_reply: true })).status).toBe(200)
    expect((await reply(await received('bo@people.example'))).status).toBe(200)
    const changes = { automatic_answers_per_hour: 7 }
    const changed = await one.call('PATCH', `/inboxes/${one.inboxId}`, { body: changes })
    expect([changed.status, changed.body.automatic_answers_per_hour]).toEqual([200, 7])
    const again = await received('ann@people.example')
    expect([again.unanswerable, (await reply(again)).status]).toEqual([null, 200])
    expect((await received('ann@people.example')).unanswerable).toBe('mail_loop')
    clock.jump(hourMs)
    expect((await received('ann@people.example')).unanswerable).toBeNull()
    const drafted = async ({ id }: { id: string }, given: object = {}) => {
      const body = { inbox_id: one.inboxId, reply_to_message_id: id, text: `Answer ${id}`, ...given }
      const draft = (await one.call('POST', '/drafts', { body })).body
      return one.call('POST', `/drafts/${draft.id}/send`)
    }
    const last = await received('cy@people.example')
    for (let i = 0; i < 7; i++) expect((await drafted(await received('cy@people.example'))).status).toBe(200)
    expect((await received('cy@people.example')).unanswerable).toBe('mail_loop')
    expect(await drafted(last)).toMatchObject({ status: 409, body: { error: 'automatic_mail' } })
    expect((await drafted(last, { allow_auto_reply: true })).status).toBe(200)
  })

  it('are those of the plan, for inboxes too', async () => {
    const one = await account('daily')
    expect((await one.call('GET', '/account')).body.limits).toMatchObject({
      inboxes: 2,
      received_messages: null,
      received_bytes: null,
    })
    expect((await one.call('POST', '/inboxes', { body: {} })).status).toBe(201)
    expect((await one.call('POST', '/inboxes', { body: {} })).body.error).toBe('inbox_limit_reached')
    await service.service.admin.plan(one.address, 'unlimited')
    expect((await one.call('POST', '/inboxes', { body: {} })).status).toBe(201)
    for (let i = 0; i < 5; i++) expect((await one.send({ inbox_id: one.inboxId })).status).toBe(200)
    await expect(service.service.admin.plan(one.tenantId, 'no-such')).rejects.toThrow(/there are: standard/)
  })

  describe('at the time of a draft', () => {
    const draft = async (one: TestAccount, body: object) =>
      (
        await one.call('POST', '/drafts', {
          body: { inbox_id: one.inboxId, to: ['a@x.test'], text: 'hi', ...body },
        })
      ).body
    const status = async (one: TestAccount, id: string) =>
      (await one.call('GET', `/drafts/${id}`)).body.status
    /** Time goes on by moments while it is waited for. */
    const eventually = (ask: () => Promise<unknown>) =>
      expect.poll(
        () => {
          clock.jump(5_000)
          return ask()
        },
        { interval: 20 },
      )

    it('let it wait until it may leave', async () => {
      goTo(18)
      const one = await account('daily')
      await one.send({ to: ['a@x.test', 'b@x.test', 'c@x.test'] })
      const refused = await one.call('POST', `/drafts/${(await draft(one, {})).id}/send`)
      expect(refused).toMatchObject({ status: 429, body: { error: 'daily_limit_reached' } })
      const { id } = await draft(one, { scheduled_at: new Date(clock.now() + hourMs).toISOString() })
      clock.jump(hourMs + 1)
      await one.call('GET', '/account')
      clock.jump(hourMs)
      expect(await status(one, id)).toBe('scheduled')
      clock.jump(4 * hourMs)
      await eventually(() => status(one, id)).toBe('sent')
    })

    it('let answers to a program wait until its author may get another', async () => {
      const one = await account('unlimited')
      const form = { from: 'Shop <form@shop.example>', replyTo: 'Di <di@people.example>', to: one.address }
      const received = async () => {
        await service.mail({ ...form, subject: `Form ${clock.now()}` })
        return (await one.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0].id
      }
      const changes = { automatic_answers_per_hour: 1 }
      await one.call('PATCH', `/inboxes/${one.inboxId}`, { body: changes })
      const [first, second, third] = [await received(), await received(), await received()]
      const answer = (parent: string, given: object = {}) => {
        const scheduled_at = new Date(clock.now() + 1_000).toISOString()
        return draft(one, { to: undefined, reply_to_message_id: parent, scheduled_at, ...given })
      }
      const both = [await answer(first), await answer(second)]
      const statuses = () => Promise.all(both.map(({ id }) => status(one, id)))
      await eventually(async () => (await statuses()).sort()).toEqual(['scheduled', 'sent'])
      const allowed = await answer(third, { allow_auto_reply: true })
      await eventually(() => status(one, allowed.id)).toBe('sent')
      expect((await statuses()).sort()).toEqual(['scheduled', 'sent'])
      clock.jump(hourMs)
      await eventually(statuses).toEqual(['sent', 'sent'])
    })
  })
})
