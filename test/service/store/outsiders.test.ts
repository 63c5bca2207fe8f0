import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createGroupCommit } from '../../../src/service/store/group-commit'
import { connectLibsql, openLibsql } from '../../../src/service/store/libsql-database'
import { databaseFile, openSqlite } from '../../../src/service/store/open-sqlite'
import type { Database } from '../../../src/service/store/tables/schema'

// Somebody looks into the database of a service with a tool of their own.

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'restante-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Holds a file so that nobody else can even read it, as whoever repairs it does; for a moment, in a thread of its own. */
async function holdForAMoment(file: string): Promise<void> {
  const holder = new Worker(
    `const { parentPort, workerData: file } = require('node:worker_threads')
    const Database = require('libsql')
    const database = new Database(file)
    for (const text of ['pragma locking_mode = exclusive', 'pragma journal_mode = wal', 'begin immediate']) database.exec(text)
    parentPort.postMessage('held')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    database.exec('rollback')
    database.close()`,
    { eval: true, workerData: file },
  )
  await once(holder, 'message')
}

test('a service starts where somebody holds its database for a moment', async () => {
  const folder = await emptyFolder()
  await holdForAMoment(databaseFile(folder))
  await (await openSqlite(folder)).close()
})

test('a service writes again once somebody has let go of its database', async () => {
  const file = join(await emptyFolder(), 'some.sqlite')
  const outside = openLibsql(file)
  for (const text of ['pragma journal_mode = wal', 'create table t (a)']) outside.exec(text)
  const db = connectLibsql(openLibsql(file, 0))
  onTestFinished(() => db.destroy())
  const { write } = createGroupCommit(db, {
    settled: async () => {},
    number: async () => ({ number: 1, at: '' }),
    onCommit: () => {},
  })
  const insert = (executor: Kysely<Database>, value: number) =>
    sql`insert into t values (${sql.lit(value)})`.execute(executor)

  outside.exec('begin immediate')
  await expect(write((tx) => insert(tx, 1))).rejects.toThrow('locked')
  await expect(insert(db, 2)).rejects.toThrow('locked')
  outside.exec('rollback')
  outside.close()

  await write((tx) => insert(tx, 3))
  await insert(db, 4)
  expect((await sql`select * from t`.execute(db)).rows).toEqual([{ a: 3 }, { a: 4 }])
})

test('whoever reads for long keeps what was deleted in the log, and the service is told', async () => {
  const folder = await emptyFolder()
  const store = await openSqlite(folder)
  const outside = openLibsql(databaseFile(folder))
  outside.exec('begin')
  outside.prepare('select count(*) from accounts').all([])
  await store.write((tx) => sql`create table t (a)`.execute(tx))
  expect(await store.scrub()).toBe(false)
  outside.exec('rollback')
  outside.close()
  expect(await store.scrub()).toBe(true)
  await store.close()
})

test('a database that is closed ends the writes that found no time in its last transaction', async () => {
  const folder = await emptyFolder()
  const store = await openSqlite(folder)
  await store.write((tx) => sql`create table t (a)`.execute(tx))
  const slow = (value: number) =>
    store.write(async (tx) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
      return sql`insert into t values (${sql.lit(value)})`.execute(tx)
    })
  const writes = [1, 2, 3].map(slow)
  const [, ...settled] = await Promise.all([store.close(), ...writes.map((one) => one.then(() => 'written'))])
  expect(settled).toEqual(['written', 'written', 'written'])
})
