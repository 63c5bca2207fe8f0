import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { closeCodes } from '../../../src/protocol/frames'
import { systemClock } from '../../../src/protocol/time/clock'
import { createLocalSignals } from '../../../src/service/log/local-signals'
import { JumpClock } from '../../support/jump-clock'
import { openService, startService, type TestService } from '../../support/service'

// biome-ignore lint/suspicious/noExplicitAny: tests look at any frame, also at wrong ones
type Frame = any

/** A socket that keeps what it hears. */
async function openSocket(url: string, options: { headers?: Record<string, string>; protocols?: string[] }) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, options.protocols ?? [], {
    headers: options.headers,
  })
  const heard: Frame[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('message', (data) => heard.push(JSON.parse(data.toString())))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    heard,
    closed,
    say: (frame: object | string) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    hears: (type: string, count = 1) =>
      expect.poll(() => heard.filter((frame) => frame.type === type).length).toBeGreaterThanOrEqual(count),
    events: () => heard.filter((frame) => frame.type === 'event'),
  }
}

let service: TestService
const connect = (key = service.home.apiKey) =>
  openSocket(service.url, { headers: { authorization: `Bearer ${key}` } })
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service[Symbol.asyncDispose]())

describe('a socket', () => {
  it('tells the same log as the poll, from the cursor on, then what comes', async () => {
    await service.mail({ subject: 'before' })
    const socket = await connect()
    socket.say({ type: 'subscribe', after: 0 })
    await socket.hears('caught-up')
    await service.mail({ subject: 'after' })
    await socket.hears('event', 5)
    const { events } = (await service.call('GET', '/events?after=0')).body
    expect(socket.events().map((frame) => frame.event)).toEqual(events)
    expect(socket.events().map((frame) => frame.prev)).toEqual([0, 1, 2, 3, 4])
    expect(socket.heard.map((frame) => frame.type)).toEqual([
      'subscribed',
      'event',
      'event',
      'event',
      'caught-up',
      'event',
      'event',
    ])
    socket.socket.close()
  })

  it('leaves out what the filter does not pass, and says how far it has come', async () => {
    const socket = await connect()
    socket.say({ type: 'subscribe', after: 0, types: ['message.received'] })
    await socket.hears('caught-up')
    await service.mail({})
    await socket.hears('event')
    expect(socket.heard.slice(1)).toMatchObject([
      { type: 'caught-up', prev: 0, seq: 1 },
      { type: 'event', prev: 1, event: { seq: 3 } },
    ])
    await service.call('POST', '/messages', { body: { to: ['bo@example.com'], text: 'x' } })
    await socket.hears('caught-up', 2)
    expect(socket.events()).toHaveLength(1)
    socket.socket.close()
  })

  it('has no hole in what it tells a filtered reader that catches up over several pages', async () => {
    for (let i = 0; i < 110; i++)
      await service.call('POST', '/messages', { body: { to: ['bo@example.com'], text: 'x' } })
    await service.mail({})
    const socket = await connect()
    socket.say({ type: 'subscribe', after: 0, types: ['message.received'] })
    await socket.hears('caught-up')
    expect(socket.events()).toMatchObject([{ prev: 0 }])
    expect(socket.heard.at(-1)).toMatchObject({ prev: socket.events()[0].event.seq })
    socket.socket.close()
  })

  it('starts from now where it is asked to', async () => {
    await service.mail({})
    const socket = await connect()
    socket.say({ type: 'subscribe', after: 'now' })
    await socket.hears('caught-up')
    expect(socket.heard).toMatchObject([
      { type: 'subscribed', after: 3, head: 3 },
      { type: 'caught-up', seq: 3 },
    ])
    socket.socket.close()
  })

  it('misses nothing however many come while it catches up', async () => {
    const sockets = await Promise.all(Array.from({ length: 5 }, () => connect()))
    const mails = Array.from({ length: 40 }, (_, i) => service.mail({ subject: `m${i}` }))
    for (const socket of sockets) socket.say({ type: 'subscribe', after: 0 })
    await Promise.all(mails)
    for (const socket of sockets) {
      await socket.hears('event', 81)
      expect(socket.events().map((frame) => frame.event.seq)).toEqual(
        Array.from({ length: 81 }, (_, i) => i + 1),
      )
      socket.socket.close()
    }
  })

  it('tells what came without a wake-up once it polls by itself', async () => {
    const clock = new JumpClock()
    await using deaf = await startService({}, { clock, signals: { ...createLocalSignals(), publish() {} } })
    const socket = await openSocket(deaf.url, { headers: { authorization: `Bearer ${deaf.home.apiKey}` } })
    socket.say({ type: 'subscribe', after: 'now' })
    await socket.hears('caught-up')
    await deaf.mail({})
    expect(socket.events()).toEqual([])
    clock.jump(5_000)
    await socket.hears('event', 2)
    socket.socket.close()
  })

  it('stays open, and its key may ask, when the wall clock is set back by an hour', async () => {
    let aheadMs = 3_600_000
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
    await using set = await startService({ requestsPerMinute: 20 }, { clock })
    const socket = await openSocket(set.url, { headers: { authorization: `Bearer ${set.home.apiKey}` } })
    socket.say({ type: 'ping' })
    await socket.hears('pong')
    for (let count = 0; count < 15; count += 1) await set.call('GET', '/account')
    aheadMs = 0
    socket.say({ type: 'ping' })
    await socket.hears('pong', 2)
    expect(socket.socket.readyState).toBe(WebSocket.OPEN)
    expect((await set.call('GET', '/account')).status).toBe(200)
    socket.socket.close()
  })

  it('is opened by a browser, which puts the key into a subprotocol', async () => {
    const socket = await openSocket(service.url, {
      protocols: ['restante.v1', `restante.bearer.${service.home.apiKey}`],
    })
    expect(socket.socket.protocol).toBe('restante.v1')
    socket.say({ type: 'ping' })
    await socket.hears('pong')
    socket.socket.close()
  })

  it.each([
    ['the one with the key alone', (key: string) => [`restante.bearer.${key}`]],
    ['none that it knows', () => ['chat']],
  ])('is refused in words where it offers subprotocols, and of them %s', async (_which, offer) => {
    const offered = offer(service.home.apiKey)
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/realtime`, offered)
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    expect(answer.statusCode).toBe(400)
    expect(JSON.stringify(answer.headers)).not.toContain(service.home.apiKey)
    expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({
      error: 'invalid_request',
      message: expect.stringContaining("new WebSocket(url, ['restante.v1', 'restante.bearer.<key>'])"),
    })
  })

  it('is told goodbye when the service stops', async () => {
    const socket = await connect()
    socket.say({ type: 'subscribe', after: 'now' })
    await socket.hears('caught-up')
    await service.service.close()
    expect(await socket.closed).toBe(closeCodes.going_away.code)
    expect(socket.heard.at(-1)).toMatchObject({ type: 'bye', reconnect: true })
  })

  it('is one of the first or of the last where very many go, and readiness tells it meanwhile', async () => {
    const closed: number[] = []
    await using busy = await openService({ maxSocketsPerKey: 1_000 })
    const open = () =>
      new Promise<void>((resolve) => {
        const socket = busy.service.socket({ apiKey: busy.home.apiKey })
        socket.onopen = () => resolve()
        socket.onclose = ({ code }) => void closed.push(code)
      })
    await Promise.all(Array.from({ length: 450 }, open))
    const closing = busy.service.close()
    await expect.poll(() => closed.length, { interval: 1 }).toBeGreaterThan(0)
    expect(closed.length).toBeLessThan(450)
    const ready = await busy.service.fetch(new Request('http://restante.test/readyz'))
    expect(ready.status).toBe(503)
    await closing
    await expect.poll(() => closed).toEqual(Array(450).fill(closeCodes.going_away.code))
  })
})

describe('a bad socket', () => {
  it('is refused without a key, before it opens', async () => {
    await expect(connect('rst_wrong')).rejects.toThrow(/401/)
  })

  it('is refused at another path', async () => {
    const socket = new WebSocket(service.url.replace('http', 'ws').replace('/v1', '/elsewhere'))
    await expect(new Promise((_, reject) => socket.on('error', reject))).rejects.toThrow(/404/)
  })

  it.each([
    ['that is not JSON', 'hello'],
    ['of an unknown type', { type: 'publish' }],
    ['with an unknown field', { type: 'subscribe', after: 0, inboxes: ['x'] }],
    ['with a cursor that is none', { type: 'subscribe', after: -1 }],
  ])('hears what is wrong with a frame %s', async (_what, frame) => {
    const socket = await connect()
    socket.say(frame)
    expect(await socket.closed).toBe(closeCodes.invalid_frame.code)
    expect(socket.heard).toMatchObject([
      { type: 'error', error: 'invalid_frame' },
      { type: 'bye', reconnect: false },
    ])
  })

  it('is closed when its cursor is beyond the log, or its frame is huge', async () => {
    const beyond = await connect()
    beyond.say({ type: 'subscribe', after: 99 })
    expect(await beyond.closed).toBe(closeCodes.cursor_expired.code)
    const huge = await connect()
    huge.say('x'.repeat(100_000))
    expect(await huge.closed).toBe(1009)
    expect((await service.call('GET', '/account')).status).toBe(200)
  })
})
