import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { JumpClock } from '../support/jump-clock'
import { openService } from '../support/service'

const clock = new JumpClock()
let service: Awaited<ReturnType<typeof openService>>
let at: { hostname: string; port: string }
beforeAll(async () => {
  service = await openService({ metrics: '127.0.0.1:0' }, { clock })
  at = new URL((await service.listen()).url)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Opens a connection that stays open after the service has ended its half. */
async function open(): Promise<Socket> {
  const socket = connect({ port: Number(at.port), host: at.hostname, allowHalfOpen: true })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Collects what the service writes until it ends its half of the connection. */
async function toldUntilEnd(socket: Socket): Promise<string> {
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  await once(socket, 'end')
  return Buffer.concat(pieces).toString()
}

const statusOf = (answer: string) => Number(answer.split(' ')[1])
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

async function ask(text: string) {
  const socket = await open()
  const reported = toldUntilEnd(socket)
  socket.write(text)
  const answer = await reported
  return { status: statusOf(answer), body: bodyOf(answer) }
}

describe('a request that is not HTTP', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', 'FROB /v1/account HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
    ['a broken field', 'GET / HTTP/1.1\r\nHost: x\r\nbad field: 1\r\n\r\n', 400, 'malformed_request'],
    ['no Host', 'GET /v1/account HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    [
      'a wrong Host',
      'GET /v1/account HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n',
      400,
      'malformed_request',
    ],
    [
      'a broken chunk',
      'POST /v1/agent-signups HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'malformed_request',
    ],
    [
      'a long header',
      `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'c'.repeat(20_000)}\r\n\r\n`,
      431,
      'header_too_large',
    ],
    ['a long address', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'header_too_large'],
    [
      'a header far too long',
      `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'c'.repeat(2_000_000)}`,
      431,
      'header_too_large',
    ],
  ])('is refused with a body: %s', async (_, text, status, error) => {
    const answer = await ask(text)
    expect(answer).toMatchObject({ status, body: { error, message: expect.stringMatching(/: /) } })
  })
})

describe('a body that is refused by its length', () => {
  const head = (bytes: number) =>
    [
      'POST /v1/agent-signups HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      `Content-Length: ${bytes}`,
      '',
      '',
    ].join('\r\n')
  const bytes = 100_000_000

  it('can be sent to its end before the answer is read', async () => {
    const socket = await open()
    socket.write(head(bytes))
    const piece = Buffer.alloc(1_000_000, 'x')
    for (let sent = 0; sent < bytes; sent += piece.length)
      if (!socket.write(piece)) await once(socket, 'drain')
    const answer = await toldUntilEnd(socket)
    expect([statusOf(answer), bodyOf(answer).error]).toEqual([413, 'payload_too_large'])
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  })

  it('keeps its connection for 30 seconds, not longer', async () => {
    const socket = await open()
    socket.write(head(bytes))
    const answer = await toldUntilEnd(socket)
    expect(statusOf(answer)).toBe(413)
    clock.jump(29_999)
    socket.write('x')
    expect(socket.destroyed).toBe(false)
    clock.jump(1)
    const isClosed = () => {
      if (!socket.destroyed) socket.write('x')
      return socket.destroyed
    }
    await expect.poll(isClosed).toBe(true)
  })
})

describe('a method that a path does not take', () => {
  it.each([
    ['POST', '/healthz', 'GET'],
    ['DELETE', '/readyz', 'GET'],
    ['PUT', '/', 'GET'],
    ['POST', '/llms.txt', 'GET'],
    ['PATCH', '/reference', 'GET'],
    ['PUT', '/v1/openapi.json', 'GET'],
    ['POST', '/v1/asyncapi.json', 'GET'],
    ['POST', '/console', 'GET'],
    ['POST', '/console/drafts', 'GET'],
    ['DELETE', '/console/assets/none.js', 'GET'],
    ['GET', '/console/auth/sign-in', 'POST'],
    ['TRACE', '/v1/messages', 'GET, POST'],
    ['OPTIONS', '/v1/account', 'GET'],
    ['PROPFIND', '/v1/drafts/none', 'GET, PATCH, DELETE'],
  ])('is refused with those that it takes: %s %s', async (method, path, allow) => {
    const socket = await open()
    const reported = toldUntilEnd(socket)
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    )
    const answer = await reported
    expect([statusOf(answer), /\r\nallow: (.*)\r\n/i.exec(answer)?.[1]]).toEqual([405, allow])
    expect(bodyOf(answer)).toMatchObject({ error: 'method_not_allowed' })
  })

  it('is refused at the port of the metrics', async () => {
    const { metrics } = await service.listen()
    const { status, headers } = await fetch(`http://${metrics}/metrics`, { method: 'POST' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET'])
  })
})
