import { sql } from 'kysely'
import type { ServiceOptions } from 'restante/service'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { loadRecord, makeTables, readRecord } from '../../support/recorded-database'
import { startService, type TestService } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'

const record = readRecord('database-0001.json.gz')
const { facts, answers } = record
const hourMs = 3_600_000

describeDatabases('a database of another version', (openDatabase) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openDatabase('new')
  })
  afterEach(() => database.drop())

  it('is brought up to date by several nodes at once where there may be some, and mail flows', async () => {
    await makeTables(database.options, record.steps)
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

  describe('that the first version filled', () => {
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
      clock.jump(hourMs * 2)
      await expect.poll(() => statusOf(facts.sentId)).toBe('sent')
      await expect.poll(async () => (await get(`/drafts/${facts.laterId}`)).status).toBe('sent')
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
