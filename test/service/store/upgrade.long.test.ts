import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../../src/service/store/migrate'
import { addColumns, createDeclared, type Step } from '../../../src/service/store/migrations/create-tables'
import { allSteps } from '../../../src/service/store/migrations/migrations'
import type { Database } from '../../../src/service/store/tables/schema'
import { count, since, table, text, textOrNull } from '../../../src/service/store/tables/table'
import { describeDatabases, postgresSchema, reachable, type TestDatabase } from '../../support/databases'
import { openBeside } from '../../support/open-beside'
import { openService, type QuietService } from '../../support/service'

/** A step that some later version may have: what runs it twice fails, or counts twice. */
const addedStep = '9999-added'
const added: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'threads', { archived_messages: count, archived_at: textOrNull }, dialect)
    await sql`update threads set archived_messages = archived_messages + message_count`.execute(db)
  },
})

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

/** Fills a database with threads of one and of two messages. */
async function fill(database: TestDatabase): Promise<void> {
  await using service = await openService(database.options)
  await service.mail({ subject: 'one', messageId: '<one@example.com>' })
  await service.mail({ subject: 'Re: one', inReplyTo: '<one@example.com>' })
  await service.mail({ subject: 'two' })
}

const threadsIn = (db: Kysely<Database>) =>
  db.selectFrom('threads').select(['id', 'message_count']).orderBy('id').execute()

const archivedIn = async (db: Kysely<Database>) =>
  (await sql`select id, message_count, archived_messages, archived_at from threads order by id`.execute(db))
    .rows

describeDatabases('a database of another version', (openDatabase) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openDatabase('new')
  })
  afterEach(() => database.drop())
  const dialectOf = () => (database.options.databaseUrl ? 'postgres' : 'sqlite')

  it('is made by several nodes at once where there may be some, and mail flows', async () => {
    const nodes = await Promise.all(
      Array.from({ length: database.options.databaseUrl ? 2 : 1 }, () => openService(database.options)),
    )
    for (const node of nodes) await node.mail({ subject: 'new' })
    expect((await nodes[0]!.call('GET', '/messages')).body.messages).toHaveLength(nodes.length)
    for (const node of nodes) await node[Symbol.asyncDispose]()
  })

  it('is brought to an added step, once, by several nodes at once', async () => {
    await fill(database)
    const dialect = dialectOf()
    const nodes = await Promise.all(
      Array.from({ length: dialect === 'postgres' ? 3 : 1 }, () => openBeside(database.options)),
    )
    const before = await threadsIn(nodes[0]!)
    expect(before.map(({ message_count }) => message_count).sort()).toEqual([1, 2])
    const upgrade = () =>
      Promise.all(nodes.map((node) => migrate(node, dialect, { ...allSteps, [addedStep]: added })))
    await upgrade()
    await upgrade()
    expect(await archivedIn(nodes[0]!)).toEqual(
      before.map((thread) => ({ ...thread, archived_messages: thread.message_count, archived_at: null })),
    )
    for (const node of nodes) await node.destroy()
    await expect(openService(database.options)).rejects.toMatchObject({
      code: 'database_too_new',
      message: expect.stringContaining(addedStep),
    })
  })

  it('of models learned from mail is indexed again, and found meanwhile', async () => {
    await fill(database)
    const beside = await openBeside(database.options)
    const outdated = async () => (await beside.selectFrom('search_cursors').select('outdated').execute())[0]
    const search = async (service: QuietService) =>
      (await service.call('GET', '/messages?q=one')).body.messages.map(
        ({ subject }: { subject: string }) => subject,
      )
    await using before = await openService(database.options)
    expect(await search(before)).toEqual(['one', 'Re: one'])
    await before[Symbol.asyncDispose]()
    for (const statement of [
      'drop table search_vectors',
      'drop table search_models',
      'create table search_models (tenant_id text, knowledge text)',
      'create table search_vectors (tenant_id text)',
      'create table search_vector_rows (tenant_id text)',
      'alter table search_cursors drop column outdated',
      "delete from kysely_migration where name = '0002-search'",
    ])
      await sql.raw(statement).execute(beside)
    await using service = await openService(database.options)
    expect(await search(service)).toEqual(['one', 'Re: one'])
    await expect.poll(outdated).toEqual({ outdated: 0 })
    expect(await search(service)).toEqual(['one', 'Re: one'])
    const models = await beside.selectFrom('search_models').select('embedder').execute()
    expect(models.filter(({ embedder }) => embedder !== 'use-lite-int8-1')).toEqual([])
    await expect(sql`select 1 from search_vector_rows`.execute(beside)).rejects.toThrow()
    await beside.destroy()
  })

  it('is as it was where a step fails on its way, and the next start goes on', async () => {
    await fill(database)
    const failing: Step = (dialect) => ({
      async up(db) {
        await added(dialect).up(db)
        throw new Error('killed here')
      },
    })
    const node = await openBeside(database.options)
    const upgrade = (step: Step) => migrate(node, dialectOf(), { ...allSteps, [addedStep]: step })
    await expect(upgrade(failing)).rejects.toThrow('killed here')
    await (await openService(database.options))[Symbol.asyncDispose]()
    await upgrade(added)
    const threads = await threadsIn(node)
    expect(await archivedIn(node)).toEqual(
      threads.map((thread) => ({ ...thread, archived_messages: thread.message_count, archived_at: null })),
    )
    await node.destroy()
  })

  it.each([
    ['a newer version', 'database_too_new', '9999-future', '9999-future'],
    ['a clone from before the first release', 'database_too_old', '0001-first-release', 'fd18291'],
  ])('is refused in one line where %s made it, and let go', async (_, code, step, named) => {
    const service = await openService(database.options)
    await service[Symbol.asyncDispose]()
    const db = await openBeside(database.options)
    if (code === 'database_too_old') await sql`delete from kysely_migration`.execute(db)
    await sql`insert into kysely_migration values (${step}, 'now')`.execute(db)
    await db.destroy()
    for (let i = 0; i < 2; i++)
      await expect(openService(database.options)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(new RegExp(`^[^\\n]*${named}[^\\n]*$`)),
      })
  })

  it('gets each declared table and column by the migration that it names', async () => {
    const later = '0002-later'
    const tables = {
      old_things: table({ columns: { id: text, note: since(later, textOrNull) }, key: ['id'] }),
      new_things: table({
        since: later,
        columns: { id: text, times: since('0003-last', count) },
        key: ['id'],
        indexes: { new_things_by_id: '(id)' },
      }),
    }
    const db = await openBeside(database.options)
    const stepFor = (migration: string): Step => {
      return (dialect) => ({ up: (tx) => createDeclared(tx, tables, migration, dialect) })
    }
    const names = ['0001-tables', later, '0003-last']
    const upgradeTo = (step: number) =>
      migrate(db, dialectOf(), Object.fromEntries(names.slice(0, step).map((name) => [name, stepFor(name)])))
    await upgradeTo(1)
    await sql`insert into old_things (id) values ('a')`.execute(db)
    await expect(sql`select note from old_things`.execute(db)).rejects.toThrow('note')
    await expect(sql`select id from new_things`.execute(db)).rejects.toThrow('new_things')
    await upgradeTo(2)
    await sql`insert into new_things (id) values ('b')`.execute(db)
    expect((await sql`select * from new_things`.execute(db)).rows).toEqual([{ id: 'b' }])
    await upgradeTo(3)
    const { rows } = await sql`select old_things.*, times from old_things, new_things`.execute(db)
    expect(rows).toEqual([{ id: 'a', note: null, times: 0 }])
    await db.destroy()
  })
})

