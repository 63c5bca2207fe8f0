import { beforeAll, expect, it } from 'vitest'
import { administer } from '../../../src/service/admin/administer'
import { readSettings } from '../../../src/service/settings'
import { claimed, signedUp, type TestAccount } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { startFakeSmtp } from '../../support/fake-smtp'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService, type QuietService } from '../../support/service'
import { perBlock, useDatabase } from '../../support/use-service'

const dayMs = 24 * 60 * 60_000

describeDatabases('the host', (openDatabase) => {
  const clock = new JumpClock(Date.parse('2026-03-01T12:00:00.000Z'))
  const database = useDatabase(openDatabase, perBlock)
  let service: QuietService
  beforeAll(async () => {
    service = await database.start((options) => openService(options, { clock }))
  })
  const account = () => claimed(service, database.options, { at: clock.now(), plan: 'unlimited' })
  const statusOf = async (one: TestAccount) => (await one.call('GET', '/account')).body.sending_status
  /** Time goes on by moments while it is waited for. */
  const eventually = (ask: () => Promise<unknown>) =>
    expect.poll(
      () => {
        clock.jump(5_000)
        return ask()
      },
      { interval: 20 },
    )
  const admin = () => service.service.admin

  it('pauses: what is queued, and drafts whose time comes, wait and leave once it resumes', async () => {
    let reply = '450 4.2.1 try later'
    const fake = await startFakeSmtp({ RCPT: () => reply })
    // A mail whose recipients were all refused leaves an empty one behind.
    const mails = () => fake.mails.filter((mail) => mail !== '')
    const delivery = `smtp://127.0.0.1:${fake.port}`
    const other = await openDatabase()
    const relaying = await openService({ ...other.options, delivery }, { clock })
    const { call, home } = relaying
    const host = relaying.service.admin
    const scheduled_at = new Date(clock.now() + 60_000).toISOString()
    const mail = { inbox_id: home.inboxId, to: ['bo@example.com'], text: 'hi' }
    const { body: draft } = await call('POST', '/drafts', { body: { ...mail, scheduled_at } })
    const { body: queued } = await call('POST', '/messages', { body: mail })
    const statusOfMail = async () => (await call('GET', `/messages/${queued.id}`)).body.delivery_status
    const statusOfDraft = async () => (await call('GET', `/drafts/${draft.id}`)).body.status
    await eventually(statusOfMail).toBe('deferred')
    reply = '250 2.1.5 fine'
    expect(await host.pause(home.tenantId)).toMatchObject({ sending_status: 'paused' })
    clock.jump(5 * dayMs)
    const db = await openBeside(other.options)
    const waiting = async () => (await db.selectFrom('jobs').selectAll().execute()).map((job) => job.held)
    await eventually(waiting).toEqual(['account', 'account'])
    expect([await statusOfMail(), await statusOfDraft(), mails()]).toEqual(['deferred', 'scheduled', []])
    expect(await call('POST', '/messages', { body: mail })).toMatchObject({
      status: 403,
      body: { error: 'sending_paused', details: { reason: 'host' } },
    })
    expect(await host.resume(home.address)).toMatchObject({
      sending_status: 'enabled',
      sending_paused_at: null,
    })
    await eventually(statusOfMail).toBe('sent')
    await eventually(statusOfDraft).toBe('sent')
    await eventually(async () => mails().length).toBe(2)
    await db.destroy()
    await relaying[Symbol.asyncDispose]()
    await other.drop()
  })

  it('answers a replay while sending is paused', async () => {
    const one = await account()
    const { body } = await one.send({ client_id: 'a' })
    await admin().pause(one.tenantId)
    expect((await one.send({ client_id: 'a' })).body).toEqual({ ...body, idempotent: true })
  })

  it('suspends: requests, mail and sockets end at once, and nothing is lost', async () => {
    const one = await account()
    await service.mail({ to: one.address, subject: 'before' })
    const socket = service.service.socket({ apiKey: one.key })
    const reported: unknown[] = []
    const closed = new Promise<number>((resolve) => {
      socket.onclose = ({ code }) => resolve(code)
    })
    socket.onmessage = ({ data }) => reported.push(data)
    await new Promise<void>((resolve) => {
      socket.onopen = resolve
    })
    socket.send(JSON.stringify({ type: 'subscribe', after: 'now' }))
    await expect.poll(() => reported.join()).toContain('caught-up')
    expect(await admin().suspend(one.tenantId)).toMatchObject({
      sending_status: 'suspended',
      capabilities: { receive: false, read: false, send: false, manage: false },
    })
    expect(await closed).toBe(4403)
    for (const path of ['/account', '/messages', '/events', '/drafts', '/labels', '/suppressions'])
      expect(await one.call('GET', path), path).toMatchObject({
        status: 403,
        body: { error: 'account_suspended' },
      })
    expect(await one.send()).toMatchObject({ status: 403, body: { error: 'account_suspended' } })
    await expect(service.mail({ to: one.address })).rejects.toThrow(/550 5\.2\.1/)
    await admin().unsuspend(one.tenantId)
    expect(await statusOf(one)).toBe('enabled')
    await service.mail({ to: one.address, subject: 'after' })
    const { messages } = (await one.call('GET', '/messages?order=asc')).body
    expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual(['before', 'after'])
  })

  it('sees suspended before expired, unclaimed and paused', async () => {
    const one = await signedUp(service)
    expect(await statusOf(one)).toBe('unclaimed')
    await admin().pause(one.tenantId)
    expect(await statusOf(one)).toBe('unclaimed')
    clock.jump(7 * dayMs - 1)
    expect(await statusOf(one)).toBe('unclaimed')
    clock.jump(1)
    expect((await one.call('GET', '/account')).body).toMatchObject({
      sending_status: 'expired',
      expired: true,
      capabilities: { receive: false, read: false, send: false, manage: false },
    })
    expect((await one.call('GET', '/messages')).body.error).toBe('account_expired')
    await expect(service.mail({ to: one.address })).rejects.toThrow(/550 5\.2\.1/)
    expect(await admin().suspend(one.tenantId)).toMatchObject({ sending_status: 'suspended', expired: true })
    expect((await one.call('GET', '/account')).body.error).toBe('account_suspended')
  })

  it('takes 50 messages and 10 MiB before the account is claimed, to the byte', async () => {
    const one = await signedUp(service)
    const big = 10 * 1024 * 1024
    const header = `From: a@example.com\r\nTo: ${one.address}\r\nSubject: big\r\n\r\n`
    const mailOf = (size: number) => {
      const line = `${'x'.repeat(998)}\r\n`
      const rest = size - header.length
      const whole = line.repeat(Math.floor(rest / 1_000))
      const left = rest % 1_000
      return header + whole + (left >= 2 ? `${'y'.repeat(left - 2)}\r\n` : '')
    }
    const usage = async () => (await one.call('GET', '/account')).body.usage
    const deliver = (raw: string) =>
      service.mail({ raw, envelope: { from: 'a@example.com', to: one.address } })
    await deliver(mailOf(5_000_000))
    const left = big - (await usage()).received_bytes
    await expect(deliver(mailOf(left + 1))).rejects.toThrow(/452 4\.2\.2/)
    expect((await usage()).received_messages).toBe(1)
    await deliver(mailOf(left))
    expect(await usage()).toEqual({ received_messages: 2, received_bytes: big })
    await expect(service.mail({ to: one.address })).rejects.toThrow(/452 4\.2\.2/)
  })

  it('is understood at the database of a service that runs, and of one that does not', async () => {
    const one = await account()
    await administer(readSettings(database.options), 'suspend', { account: one.address })
    expect((await one.call('GET', '/account')).body.error).toBe('account_suspended')
    await expect(
      administer(readSettings(database.options), 'resume', { account: 'acc_none' }),
    ).rejects.toMatchObject({
      code: 'account_not_found',
    })
    await service[Symbol.asyncDispose]()
    await administer(readSettings(database.options), 'unsuspend', { account: one.address })
    await administer(readSettings(database.options), 'pause', { account: one.tenantId })
    service = await database.start((options) => openService(options, { clock }))
    const { body } = await service.call('GET', '/account', { key: one.key })
    expect(body.sending_status).toBe('paused')
  })

  it('makes no tables in a database on which no service has run', async () => {
    const empty = await openDatabase('new')
    const place = readSettings(empty.options)
    const asked = () => administer(place, 'suspend', { account: 'acc_none' })
    await expect(asked()).rejects.toMatchObject({ code: 'no_database' })
    await expect(asked()).rejects.toMatchObject({ code: 'no_database' })
    await empty.drop()
  })
})
