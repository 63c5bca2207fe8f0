import { sql } from 'kysely'
import type { ServiceOptions } from 'restante/service'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../../src/service/store/migrate'
import { allSteps } from '../../../src/service/store/migrations'
import type { Step } from '../../../src/service/store/migrations/step'
import { addColumns, count, textOrNull } from '../../../src/service/store/migrations/tables'
import { Browser, secretOf } from '../../support/console'
import { describeDatabases, postgresSchema, reachable, type TestDatabase } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { loadRecord, readRecord } from '../../support/recorded-database'
import { openService, type QuietService } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'

const released = readRecord('database-0001.json.gz')

type Labels = { labels: { id: string; system: boolean }[] }
/** Those of the service were rows then. */
const ownOf = (labels: Labels['labels']) => labels.filter(({ system }) => !system)
const hourMs = 3_600_000

/** A step that some later version may have: what runs it twice fails, or counts twice. */
const addedStep = '9999-added'
const added: Step = (dialect) => ({
  async up(db) {
    await addColumns(db, 'threads', { archived_messages: count, archived_at: textOrNull }, dialect)
    await sql`update threads set archived_messages = archived_messages + message_count`.execute(db)
  },
})

type Row = (typeof released.tables)[string][number]
/** The database as it was before the step that made labels of the service, with one label. */
function beforeSystemLabels(label: Row): typeof released {
  const { tables } = released
  const ownLabels = (row: Row) => ({
    ...row,
    label_ids: JSON.stringify(JSON.parse(String(row.label_ids)).filter((id: string) => id === label.id)),
  })
  const { messages = [], threads = [], message_labels = [] } = tables
  return {
    ...released,
    steps: ['0001-first-release'],
    tables: {
      ...tables,
      labels: [label],
      messages: messages.map(ownLabels),
      threads: threads.map(ownLabels),
      message_labels: message_labels.map(({ assigned_at: _, ...row }) => row),
    },
  }
}

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

