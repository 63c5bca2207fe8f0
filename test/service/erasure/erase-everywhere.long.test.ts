import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { administer } from '../../../src/service/admin/administer'
import { readSettings } from '../../../src/service/settings'
import { openPostgres } from '../../../src/service/store/open-postgres'
import { openSqlite } from '../../../src/service/store/open-sqlite'
import type { Store } from '../../../src/service/store/store'
import { tenantTables } from '../../../src/service/store/tables/tenant-tables'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'

const marker = 'Qwyzzelbaum'
const hourMs = 3_600_000
const dayMs = 24 * hourMs

describeDatabases('erasure everywhere', (openDatabase) => {
  let database: TestDatabase
  let service: QuietService
  let clock: JumpClock
  const start = async () => {
    service = await openService({ ...database.options, webhooksAllowPrivate: true }, { clock })
  }
  /** Looks into the database while no service runs on it. */
  async function look<T>(work: (store: Store) => Promise<T>): Promise<T> {
    await service[Symbol.asyncDispose]()
    const { data, databaseUrl } = database.options
    const store = databaseUrl === undefined ? await openSqlite(data) : await openPostgres(databaseUrl)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  beforeEach(async () => {
    database = await openDatabase()
    clock = new JumpClock()
    await start()
  })
  afterEach(async () => {
    await service[Symbol.asyncDispose]()
    await database.drop()
  })

  /** Finds the marker: table and column, or file. */
  async function findMarker(): Promise<string[]> {
    const found = await look(async (store) => {
      const places: string[] = []
      for (const { name } of await tenantTables(store.db, store.dialect)) {
        const rows = await store.db
          .selectFrom(name as 'messages')
          .selectAll()
          .execute()
        for (const row of rows)
          for (const [column, value] of Object.entries(row))
            if (Buffer.from(value instanceof Uint8Array ? value : String(value)).includes(marker))
              places.push(`${name}.${column}`)
      }
      return places
    })
    const { data } = database.options
    const files = data === undefined ? [] : readdirSync(data, { recursive: true, withFileTypes: true })
    for (const file of files.filter((entry) => entry.isFile()))
      if (readFileSync(join(file.parentPath, file.name)).includes(marker)) found.push(file.name)
    return [...new Set(found)]
  }

  /** Within the hours that follow, whatever process there is then. */
  const expectNowhere = () =>
    expect
      .poll(
        async () => {
          clock.jump(hourMs)
          const places = await findMarker()
          await start()
          return places
        },
        { interval: 1_500 },
      )
      .toEqual([])

  const key = 'k'.repeat(43)
  const signUp = async (body: object = {}) =>
    (await service.call('POST', '/agent-signups', { key: null, headers: { 'idempotency-key': key }, body }))
      .body

  async function fill(to: string): Promise<void> {
    await service.mail({
      to,
      from: `${marker} <${marker}@example.com>`,
      subject: marker,
      text: `${marker} ${'x'.repeat(90_000)}`,
      html: `<p>${marker}</p>`,
      headers: { 'X-Secret': marker },
      attachments: [{ filename: `${marker}.txt`, content: marker }],
    })
  }

  it('of a draft takes what the log told of it, and its files', async () => {
    const { inboxId } = service.home
    const content = Buffer.from(`${marker} ${'y'.repeat(90_000)}`).toString('base64')
    const attachments = [{ filename: `${marker}.txt`, content_base64: content }]
    const body = {
      inbox_id: inboxId,
      to: [`${marker}@example.com`],
      subject: marker,
      text: marker,
      attachments,
    }
    const { id } = (await service.call('POST', '/drafts', { body })).body
    await service.call('PATCH', `/drafts/${id}`, { body: { subject: `${marker} 2` } })
    const kept = (await service.call('POST', '/drafts', { body: { inbox_id: inboxId, subject: 'stays' } }))
      .body
    expect((await service.call('DELETE', `/drafts/${id}`)).status).toBe(204)
    const { events } = (await service.call('GET', '/events?after=0')).body
    expect(events.find((event: { data: { id: string } }) => event.data.id === kept.id).data.subject).toBe(
      'stays',
    )
    expect(JSON.stringify(events)).not.toContain(marker)
    await expectNowhere()
  })

  it('of an account that nobody claimed leaves its status and its address, and nothing of its mail', async () => {
    const { api_key, inbox, tenant_id } = await signUp({ local_part: 'left-alone' })
    await fill(inbox.address)
    expect((await findMarker()).length).toBeGreaterThan(5)
    await start()
    clock.jump(38 * dayMs)
    await expect
      .poll(async () => (await service.call('GET', '/account', { key: api_key })).body)
      .toMatchObject({ tenant_id, expired: true, sending_status: 'expired' })
    clock.jump(hourMs)
    expect((await signUp({ local_part: 'left-alone' })).inbox).toEqual(inbox)
    await expectNowhere()
  })

  it('of an account by its host leaves nothing but its address and the hashes of its keys', async () => {
    const { api_key, inbox, tenant_id } = await signUp({ name: marker })
    await fill(inbox.address)
    const erase = (account: string) => administer(readSettings(database.options), 'erase', { account })
    await expect(erase(service.home.tenantId)).rejects.toMatchObject({ code: 'home_account' })
    expect(await erase(inbox.address)).toMatchObject({ tenant_id, sending_status: 'suspended' })
    const isGone = { status: 404, body: { error: 'account_not_found' } }
    const askAgain = async () => {
      expect(await service.call('GET', '/account', { key: api_key })).toMatchObject(isGone)
      expect(await service.call('GET', '/messages', { key: api_key })).toMatchObject(isGone)
      const headers = { 'idempotency-key': key }
      for (const body of [{ name: marker }, {}])
        expect(await service.call('POST', '/agent-signups', { key: null, headers, body })).toMatchObject(
          isGone,
        )
      const wrong = await service.call('GET', '/account', { key: `${api_key}x` })
      expect(wrong).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    }
    await askAgain()
    await expect(service.mail({ to: inbox.address })).rejects.toThrow(/5\.1\.6|5\.2\.1/)
    await expectNowhere()
    await askAgain()
    const tables = await look(async (store) => {
      const found = await tenantTables(store.db, store.dialect)
      const rows = await Promise.all(
        found.map(({ name }) =>
          store.db
            .selectFrom(name as 'messages')
            .select('tenant_id')
            .where('tenant_id', '=', tenant_id)
            .execute(),
        ),
      )
      return found.filter((_, i) => rows[i]!.length > 0).map(({ name }) => name)
    })
    expect(tables.sort()).toEqual(['addresses', 'api_keys', 'signups'])
  })

  it('goes on after a crash at any step, and leaves no row behind', async () => {
    const { inboxes } = (await service.call('GET', '/inboxes')).body
    const desk = (await service.call('POST', '/inboxes', { body: { local_part: 'desk' } })).body
    await fill(desk.address)
    await service.mail({ subject: 'stays' })
    const count = 900
    await look(async (store) => {
      const row = await store.db
        .selectFrom('messages')
        .selectAll()
        .where('inbox_id', '=', desk.id)
        .executeTakeFirstOrThrow()
      const copies = Array.from({ length: count }, (_, i) => ({
        ...row,
        id: `msg_copy${i}`,
        created_seq: row.created_seq,
      }))
      for (let at = 0; at < count; at += 20)
        await store.write((tx) =>
          tx
            .insertInto('messages')
            .values(copies.slice(at, at + 20))
            .execute(),
        )
    })
    await start()
    expect((await service.call('DELETE', `/inboxes/${desk.id}`)).status).toBe(204)
    const left = () =>
      look(async (store) => {
        const rows = await store.db
          .selectFrom('messages')
          .select('id')
          .where('inbox_id', '=', desk.id)
          .execute()
        return rows.length
      })
    await expect
      .poll(async () => {
        const rows = await left()
        await start() // stopped wherever it was
        return rows
      })
      .toBe(0)
    const { messages } = (await service.call('GET', '/messages')).body
    expect(messages).toMatchObject([{ subject: 'stays', inbox_id: inboxes[0].id }])
    await expectNowhere()
  })

  it('S9: a cursor before what the log keeps is told so, and the rest is dense', async () => {
    await service.mail({ subject: 'old' })
    const old = (await service.call('GET', '/events?after=0')).body
    clock.jump(20 * dayMs)
    // Its sender tries again: a partition that is cut as the clock jumps takes nothing of a time so far ahead.
    const accepted = () => service.mail({ subject: 'young' }).then(() => 'accepted', String)
    await expect.poll(accepted).toBe('accepted')
    clock.jump(11 * dayMs)
    await expect
      .poll(async () => {
        clock.jump(6 * hourMs) // the look before the last jump may have ended after it, and waits another hour
        return (await service.call('GET', '/events?after=0')).status
      })
      .toBe(410)
    expect((await service.call('GET', '/events?after=0')).body.error).toBe('cursor_expired')
    const { events, head } = (await service.call('GET', `/events?after=${old.head}`)).body
    expect(events.map((event: { seq: number }) => event.seq)).toEqual([head - 1, head])
    expect((await service.call('GET', '/messages')).body.messages).toHaveLength(2)
  })
})
