import { once } from 'node:events'
import { Mailbox } from 'restante'
import { closeCodes } from 'restante/protocol'
import type { Listening, ServiceOptions } from 'restante/service'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { JumpClock } from '../support/jump-clock'
import { openService } from '../support/service'

// biome-ignore lint/suspicious/noExplicitAny: tests look at any frame, also at wrong ones
type Frame = any

/** Makes an event of some 60 KB. */
const recipients = Array.from({ length: 1_500 }, (_, i) => `somebody.with.a.long.name.${i}@example.com`)
const mails = 20

let clock: JumpClock
let service: Awaited<ReturnType<typeof openService>>
let at: Listening
const sockets: WebSocket[] = []

async function start(options: ServiceOptions = {}): Promise<void> {
  clock = new JumpClock()
  service = await openService({ metrics: '127.0.0.1:0', ...options }, { clock })
  at = await service.listen()
}
const stop = () => service[Symbol.asyncDispose]()
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
})

const envelope = () => ({
  mailFrom: 'ana@example.com',
  recipients: [service.home.address],
  remoteAddress: '192.0.2.1',
  heloName: 'example.com',
  tls: false,
  smtpUtf8: false,
  authentication: null,
})

let filled = 0
async function fillLog(): Promise<void> {
  const head = `From: ana@example.com\r\nTo: ${recipients.join(',\r\n ')}\r\nSubject: one of many`
  for (const last = filled + mails; filled < last; filled += 1) {
    const raw = `${head}\r\nMessage-ID: <m${filled}@example.com>\r\n\r\nHello\r\n`
    await service.service.receive(envelope(), new TextEncoder().encode(raw))
  }
}

