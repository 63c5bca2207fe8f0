import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { JumpClock } from '../../support/jump-clock'
import { type Answering, status } from './support/endpoint'
import { type Hooked, startHooked } from './support/hooked'

const clock = new JumpClock()
const servers: { server: Server; sockets: Set<Socket> }[] = []
let service: Hooked
beforeAll(async () => {
  service = await startHooked({}, { clock })
})
afterAll(async () => {
  for (const { server, sockets } of servers) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  await service[Symbol.asyncDispose]()
})

/** Something that listens but is no web server. */
async function startRaw(speak: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.once('data', () => speak(socket))
  })
  servers.push({ server, sockets })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function tryOnce(url: string, untilAttempted = () => {}) {
  const { id } = await service.hook(url, { events: ['message.bounced'] })
  await service.call('POST', `/webhooks/${id}/test`)
  await expect
    .poll(
      async () => {
        untilAttempted()
        return (await service.deliveries(id))[0]!.attempts.length
      },
      { interval: 20 },
    )
    .toBeGreaterThan(0)
  const delivery = (await service.deliveries(id))[0]!
  await service.call('DELETE', `/webhooks/${id}`)
  return { delivery, attempt: delivery.attempts[0]! }
}

const endless: Answering = (response) => {
  response.writeHead(200)
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more).on('error', () => {})
  more()
}

it('the answer of an endpoint is cut where its body never ends', async () => {
  const { delivery, attempt } = await tryOnce((await service.endpoint(endless)).url)
  expect(delivery.status).toBe('delivered')
  expect(attempt).toMatchObject({ http_status: 200, response_body: 'x'.repeat(2_048) })
})

it('the answer of an endpoint that stops in the middle of its body is not waited for: the status has come', async () => {
  const endpoint = await service.endpoint((response) => void response.writeHead(200).write('half'))
  const jump = () => endpoint.received.length > 0 && clock.jump(1_000)
  const { delivery, attempt } = await tryOnce(endpoint.url, jump)
  expect([delivery.status, attempt.response_body]).toEqual(['delivered', 'half'])
})

it('an endpoint that never answers is given up', async () => {
  const endpoint = await service.endpoint(() => {})
  const { attempt } = await tryOnce(endpoint.url, () => endpoint.received.length > 0 && clock.jump(1_000))
  expect(attempt).toMatchObject({ http_status: null, error: 'There was no answer within 15 seconds.' })
})

it.each<[string, (socket: Socket) => void, RegExp]>([
  ['closes early', (socket) => socket.destroy(), /closed before an answer/],
  ['resets', (socket) => socket.resetAndDestroy(), /closed before an answer/],
  ['speaks no HTTP', (socket) => socket.end('220 mail.example.com ESMTP\r\n'), /not HTTP/],
  [
    'has huge headers',
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n`),
    /headers .* larger|not HTTP/,
  ],
  ['announces what does not come', (s) => s.end('HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\nno'), /500/],
])('an endpoint that %s is listed with the reason', async (_what, speak, error) => {
  const { delivery, attempt } = await tryOnce(await startRaw(speak))
  expect(delivery.status).toBe('pending')
  expect(attempt.error).toMatch(error)
})

it('an endpoint where nobody listens is listed with the reason', async () => {
  const endpoint = await service.endpoint()
  await endpoint.close()
  expect((await tryOnce(endpoint.url)).attempt.error).toMatch(/refused/)
})

it.each([301, 302, 303, 307, 308])('the redirect %i of an endpoint is not followed', async (code) => {
  const inside = await service.endpoint()
  const { url } = await service.endpoint(status(code, '', { location: inside.url }))
  const { delivery, attempt } = await tryOnce(url)
  expect([delivery.status, attempt.http_status, inside.connections]).toEqual(['pending', code, 0])
  expect(attempt.error).toMatch(/redirects are not followed/)
})
