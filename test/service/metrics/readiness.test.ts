import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'

async function readiness({ service }: QuietService) {
  const response = await service.fetch(new Request('http://restante.test/readyz'))
  return { status: response.status, body: await response.json() }
}

const isReady = {
  status: 200,
  body: { status: 'ok', database: true, storage: true, parser: true, smtp: true },
}
const lacks = (part: 'database' | 'parser' | 'smtp') => ({
  status: 503,
  body: { status: 'not ready', database: true, storage: true, parser: true, smtp: true, [part]: false },
})

/** The thread that is started next. */
const nextWorker = () => new Promise<Worker>((resolve) => process.once('worker', resolve))

it('readiness says that the SMTP receiver is closed, before it opens, and when its thread died and does not come back', async () => {
  const messages: string[] = []
  const note = (_facts: object, message: string) => void messages.push(message)
  const quiet = () => {}
  const service = await openService({}, { logger: { debug: quiet, info: quiet, warn: quiet, error: note } })
  onTestFinished(() => service[Symbol.asyncDispose]())
  expect(await readiness(service)).toEqual(lacks('smtp'))
  const first = nextWorker()
  const { smtp } = await service.listen()
  expect(await readiness(service)).toEqual(isReady)

  const second = nextWorker()
  await (await first).terminate()
  expect(await readiness(service)).toEqual(lacks('smtp'))
  await expect.poll(() => readiness(service)).toEqual(isReady)
  expect(messages).toEqual(['the SMTP thread died and is restarted'])

  const other = createServer()
  onTestFinished(() => void other.close())
  const thread = await second
  thread.once('exit', () => other.listen(Number(smtp.split(':')[1]), '127.0.0.1'))
  await thread.terminate()
  await expect.poll(() => messages).toContain('the SMTP thread does not start')
  expect(await readiness(service)).toEqual(lacks('smtp'))
})

it('health says that the service is stopping', async () => {
  const service = await openService()
  await service.listen()
  await service[Symbol.asyncDispose]()
  expect(await readiness(service)).toMatchObject({ status: 503, body: { status: 'not ready', smtp: false } })
})

it('a node that is asked to stop is not ready at first and takes what comes, then lets go of those who wait', async () => {
  const clock = new JumpClock()
  const service = await openService({ drainSeconds: 5 }, { clock })
  const { url } = await service.listen()
  const get = (path: string) =>
    fetch(url + path, { headers: { authorization: `Bearer ${service.home.apiKey}` } })
  const { events } = await (await get('/events?after=0')).json()
  const waiting = get(`/events?after=${events.at(-1)?.seq ?? 0}&wait_ms=25000`)
  const closing = service.service.close()
  const ready = await fetch(url.replace('/v1', '/readyz'))
  expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'not ready', smtp: true }])
  const answer = await get('/account')
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  clock.jump(5_000)
  const last = await waiting
  expect([last.status, (await last.json()).events]).toEqual([200, []])
  await closing
  await expect(get('/account')).rejects.toThrow()
})

/** Passes bytes on to another port until it is closed. */
async function startRelay(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const other = connect(port, '127.0.0.1')
    for (const one of [socket, other]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        socket.destroy()
        other.destroy()
      })
    }
    socket.pipe(other).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return { port: (server.address() as { port: number }).port, close }
}

describeDatabases('a database that is gone', (openDatabase) => {
  it('is named, and requests are to come again', async ({ skip }) => {
    const { options, drop } = await openDatabase()
    onTestFinished(drop)
    if (options.databaseUrl === undefined) skip()
    const url = new URL(options.databaseUrl!)
    const relay = await startRelay(Number(url.port || 5432))
    url.port = String(relay.port)
    const service = await openService({ ...options, databaseUrl: url.href })
    onTestFinished(() => service[Symbol.asyncDispose]())
    await service.listen()
    expect(await readiness(service)).toEqual(isReady)
    await relay.close()
    expect(await readiness(service)).toEqual(lacks('database'))
    const refused = await service.call('GET', '/account')
    expect(refused).toMatchObject({ status: 503, body: { error: 'unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('5')
  })
})
