import { type Kysely, sql } from 'kysely'
import type { ServiceOptions } from 'restante/service'
import { describe, expect, it, onTestFinished } from 'vitest'
import { insertEvents } from '../../../src/service/log/event-log'
import type { Database } from '../../../src/service/store/tables/schema'
import { postgresSchema, reachable } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService, type QuietService } from '../../support/service'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The noon of a day that is over by the clock of the database too. */
const startMs = Math.floor(Date.now() / dayMs - 60) * dayMs + 12 * hourMs

interface LogEvent {
  seq: number
  type: string
  created_at: string
  data: Record<string, unknown>
}

async function newDatabase() {
  const { options, drop } = await postgresSchema('new')
  onTestFinished(drop)
  const db = await openBeside(options)
  onTestFinished(() => db.destroy())
  return { options, db }
}

async function openNode(options: ServiceOptions, clock: JumpClock): Promise<QuietService> {
  const node = await openService({ keepEventsDays: 4, ...options }, { clock })
  onTestFinished(() => node[Symbol.asyncDispose]())
  return node
}

/** Reads page after page to the end. */
async function readFrom(node: QuietService, after: number): Promise<LogEvent[]> {
  const { status, body } = await node.call('GET', `/events?after=${after}&limit=500`)
  expect(status).toBe(200)
  const { events } = body as { events: LogEvent[] }
  return events.length < 500 ? events : [...events, ...(await readFrom(node, events.at(-1)!.seq))]
}

/** Reads on from the beginning and from each of the last positions: whatever is asked for it, what follows is all that there is. */
async function expectDense(node: QuietService, first = 0): Promise<LogEvent[]> {
  const { to: head } = (await node.call('GET', '/events?after=now')).body
  const all = await readFrom(node, first)
  expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: head - first }, (_, i) => first + i + 1))
  for (let after = Math.max(first, head - 20); after < head; after++)
    expect(await readFrom(node, after)).toEqual(all.slice(after - first))
  return all
}

const partitionsOf = async (db: Kysely<Database>) => {
  const { rows } = await sql<{ name: string; bound: string; checks: number }>`
    select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bound,
      (select count(*)::int from pg_constraint where conrelid = c.oid and contype = 'c') as checks
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass`.execute(
    db,
  )
  return rows
}

/** Waits until housekeeping has made the partition of the next days. */
async function expectSettled(db: Kysely<Database>) {
  await expect
    .poll(async () => {
      const partitions = await partitionsOf(db)
      return partitions.length > 1 && partitions.every(({ checks }) => checks === 0)
    })
    .toBe(true)
}

/** Where the log begins, as whoever asks for what is gone is told. */
async function startOf({ call }: QuietService): Promise<number> {
  const { status, body } = await call('GET', '/events?after=0')
  return status === 410 ? Number(/begins after (\d+)/.exec(body.message)![1]) : 0
}

/** Goes on by so many days, and then by the hour until housekeeping has done what it is for. */
async function goOn(clock: JumpClock, days: number, done: () => Promise<void>) {
  clock.jump(days * dayMs)
  await expect
    .poll(async () => {
      clock.jump(hourMs)
      return done().then(
        () => 'done',
        (error) => String(error),
      )
    })
    .toBe('done')
}

