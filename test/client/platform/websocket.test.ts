import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { openSocket } from '#websocket'
import { fetch, type SocketLike } from '../../../src/client/platform/platform'
import { openSocket as openWeb } from '../../../src/client/platform/websocket-web'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

const listen = async (server: Server): Promise<string> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
const closed = (socket: SocketLike) =>
  new Promise<{ code: number; reason: string }>((resolve) => {
    socket.onclose = resolve
  })

test('a socket of Node carries the key in a header and text both ways, without compression', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const accepted = new Promise<[WebSocket, string | undefined]>((resolve) => {
    sockets.on('connection', (peer, request) => resolve([peer, request.headers.authorization]))
  })
  const socket = openSocket({ url: `ws://${await listen(server)}/v1/realtime`, apiKey: 'key' })
  const got: unknown[] = []
  socket.onmessage = ({ data }) => got.push(data)
  await new Promise<void>((resolve) => {
    socket.onopen = resolve
  })
  const [peer, header] = await accepted
  expect(header).toBe('Bearer key')
  expect(peer.extensions).toBe('')
  peer.on('message', (data) => peer.send(`${data}, ü`))
  socket.send('hello')
  await expect.poll(() => got).toEqual(['hello, ü'])
  const closing = closed(socket)
  peer.close(4408, 'no_heartbeat')
  expect(await closing).toEqual({ code: 4408, reason: 'no_heartbeat' })
  expect(socket).toMatchObject({ readyState: 3, bufferedAmount: 0 })
})

test.each([
  [401, 1006],
  [403, 1006],
  [502, 1006],
])('an upgrade that is answered with %i closes with %i', async (status, code) => {
  const server = createServer()
  server.on('upgrade', (_request, stream) => stream.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`))
  const socket = openSocket({ url: `ws://${await listen(server)}`, apiKey: 'secret' })
  const errors: unknown[] = []
  socket.onerror = (error) => errors.push(error)
  expect((await closed(socket)).code).toBe(code)
  expect(String(errors[0])).toContain(String(status))
  expect(String(errors)).not.toContain('secret')
})

test('a peer that is not there, and a close before opening, end in onclose', async () => {
  const address = await listen(createServer())
  for (const server of servers.splice(0)) server.close()
  expect((await closed(openSocket({ url: `ws://${address}`, apiKey: 'k' }))).code).toBe(1006)
  const early = openSocket({ url: `ws://${address}`, apiKey: 'k' })
  const closing = closed(early)
  early.close()
  expect((await closing).code).toBe(1006)
})

test('a socket of a browser carries the key in a subprotocol', () => {
  const made: unknown[][] = []
  class Browser {
    constructor(...given: unknown[]) {
      made.push(given)
    }
  }
  vi.stubGlobal('WebSocket', Browser)
  openWeb({ url: 'wss://mail.example/v1/realtime', apiKey: 'key' })
  vi.unstubAllGlobals()
  expect(made).toEqual([['wss://mail.example/v1/realtime', ['restante.v1', 'restante.bearer.key']]])
})

test('fetch ends when its signal aborts', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/hang') return
    response.end(`${request.method} ${request.headers.authorization}`)
  })
  const address = `http://${await listen(server)}`
  const answer = await fetch(address, { method: 'POST', body: '{}', headers: { authorization: 'Bearer k' } })
  expect(await answer.text()).toBe('POST Bearer k')
  const controller = new AbortController()
  const hanging = fetch(`${address}/hang`, { method: 'GET', signal: controller.signal })
  controller.abort(new Error('stop'))
  await expect(hanging).rejects.toThrow('stop')
})
