import { type Selectable, sql } from 'kysely'
import type { ServiceOptions } from 'restante/service'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/service/store/open-postgres'
import { openSqlite } from '../../../src/service/store/open-sqlite'
import type { Store } from '../../../src/service/store/store'
import type { MessageTable } from '../../../src/service/store/tables/mail-tables'
import { describeDatabases, type TestDatabase } from '../../support/databases'

const open = (options: ServiceOptions): Promise<Store> =>
  options.databaseUrl === undefined ? openSqlite(options.data) : openPostgres(options.databaseUrl)

const emptyMessage: Selectable<MessageTable> = {
  ...{ tenant_id: 't', id: '', inbox_id: '', thread_id: '', direction: '', from_addr: '', from_name: null },
  ...{
    to_addrs: '',
    cc_addrs: '',
    bcc_addrs: '',
    reply_to: '',
    list: null,
    subject: '',
    preview: '',
    delivery_status: '',
  },
  ...{
    delivery_detail: null,
    rfc822_message_id: null,
    in_reply_to: null,
    reference_ids: '',
    flaws: '',
    size: 0,
  },
  ...{
    auto_submitted: '',
    auto_reason: null,
    via: null,
    invitation: null,
    program_author: null,
    unanswerable: null,
    authentication: null,
    new_participant: 0,
    report: null,
    about_message_id: null,
    sent_at: null,
    received_at: null,
    created_at: '',
    has_attachment: 0,
    created_seq: 0,
    seq: 0,
    raw: null,
  },
  ...{
    mail_from: '',
    blob_hash: null,
    content_hash: '',
    reply_text: null,
    text_start: null,
    body_text: '',
    body_html: null,
    headers: '',
    label_ids: '',
    traceparent: null,
    sent_by: null,
    approved_by: null,
  },
}

describeDatabases('the store', (openDatabase) => {
  let database: TestDatabase
  let store: Store
  beforeEach(async () => {
    database = await openDatabase()
    store = await open(database.options)
  })
  afterEach(async () => {
    await store.close()
    await database.drop()
  })
  const set = (key: string, value: string) =>
    store.write((tx) => tx.insertInto('host').values({ key, value }).execute())
  const keys = async () =>
    (await store.db.selectFrom('host').select('key').orderBy('key').execute()).map((row) => row.key)

  it('keeps what was written after it is opened again', async () => {
    await set('a', '1')
    await store.close()
    store = await open(database.options)
    expect(await keys()).toEqual(['a'])
  })

  it('undoes the whole of a write that fails, and nothing of those beside it', async () => {
    const results = await Promise.allSettled([
      set('a', '1'),
      store.write(async (tx) => {
        await tx.insertInto('host').values({ key: 'b', value: '1' }).execute()
        throw new Error('changed my mind')
      }),
      set('c', '1'),
    ])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await keys()).toEqual(['a', 'c'])
  })

  it('undoes a write that the database refuses, and goes on', async () => {
    await set('a', '1')
    await expect(set('a', '2')).rejects.toThrow(/unique|duplicate/i)
    await set('b', '1')
    expect(await keys()).toEqual(['a', 'b'])
  })

  it('shows nothing of a write before it is committed', async () => {
    let seen: string[] | undefined
    const read: Promise<unknown>[] = []
    await store.write(async (tx) => {
      await tx.insertInto('host').values({ key: 'a', value: '1' }).execute()
      read.push(keys().then((found) => (seen = found)))
      await tx.insertInto('host').values({ key: 'b', value: '1' }).execute()
    })
    await Promise.all(read)
    expect([[], ['a', 'b']]).toContainEqual(seen)
  })

  it('gives numbers, bytes, nulls and text of every script back as they were', async () => {
    const text = 'Grüße 你好 🎉 \\ \' " %s'
    const raw = new Uint8Array([0, 255, 13, 10, 0])
    const rows = [
      { ...emptyMessage, id: 'a', subject: text, raw, size: 2 ** 40 },
      { ...emptyMessage, id: 'b', raw: null },
    ]
    await store.write((tx) => tx.insertInto('messages').values(rows).execute())
    const found = await store.db.selectFrom('messages').selectAll().orderBy('id').execute()
    const plain = (row: (typeof found)[number]) => ({ ...row, raw: row.raw && new Uint8Array(row.raw) })
    expect(found.map(plain)).toEqual(rows)
    const one = (id: string) =>
      store.db.selectFrom('messages').selectAll().where('id', '=', id).limit(sql.lit(1)).execute()
    for (const row of rows) expect((await one(row.id)).map(plain)).toEqual([row])
    expect(await one('none')).toEqual([])
  })

  it('orders text by its bytes on both databases', async () => {
    for (const key of ['b', 'B', 'a', '_', 'é', '-']) await set(key, '')
    expect(await keys()).toEqual(['-', 'B', '_', 'a', 'b', 'é'])
  })

  it('can be opened by several at once', async () => {
    if (database.options.databaseUrl === undefined) return
    const fresh = await openDatabase('new')
    const stores = await Promise.all([open(fresh.options), open(fresh.options), open(fresh.options)])
    expect(stores).toHaveLength(3)
    await Promise.all(stores.map((one) => one.close()))
    await fresh.drop()
  })
})

describe('SQLite', () => {
  it('groups the writes of one turn, each seeing those before it', async () => {
    const store = await openSqlite()
    const counts = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        store.write(async (tx) => {
          await tx
            .insertInto('host')
            .values({ key: String(i), value: '' })
            .execute()
          return (await tx.selectFrom('host').selectAll().execute()).length
        }),
      ),
    )
    expect(counts).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
    await store.close()
  })

  it('replaces U+0000, at which the driver would cut the text off', async () => {
    const store = await openSqlite()
    await store.write((tx) => tx.insertInto('host').values({ key: 'a', value: 'one\0two' }).execute())
    expect((await store.db.selectFrom('host').selectAll().execute())[0]?.value).toBe('one\uFFFDtwo')
    await store.close()
  })
})

describe('bad places for data', () => {
  it('refuses a folder that another service uses, naming it', async () => {
    const { mkdtemp, rm } = await import('node:fs/promises')
    const folder = await mkdtemp('/tmp/restante-')
    const store = await openSqlite(folder)
    await expect(openSqlite(folder)).rejects.toMatchObject({
      code: 'data_folder_in_use',
      message: expect.stringContaining(`process ${process.pid}`),
    })
    await store.close()
    await (await openSqlite(folder)).close()
    await rm(folder, { recursive: true })
  })

  it('refuses a folder that cannot be made', async () => {
    await expect(openSqlite('/dev/null/data')).rejects.toMatchObject({
      code: 'data_folder_unusable',
      message: expect.stringContaining('--data'),
    })
  })

  it('says that a database cannot be reached without saying the password', async () => {
    const failed = openPostgres('postgres://ana:hunter2@127.0.0.1:1/none')
    await expect(failed).rejects.toMatchObject({ code: 'database_unreachable' })
    await expect(failed).rejects.not.toThrow(/hunter2/)
  })
})