/** The days at which partitions begin. */
const beginsOf = async (db: Kysely<Database>) =>
  (await partitionsOf(db)).flatMap(({ bound }) => /FROM \('(\d{4}-\d\d-\d\d)/.exec(bound)?.[1] ?? []).sort()

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

describe.skipIf(!reachable)('the log in partitions', () => {
  it('is made a day ahead and dropped by the day, at the same time by several nodes', async () => {
    const { options, db } = await newDatabase()
    const clocks = [new JumpClock(startMs), new JumpClock(startMs)] as const
    const nodes = [await openNode(options, clocks[0]), await openNode(options, clocks[1])] as const
    let nowMs = startMs
    const jump = (ms: number) => {
      nowMs += ms
      for (const clock of clocks) clock.jump(ms)
    }
    for (let i = 0; i < 12; i++) {
      await nodes[i % 2]!.mail({ subject: `day ${i}` })
      jump(dayMs)
      await expect
        .poll(async () => {
          const begins = await beginsOf(db)
          if (begins.at(-1) !== day(nowMs + 2 * dayMs)) jump(hourMs / 4)
          return (await beginsOf(db)).at(-1)
        })
        .toBe(day(nowMs + 2 * dayMs))
    }
    // What is over goes within the hour, and a day later where clocks differ.
    const isOver = async () => (await beginsOf(db))[0] === day(nowMs - 5 * dayMs)
    await expect
      .poll(async () => {
        if (!(await isOver())) jump(hourMs / 4)
        return isOver()
      })
      .toBe(true)
    const kept = new Date(nowMs - 4 * dayMs).toISOString()
    const oldest = new Date(nowMs - 6 * dayMs).toISOString()
    const start = await startOf(nodes[0])
    expect(start).toBeGreaterThan(12)
    const reported = await expectDense(nodes[1], start)
    expect(reported[0]!.created_at > oldest).toBe(true)
    expect(reported.filter(({ type }) => type === 'message.received').length).toBeGreaterThanOrEqual(4)
    expect(reported.some(({ created_at }) => created_at < kept)).toBe(true)
    const partitions = await partitionsOf(db)
    expect(partitions.length).toBeLessThan(10)
    expect(partitions.map(({ name }) => name)).not.toContain('events_first')
    expect((await nodes[0].call('GET', '/messages?limit=100')).body.messages).toHaveLength(12)
  })

  it('has room for every event where nobody looked for weeks, and for clocks that are wrong', async () => {
    const { options, db } = await newDatabase()
    const clock = new JumpClock(startMs)
    const node = await openNode(options, clock)
    await node.mail({ subject: 'today' })
    await expect.poll(() => beginsOf(db)).toEqual([day(startMs + 2 * dayMs)])
    const late = await openNode(options, new JumpClock(startMs - 400 * dayMs))
    const early = await openNode(
      { ...options, keepEventsDays: 9_000 },
      new JumpClock(startMs + 4_000 * dayMs),
    )
    await expectSettled(db)
    await late.mail({ subject: 'late' })
    await node.mail({ subject: 'between' })
    await early.mail({ subject: 'early' })
    await node.mail({ subject: 'after' })
    await expectDense(node)
  })

  it('forgets nothing young for the sake of an event whose clock was late', async () => {
    const { options, db } = await newDatabase()
    const clock = new JumpClock(startMs)
    const node = await openNode(options, clock)
    await expect.poll(() => beginsOf(db)).toEqual([day(startMs + 2 * dayMs)])
    await goOn(clock, 3, async () => expect((await beginsOf(db)).length).toBe(2))
    await node.mail({ subject: 'young' })
    const late = await openNode(options, new JumpClock(startMs - 40 * dayMs))
    await late.mail({ subject: 'late' })
    await node.mail({ subject: 'younger' })
    const reported = await expectDense(node)
    const young = reported.find(({ data }) => data.subject === 'young')!
    // The partition of the late one is over: it is looked at, and opened again.
    clock.jump(4 * dayMs - hourMs)
    await late.mail({ subject: 'late again' }).catch(() => {})
    await expect.poll(async () => (await beginsOf(db)).at(-1)! > day(clock.now())).toBe(true)
    await expect.poll(async () => (await partitionsOf(db)).every(({ checks }) => checks === 0)).toBe(true)
    expect((await expectDense(node, young.seq - 1))[0]).toMatchObject({ seq: young.seq })
  })

  it('goes on where a node was ended in between', async () => {
    const { options, db } = await newDatabase()
    const clock = new JumpClock(startMs)
    const first = await openService({ ...options, keepEventsDays: 4 }, { clock })
    await first.mail({ subject: 'one' })
    await expect.poll(() => beginsOf(db)).toEqual([day(startMs + 2 * dayMs)])
    await first[Symbol.asyncDispose]()
    const [last] = (await partitionsOf(db)).filter(({ bound }) => bound.includes('MAXVALUE'))
    const check = sql`alter table ${sql.id(last!.name)} add constraint until_20260110
      check (created_at < ${sql.lit(day(startMs + 9 * dayMs))}) not valid`
    await check.execute(db)
    await sql`alter table events_first add constraint closed check (false) not valid`.execute(db)
    const later = new JumpClock(startMs + 20 * dayMs)
    const node = await openNode(options, later)
    await expect.poll(async () => (await partitionsOf(db)).filter(({ checks }) => checks > 0)).toEqual([])
    await expect.poll(() => startOf(node)).toBeGreaterThan(0)
    await node.mail({ subject: 'two' })
    await expectDense(node, await startOf(node))
  })

  it('is erased in every partition, and only of the account that it is of', async () => {
    const { options, db } = await newDatabase()
    const clock = new JumpClock(startMs)
    const node = await openNode({ ...options, keepEventsDays: 30 }, clock)
    await expect.poll(() => beginsOf(db)).toEqual([day(startMs + 2 * dayMs)])
    await node.mail({ subject: 'Xylographentum', messageId: '<a@x>' })
    await goOn(clock, 4, async () => expect((await beginsOf(db)).length).toBe(2))
    await node.mail({ subject: 'Re: Xylographentum', messageId: '<b@x>', inReplyTo: '<a@x>' })
    const { messages } = (await node.call('GET', '/messages')).body
    for (const { id } of messages) expect((await node.call('DELETE', `/messages/${id}`)).status).toBe(204)
    await expect
      .poll(async () => {
        clock.jump(1_000)
        const { rows } = await sql`select 1 from events where data like '%Xylo%'`.execute(db)
        return rows.length
      })
      .toBe(0)
    await expectDense(node)
    const { rows } = await sql<{
      tables: number
    }>`select count(distinct tableoid)::int as tables from events`.execute(db)
    expect(rows).toEqual([{ tables: 2 }])
    // The places of the rows of an account are those of others in another partition: what goes by them is refused.
    for (const [account, time] of [
      ['acc_a', startMs],
      ['acc_b', startMs + 900 * dayMs],
    ] as const)
      await sql`insert into events select ${account}, seq, 'evt', 'x', null, null, null,
        ${new Date(time).toISOString()}, '{}' from generate_series(1, 50) seq`.execute(db)
    const byPlace = sql`delete from events where ctid in (select ctid from events where tenant_id = 'acc_a')`
    await expect(byPlace.execute(db)).rejects.toThrow('events of several accounts')
    await expectDense(node)
  })

  it('is erased where it is no longer told, as long as it is there', async () => {
    const { options, db } = await newDatabase()
    const clock = new JumpClock(startMs)
    const node = await openNode({ ...options, keepEventsDays: 30 }, clock)
    await expect.poll(() => beginsOf(db)).toEqual([day(startMs + 2 * dayMs)])
    await node.mail({ subject: 'Xylographentum' })
    await sql`update accounts set log_start = seq, log_partition = null`.execute(db)
    const { messages } = (await node.call('GET', '/messages')).body
    expect((await node.call('DELETE', `/messages/${messages[0].id}`)).status).toBe(204)
    await expect
      .poll(async () => {
        clock.jump(1_000)
        const { rows } = await sql`select 1 from events where data like '%Xylo%'`.execute(db)
        return rows.length
      })
      .toBe(0)
  })

  it('is cut and dropped though a clock was ahead', async () => {
    const { options, db } = await newDatabase()
    const clock = new JumpClock(startMs)
    const node = await openNode(options, clock)
    await expect.poll(() => beginsOf(db)).toEqual([day(startMs + 2 * dayMs)])
    await node.mail({ subject: 'before' })
    const aheadMs = startMs + 4_000 * dayMs
    const ahead = await openNode({ ...options, keepEventsDays: 9_000 }, new JumpClock(aheadMs))
    await ahead.mail({ subject: 'ahead' })
    await node.mail({ subject: 'after' })
    await expectDense(node)
    await goOn(clock, 3, async () =>
      expect(await beginsOf(db)).toEqual([
        day(startMs + 2 * dayMs),
        day(startMs + 5 * dayMs),
        day(aheadMs),
        day(aheadMs + 2 * dayMs),
      ]),
    )
    await expectSettled(db)
    await expectDense(node)
    await node.mail({ subject: 'goes on' })
    await expectDense(node)
    await goOn(clock, 9, async () => expect(await startOf(node)).toBeGreaterThan(0))
    await node.mail({ subject: 'young' })
    await expect
      .poll(async () => (await partitionsOf(db)).map(({ name }) => name))
      .not.toContain('events_first')
    const reported = await expectDense(node, await startOf(node))
    expect(reported.some(({ data }) => data.subject === 'young')).toBe(true)
    expect(reported.some(({ data }) => data.subject === 'ahead')).toBe(false)
    const { rows } = await sql`select 1 from events where data like '%ahead%'`.execute(db)
    expect(rows).toEqual([])
  })

  it('is cut within seconds where others were in the way', async () => {
    const { options, db } = await newDatabase()
    const clock = new JumpClock(startMs)
    const first = await openService({ ...options, keepEventsDays: 4 }, { clock })
    await expect.poll(() => beginsOf(db)).toEqual([day(startMs + 2 * dayMs)])
    await first[Symbol.asyncDispose]()
    clock.jump(3 * dayMs)
    const pauses: number[] = []
    const background = clock.background.bind(clock)
    clock.background = (delayMs, callback) => {
      pauses.push(delayMs)
      return background(delayMs, callback)
    }
    await db.transaction().execute(async (tx) => {
      await sql`lock table events in access share mode`.execute(tx)
      await openNode(options, clock)
      await expect.poll(() => pauses.some((ms) => ms >= 2_000 && ms < 5_000)).toBe(true)
    })
    await expect
      .poll(async () => {
        clock.jump(1_000)
        return (await beginsOf(db)).at(-1)
      })
      .toBe(day(clock.now() + 2 * dayMs))
  })

  it('is away for a moment where a partition takes nothing', async () => {
    const { options, db } = await newDatabase()
    const node = await openNode(options, new JumpClock(startMs))
    await node.mail({ subject: 'one' })
    await expectSettled(db)
    for (const check of ['until_20260110', 'closed']) {
      for (const { name } of await partitionsOf(db))
        await sql`alter table ${sql.id(name)} add constraint ${sql.id(check)} check (false) not valid`.execute(
          db,
        )
      const refused = await node.call('POST', '/labels', { body: { name: 'later' } })
      expect(refused).toMatchObject({ status: 503, body: { error: 'unavailable' } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      for (const { name } of await partitionsOf(db))
        await sql`alter table ${sql.id(name)} drop constraint ${sql.id(check)}`.execute(db)
    }
    expect((await node.call('POST', '/labels', { body: { name: 'later' } })).status).toBe(201)
  })

  it('goes to webhooks though its partition has another name meanwhile', async () => {
    const { options, db } = await newDatabase()
    const clock = new JumpClock(startMs)
    const node = await openNode(options, clock)
    await expectSettled(db)
    const hook = await node.call('POST', '/webhooks', {
      body: { url: 'https://hook.example/x', events: ['*'] },
    })
    expect(hook.status).toBe(201)
    await node.mail({ subject: 'one' })
    await sql`update accounts set log_partition = 'events_gone', log_partition_after = 0,
      log_partition_to = seq`.execute(db)
    await sql`delete from webhook_dispatches`.execute(db)
    await sql`update webhooks set cursor = 1`.execute(db)
    await expect
      .poll(async () => {
        clock.jump(60_000)
        const { rows } =
          await sql`select 1 from webhooks, accounts where webhooks.cursor = accounts.seq`.execute(db)
        return rows.length
      })
      .toBe(1)
  })

  it('S1: gives no position twice, also to one who did not wait', async () => {
    const { options, db } = await newDatabase()
    const node = await openNode(options, new JumpClock(startMs))
    await node.mail({ subject: 'one' })
    await expectSettled(db)
    const { rows } = await sql<{
      tenant_id: string
      seq: number
    }>`select tenant_id, seq from accounts`.execute(db)
    const [end] = rows
    const event = {
      id: 'evt_twice',
      type: 'x',
      inbox_id: null,
      message_id: null,
      thread_id: null,
      data: '{}',
    }
    const append = (seq: number, from: number, created_at: string) =>
      db
        .transaction()
        .execute((tx) =>
          insertEvents({ store: { dialect: 'postgres' } as never }, tx, { ...end!, seq: from }, [
            { ...event, seq, created_at },
          ]),
        )
    // Into another partition, whose key knows nothing of the first.
    await expect(
      append(end!.seq, end!.seq - 1, new Date(startMs + 90 * dayMs).toISOString()),
    ).rejects.toThrow('no longer ends at')
    await expect(append(end!.seq, end!.seq, new Date(startMs).toISOString())).rejects.toThrow('duplicate key')
    await expectDense(node)
  })
})
