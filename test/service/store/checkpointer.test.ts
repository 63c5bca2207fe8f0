import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCheckpointer } from '../../../src/service/store/checkpointer'
import { openLibsql } from '../../../src/service/store/libsql-database'

test('what a flood commits comes into the database file without the writer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'restante-test-'))
  const file = join(folder, 'some.sqlite')
  const database = openLibsql(file)
  for (const text of ['pragma journal_mode = wal', 'pragma wal_autocheckpoint = 0', 'create table t (a)'])
    database.exec(text)
  const checkpointer = createCheckpointer(file)
  onTestFinished(async () => {
    await checkpointer.close()
    database.close()
    await rm(folder, { recursive: true })
  })
  const insert = database.prepare('insert into t values (?)')
  for (let i = 0; i < 128; i++) {
    insert.run(['x'.repeat(4_000)])
    checkpointer.committed()
  }
  await expect.poll(() => statSync(file).size).toBeGreaterThan(64 * 4_000)
  // The writer goes on meanwhile.
  insert.run(['last'])
  expect(database.prepare('select count(*) as rows from t').all([])).toEqual([{ rows: 129 }])
})