describe.skipIf(!reachable)('a step', () => {
  it('gives way to nodes that are at work, so that nobody stands behind it for long', async () => {
    const database = await postgresSchema('new')
    onTestFinished(database.drop)
    await (await openService(database.options))[Symbol.asyncDispose]()
    const [busy, other, newer] = await Promise.all([0, 1, 2].map(() => openBeside(database.options)))
    const released = deferred()
    const held = deferred()
    const holding = busy!.transaction().execute(async (tx) => {
      await sql`select 1 from threads`.execute(tx)
      held.resolve()
      await released.promise
    })
    await held.promise
    const upgraded = migrate(newer!, 'postgres', { ...allSteps, [addedStep]: added })
    const waiting = sql<{ count: number }>`select count(*)::int as count from pg_locks
      where not granted and relation = 'threads'::regclass`
    await expect.poll(async () => (await waiting.execute(other!)).rows[0]!.count).toBe(1)
    // It stands behind the step, which stands behind what is under way.
    await sql`select 1 from threads`.execute(other!)
    released.resolve()
    await holding
    await upgraded
    await sql`select archived_at from threads`.execute(other!)
    for (const node of [busy, other, newer]) await node!.destroy()
  })

  it('lets go before PostgreSQL gives up somebody else for a deadlock with it', async () => {
    const database = await postgresSchema('new')
    onTestFinished(database.drop)
    const node = await openBeside(database.options)
    const seen: object[] = []
    const looking: Step = () => ({
      async up(db) {
        const setting = (name: string) => sql`current_setting(${name})::interval`
        const { rows } = await sql<object>`select ${setting('lock_timeout')} between interval '1 ms'
          and ${setting('deadlock_timeout')} * 0.9 as "isShort"`.execute(db)
        seen.push(...rows)
      },
    })
    await migrate(node, 'postgres', { ...allSteps, [addedStep]: looking })
    expect(seen).toEqual([{ isShort: true }])
    await node.destroy()
  })
})
