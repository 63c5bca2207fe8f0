import type { ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { claimed, signedUp, type TestAccount } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { startFakeSmtp } from '../../support/fake-smtp'
import { JumpClock } from '../../support/jump-clock'
import { createNotingTransport } from '../../support/return-paths'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const plans = {
  rated: { pauseAtBounceRate: 0.25, rateMinimum: 4, rateDays: 2 },
  liked: { pauseAtComplaintRate: 0.3, rateMinimum: 4 },
}

describeDatabases('suppressions', (openDatabase) => {
  const clock = new JumpClock(Date.parse('2026-03-01T12:00:00.000Z'))
  const { transport, returnPaths } = createNotingTransport()
  const begin = (options: ServiceOptions) => openService({ ...options, plans }, { clock, transport })
  const { service, database } = useService(openDatabase, begin, perBlock)
  const account = (plan = 'unlimited') => claimed(service, database.options, { at: clock.now(), plan })
  const list = async (one: TestAccount, query = '') =>
    (await one.call('GET', `/suppressions${query}`)).body.suppressions
  const statusOf = (one: TestAccount, id: string) =>
    expect.poll(async () => (await one.call('GET', `/messages/${id}`)).body.delivery_status)
  /** Mail that comes back at once: nobody has that address. */
  const bounce = async (one: TestAccount, name: string) => {
    const { body } = await one.send({ to: [`${name}@restante.localhost`] })
    await statusOf(one, body.id).toBe('bounced')
  }

  it('are made, found, listed page by page and deleted', async () => {
    const one = await account()
    const made = await one.call('POST', '/suppressions', { body: { address: ' Bo@BÜCHER.test ' } })
    expect(made).toMatchObject({
      status: 201,
      body: { address: 'bo@xn--bcher-kva.test', reason: 'manual', detail: null },
    })
    const again = await one.call('POST', '/suppressions', { body: { address: 'bo@bücher.test' } })
    expect([again.status, again.body]).toEqual([200, made.body])
    clock.jump(1)
    await one.call('POST', '/suppressions', { body: { address: 'cy@example.com' } })
    const first = (await one.call('GET', '/suppressions?limit=1')).body
    const second = (await one.call('GET', `/suppressions?limit=1&cursor=${first.next_cursor}`)).body
    expect([first.suppressions[0].address, second.suppressions[0].address, second.next_cursor]).toEqual([
      'bo@xn--bcher-kva.test',
      'cy@example.com',
      null,
    ])
    expect(await list(one, '?address=BO@b%C3%BCcher.test')).toEqual([made.body])
    expect((await one.call('DELETE', `/suppressions/${made.body.id}`)).status).toBe(204)
    expect((await one.call('DELETE', `/suppressions/${made.body.id}`)).status).toBe(404)
    expect(await list(one)).toHaveLength(1)
  })

  it.each(['example.com', '*@example.com', 'Bo <bo@example.com>', ''])(
    'are addresses, not %j',
    async (address) => {
      expect((await service.call('POST', '/suppressions', { body: { address } })).body.error).toBe(
        'invalid_request',
      )
    },
  )

  it('need an account that was claimed', async () => {
    const one = await signedUp(service)
    const refused = await one.call('POST', '/suppressions', { body: { address: 'bo@example.com' } })
    expect(refused.body.error).toBe('claim_required')
  })

  it('refuse a mail whole and say for whom', async () => {
    const one = await account()
    const { body } = await one.call('POST', '/suppressions', { body: { address: 'bo@example.com' } })
    const refused = await one.send({ to: ['cy@example.com'], bcc: ['Bo <BO@Example.com>'] })
    expect(refused).toMatchObject({
      status: 422,
      body: {
        error: 'recipient_suppressed',
        message: expect.stringContaining('bo@example.com (put there by hand)'),
        details: { suppressions: [{ id: body.id, address: 'bo@example.com', reason: 'manual' }] },
      },
    })
    expect((await one.call('GET', '/messages')).body.messages).toEqual([])
    expect((await one.send({ to: ['cy@example.com'] })).status).toBe(200)
    await one.call('DELETE', `/suppressions/${body.id}`)
    expect((await one.send({ to: ['bo@example.com'] })).status).toBe(200)
  })

  it('come after the send lists and before the limits', async () => {
    const one = await account()
    await one.call('POST', '/suppressions', { body: { address: 'bo@example.com' } })
    await one.call('POST', '/lists', { body: { pattern: 'example.com', direction: 'send' } })
    expect((await one.send({})).body.error).toBe('recipient_blocked')
  })

  it('grow by what bounces for good', async () => {
    const one = await account()
    await bounce(one, 'nobody-1')
    expect(await list(one)).toMatchObject([
      {
        address: 'nobody-1@restante.localhost',
        reason: 'bounce',
        detail: expect.stringMatching(/No recipient/),
      },
    ])
    expect((await one.send({ to: ['nobody-1@restante.localhost'] })).body.message).toContain('(bounced)')
  })

  it('pause sending where too much bounces, and begin anew once it is resumed', async () => {
    const one = await account('rated')
    await bounce(one, 'nobody-2')
    await bounce(one, 'nobody-3')
    expect((await one.send()).status).toBe(200)
    const now = new Date(clock.now()).toISOString()
    await bounce(one, 'nobody-4')
    expect((await one.call('GET', '/account')).body).toMatchObject({
      sending_status: 'paused',
      sending_paused_at: now,
      capabilities: { send: false, receive: true, read: true, manage: true },
    })
    expect(await one.send()).toMatchObject({
      status: 403,
      body: {
        error: 'sending_paused',
        message: expect.stringContaining('too many of its messages bounced'),
        details: { sending_paused_at: now, reason: 'bounce_rate' },
      },
    })
    await service.service.admin.resume(one.tenantId)
    await bounce(one, 'nobody-5')
    expect((await one.call('GET', '/account')).body.sending_status).toBe('enabled')
    const { events } = (await one.call('GET', '/events?after=0&limit=100')).body
    const reported = events.filter(({ type }: { type: string }) => type.startsWith('account.'))
    expect(reported).toMatchObject([
      { type: 'account.paused', inbox_id: null, data: { sending_status: 'paused', sending_paused_at: now } },
      { type: 'account.resumed', data: { sending_status: 'enabled', sending_paused_at: null } },
    ])
  })

  it('pause sending where too many complain', async () => {
    const one = await account('liked')
    const complain = async (name: string) => {
      const { body } = await one.send({ to: [`${name}@there.example`] })
      await statusOf(one, body.id).toBe('sent')
      const part = (type: string, lines: string[]) => ['--b', `Content-Type: ${type}`, '', ...lines]
      const raw = [
        'From: feedback@isp.example',
        `To: ${one.address}`,
        'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
        '',
        ...part('message/feedback-report', ['Feedback-Type: abuse']),
        ...part('message/rfc822', [`Message-ID: ${body.message_id}`, `To: ${name}@there.example`, '', 'x']),
        '--b--',
      ].join('\r\n')
      await service.mail({
        raw,
        envelope: { from: 'feedback@isp.example', to: returnPaths.get(`${name}@there.example`)! },
      })
    }
    await one.send()
    await one.send()
    await complain('al')
    expect((await one.call('GET', '/account')).body.sending_status).toBe('enabled')
    await complain('bo')
    expect((await one.send()).body).toMatchObject({
      error: 'sending_paused',
      details: { reason: 'complaint_rate' },
    })
    const reasons = (await list(one)).map((entry: { reason: string }) => entry.reason)
    expect(reasons).toEqual(['complaint', 'complaint'])
  })

  it('forget bounces of days that the rate does not look back to', async () => {
    const one = await account('rated')
    for (const name of ['a', 'b', 'c']) await bounce(one, `old-${name}`)
    clock.jump(2 * 24 * 60 * 60_000)
    for (let i = 0; i < 3; i++) expect((await one.send()).status).toBe(200)
    await bounce(one, 'new-a')
    expect((await one.call('GET', '/account')).body.sending_status).toBe('enabled')
    await bounce(one, 'new-b')
    expect((await one.call('GET', '/account')).body.sending_status).toBe('paused')
  })
})

describeDatabases('bounces at another server', (openDatabase) => {
  const replies: Record<string, string> = {
    gone: '550 5.1.1 no such user',
    silent: '550 no such user here',
    full: '552 5.2.2 mailbox full',
    policy: '550 5.7.1 not from you',
    later: '450 4.2.1 try later',
  }

  it('suppress addresses that are not there, and no others', async () => {
    const database = await openDatabase()
    const fake = await startFakeSmtp({
      RCPT: (line) => replies[/<(\w+)@/.exec(line)?.[1] ?? ''] ?? '250 2.1.5 fine',
    })
    const delivery = `smtp://127.0.0.1:${fake.port}`
    const service = await openService({ ...database.options, delivery })
    const to = ['ok', ...Object.keys(replies)].map((name) => `${name}@there.test`)
    await service.call('POST', '/messages', { body: { to, text: 'hi' } })
    const addresses = async () =>
      (await service.call('GET', '/suppressions')).body.suppressions.map(
        (one: { address: string }) => one.address,
      )
    await expect.poll(addresses).toHaveLength(2)
    expect((await addresses()).sort()).toEqual(['gone@there.test', 'silent@there.test'])
    await service[Symbol.asyncDispose]()
    await database.drop()
  })
})
