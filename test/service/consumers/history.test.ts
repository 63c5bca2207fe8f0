import { type Kysely, sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { isAnswered } from '../../../src/service/messages/message-filters'
import type { Database } from '../../../src/service/store/tables/schema'
import { claimed, type TestAccount } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { failStatements } from '../../support/fail-statements'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

/** A history that a test makes. */
interface History {
  messages: number
  isAnswered: boolean
}

describeDatabases('a consumer of an account with a long history', (openDatabase) => {
  const clock = new JumpClock()
  const { service, database } = useService(
    openDatabase,
    (options) => openService(options, { clock }),
    perBlock,
  )

  /** Adds copies of the only message of an account to its thread; the last is sent, not received, if it is an answer. */
  async function addHistory(
    db: Kysely<Database>,
    { tenantId }: TestAccount,
    { messages, isAnswered }: History,
  ) {
    const { id, direction, seq, created_seq, ...same } = await db
      .selectFrom('messages')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow()
    const names = sql.join(Object.keys(same).map((name) => sql.ref(name)))
    const first = Math.max(seq, created_seq) + 1
    const last = first + messages - 1
    const answer = isAnswered ? 'outbound' : 'inbound'
    await sql`insert into messages (id, direction, seq, created_seq, ${names})
      with recursive numbers (n) as
        (select cast(${first} as bigint) union all select n + 1 from numbers where n < ${last})
      select 'msg_' || numbers.n, case when numbers.n = ${last} then ${answer} else 'inbound' end,
        numbers.n, numbers.n, ${names} from messages, numbers
      where messages.tenant_id = ${tenantId} and messages.id = ${id}`.execute(db)
    await db.updateTable('accounts').set({ seq: last }).where('tenant_id', '=', tenantId).execute()
    return last
  }

  async function opened(made: History) {
    const account = await claimed(service, database.options, { at: clock.now(), plan: 'unlimited' })
    const db = await openBeside(database.options)
    onTestFinished(() => db.destroy())
    await service.mail({ to: account.address, subject: 'history' })
    const last = await addHistory(db, account, made)
    await service.mail({ to: account.address, subject: 'open' })
    const post = (path: string, body: object) => account.call('POST', `/consumers${path}`, { body })
    expect((await post('', { name: 'bot', from: 'unanswered' })).status).toBe(201)
    return {
      db,
      account,
      last,
      lease: () => post('/bot/lease', { max: 10 }),
      state: async () => (await account.call('GET', '/consumers/bot')).body,
      async cursor() {
        const query = db.selectFrom('consumers').select('cursor').where('tenant_id', '=', account.tenantId)
        return (await query.executeTakeFirstOrThrow()).cursor
      },
    }
  }

  it('scans it in several transactions, each of which keeps its progress', async () => {
    const { lease, state, cursor } = await opened({ messages: 12_000, isAnswered: true })
    expect(await state()).toMatchObject({ waiting: 1, leased: 0 })
    const statements = failStatements()
    onTestFinished(() => statements.restore())
    const cursors = [await cursor()]
    for (let transaction = 1; transaction <= 2; transaction++) {
      // The one after the next: each changes the consumer, and on SQLite the number of its commit.
      statements.failAt(database.options.databaseUrl ? 2 : 3)
      expect((await lease()).status).toBe(500)
      expect(statements.hasFailed).toBe(true)
      cursors.push(await cursor())
    }
    expect(cursors).toEqual([0, 5_000, 10_000])
    const { body } = await lease()
    expect(body.deliveries).toMatchObject([{ message: { subject: 'open' } }])
    expect(await state()).toMatchObject({ waiting: 0, leased: 1 })
  })

  it('counts a thread of many messages by the index of its answers', async () => {
    const { db, account, last, state } = await opened({ messages: 24_000, isAnswered: false })
    expect(await state()).toMatchObject({ waiting: 24_000 + 2 })
    if (database.options.databaseUrl) await sql`analyze messages`.execute(db)
    for (const until of [undefined, last]) {
      const query = sql`select count(*) from messages where tenant_id = ${account.tenantId}
        and created_seq > 0 and (created_seq > ${last + 5} or not ${isAnswered(until)})`
      const explain = database.options.databaseUrl ? sql`explain` : sql`explain query plan`
      const { rows } = await sql`${explain} ${query}`.execute(db)
      // With no answer in the statistics, PostgreSQL may take the index of all sent messages, which is as small then.
      const index = database.options.databaseUrl
        ? /Index (?:Only )?Scan using messages_outbound(?:_by_thread)?\b/
        : /messages_outbound_by_thread\b/
      expect(JSON.stringify(rows)).toMatch(index)
    }
  })
})
