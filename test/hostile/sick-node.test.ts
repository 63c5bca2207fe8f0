import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { outageOf } from '../../src/service/base/outage'
import { openPostgres } from '../../src/service/store/open-postgres'
import { letRunLong } from '../../src/service/store/postgres/connections'
import { signedUp } from '../support/accounts'
import { JumpClock } from '../support/jump-clock'
import { type OwnPostgres, postgresIsMissing, startOwnPostgres } from '../support/own-postgres'
import { openService, type QuietService } from '../support/service'
import { startSlowWire } from '../support/slow-wire'

/** Lets so many seconds of a clock pass, and fails where the work is not over by then. */
async function seconds(clock: JumpClock, count: number, work: Promise<unknown>): Promise<void> {
  let isOver = false
  const over = work.then(() => {
    isOver = true
  })
  for (let passed = 0; passed < count && !isOver; passed++) {
    clock.jump(1_000)
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  }
  await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 5_000))])
  expect(isOver).toBe(true)
}

const readiness = async ({ service }: QuietService) =>
  (await service.fetch(new Request('http://restante.test/readyz'))).json()

describe.skipIf(postgresIsMissing())('nodes on one PostgreSQL of which one is sick', () => {
  let postgres: OwnPostgres
  beforeAll(async () => {
    postgres = await startOwnPostgres()
  })
  afterAll(() => postgres[Symbol.asyncDispose]())

  async function start() {
    const service = await openService({ databaseUrl: postgres.url, secret: 'a secret of the tests' })
    onTestFinished(() => service[Symbol.asyncDispose]())
    return service
  }
  async function connect() {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  test('takes mail for others, and is ready, while the row of one account is held', async () => {
    const service = await start()
    const [held, other] = [service.home, await signedUp(service)]
    const [holder, observer] = [await connect(), await connect()]
    await holder.query('begin')
    await holder.query(
      'select 1 from accounts join inboxes using (tenant_id) where address = $1 for no key update of accounts',
      [held.address],
    )
    const mails = Array.from({ length: 60 }, (_, i) =>
      service.mail({ to: held.address, subject: `Held ${i}` }),
    )
    const waiting = Promise.allSettled(mails)
    const waitForLocks = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'`
    const locksWaited = async () => (await observer.query(waitForLocks)).rows[0].count as number
    await expect.poll(locksWaited).toBeGreaterThan(0)

    expect((await service.mail({ to: other.address })).response).toMatch(/^250/)
    expect((await other.call('GET', '/messages')).body.messages).toHaveLength(1)
    expect(await readiness(service)).toMatchObject({ database: true })
    expect(await locksWaited()).toBeLessThanOrEqual(2)

    await holder.query('rollback')
    const settled = await waiting
    const { body } = await service.call('GET', '/messages?limit=100')
    const subjects = body.messages.map(({ subject }: { subject: string }) => subject)
    const taken = settled.filter(({ status }) => status === 'fulfilled')
    expect(subjects.filter((subject: string) => subject.startsWith('Held'))).toHaveLength(taken.length)
    for (const one of settled) if (one.status === 'rejected') expect(one.reason.message).toMatch(/\b451 4\./)
  })

  test('goes on with an account whose row a process holds that hangs within a transaction', async () => {
    const service = await start()
    const { address } = service.home
    const sick = await openPostgres(postgres.url, { idleInTransactionMs: 300 })
    onTestFinished(() => sick.close())
    let hold = () => {}
    let wake = () => {}
    const isHeld = new Promise<void>((resolve) => (hold = resolve))
    const frozen = new Promise<void>((resolve) => (wake = resolve))
    const work = sick.write(async (tx) => {
      await sql`select 1 from accounts join inboxes using (tenant_id) where address = ${address}
        for no key update of accounts`.execute(tx)
      hold()
      await frozen
      await sql`select 1`.execute(tx)
    })
    await isHeld
    expect((await service.mail({ to: address })).response).toMatch(/^250/)
    wake()
    await expect(work).rejects.toThrow()
  })

  test('bounds its transactions by words that a pooler keeps with them', async () => {
    const store = await openPostgres(postgres.url)
    onTestFinished(() => store.close())
    const bounds = await store.write((tx) =>
      sql`select current_setting('idle_in_transaction_session_timeout') as idle,
        current_setting('lock_timeout') as lock`.execute(tx),
    )
    expect(bounds.rows).toEqual([{ idle: '10s', lock: '2s' }])
    const after = await sql`select current_setting('lock_timeout') as lock`.execute(store.db)
    expect(after.rows).toEqual([{ lock: '0' }])
  })

  test('opens no more connections than it may, whatever is asked', async () => {
    const observer = await connect()
    const options = { databaseUrl: postgres.url, secret: 'a secret of the tests', databaseConnections: 6 }
    const service = await openService(options)
    onTestFinished(() => service[Symbol.asyncDispose]())
    const others = await Promise.all(Array.from({ length: 8 }, () => signedUp(service)))
    const asked = others.flatMap(({ address, call }) => [
      ...Array.from({ length: 8 }, () => call('GET', '/messages')),
      ...Array.from({ length: 4 }, () => service.mail({ to: address })),
    ])
    await Promise.all(asked)
    const { rows } = await observer.query(
      'select count(*)::int as count from pg_stat_activity where datname is not null and pid <> pg_backend_pid()',
    )
    // Six, and one that listens.
    expect(rows[0].count).toBeLessThanOrEqual(7)
    expect(rows[0].count).toBeGreaterThan(2)
  })

  const portOf = (url: string) => Number(new URL(url).port)
  const through = (port: number) => postgres.url.replace(`:${portOf(postgres.url)}/`, `:${port}/`)

  test('does without connections that were lost without a word, and uses others', async () => {
    const wire = await startSlowWire(portOf(postgres.url))
    const store = await openPostgres(through(wire.port), { queryMs: 300 })
    onTestFinished(() => store.close())
    const read = () => sql<{ one: number }>`select 1 as one`.execute(store.db)
    const write = () => store.write((tx) => sql<{ one: number }>`select 1 as one`.execute(tx))
    for (const ask of [read, write]) {
      await ask()
      wire.lose()
      const failure = await ask().catch((error) => error)
      expect(outageOf(failure)).toMatchObject({ code: 'unavailable' })
      expect((await ask()).rows).toEqual([{ one: 1 }])
    }
  })

  test('lets a transaction run long that says so', async () => {
    const store = await openPostgres(postgres.url, { queryMs: 300 })
    onTestFinished(() => store.close())
    const sleep = sql`select pg_sleep(0.6)`
    await expect(store.write((tx) => sleep.execute(tx))).rejects.toThrow()
    await store.write(async (tx) => {
      await letRunLong(tx)
      await sleep.execute(tx)
    })
  })

  test('says within five seconds that its database is silent, and stops within 23 seconds', async () => {
    const wire = await startSlowWire(portOf(postgres.url))
    const clock = new JumpClock()
    const options = { databaseUrl: through(wire.port), secret: 'a secret of the tests' }
    const service = await openService(options, { clock })
    const account = { headers: { authorization: `Bearer ${service.home.apiKey}` } }
    wire.hold()
    const asked = service.service.fetch(new Request('http://restante.test/v1/messages', account))
    const looks = 4
    const answers = Array.from({ length: looks }, () => readiness(service))
    await seconds(clock, 4, Promise.all(answers))
    for (const answer of answers) expect(await answer).toMatchObject({ status: 'not ready', database: false })
    await seconds(clock, 23, service.service.close())
    await asked.catch(() => {})
  })

  test('waits for its database at the start, and says so', async () => {
    await postgres.stop('fast')
    const quiet = () => {}
    let say = (_message: string) => {}
    const said = new Promise<string>((resolve) => (say = resolve))
    const logger = {
      debug: quiet,
      info: quiet,
      warn: (_: object, message: string) => say(message),
      error: quiet,
    }
    const starting = openService({ databaseUrl: postgres.url, secret: 'a secret of the tests' }, { logger })
    const first = await Promise.race([said, starting])
    await postgres.start()
    expect(first).toMatch(/^The database postgres:.* cannot be reached, which is tried for a minute/)
    const service = await starting
    onTestFinished(() => service[Symbol.asyncDispose]())
    expect((await service.call('GET', '/messages')).status).toBe(200)
  })
})
