import { sql } from 'kysely'
import type { ServiceOptions } from 'restante/service'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { administer } from '../../src/service/admin/administer'
import { readSettings } from '../../src/service/settings'
import { signedUp, type TestAccount } from '../support/accounts'
import { describeDatabases, type TestDatabase } from '../support/databases'
import { JumpClock } from '../support/jump-clock'
import { openBeside } from '../support/open-beside'
import { openService, type QuietService } from '../support/service'
import { startDev } from '../support/service-process'

/** Many enough that they go in dozens of transactions. */
const mailCount = 32_000
const hourMs = 3_600_000

describeDatabases('erasing, in a process that is killed meanwhile,', (openDatabase) => {
  let database: TestDatabase
  let options: ServiceOptions
  beforeEach(async () => {
    database = await openDatabase('new')
    options = database.options
  })
  afterEach(() => database.drop())

  async function beside<T>(work: (db: Awaited<ReturnType<typeof openBeside>>) => Promise<T>): Promise<T> {
    const db = await openBeside(options)
    return work(db).finally(() => db.destroy())
  }
  /** An inbox that has so much mail that nobody has it in a moment. */
  async function copyMail(inboxId: string): Promise<void> {
    await beside(async (db) => {
      const row = await db
        .selectFrom('messages')
        .selectAll()
        .where('inbox_id', '=', inboxId)
        .executeTakeFirstOrThrow()
      const { id, ...same } = row
      const columns = Object.keys(same).map((column) => sql.ref(column))
      await sql`insert into messages (id, ${sql.join(columns)})
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(mailCount)})
        select 'msg_copy' || n, ${sql.join(columns)} from messages, numbers where id = ${id}`.execute(db)
    })
  }

  async function filled(): Promise<TestAccount> {
    const service = await openService(options)
    const account = await signedUp(service)
    await service.mail({ to: account.address, text: 'erased' })
    await service.mail({ subject: 'stays' })
    await service[Symbol.asyncDispose]()
    await copyMail(account.inboxId)
    return account
  }

  /** Lets a process work until some of the mail is gone, and kills it there. */
  async function killMidway(inboxId: string, begin: (url: string) => Promise<unknown>): Promise<void> {
    const dev = await startDev(options)
    const begun = begin(dev.facts.url).catch(() => {})
    const left = await beside(async (db) => {
      const count = async (from = db) => {
        const query = from.selectFrom('messages').select((row) => row.fn.countAll<number>().as('count'))
        return Number((await query.where('inbox_id', '=', inboxId).executeTakeFirstOrThrow()).count)
      }
      await expect.poll(() => count(), { interval: 1 }).toBeLessThan(mailCount)
      const kill = () => dev.end('SIGKILL')
      if (options.databaseUrl === undefined) return kill().then(() => count())
      // What it has sent already would be carried out after its death.
      return db.transaction().execute(async (tx) => {
        await sql`lock table messages in exclusive mode`.execute(tx)
        return kill().then(() => count(tx))
      })
    })
    await begun
    expect(left).toBeGreaterThan(0)
  }

  /** The next process, whose time has come when leases of the killed one are over. */
  async function goesOn(look: (service: QuietService) => Promise<void>): Promise<void> {
    const clock = new JumpClock(Date.now() + hourMs)
    const service = await openService(options, { clock })
    try {
      await look(service)
      expect((await service.call('GET', '/messages')).body.messages).toMatchObject([{ subject: 'stays' }])
    } finally {
      await service[Symbol.asyncDispose]()
    }
  }

  /** The tables that have rows of an account, and the queues that have jobs of it. */
  const rowsOf = (tenantId: string) =>
    beside(async (db) => {
      const found: string[] = []
      for (const table of ['accounts', 'messages', 'threads', 'events', 'inboxes', 'addresses'] as const)
        if (
          await db.selectFrom(table).select('tenant_id').where('tenant_id', '=', tenantId).executeTakeFirst()
        )
          found.push(table)
      const jobs = db.selectFrom('jobs').select('queue').distinct().where('tenant_id', '=', tenantId)
      return [...found, ...(await jobs.execute()).map(({ queue }) => `jobs of ${queue}`)]
    })

  test('of an account goes on to the end', async () => {
    const { inboxId, tenantId } = await filled()
    await administer(readSettings(options), 'erase', { account: tenantId })
    const past = new Date(0).toISOString()
    await beside((db) => db.updateTable('jobs').set({ run_at: past }).where('queue', '=', 'erase').execute())
    await killMidway(inboxId, async () => {})
    await goesOn(async () => {
      await expect.poll(() => rowsOf(tenantId)).toEqual(['addresses'])
    })
  })

  test('of an inbox goes on to the end', async () => {
    const { inboxId, tenantId, key } = await filled()
    await beside((db) =>
      db
        .updateTable('accounts')
        .set({ onboarding_state: 'claimed', claimed_at: new Date().toISOString() })
        .where('tenant_id', '=', tenantId)
        .execute(),
    )
    const authorization = `Bearer ${key}`
    await killMidway(inboxId, (url) =>
      fetch(`${url}/inboxes/${inboxId}`, { method: 'DELETE', headers: { authorization } }),
    )
    await goesOn(async ({ call }) => {
      const left = ['accounts', 'events', 'addresses']
      // On a slow machine the mail is learned from before it goes, which has time.
      const rows = async () => (await rowsOf(tenantId)).filter((name) => name !== 'jobs of embeddings')
      await expect.poll(rows).toEqual(left)
      const { events } = (await call('GET', '/events?after=0&limit=500', { key })).body
      expect(events.at(-1)).toMatchObject({ type: 'inbox.deleted', data: { id: inboxId } })
      expect(JSON.stringify(events)).not.toContain('erased')
    })
  })
})
