import { vector } from '@electric-sql/pglite-pgvector'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalSignals } from '../../../src/service/log'
import type { Embedding } from '../../../src/service/ports'
import { dropModel, insertModel, modelsOf } from '../../../src/service/search/semantic/models'
import { appended, readPacked } from '../../../src/service/search/semantic/packed'
import {
  appendRows,
  nearestRows,
  openPgvector,
  type Pgvector,
} from '../../../src/service/search/semantic/pgvector'
import { nearest, nearestAmong } from '../../../src/service/search/semantic/scan'
import { removeVectors } from '../../../src/service/search/semantic/vectors'
import { joinService } from '../../../src/service/service'
import { readSettings } from '../../../src/service/settings'
import type { Store } from '../../../src/service/store'
import { JumpClock } from '../../support/jump-clock'
import { openPglite } from '../../support/pglite'
import { caller } from '../../support/service'

let store: Store
let pgvector: Pgvector
beforeAll(async () => {
  store = await openPglite({ vector })
  const place = await openPgvector(store)
  expect(place.said).toMatch(/^The database compares meanings, by pgvector \d/)
  pgvector = place.pgvector!
})
afterAll(() => store.close())

const tenant = 'ten_1'
const mail = { tenant_id: tenant, inbox_id: null }
const dimensions = 24
let state = 3
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return state / 0x3fffffff - 1
}
function embedding(): Embedding {
  const numbers = Float32Array.from({ length: dimensions }, random)
  const length = Math.sqrt(numbers.reduce((sum, value) => sum + value * value, 0))
  return { vector: numbers.map((value) => value / length), confidence: Math.abs(random()) }
}
const all = Array.from({ length: 300 }, (_, i) => ({
  ...{ seq: 2 * i + 1, inboxId: i % 3 ? 'inb_1' : 'inb_2' },
  ...embedding(),
}))
const packed = new Map(
  ['inb_1', 'inb_2'].map((id) => {
    const own = all.filter(({ inboxId }) => inboxId === id)
    return [id, new Map([[1, readPacked(appended(undefined, own, dimensions))]])]
  }),
)

async function laid() {
  await store.write((tx) => insertModel(tx, mail, 0, { embedder: 'one', place: 'pgvector' }, undefined))
  const model = (await modelsOf(store.db, mail)).building!
  await store.write((tx) => appendRows(tx, pgvector, model, all))
  return model
}
const counted = async () =>
  Number(
    (await sql<{ n: number }>`select count(*) as n from search_vector_rows`.execute(store.db)).rows[0]!.n,
  )

it('finds exactly what a scan of packed vectors finds, with the same scores', async () => {
  const model = await laid()
  for (const inboxIds of [null, ['inb_2'], ['inb_1', 'inb_2'], []])
    for (const toSeq of [Number.MAX_SAFE_INTEGER, 301]) {
      const scope = { inboxIds, toSeq }
      const { vector: asked } = embedding()
      const found = await nearestRows(store.db, pgvector, model, {
        scope,
        vector: asked,
        wanted: { limit: 40 },
      })
      expect(found).toEqual(nearest(packed, scope, asked, 40))
      const among = found.seqs
      const like = [...among.subarray(0, 3)]
      expect(
        await nearestRows(store.db, pgvector, model, { scope, vector: asked, wanted: { among, like } }),
      ).toEqual(nearestAmong(packed, scope, asked, among, like))
    }
  // Vectors of another length are left out.
  const scope = { inboxIds: null, toSeq: 9_999 }
  const short = Float32Array.of(1, 0)
  const wanted = { limit: 9 }
  const nobody = { seqs: new Float64Array(), scores: new Float64Array(), confidences: new Float64Array() }
  expect(await nearestRows(store.db, pgvector, model, { scope, vector: short, wanted })).toEqual(nobody)
  // Nobody finds vectors of another account.
  const other = { ...model, tenant_id: 'ten_2' }
  expect(await nearestRows(store.db, pgvector, other, { scope, vector: all[0]!.vector, wanted })).toEqual(
    nobody,
  )

  await store.write((tx) => removeVectors(tx, tenant, [1, 3, 5]))
  expect(await counted()).toBe(all.length - 3)
  await store.write((tx) => dropModel(tx, model))
  expect(await counted()).toBe(0)
})

it('the whole service searches by it, says so at its start, and forgets what is erased', async () => {
  const said: string[] = []
  const log = (_: object, message: string) => void said.push(message)
  const logger = { error: log, warn: log, info: log, debug: log }
  // The database goes on for other tests when the service closes.
  const own = { ...store, close: async () => {} }
  const settings = readSettings({
    databaseUrl: 'postgres://in.this.process/',
    secret: 'a secret of the tests',
  })
  const clock = new JumpClock()
  const service = await joinService(settings, own, { logger, signals: createLocalSignals(), clock })
  try {
    expect(said).toContainEqual(expect.stringMatching(/^The database compares meanings, by pgvector/))
    const home = await service.home()
    const call = caller(service, home.apiKey)
    const envelope = {
      mailFrom: '',
      recipients: [home.address],
      remoteAddress: '127.0.0.1',
      heloName: 'test',
    }
    const words =
      'cargo depot pallet customs haulage dispatch freight container harbour loading driver'.split(' ')
    for (let i = 0; i < 64; i++) {
      const text = words.filter((_, place) => (Math.imul(i + 7, 2_654_435_761) >>> (place + 8)) & 1).join(' ')
      const raw = `From: Ana <ana@example.com>\r\nTo: ${home.address}\r\nSubject: Note ${i}\r\n\r\n${text}\r\n`
      await service.receive(envelope, new TextEncoder().encode(raw))
    }
    const search = async (mode: string) =>
      (await call('GET', `/messages?${new URLSearchParams({ q: 'haulage depot', mode, limit: '100' })}`)).body
    await search('keyword')
    clock.jump(10_000)
    await expect.poll(async () => (await search('semantic')).mode_used).toBe('semantic')
    for (const mode of ['semantic', 'hybrid']) {
      const { mode_used, messages } = await search(mode)
      expect(mode_used).toBe(mode)
      expect(messages.length, mode).toBeGreaterThan(20)
      await call('DELETE', `/messages/${messages[0].id}`)
      const left = (await search(mode)).messages.map(({ id }: { id: string }) => id)
      expect(left, mode).not.toContain(messages[0].id)
    }
    const stored = async () => {
      const { rows } = await sql<{ vectors: number; packed: number }>`select
        (select count(*) from search_vector_rows) as vectors, (select count(*) from search_vectors) as packed`.execute(
        own.db,
      )
      return rows.map((row) => [Number(row.vectors), Number(row.packed)])
    }
    await expect.poll(stored).toEqual([[62, 0]])
  } finally {
    await service.close()
  }
})
