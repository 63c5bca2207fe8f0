import { expect, it, onTestFinished } from 'vitest'
import { type IndexPorts, indexMessages } from '../../../src/service/search/index-messages'
import { findEntry } from '../../../src/service/search/segments/block'
import { buildBlocks } from '../../../src/service/search/segments/build'
import { documentsOf } from '../../../src/service/search/segments/documents'
import { forgetDocuments } from '../../../src/service/search/segments/forget'
import { mergeSegments } from '../../../src/service/search/segments/merging'
import { atOnce } from '../../../src/service/search/segments/pauses'
import { readPostings } from '../../../src/service/search/segments/postings'
import { purgeSegments } from '../../../src/service/search/segments/purging'
import {
  blocksOfTerms,
  documentsOfSegments,
  insertBlocks,
  insertSegment,
  selectSegments,
} from '../../../src/service/search/segments/rows'
import { openSqlite } from '../../../src/service/store/open-sqlite'
import { layCopies } from '../../support/copied-mail'
import { JumpClock } from '../../support/jump-clock'

const tenantId = 'acc_upkeep'
const goOn = async () => true

/** A store with a search index, and a clock that moves when told. */
async function openIndex() {
  const store = await openSqlite()
  const clock = new JumpClock()
  const ports = { store, clock }
  const account = { tenant_id: tenantId, name: '', plan: 'unlimited', onboarding_state: 'claimed' }
  await store.db
    .insertInto('accounts')
    .values({ ...account, created_at: new Date(clock.now()).toISOString() })
    .execute()
  const add = (first: number, words: readonly (readonly string[])[]) =>
    store.write(async (tx) => {
      const documents = documentsOf(words.map((_, i) => ({ seq: first + i, inboxId: 'inb_1', length: 3 })))
      const id = await insertSegment(tx, tenantId, clock.now(), documents, 'live')
      const terms = words.map((own) => ({
        terms: new Map(own.map((word, i) => [word, { weight: 1, positions: [i + 1] }])),
        length: 3,
      }))
      await insertBlocks(tx, tenantId, id, atOnce(buildBlocks(terms)))
    })
  /** The places in the log of the messages that have a word. */
  const having = async (word: string) => {
    const segments = await selectSegments(store.db, tenantId).execute()
    const documents = await documentsOfSegments(store.db, tenantId, segments)
    const ids = segments.map(({ id }) => id)
    const blocks = await blocksOfTerms(store.db, 'sqlite', tenantId, ids, [word], false)
    return blocks
      .flatMap(({ segment, postings }) => {
        const entry = findEntry({ postings }, word)
        return entry ? [...readPostings(entry).documents].map((at) => documents.get(segment)!.seqs[at]!) : []
      })
      .sort((one, other) => one - other)
  }
  const allBytes = async () => {
    const rows = await store.db.selectFrom('search_blocks').selectAll().execute()
    return rows.map(({ postings }) => Buffer.from(postings).toString('latin1')).join('')
  }
  return { store, clock, ports, add, having, allBytes, [Symbol.asyncDispose]: () => store.close() }
}

it('segments are merged without a word lost, and the old ones go once no search reads them', async () => {
  await using index = await openIndex()
  for (let i = 0; i < 20; i++)
    await index.add(10 * i, [['all', `one${i}`], ['all'], [`word${'x'.repeat(i)}`]])
  await mergeSegments(index.ports, tenantId, goOn)
  const live = await selectSegments(index.store.db, tenantId).execute()
  expect(live).toHaveLength(1)
  expect(await index.having('all')).toEqual(Array.from({ length: 40 }, (_, i) => 10 * (i >> 1) + (i & 1)))
  expect(await index.having('one7')).toEqual([70])
  const count = async () => (await index.store.db.selectFrom('search_segments').select('id').execute()).length
  await purgeSegments(index.ports, tenantId, goOn)
  expect(await count()).toBe(21)
  index.clock.jump(61_000)
  await purgeSegments(index.ports, tenantId, goOn)
  expect(await count()).toBe(1)
})

it('what is erased leaves no word in the index: at once in a small segment, within the hour in a large one', async () => {
  await using index = await openIndex()
  await index.add(1, [['secret1', 'shared'], ['shared']])
  await index.add(
    100,
    Array.from({ length: 90 }, (_, i) => (i === 7 ? ['secret2', 'shared'] : ['shared', `w${i}`])),
  )
  const forget = (seqs: number[]) =>
    index.store.write((tx) =>
      forgetDocuments({ tx, tenantId, now: new Date(index.clock.now()).toISOString() }, seqs),
    )
  await forget([1, 107])
  expect(await index.allBytes()).not.toContain('secret1')
  expect(await index.allBytes()).toContain('secret2')
  await purgeSegments(index.ports, tenantId, goOn)
  expect(await index.allBytes()).toContain('secret2')
  index.clock.jump(11 * 60_000)
  await purgeSegments(index.ports, tenantId, goOn)
  expect(await index.allBytes()).not.toContain('secret2')
  expect(await index.having('shared')).toHaveLength(90)
  await forget(Array.from({ length: 90 }, (_, i) => 100 + i))
  await purgeSegments(index.ports, tenantId, goOn)
  expect(await index.having('shared')).toEqual([2])
})

it('of an account that is erased while its segments are merged no word is left, though the process ends then', async () => {
  await using index = await openIndex()
  for (let i = 0; i < 20; i++)
    await index.add(
      100 * i,
      Array.from({ length: 90 }, (_, at) => [`secret${i}`, `long${i}${'x'.repeat(40)}${at}`]),
    )
  let pauses = 0
  await mergeSegments(index.ports, tenantId, async () => {
    pauses++
    if ((await index.store.db.selectFrom('accounts').select('tenant_id').execute()).length > 0)
      await index.store.write(async (tx) => {
        for (const table of ['search_blocks', 'search_segments', 'accounts'] as const)
          await tx.deleteFrom(table).where('tenant_id', '=', tenantId).execute()
      })
    // The first pauses are before what is read; one that gives false, as a process that ends, follows what was written.
    return false
  })
  expect(pauses).toBeGreaterThan(0)
  expect(await index.allBytes()).toBe('')
})

it('a long taking in leaves few segments on its way, so that a search meanwhile looks into few', async () => {
  const { folder, tenantId } = await layCopies('The only mail, of which there are many.', 1_100)
  const store = await openSqlite(folder)
  onTestFinished(() => store.close())
  const ports = {
    store,
    clock: new JumpClock(),
    signals: { publish() {} },
    semantics: { request: async () => {} },
  } as unknown as IndexPorts
  let most = 0
  await indexMessages(ports, tenantId, async () => {
    most = Math.max(most, (await selectSegments(store.db, tenantId).execute()).length)
    return true
  })
  const segments = await selectSegments(store.db, tenantId).execute()
  expect(segments.reduce((sum, { documents }) => sum + documents, 0)).toBe(1_101)
  expect(most).toBeLessThan(70)
  expect(segments.length).toBeLessThan(20)
})
