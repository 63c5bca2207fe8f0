import { sql } from 'kysely'
import type { ServiceOptions } from 'restante/service'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { administerWaiting } from '../../../src/service/administer'
import { Browser } from '../../support/console'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { loadRecord, makeTables, readRecord } from '../../support/recorded-database'
import { startService, type TestService } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'

const first = readRecord('database-0001.json.gz')
const previous = readRecord('database-0017.json.gz')
const hourMs = 3_600_000

/** The index of words as PostgreSQL had it, where it would not be made anew. */
async function indexAsThen(options: ServiceOptions, { facts }: typeof previous): Promise<void> {
  const db = await openBeside(options)
  const { tenantId } = facts.home
  const words = `'tenant${tenantId.replace('_', '')}':1 'first':9 'plain':3 'quoted':10 'subject/plain':3`
  await sql`insert into search_documents (tenant_id, message_id, created_seq, words)
    select tenant_id, id, created_seq, ${words}::tsvector from messages where id = ${facts.plainId}`.execute(
    db,
  )
  await sql`insert into search_cursors (tenant_id, seq)
    select tenant_id, seq from accounts where tenant_id = ${tenantId}`.execute(db)
  await db.destroy()
}

describeDatabases('a database of another version', (openDatabase) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openDatabase('new')
  })
  afterEach(() => database.drop())

  it('is brought up to date by several nodes at once where there may be some, and mail flows', async () => {
    await makeTables(database.options, first.steps)
    const nodes = await Promise.all(
      Array.from({ length: database.options.databaseUrl ? 2 : 1 }, () => startService(database.options)),
    )
    for (const node of nodes) await node.mail({ subject: 'new' })
    expect((await nodes[0]!.call('GET', '/messages')).body.messages).toHaveLength(nodes.length)
    for (const node of nodes) await node[Symbol.asyncDispose]()
  })

  it('is refused in one line where a newer version made it, and let go', async () => {
    const service = await startService(database.options)
    await service[Symbol.asyncDispose]()
    const db = await openBeside(database.options)
    await sql`insert into kysely_migration values ('9999-future', 'now')`.execute(db)
    await db.destroy()
    for (let i = 0; i < 2; i++)
      await expect(startService(database.options)).rejects.toMatchObject({
        code: 'database_too_new',
        message: expect.stringContaining('9999-future'),
      })
  })

  it('lets nothing go that was put aside, until somebody says so', async () => {
    const { secret, facts, madeAt } = first
    const options = { secret, data: await temporaryFolder(), ...database.options }
    await loadRecord(options, first)
    const db = await openBeside(options)
    for (const statement of [
      'update accounts set sending_paused_at = created_at',
      "update jobs set run_at = '9999-12-31T23:59:59.999Z' where queue in ('delivery', 'drafts')",
      "update jobs set queue = 'held:drafts' where queue = 'drafts'",
    ])
      await sql.raw(statement).execute(db)
    const clock = new JumpClock(Date.parse(madeAt))
    const service = await startService(options, { clock })
    clock.jump(2 * hourMs)
    const waiting = async () =>
      await db
        .selectFrom('jobs')
        .select(['queue', 'held'])
        .where('held', 'is not', null)
        .orderBy('queue')
        .execute()
    expect(await waiting()).toEqual([
      { queue: 'delivery', held: 'account' },
      { queue: 'drafts', held: 'restored' },
    ])
    await service.service.admin.resume(facts.home.tenantId)
    const status = async (path: string) => (await service.call('GET', path)).body
    await expect.poll(() => status(`/messages/${facts.sentId}`)).toMatchObject({ delivery_status: 'sent' })
    expect(await status(`/drafts/${facts.laterId}`)).toMatchObject({ status: 'scheduled' })
    expect(await waiting()).toEqual([{ queue: 'drafts', held: 'restored' }])
    expect(await administerWaiting(options, 'send-held')).toBe(1)
    await expect
      .poll(() => {
        clock.jump(5_000)
        return status(`/drafts/${facts.laterId}`)
      })
      .toMatchObject({ status: 'sent' })
    await db.destroy()
    await service[Symbol.asyncDispose]()
  })

  it('is listed by label in order, without what was being erased', async () => {
    const { secret, facts } = first
    const options = { secret, data: await temporaryFolder(), ...database.options }
    await loadRecord(options, first)
    const db = await openBeside(options)
    const rows = await db
      .selectFrom('messages')
      .select(['id', 'thread_id'])
      .where('tenant_id', '=', facts.home.tenantId)
      .orderBy('created_seq', 'desc')
      .execute()
    const erased = rows[0]!.thread_id
    const job = `insert into jobs (tenant_id, id, queue, run_at, created_at, data) select tenant_id, 'job_of_old', 'erase',
      '9999', created_at, '{"of":"thread","id":"${erased}"}' from threads where id = '${erased}'`
    for (const statement of [
      `insert into message_labels (tenant_id, label_id, message_id)
        select labels.tenant_id, labels.id, messages.id from labels
        join messages on messages.tenant_id = labels.tenant_id where true on conflict do nothing`,
      job,
      `delete from threads where id = '${erased}'`,
    ])
      await sql.raw(statement).execute(db)
    await db.destroy()
    const service = await startService(options)
    const listed: string[] = []
    for (let path: string | null = '/messages?label=Wichtig&limit=1'; path && listed.length < rows.length; ) {
      const { body } = await service.call('GET', path)
      listed.push(...body.messages.map((one: { id: string }) => one.id))
      path = body.next_cursor && `/messages?label=Wichtig&limit=1&cursor=${body.next_cursor}`
    }
    expect(listed).toEqual(rows.filter((row) => row.thread_id !== erased).map((row) => row.id))
    expect(listed.length).toBeGreaterThan(2)
    await service[Symbol.asyncDispose]()
  })

  it('has its operators, consumers and claimed accounts as they were', async () => {
    const { secret, facts, madeAt } = previous
    const options = { secret, data: await temporaryFolder(), ...database.options }
    await loadRecord(options, previous)
    const service = await startService(options, { clock: new JumpClock(Date.parse(madeAt) + hourMs) })
    const browser = new Browser(service.service)
    expect((await browser.sign('sign-in', facts.operator)).status).toBe(200)
    const { accounts } = (await browser.call('GET', '/accounts')).body
    expect(accounts).toMatchObject([{ tenant_id: facts.claimed!.accountId, sending_status: 'enabled' }])
    expect((await service.call('GET', '/account', { key: facts.claimed!.key })).status).toBe(200)
    const lease = await service.call('POST', '/consumers/worker/lease', { body: { max: 9 } })
    const subjects = lease.body.deliveries.map((one: { message: { subject: string } }) => one.message.subject)
    expect(subjects).not.toContain('Both')
    expect(subjects).toHaveLength(3)
    await service[Symbol.asyncDispose]()
  })

  it('finds phrases in what it had in its index', async () => {
    const { secret, facts, madeAt } = previous
    const options = { secret, data: await temporaryFolder(), ...database.options }
    await loadRecord(options, previous)
    if (options.databaseUrl) await indexAsThen(options, previous)
    const service = await startService(options, { clock: new JumpClock(Date.parse(madeAt)) })
    const found = async (q: string) =>
      (await service.call('GET', `/messages?q=${encodeURIComponent(q)}`)).body.messages
    expect(await found('"first quoted"')).toMatchObject([{ id: facts.plainId }])
    expect(await found('"quoted first"')).toEqual([])
    await service[Symbol.asyncDispose]()
  })

  describe.each([
    ['the first version', first],
    ['the version before', previous],
  ])('that %s filled', (_version, record) => {
    const { facts, answers } = record
    let service: TestService
    let clock: JumpClock
    let options: ServiceOptions
    beforeEach(async () => {
      options = { secret: record.secret, ...database.options }
      options.data ??= await temporaryFolder() // large mails of then are files
      await loadRecord(options, record)
      clock = new JumpClock(Date.parse(record.madeAt))
      service = await startService(options, { clock })
    })
    afterEach(() => service[Symbol.asyncDispose]())
    const get = async (path: string) => (await service.call('GET', path)).body
    const statusOf = async (id: string) => (await get(`/messages/${id}`)).delivery_status

    it('is read as it was, by the keys of then', async () => {
      expect(service.home).toEqual(facts.home)
      for (const [path, answer] of Object.entries(answers)) {
        const now = await get(path)
        if (typeof answer === 'string') expect(now, path).toBe(answer)
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

    it('is narrowed by labels and attachments of then', async () => {
      const found = async (query: string) =>
        (await get(`/messages?${query}`)).messages.map((one: { subject: string }) => one.subject)
      expect(await found('label=wichtig')).toEqual(['Plain'])
      expect(await found('has_attachment=true')).toEqual(['Große Datei'])
      expect(await found('has_attachment=false&label=Wichtig')).toEqual(['Plain'])
      const { threads } = await get('/threads?label=Wichtig')
      expect(threads).toMatchObject([{ subject: 'Plain', message_count: 2 }])
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
