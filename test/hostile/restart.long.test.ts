import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Mailbox } from 'restante'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { closeCodes } from '../../src/protocol/socket'
import { outageOf } from '../../src/service/base/outage'
import { connectPostgres, openPostgres } from '../../src/service/store/open-postgres'
import { JumpClock } from '../support/jump-clock'
import { type OwnPostgres, postgresIsMissing, startOwnPostgres } from '../support/own-postgres'
import { pgbouncerIsMissing, startPgbouncer } from '../support/pgbouncer'
import { startService, type TestService } from '../support/service'

/** Brings mails in one after the other, each again until it is taken, until it is told to stop. */
function bringMails({ mail }: TestService, name: string) {
  const taken: string[] = []
  const refused: string[] = []
  const date = new Date()
  let stopped = false
  async function bring(subject: string): Promise<void> {
    for (;;) {
      try {
        await mail({ subject, date, messageId: `<${subject}@example.com>` })
        return void taken.push(subject)
      } catch (error) {
        refused.push((error as Error).message)
      }
    }
  }
  const done = (async () => {
    while (!stopped) await bring(`${name}-${taken.length}`)
  })()
  return {
    taken,
    refused,
    stop() {
      stopped = true
      return done
    },
  }
}

/** Every subject of one direction that has a word, sorted. */
async function subjectsOf({ call }: TestService, direction: string, word = ''): Promise<string[]> {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/messages?direction=${direction}&limit=100${cursor}`)
    found.push(...body.messages.map(({ subject }: { subject: string }) => subject))
    if (!body.next_cursor) return found.filter((subject) => subject.includes(word)).sort()
    cursor = `&cursor=${body.next_cursor}`
  }
}

const socketTo = ({ url, home }: TestService) =>
  new WebSocket(`${url.replace('http', 'ws')}/realtime`, {
    headers: { authorization: `Bearer ${home.apiKey}` },
  })

/** The status that the service answers to somebody who wants a socket. */
const upgradeStatus = (service: TestService) =>
  new Promise<number | undefined>((resolve) => {
    const socket = socketTo(service)
    socket.on('error', () => {})
    socket.on('open', () => socket.terminate())
    socket.on('upgrade', ({ statusCode }) => resolve(statusCode))
    socket.on('unexpected-response', (_, { statusCode }) => {
      resolve(statusCode)
      socket.terminate()
    })
  })

/** A socket that hears what comes from now on. */
async function listen(service: TestService) {
  const socket = socketTo(service)
  const heard: string[] = []
  const reported = { code: 0 }
  socket.on('close', (code) => (reported.code = code))
  socket.on('message', (data) => heard.push(JSON.parse(data.toString()).type))
  socket.on('open', () => socket.send('{"type":"subscribe","after":"now"}'))
  const hears = (type: string, times = 1) =>
    expect.poll(() => heard.filter((one) => one === type).length).toBeGreaterThanOrEqual(times)
  await hears('caught-up')
  return { socket, reported, hears }
}

describe.skipIf(postgresIsMissing())('a service whose PostgreSQL is restarted', () => {
  let postgres: OwnPostgres
  beforeAll(async () => {
    postgres = await startOwnPostgres()
  })
  afterAll(() => postgres[Symbol.asyncDispose]())
  const start = async (ports?: Parameters<typeof startService>[1], databaseUrl = postgres.url) => {
    const service = await startService({ databaseUrl, secret: 'a secret of the tests' }, ports)
    onTestFinished(() => service[Symbol.asyncDispose]())
    return service
  }

  test.for([
    { by: 'its own connections', name: 'direct', pooled: false },
    { by: 'those of PgBouncer', name: 'pooled', pooled: true },
  ])(
    'by $by says 503 and 451 under traffic, takes and answers each mail once, and goes on by itself',
    async ({ name, pooled }, { skip }) => {
      if (pooled && pgbouncerIsMissing()) skip()
      const service = await start({}, pooled ? await startPgbouncer(postgres.url) : postgres.url)
      const mailbox = await Mailbox.open({ url: service.url, apiKey: service.home.apiKey })
      onTestFinished(() => mailbox.close())
      mailbox.run((message) => message.reply({ text: `To ${message.subject}` }), { consumer: 'bot' })
      const list = () => service.call('GET', '/messages')
      const mails = bringMails(service, name)

      for (const mode of ['fast', 'immediate'] as const) {
        const [takenBefore, refusedBefore] = [mails.taken.length, mails.refused.length]
        await expect.poll(() => mails.taken.length).toBeGreaterThan(takenBefore + 3)
        await postgres.stop(mode)
        await expect.poll(async () => (await list()).status).toBe(503)
        expect((await list()).headers.get('retry-after')).toBe('5')
        expect(await upgradeStatus(service)).toBe(503)
        await expect.poll(() => mails.refused.length).toBeGreaterThan(refusedBefore)
        const takenUntil = mails.taken.length
        await postgres.start()
        await expect.poll(() => mails.taken.length).toBeGreaterThan(takenUntil)
      }
      await mails.stop()

      for (const refusal of mails.refused) expect(refusal).toMatch(/\b451 4\./)
      const subjects = mails.taken.sort()
      const answers = subjects.map((subject) => `Re: ${subject}`)
      await expect.poll(() => subjectsOf(service, 'outbound', name)).toEqual(answers)
      expect(await subjectsOf(service, 'inbound', name)).toEqual(subjects)
      await expect.poll(() => mailbox.state.status).toBe('live')
    },
  )

  /** Looks at the connections of one name, in any state or in one. */
  async function observe(name: string, state = '%') {
    const db = await connectPostgres(postgres.url)
    onTestFinished(() => db.destroy())
    return async () =>
      (
        await sql`select 1 from pg_stat_activity where application_name = ${name} and state like ${state}`.execute(
          db,
        )
      ).rows.length
  }

  test('does without the connections that PostgreSQL ends since they are idle (57P05)', async () => {
    const connections = await observe('idler')
    const databaseUrl = `${postgres.url}?application_name=idler&options=-c%20idle_session_timeout%3D1000`
    const service = await startService({ databaseUrl, secret: 'a secret of the tests' })
    onTestFinished(() => service[Symbol.asyncDispose]())
    for (let round = 0; round < 3; round++) {
      await expect.poll(connections).toBeGreaterThan(0)
      await expect.poll(connections).toBe(0)
      expect((await service.call('GET', '/messages')).status).toBe(200)
      await service.mail({ subject: `After ${round}` })
    }
    const subjects = await subjectsOf(service, 'inbound')
    expect(subjects.filter((subject) => /^After/.test(subject))).toEqual(['After 0', 'After 1', 'After 2'])
  })

  test('gives what comes to a connection that PostgreSQL ended a moment before (57P05) to another', async () => {
    await start()
    const store = await openPostgres(`${postgres.url}?options=-c%20idle_session_timeout%3D200`)
    onTestFinished(() => store.close())
    const read = () => sql<{ one: number }>`select 1 as one`.execute(store.db)
    // Nothing is heard of the end of a connection while this thread stands still.
    const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    await read()
    standStill()
    expect((await read()).rows).toEqual([{ one: 1 }])
    standStill()
    expect(
      await store.write(async (tx) => (await sql<{ two: number }>`select 2 as two`.execute(tx)).rows),
    ).toEqual([{ two: 2 }])
  })

  test('takes a transaction that PostgreSQL ended since it was idle (25P03) for an outage, and goes on', async () => {
    const connections = await observe('hanger', 'idle in transaction')
    await start()
    const store = await openPostgres(`${postgres.url}?application_name=hanger`, { idleInTransactionMs: 300 })
    onTestFinished(() => store.close())
    const hanging = store.write(async (tx) => {
      await sql`select 1`.execute(tx)
      await expect.poll(connections).toBe(0)
      await sql`select 1`.execute(tx)
    })
    expect(outageOf(await hanging.catch((error) => error))).toMatchObject({
      code: 'unavailable',
      status: 503,
    })
    await store.write((tx) => sql`select 1`.execute(tx))
  })

  test.skipIf(process.platform !== 'linux')(
    'has the system look whether its connections still stand',
    async () => {
      await start()
      const port = Number(new URL(postgres.url).port).toString(16).toUpperCase().padStart(4, '0')
      const lines = (await readFile('/proc/net/tcp', 'utf8'))
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
      const timers = lines.filter(([, , remote]) => remote?.endsWith(`:${port}`)).map((fields) => fields[5])
      expect(timers.length).toBeGreaterThan(1)
      // The timer that runs is that of keepalive (`02`), or of what is being sent.
      expect(timers.filter((timer) => timer?.startsWith('00:'))).toEqual([])
    },
  )

  test('keeps its sockets meanwhile, and sends them elsewhere where it takes long', async () => {
    const clock = new JumpClock()
    const service = await start({ clock })
    const { socket, reported, hears } = await listen(service)
    let looks = 0
    async function look(): Promise<number> {
      clock.jump(5_000)
      looks += 1
      if (socket.readyState === socket.OPEN) {
        socket.send('{"type":"ping"}')
        await Promise.race([hears('pong', looks), new Promise((resolve) => socket.on('close', resolve))])
      }
      return reported.code
    }

    await postgres.stop('fast')
    expect(await look()).toBe(0)
    await postgres.start()
    await expect
      .poll(() =>
        service.mail({}).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await hears('event')

    await postgres.stop('fast')
    await expect.poll(look).toBe(closeCodes.going_away.code)
    expect(looks).toBeGreaterThan(3)
    await postgres.start()
  })
})
