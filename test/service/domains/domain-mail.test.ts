import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { beforeEach, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { createFakeResolver, type FakeName } from '../../support/fake-resolver'
import { type FakeSmtp, startFakeSmtp } from '../../support/fake-smtp'
import { JumpClock } from '../../support/jump-clock'
import { publish } from '../../support/publish'
import { startService, type TestService } from '../../support/service'
import { openDialog } from '../../support/smtp-dialog'
import { useDatabase } from '../../support/use-service'

const serviceDomain = 'mx.restante.test'
const hourMs = 3_600_000

describeDatabases('mail of a domain', (openDatabase) => {
  const database = useDatabase(openDatabase)
  let names: Record<string, FakeName>
  let clock: JumpClock
  let relay: FakeSmtp
  let service: TestService
  beforeEach(async () => {
    names = {}
    clock = new JumpClock()
    relay = await startFakeSmtp()
    service = await database.start((options) =>
      startService(
        { ...options, domain: serviceDomain, delivery: `smtp://127.0.0.1:${relay.port}` },
        { resolver: createFakeResolver(names), clock },
      ),
    )
  })

  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { ...(body && { body }) })
  const verified = async (hostname = 'example.com') => {
    const domain = (await call('POST', '/domains', { hostname })).body
    publish(names, domain.records)
    return (await call('POST', `/domains/${domain.id}/verify`, {})).body
  }
  const inboxAt = async (domain: string, local_part = 'desk') =>
    (await call('POST', '/inboxes', { domain, local_part })).body
  const send = (inbox_id: string, body: object = {}) =>
    call('POST', '/messages', { inbox_id, to: ['bo@example.org'], subject: 'Hi', text: 'hi', ...body })
  const left = async (count = 1) => {
    await expect.poll(() => relay.mails.length).toBe(count)
    return {
      raw: relay.mails[count - 1]!.replace(/^\.\./gm, '.'),
      from: relay.lines.filter((line) => / MAIL FROM:/.test(line))[count - 1]!,
    }
  }
  const txt = async (name: string, type: string) => {
    if (type !== 'TXT' || !Array.isArray(names[name]?.txt))
      throw Object.assign(new Error(), { code: 'ENOTFOUND' })
    return names[name].txt
  }
  const signatures = async (raw: string) =>
    (await dkimVerify(Buffer.from(raw, 'latin1'), { resolver: txt })).results

  it('is signed by its key, once, and bounces to its return path', async () => {
    await verified()
    const inbox = await inboxAt('example.com')
    expect(inbox.address).toBe('desk@example.com')
    const { body } = await send(inbox.id, {
      subject: 'Grüße an alle',
      html: `<p>${'Zeile  mit\t Leerraum '.repeat(30)}</p>\n\n\n`,
      attachments: [{ filename: 'a.bin', content_base64: Buffer.from([0, 13, 10, 255]).toString('base64') }],
    })
    const { raw, from } = await left()
    const digits = (id: string) => id.split('_')[1]
    expect(from).toMatch(
      new RegExp(`<bounces\\+${digits(inbox.id)}.${digits(body.id)}.[0-9a-z]{17}@bounces.example.com>`),
    )
    const results = await signatures(raw)
    expect(results).toMatchObject([
      {
        status: { result: 'pass', aligned: 'example.com' },
        signingDomain: 'example.com',
        canonBodyLengthLimited: false,
      },
    ])
    const stored = await call('GET', `/messages/${body.id}/raw`)
    expect(raw).toBe(stored.body)
    const forged = raw.replace(/\r\n\r\n/, '\r\nFrom: Eve <eve@example.net>\r\n\r\n')
    expect((await signatures(forged))[0]!.status.result).toBe('fail')
  })

  it('has the same bytes at every attempt', async () => {
    await service[Symbol.asyncDispose]()
    relay = await startFakeSmtp({
      '.': (_, connection) => (connection === 0 ? '451 4.7.1 later' : '250 fine'),
    })
    service = await database.start((options) =>
      startService(
        { ...options, domain: serviceDomain, delivery: `smtp://127.0.0.1:${relay.port}` },
        { resolver: createFakeResolver(names), clock },
      ),
    )
    await verified()
    const { body } = await send((await inboxAt('example.com')).id)
    await expect
      .poll(async () => (await call('GET', `/messages/${body.id}`)).body.delivery_status)
      .toBe('deferred')
    clock.jump(2 * 60_000)
    const { raw } = await left(2)
    expect(raw).toBe(relay.mails[0]!.replace(/^\.\./gm, '.'))
    expect((await signatures(raw))[0]!.status.result).toBe('pass')
  })

  it('of the service itself is signed by the key of the service', async () => {
    const { name, value } = (await service.service.dkimRecord())!
    publish(names, [{ type: 'TXT', name, value }])
    expect(await service.service.dkimRecord()).toEqual({ name, value })
    await send(service.home.inboxId)
    const { raw, from } = await left()
    expect(from).toMatch(/<bounces\+[0-9a-z.]{51}@mx\.restante\.test>/)
    expect(await signatures(raw)).toMatchObject([
      { status: { result: 'pass' }, signingDomain: serviceDomain, selector: name.split('.')[0] },
    ])
  })

  it('comes in at its inboxes, and under any tag', async () => {
    await verified()
    const inbox = await inboxAt('example.com')
    await service.mail({ to: 'Desk+news@Example.com' })
    const [message] = (await call('GET', `/messages?inbox_id=${inbox.id}`)).body.messages
    expect(message.to_addrs).toEqual(['Desk+news@example.com'])
    await service.mail({ from: '', to: `bounces+${inbox.id}@bounces.example.com` })
    await service.mail({ from: '', to: `bounces+${inbox.id}@${serviceDomain}` })
    expect((await call('GET', `/messages?inbox_id=${inbox.id}`)).body.messages).toHaveLength(3)
    for (const to of ['nobody@example.com', `bounces+${inbox.id}@example.net`, 'bounces@bounces.example.com'])
      await expect(service.mail({ to }), to).rejects.toThrow(/550 5\.1\.1/)
  })

  it('stays here where the domain receives here, and else goes where its MX says', async () => {
    const domain = await verified()
    await inboxAt('example.com')
    await send(service.home.inboxId, { to: ['desk@example.com'] })
    await expect
      .poll(async () => (await call('GET', '/messages?direction=inbound')).body.messages.length)
      .toBe(1)
    names['example.com'] = { mx: [{ priority: 1, exchange: 'mail.example.net' }] }
    await call('POST', `/domains/${domain.id}/verify`, {})
    await send(service.home.inboxId, { to: ['desk@example.com'] })
    await left(1)
  })

  it('is refused where the domain is not verified, not there, or failing', async () => {
    for (const hostname of ['example.com', 'example.net']) {
      if (hostname === 'example.com') await call('POST', '/domains', { hostname })
      const refused = await call('POST', '/inboxes', { domain: hostname })
      expect(refused).toMatchObject({ status: 422, body: { error: 'domain_not_verified' } })
    }
    const domain = await verified('example.org')
    const inbox = await inboxAt('example.org')
    names['_restante.example.org'] = {}
    await call('POST', `/domains/${domain.id}/verify`, {})
    expect((await send(inbox.id)).status).toBe(200)
    clock.jump(72 * hourMs)
    expect((await call('POST', `/domains/${domain.id}/verify`, {})).body.status).toBe('failing')
    expect(await send(inbox.id)).toMatchObject({
      status: 422,
      body: { error: 'domain_not_verified', details: { domain_id: domain.id } },
    })
    await service.mail({ to: inbox.address })
    expect(
      (await call('GET', `/messages?inbox_id=${inbox.id}&direction=inbound`)).body.messages,
    ).toHaveLength(1)
  })

  it('keeps its domain from being deleted while there are inboxes', async () => {
    const domain = await verified()
    const inbox = await inboxAt('example.com', 'support')
    expect(await call('DELETE', `/domains/${domain.id}`)).toMatchObject({
      status: 409,
      body: { error: 'domain_in_use', details: { inboxes: 1 } },
    })
    await call('DELETE', `/inboxes/${inbox.id}`)
    expect((await call('DELETE', `/domains/${domain.id}`)).status).toBe(204)
    await expect(service.mail({ to: inbox.address })).rejects.toThrow(/550 5\.1\.6/)
  })

  it('to postmaster and abuse reaches the operator, whatever the lists say', async () => {
    await verified()
    for (const local_part of ['postmaster', 'abuse'])
      expect(await call('POST', '/inboxes', { domain: 'example.com', local_part })).toMatchObject({
        status: 422,
        body: { error: 'inbox_unavailable' },
      })
    await call('POST', '/lists', { pattern: '*@example.com' })
    await expect(service.mail({})).rejects.toThrow(/550 5\.7\.1/)
    for (const to of [`Postmaster@${serviceDomain}`, `abuse+x@${serviceDomain}`, 'abuse@example.com'])
      await service.mail({ to })
    const dialog = openDialog(Number(service.smtp.split(':')[1]))
    await dialog.expect(220)
    await dialog.say('EHLO stranger.test', 250)
    await dialog.mail('Subject: lone\r\n\r\nhi', ['postmaster'])
    const { messages } = (await call('GET', `/messages?inbox_id=${service.home.inboxId}`)).body
    expect(messages).toHaveLength(4)
    await expect(service.mail({ to: 'postmaster@example.net' })).rejects.toThrow(/550 5\.1\.1/)
  })

  it('is answered to all but itself, tags and all', async () => {
    await verified()
    const inbox = await inboxAt('example.com')
    await service.mail({
      from: 'ana@example.net',
      to: ['desk+a@example.com', 'cy@example.org'],
      cc: 'DESK@example.com',
    })
    const [message] = (await call('GET', `/messages?inbox_id=${inbox.id}`)).body.messages
    const { body } = await call('POST', `/messages/${message.id}/reply`, { text: 'yes', reply_all: true })
    const reply = (await call('GET', `/messages/${body.id}`)).body
    expect([...reply.to_addrs, ...reply.cc_addrs]).toEqual(['ana@example.net', 'cy@example.org'])
  })
})
