import { inspect } from 'node:util'
import { HandlerError } from 'restante'
import { expect, test } from 'vitest'
import { Mailbox } from '../../src/mailbox/mailbox'
import { FakeClock, settle, until } from './support/fake-clock'
import { FakeService } from './support/fake-service'
import { openFake } from './support/open'

const url = 'https://mail.example'

test('a wrong key is refused at once, with a remedy, and never shown', async () => {
  const service = new FakeService()
  const apiKey = 'wrong-secret'
  const refused = await Mailbox.open({ service, apiKey }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'unauthorized', status: 401 })
  expect(String(refused)).toContain('was not revoked')
  expect(inspect(refused, { depth: 9 })).not.toContain(apiKey)
})

test('a service that cannot be reached fails in time, naming address and remedy', async () => {
  const clock = new FakeClock()
  let attempts = 0
  const fetch = async () => {
    attempts += 1
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
  }
  const opening = Mailbox.open({ url, apiKey: 'secret', fetch, clock })
  const failure = opening.catch((error: unknown) => error)
  // What it needs is loaded first, which takes time of its own.
  await expect.poll(() => attempts).toBeGreaterThan(0)
  await clock.advance(10_000)
  expect(await failure).toMatchObject({ name: 'NetworkError', code: 'unreachable' })
  expect(String(await failure)).toMatch(/https:\/\/mail.example\/v1 .*10000 ms.*ECONNREFUSED.*Check the url/)
  expect(inspect(await failure, { depth: 9 })).not.toContain('secret')
  expect(attempts).toBeGreaterThan(3)
  expect(clock.pending).toBe(0)
})

test('where sockets hang, opening falls back to polling in time', async () => {
  const service = new FakeService()
  const clock = new FakeClock()
  service.socketsHang = true
  const opening = Mailbox.open({ service, clock })
  await clock.advance(6_000)
  const mailbox = await opening
  expect(mailbox.state).toMatchObject({ status: 'live', source: 'poll' })
  await mailbox.close()
  expect(clock.pending).toBe(0)
})

test('where only sockets are wanted and none opens, opening says so', async () => {
  const service = new FakeService()
  const clock = new FakeClock()
  service.socketsHang = true
  const opening = Mailbox.open({ service, clock, source: 'socket', openTimeoutMs: 8_000 })
  const failure = opening.catch((error: unknown) => error)
  await clock.advance(8_000)
  expect(String(await failure)).toContain('the socket did not open in time')
  expect(clock.pending).toBe(0)
})

test('opening can be aborted; the same signal closes an open mailbox', async () => {
  const service = new FakeService()
  const early = new AbortController()
  early.abort('no need')
  await expect(Mailbox.open({ service, signal: early.signal })).rejects.toBe('no need')
  const late = new AbortController()
  const mailbox = await Mailbox.open({ service, signal: late.signal })
  late.abort()
  expect(mailbox.state.status).toBe('closed')
})

test('options that cannot work are refused with a remedy', async () => {
  await expect(Mailbox.open({ url, apiKey: '' })).rejects.toMatchObject({ code: 'invalid_options' })
  await expect(Mailbox.open({ url: 'mail', apiKey: 'k' })).rejects.toMatchObject({ code: 'invalid_url' })
  await expect(Mailbox.open({ url, apiKey: 'key\n' })).rejects.toMatchObject({ code: 'invalid_api_key' })
  await expect(Mailbox.open({ service: new FakeService(), inbox: 'inb_x' })).rejects.toMatchObject({
    code: 'inbox_not_found',
    message: expect.stringContaining('a@mail.example, b@mail.example'),
  })
})

test('address is that of the one inbox, and where there are several says what to do', async () => {
  const { mailbox } = await openFake({ inbox: 'B@mail.example' })
  expect(mailbox.address).toBe('b@mail.example')
  expect(mailbox.inboxes).toEqual([{ id: 'inb_b', address: 'b@mail.example' }])
  const all = await openFake()
  expect(() => all.mailbox.address).toThrow('Mailbox.open({ inbox })')
  await expect(all.mailbox.send({ to: 'x@y.example', text: 't' })).rejects.toThrow('send({ inbox })')
  expect((await all.mailbox.account()).tenant_id).toBe('ten_1')
  all.service.append('inbox.created', { ...all.service.inboxes[0], id: 'inb_c', address: 'c@mail.example' })
  await until(() => all.mailbox.inboxes.length === 3)
  await Promise.all([mailbox.close(), all.mailbox.close()])
})

test('listeners cannot disturb each other, nor the mailbox', async () => {
  const { mailbox, service } = await openFake()
  const got: string[] = []
  const errors: unknown[] = []
  mailbox.on('error', (error) => errors.push(error))
  mailbox.on('error', () => {
    throw new Error('nobody to tell')
  })
  mailbox.on('message', () => {
    throw new Error('first')
  })
  mailbox.on('message', async () => {
    throw new Error('second')
  })
  const third = ({ id }: { id: string }) => void got.push(id)
  const stop = mailbox.on('message', third)
  mailbox.on('message', third)
  service.receive()
  await until(() => errors.length === 2)
  expect(got).toEqual(['msg_1'])
  expect(errors.every((error) => error instanceof HandlerError)).toBe(true)
  expect(errors).toMatchObject([{ cause: { message: 'first' } }, { cause: { message: 'second' } }])
  stop()
  service.receive()
  await until(() => errors.length === 4)
  expect(got).toEqual(['msg_1'])
  await mailbox.close()
})

test('an error without a listener does nothing', async () => {
  const service = new FakeService()
  const mailbox = await Mailbox.open({ service })
  mailbox.on('event', () => {
    throw new Error('unheard')
  })
  service.receive()
  await settle()
  expect(mailbox.state.status).toBe('live')
  await mailbox.close()
})

test('close is idempotent, ends the socket, the timers and the calls in flight', async () => {
  const { mailbox, service, clock } = await openFake()
  service.override = () => new Promise(() => {})
  const reading = mailbox.messages.get('msg_1').catch((error: unknown) => error)
  await settle()
  await Promise.all([mailbox.close(), mailbox.close()])
  await mailbox[Symbol.asyncDispose]()
  expect(await reading).toMatchObject({ code: 'mailbox_closed' })
  await expect(mailbox.messages.get('msg_1')).rejects.toMatchObject({ code: 'mailbox_closed' })
  await settle()
  expect(service.sockets[0]?.readyState).toBe(3)
  expect(service.subscriptions.size).toBe(0)
  expect(clock.pending).toBe(0)
})

test('await using closes the mailbox', async () => {
  const service = new FakeService()
  {
    await using mailbox = await Mailbox.open({ service })
    expect(mailbox.state.status).toBe('live')
  }
  await settle()
  expect(service.subscriptions.size).toBe(0)
})

test('the key does not show when a mailbox is printed', async () => {
  const { mailbox, service } = await openFake()
  expect(inspect(mailbox, { depth: 9, showHidden: true })).not.toContain(service.key)
  await mailbox.close()
})