describeDatabases('a database of another version', (openDatabase) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openDatabase('new')
  })
  afterEach(() => database.drop())

  it('is made by several nodes at once where there may be some, and mail flows', async () => {
    const nodes = await Promise.all(
      Array.from({ length: database.options.databaseUrl ? 2 : 1 }, () => openService(database.options)),
    )
    for (const node of nodes) await node.mail({ subject: 'new' })
    expect((await nodes[0]!.call('GET', '/messages')).body.messages).toHaveLength(nodes.length)
    for (const node of nodes) await node[Symbol.asyncDispose]()
  })

  it('is brought from the first release to an added step, once, by several nodes at once', async () => {
    await loadRecord(database.options, released)
    const dialect = database.options.databaseUrl ? 'postgres' : 'sqlite'
    const nodes = await Promise.all(
      Array.from({ length: dialect === 'postgres' ? 3 : 1 }, () => openBeside(database.options)),
    )
    const upgrade = () =>
      Promise.all(nodes.map((node) => migrate(node, dialect, { ...allSteps, [addedStep]: added })))
    await upgrade()
    await upgrade()
    const { rows } = await sql`select id, message_count, archived_messages, archived_at from threads
      order by id`.execute(nodes[0]!)
    expect(released.tables.threads!.length).toBeGreaterThan(2)
    expect(rows).toEqual(
      released.tables
        .threads!.map(({ id, message_count }) => ({ id, message_count }))
        .map((thread) => ({ ...thread, archived_messages: thread.message_count, archived_at: null }))
        .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
    )
    for (const node of nodes) await node.destroy()
    await expect(openService(database.options)).rejects.toMatchObject({
      code: 'database_too_new',
      message: expect.stringContaining(addedStep),
    })
  })

  it('is as it was where a step fails on its way, and the next start goes on', async () => {
    const options = { ...database.options, secret: released.secret }
    await loadRecord(options, released)
    const dialect = options.databaseUrl ? 'postgres' : 'sqlite'
    const failing: Step = (dialect) => ({
      async up(db) {
        await added(dialect).up(db)
        throw new Error('killed here')
      },
    })
    const node = await openBeside(options)
    const upgrade = (step: Step) => migrate(node, dialect, { ...allSteps, [addedStep]: step })
    await expect(upgrade(failing)).rejects.toThrow('killed here')
    await (await openService(options))[Symbol.asyncDispose]()
    await upgrade(added)
    const { rows } = await sql`select count(*) as wrong from threads
      where archived_messages <> message_count`.execute(node)
    expect(rows).toEqual([{ wrong: 0 }])
    await node.destroy()
  })

  it('is refused in one line where a newer version made it, and let go', async () => {
    const service = await openService(database.options)
    await service[Symbol.asyncDispose]()
    const db = await openBeside(database.options)
    await sql`insert into kysely_migration values ('9999-future', 'now')`.execute(db)
    await db.destroy()
    for (let i = 0; i < 2; i++)
      await expect(openService(database.options)).rejects.toMatchObject({
        code: 'database_too_new',
        message: expect.stringContaining('9999-future'),
      })
  })

  it.each(['Trash', 'archived', 'UNREAD'])(
    'keeps what an account had labelled %s by itself',
    async (name) => {
      const options = { ...database.options, secret: released.secret }
      options.data ??= await temporaryFolder()
      const [label] = released.tables.labels!.filter((row) => row.name === 'Wichtig')
      const row = { ...label!, name, folded: name.toLowerCase() }
      await loadRecord(options, beforeSystemLabels(row))
      const clock = new JumpClock(Date.parse(released.madeAt))
      await using service = await openService(options, { clock })
      const get = async (path: string) => (await service.call('GET', path)).body
      const labelled = (path: string) =>
        (released.answers[path] as Record<string, { id: string }[]>)[path.slice(1).split('?')[0]!]!.map(
          ({ id }) => id,
        )
      const ids = labelled('/messages?label=wichtig')
      expect(ids.length).toBeGreaterThan(0)
      const { messages } = await get(`/messages?label=${name}`)
      expect(messages.map(({ id }: { id: string }) => id)).toEqual(ids)
      for (const one of messages) expect(one.label_ids).toEqual([row.folded])
      const { threads } = await get(`/threads?label=${name}`)
      expect(threads.map(({ id }: { id: string }) => id)).toEqual(labelled('/threads?label=Wichtig'))
      for (const one of threads) expect(one.labels).toEqual(name === 'UNREAD' ? [] : [row.folded])
      const off = await service.call('POST', `/labels/${row.folded}/unassign`, {
        body: { message_id: ids[0] },
      })
      expect(off).toMatchObject({ status: 200, body: { labels: [] } })
      expect((await get(`/messages?label=${name}`)).messages).toHaveLength(ids.length - 1)
      expect(ownOf((await get('/labels')).labels)).toEqual([])
    },
  )

  it('erases nothing that an account had labelled trash by itself', async () => {
    const options = { ...database.options, secret: released.secret }
    options.data ??= await temporaryFolder()
    const [label] = released.tables.labels!.filter((row) => row.name === 'Wichtig')
    await loadRecord(options, beforeSystemLabels({ ...label!, name: 'Trash', folded: 'trash' }))
    const clock = new JumpClock()
    await using service = await openService(options, { clock })
    const inTrash = async () => {
      const { messages } = (await service.call('GET', '/messages?label=trash')).body
      return messages.map(({ id }: { id: string }) => id).sort()
    }
    const own = await inTrash()
    expect(own.length).toBeGreaterThan(0)
    await service.mail({ subject: 'thrown away' })
    const [{ id: message_id }] = (await service.call('GET', '/messages?q=subject:thrown')).body.messages
    await service.call('POST', '/labels/trash/assign', { body: { message_id } })
    expect(await inTrash()).toEqual([...own, message_id].sort())
    clock.jump(31 * 24 * hourMs)
    await expect
      .poll(() => {
        clock.jump(hourMs)
        return inTrash()
      })
      .toEqual(own)
  })

  describe('that the first release filled', () => {
    const { facts, answers } = released
    let service: QuietService
    let clock: JumpClock
    let options: ServiceOptions
    beforeEach(async () => {
      options = { secret: released.secret, ...database.options }
      options.data ??= await temporaryFolder() // large mails of then are files
      await loadRecord(options, released)
      clock = new JumpClock(Date.parse(released.madeAt))
      service = await openService({ ...options, verifyOperators: true }, { clock })
    })
    afterEach(() => service[Symbol.asyncDispose]())
    const get = async (path: string) => (await service.call('GET', path)).body
    const statusOf = async (id: string) => (await get(`/messages/${id}`)).delivery_status

    it('is read as it was, by the keys of then', async () => {
      expect(service.home).toEqual(facts.home)
      for (const [path, answer] of Object.entries(answers)) {
        const now = await get(path)
        if (typeof answer === 'string') expect(now, path).toBe(answer)
        else if (path === '/labels') expect(ownOf(now.labels)).toEqual(ownOf((answer as Labels).labels))
        else expect(now, path).toMatchObject(answer as object)
      }
      const account = await service.call('GET', '/account', { key: facts.agent.key })
      expect(account.body).toMatchObject({ sending_status: 'unclaimed' })
      const again = await service.call('POST', '/agent-signups', {
        key: null,
        headers: { 'idempotency-key': 'k'.repeat(43) },
        body: { local_part: 'agent-of-old' },
      })
      expect([again.status, again.body.api_key]).toEqual([200, facts.agent.key])
    })

    it('has its operators, consumers and claimed accounts as they were', async () => {
      const browser = new Browser(service.service)
      expect((await browser.sign('sign-in', facts.operator)).status).toBe(200)
      const { accounts } = (await browser.call('GET', '/accounts')).body
      expect(accounts).toMatchObject([{ tenant_id: facts.claimed.accountId, sending_status: 'enabled' }])
      expect((await service.call('GET', '/account', { key: facts.claimed.key })).status).toBe(200)
      clock.jump(hourMs)
      const lease = await service.call('POST', '/consumers/worker/lease', { body: { max: 9 } })
      const subjects = lease.body.deliveries.map(
        (one: { message: { subject: string } }) => one.message.subject,
      )
      expect(subjects).not.toContain('Both')
      expect(subjects).toHaveLength(3)
    })

    it('verifies operators who had claimed an account, and no others', async () => {
      const claim = async (step: string, operator: object) => {
        const browser = new Browser(service.service)
        expect((await browser.sign(step, operator)).status).toBe(200)
        const headers = { 'idempotency-key': step.padEnd(43, 'c') }
        const { body } = await service.call('POST', '/agent-signups', { key: null, headers, body: {} })
        const token = secretOf(body.claim_url)
        const preview = await browser.call('POST', '/claim/preview', { token })
        return [preview.body.verification, (await browser.call('POST', '/claim', { token })).status]
      }
      expect(await claim('sign-in', facts.operator)).toEqual(['verified', 200])
      const other = { email: 'new-one@example.com', password: 'correct horse battery' }
      expect(await claim('sign-up', other)).toEqual(['unverified', 403])
    })

    it('finishes what was under way, and takes and sends mail', async () => {
      const { inboxId: inbox_id } = facts.home
      const draftStatus = async () => (await get(`/drafts/${facts.laterId}`)).status
      await expect
        .poll(async () => {
          clock.jump(hourMs)
          return [await statusOf(facts.sentId), await draftStatus()]
        })
        .toEqual(['sent', 'sent'])
      const body = {
        ...{ inbox_id, to: ['cy@example.com'], subject: 'Waits', text: 'queued', client_id: 'old-send' },
      }
      const replay = await service.call('POST', '/messages', { body })
      expect(replay.body).toMatchObject({ id: facts.sentId, idempotent: true })
      const attached = await service.call('POST', '/messages', {
        body: { ...body, client_id: 'new', attachments: [{ upload_id: facts.uploadId }] },
      })
      expect(attached.body).toMatchObject({ idempotent: false })
      await service.mail({ subject: 'Re: Plain', inReplyTo: '<plain@example.com>', text: 'third' })
      const { thread_id } = await get(`/messages/${facts.plainId}`)
      expect((await get(`/threads/${thread_id}`)).message_count).toBe(3)
      await expect(service.mail({ to: facts.goneAddress })).rejects.toThrow(/5\.1\.6|5\.2\.1/)
      await expect(service.mail({ from: 'x@spam.example.com' })).rejects.toThrow(/5\.7\.1/)
    })

    it('tells of each message, and of the newest of each thread, where it came to be', async () => {
      const { messages } = await get('/messages?limit=100&include=spam')
      const { events } = await get('/events?after=0&limit=500')
      type Told = { id: string; last_message_id?: string } & Record<string, unknown>
      const toldIn = (type: RegExp) =>
        events.flatMap((event: { type: string; seq: number; data: Told }) =>
          type.test(event.type) ? [{ ...event.data, at: event.seq }] : [],
        ) as (Told & { at: number })[]
      const first = new Map(toldIn(/^message\.(received|queued)$/).map(({ id, at }) => [id, at]))
      expect(messages.length).toBeGreaterThan(2)
      for (const { id, created_seq } of messages) {
        expect(created_seq).toBe(first.get(id))
        for (const one of toldIn(/^(message|label)\./))
          if (one.id === id) expect(one.created_seq).toBe(created_seq)
        const { messages: found } = await get(`/messages?after_seq=${created_seq - 1}&to_seq=${created_seq}`)
        expect(found.map((one: { id: string }) => one.id)).toEqual([id])
      }
      const { threads } = await get('/threads?include=spam')
      for (const one of [...threads, ...toldIn(/^thread\.(updated|merged)$/)] as Told[]) {
        const newest = messages.find(({ id }: { id: string }) => id === one.last_message_id)
        if (newest) expect(one.last_message_created_seq).toBe(newest.created_seq)
      }
    })

    it('S3: is read on from a cursor of then, and searched', async () => {
      const { events } = answers['/events?after=0&limit=500'] as { events: { seq: number }[] }
      const cursor = events.at(-4)!.seq
      await service.mail({ subject: 'new' })
      const page = await get(`/events?after=${cursor}&limit=500`)
      expect(page.events.slice(0, 3)).toMatchObject(events.slice(-3))
      expect(page.events.map((event: { seq: number }) => event.seq)).toEqual(
        Array.from({ length: page.head - cursor }, (_, i) => cursor + i + 1),
      )
      await expect
        .poll(async () => {
          clock.jump(60_000)
          return (await get('/messages?q=quoted')).messages.map((one: { id: string }) => one.id)
        })
        .toEqual([facts.plainId])
    })
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