/** A socket that keeps what it hears. */
async function connect(key = service.home.apiKey, from?: string) {
  const socket = new WebSocket(`${at.url.replace('http', 'ws')}/realtime`, {
    headers: { authorization: `Bearer ${key}`, ...(from && { 'x-forwarded-for': from }) },
  })
  sockets.push(socket)
  const heard: Frame[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('message', (data) => heard.push(JSON.parse(data.toString())))
  socket.on('error', () => {})
  await once(socket, 'open')
  const reported = (type: string) => heard.filter((frame) => frame.type === type)
  return {
    socket,
    heard,
    closed,
    reported,
    say: (frame: object) => socket.send(JSON.stringify(frame)),
    seqs: () => reported('event').map((frame) => frame.event.seq as number),
    hears: (type: string, count = 1) =>
      expect.poll(() => reported(type).length).toBeGreaterThanOrEqual(count),
  }
}

/** Counts the sockets that were closed for this. */
async function limitedBy(reason: string): Promise<number> {
  const text = await (await fetch(`http://${at.metrics}/metrics`)).text()
  return Number(new RegExp(`rate_limited.*"socket_${reason}".* (\\d+)`).exec(text)?.[1] ?? 0)
}

/**
 * Lets time pass until so many were closed. Each asks for the whole log again and again, which soon is more than the
 * sockets of the system hold.
 */
async function passUntil(
  reason: string,
  count: number,
  asking: { say(frame: object): void }[],
  maxMs = 60_000,
): Promise<void> {
  const endsAtMs = clock.now() + maxMs
  await expect
    .poll(async () => {
      for (const one of asking) one.say({ type: 'subscribe', after: 0 })
      if (clock.now() + 250 < endsAtMs) clock.jump(250)
      return limitedBy(reason)
    })
    .toBeGreaterThanOrEqual(count)
}

const headOf = async () => (await service.call('GET', '/events?after=0&limit=1')).body.head as number
const upTo = (head: number) => Array.from({ length: head }, (_, i) => i + 1)

describe('a socket that does not read', () => {
  /** The count of those that the tests before closed. */
  let before: number
  beforeAll(async () => {
    await start({ maxSocketOutputBytes: 100_000 })
    await fillLog()
  })
  beforeEach(async () => {
    before = await limitedBy('slow_reader')
  })
  afterAll(stop)

  it('is closed as a slow reader, is told where it was, and goes on there', async () => {
    const slow = await connect()
    slow.socket.pause()
    await passUntil('slow_reader', before + 1, [slow])
    slow.socket.resume()
    expect(await slow.closed).toBe(closeCodes.slow_reader.code)
    const bye = slow.heard.at(-1)
    expect(bye).toMatchObject({ type: 'bye', reason: 'slow_reader', reconnect: true })
    const last = slow.heard.findLastIndex(({ type }) => type === 'subscribed')
    const got = slow.heard.slice(last).flatMap(({ event }) => event?.seq ?? [])
    expect(bye.after).toBe(got.at(-1) ?? 0)
    expect(bye.after).toBeLessThan(await headOf())

    const next = await connect()
    next.say({ type: 'subscribe', after: bye.after })
    await next.hears('caught-up')
    expect([...got, ...next.seqs()]).toEqual(upTo(await headOf()))
  })

  it('is cut off where it does not read that either', async () => {
    const slow = await connect()
    slow.socket.pause()
    await passUntil('slow_reader', before + 1, [slow])
    clock.jump(1_000)
    await expect
      .poll(async () => (await fetch(`http://${at.metrics}/metrics`)).text())
      .toContain('sockets_open 0')
  })

  it('is the first to go where all of them leave more than there is room for', async () => {
    const slow = await Promise.all(Array.from({ length: 6 }, () => connect()))
    for (const one of slow) one.socket.pause()
    // None of them has had the time that a slow reader has.
    await passUntil('slow_reader', before + 1, slow, 10_000)
    const reader = await connect()
    reader.say({ type: 'subscribe', after: 0 })
    await reader.hears('caught-up')
    expect(reader.seqs()).toEqual(upTo(await headOf()))
  })

  it('costs a mailbox nothing: it comes back and has every mail once', async () => {
    let opened = 0
    const mailbox = await Mailbox.open({
      url: at.url,
      apiKey: service.home.apiKey,
      source: 'socket',
      openSocket: ({ url, apiKey }) => {
        const socket = new WebSocket(url, { headers: { authorization: `Bearer ${apiKey}` } })
        sockets.push(socket)
        opened += 1
        return socket as never
      },
    })
    const messages = mailbox.incoming()
    const subjects: string[] = []
    const reading = (async () => {
      for await (const { subject } of messages) subjects.push(subject)
    })()
    await expect.poll(() => mailbox.state.status).toBe('live')
    sockets[0]!.pause()
    await fillLog()
    const slow = { say: (frame: object) => sockets[0]!.send(JSON.stringify(frame)) }
    await passUntil('slow_reader', before + 1, [slow])
    sockets[0]!.resume()
    await expect.poll(() => opened).toBe(2)
    await fillLog()
    await expect.poll(() => subjects.length).toBe(2 * mails)
    expect(mailbox.state.cursor).toBe(await headOf())
    await mailbox.close()
    await reading
  })
})

describe('a socket that talks too much', () => {
  beforeAll(() => start())
  afterAll(stop)

  it.each([
    ['subscribes', '{"type":"subscribe","after":0}'],
    ['pings', '{"type":"ping"}'],
    ['pongs', '{"type":"pong"}'],
  ])('with 20,000 %s is closed, and others are answered meanwhile', async (_what, frame) => {
    const loud = await connect()
    for (let i = 0; i < 20_000; i += 1) loud.socket.send(frame)
    const health = await fetch(at.url.replace('/v1', '/healthz'))
    expect(health.status).toBe(200)
    expect(await loud.closed).toBe(closeCodes.too_many_frames.code)
    expect(loud.reported('subscribed').length).toBeLessThan(3)
    expect(loud.reported('pong').length).toBeLessThanOrEqual(200)
    expect(loud.heard.at(-1)).toMatchObject({ type: 'bye', reason: 'too_many_frames', reconnect: true })
  })

  it('is closed for pings of the carrier too, and for few frames that are long', async () => {
    const pinging = await connect()
    for (let i = 0; i < 300; i += 1) pinging.socket.ping('x'.repeat(100))
    expect(await pinging.closed).toBe(closeCodes.too_many_frames.code)
    const long = await connect()
    const inbox_ids = Array.from({ length: 1_000 }, (_, i) => `inb_${'0'.repeat(8)}${1_000 + i}`)
    for (let i = 0; i < 20; i += 1) long.say({ type: 'subscribe', after: 0, inbox_ids })
    expect(await long.closed).toBe(closeCodes.too_many_frames.code)
  })

  it('has what it said last: subscribes replace each other', async () => {
    const head = await headOf()
    const socket = await connect()
    for (let i = 0; i < 100; i += 1)
      socket.say({ type: 'subscribe', after: 0, types: i < 99 ? ['none'] : ['inbox.created'] })
    socket.say({ type: 'ping' })
    await socket.hears('pong')
    await socket.hears('caught-up')
    expect(socket.reported('subscribed')).toHaveLength(1)
    clock.jump(250)
    await socket.hears('event')
    expect(socket.reported('subscribed')).toHaveLength(2)
    await socket.hears('caught-up', 2)
    expect(socket.heard.at(-1)).toMatchObject({ seq: head })
  })

  it('may talk as long as it likes at a pace that a person could follow', async () => {
    const socket = await connect()
    for (let second = 1; second <= 25; second += 1) {
      for (let i = 0; i < 15; i += 1) socket.say({ type: 'ping' })
      await socket.hears('pong', 15 * second)
      clock.jump(1_000)
    }
  })
})

describe('sockets', () => {
  it('are bounded by key and by account, from this machine too', async () => {
    await start({ maxSocketsPerKey: 3, maxSocketsPerAccount: 4, trustProxy: '1', maxSocketsPerAddress: 2 })
    const grant = { account_id: service.home.tenantId, name: 'more', scopes: ['read' as const] }
    const { api_key } = await service.service.keys.create(grant)
    const first = await Promise.all([connect(), connect(), connect()])
    const fourth = await connect()
    expect(await fourth.closed).toBe(closeCodes.too_many_sockets.code)
    expect(fourth.heard).toMatchObject([{ type: 'bye', reason: 'too_many_sockets', reconnect: true }])
    expect(fourth.heard[0].message).toContain('API key')
    const other = await connect(api_key)
    const sixth = await connect(api_key)
    expect(await sixth.closed).toBe(closeCodes.too_many_sockets.code)
    expect(sixth.heard[0].message).toContain('account')
    first[0]!.socket.terminate()
    await expect
      .poll(async () => (await fetch(`http://${at.metrics}/metrics`)).text())
      .toContain('sockets_open 3')
    const again = await connect(api_key)
    again.say({ type: 'ping' })
    await again.hears('pong')
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
    await stop()
  })

  it('are bounded by the address that they come from, whatever their keys are', async () => {
    await start({ trustProxy: '1', maxSocketsPerAddress: 2 })
    const grant = { account_id: service.home.tenantId, name: 'more', scopes: ['read' as const] }
    const { api_key } = await service.service.keys.create(grant)
    const held = [await connect(undefined, '198.51.100.7'), await connect(api_key, '198.51.100.7')]
    const third = await connect(api_key, '198.51.100.7')
    expect(await third.closed).toBe(closeCodes.too_many_sockets.code)
    expect(third.heard[0].message).toContain('address')
    const neighbour = await connect(api_key, '198.51.100.8')
    for (const one of [...held, neighbour]) {
      one.say({ type: 'ping' })
      await one.hears('pong')
    }
    await stop()
  })
})
