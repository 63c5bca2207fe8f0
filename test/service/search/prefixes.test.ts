import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { blocksOfPrefix, insertBlocks } from '../../../src/service/search/segments/rows'
import { openPostgres } from '../../../src/service/store/open-postgres'
import { openSqlite } from '../../../src/service/store/open-sqlite'
import type { Store } from '../../../src/service/store/store'
import { describeDatabases } from '../../support/databases'

const tenantId = 'acc_prefixes'
const segments = ['seg_1', 'seg_2', 'seg_3']
const noBytes = new Uint8Array()

/** Each begins with its length. */
function partsOf(joined: Uint8Array): string[] {
  const parts: string[] = []
  for (let at = 0; at < joined.length; at += 1 + joined[at]!)
    parts.push(Buffer.from(joined.subarray(at, at + 1 + joined[at]!)).toString('hex'))
  return parts
}

const nameOf = ({ segment, bytes }: { segment: string; bytes: string }) => `${segment} ${bytes}`

describeDatabases('blocks in which words begin alike', (openDatabase) => {
  async function openStore(): Promise<Store> {
    const { options, drop } = await openDatabase()
    const store = await (options.databaseUrl ? openPostgres(options.databaseUrl) : openSqlite(options.data))
    onTestFinished(async () => {
      await store.close()
      await drop()
    })
    return store
  }

  const block = fc.record({
    segment: fc.constantFrom(...segments),
    term: fc.string({ unit: fc.constantFrom(...'abü'), minLength: 1, maxLength: 4 }),
    postings: fc
      .oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom(
          Uint8Array.of(0),
          Uint8Array.of(0, 0, 0xff),
          Uint8Array.of(0xc3),
          Uint8Array.of(0xed, 0xa0),
        ),
      )
      .map((bytes) => Uint8Array.of(bytes.length, ...bytes)),
  })
  const blocks = fc.uniqueArray(block, {
    selector: ({ segment, term }) => `${segment} ${term}`,
    maxLength: 12,
  })

  it('come as one for each segment, byte for byte, whatever bytes they have', async () => {
    const store = await openStore()
    await fc.assert(
      fc.asyncProperty(blocks, fc.constantFrom('a', 'ab', 'ü', 'bb'), async (all, prefix) => {
        await store.write(async (tx) => {
          await tx.deleteFrom('search_blocks').where('tenant_id', '=', tenantId).execute()
          for (const { segment, term, postings } of all)
            await insertBlocks(tx, tenantId, segment, [{ first_term: term, postings, positions: noBytes }])
        })
        const found = await blocksOfPrefix(store.db, store.dialect, tenantId, segments, prefix, 500)
        const wanted = segments.flatMap((segment) => {
          const own = all.filter((one) => one.segment === segment)
          // Words that begin like this may be in a block that begins with a lesser one.
          const before = own.filter(({ term }) => Buffer.compare(Buffer.from(term), Buffer.from(prefix)) <= 0)
          const last = before
            .map(({ term }) => term)
            .sort()
            .at(-1)
          return own
            .filter(({ term }) => term.startsWith(prefix) || term === last)
            .map(({ postings }) => ({ segment, bytes: Buffer.from(postings).toString('hex') }))
        })
        const came = found.flatMap(({ segment, postings, blocks }) => {
          const parts = partsOf(postings)
          expect(parts).toHaveLength(blocks)
          return parts.map((bytes) => ({ segment, bytes }))
        })
        expect(came.map(nameOf).sort()).toEqual(wanted.map(nameOf).sort())
      }),
      { numRuns: 60 },
    )
  })

  it('are as many as are asked for in all, those of the first words', async () => {
    const store = await openStore()
    await store.write(async (tx) => {
      for (const segment of segments)
        for (const term of ['ab', 'ac', 'ad'])
          await insertBlocks(tx, tenantId, segment, [
            { first_term: term, postings: Buffer.from(term), positions: noBytes },
          ])
    })
    const found = await blocksOfPrefix(store.db, store.dialect, tenantId, segments, 'a', 4)
    expect(
      Object.fromEntries(
        found.map(({ segment, postings }) => [segment, Buffer.from(postings).toString().length]),
      ),
    ).toEqual({ seg_1: 4, seg_2: 2, seg_3: 2 })
  })

  it('are as many as are asked for in all, whichever segments have them', async () => {
    const store = await openStore()
    const many = Array.from({ length: 9 }, (_, i) => `seg_${i}`)
    const place = fc.record({
      // Most are in one segment, or in a few.
      segment: fc.oneof(fc.constant('seg_3'), fc.constantFrom(...many)),
      term: fc.oneof(
        fc.constantFrom('X', 'Z'),
        fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 4 }).map((end) => `a${end}`),
      ),
    })
    const places = fc.uniqueArray(place, {
      selector: ({ segment, term }) => `${segment} ${term}`,
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(places, fc.integer({ min: 1, max: 20 }), async (all, limit) => {
        await store.write(async (tx) => {
          await tx.deleteFrom('search_blocks').where('tenant_id', '=', tenantId).execute()
          for (const { segment, term } of all)
            await insertBlocks(tx, tenantId, segment, [
              { first_term: term, postings: Buffer.from(`${term} `), positions: noBytes },
            ])
        })
        const found = await blocksOfPrefix(store.db, store.dialect, tenantId, many, 'a', limit)
        const came = found.flatMap(({ segment, postings }) =>
          Buffer.from(postings)
            .toString()
            .trim()
            .split(' ')
            .map((term) => `${term} ${segment}`),
        )
        // Words that begin like this may be in a block that begins with a lesser one.
        const isWanted = ({ segment, term }: (typeof all)[number]) =>
          term >= 'a' ||
          all.every((other) => other.segment !== segment || other.term <= term || other.term > 'a')
        const wanted = all
          .filter(isWanted)
          .map(({ segment, term }) => `${term} ${segment}`)
          .sort()
        expect(came.sort()).toEqual(wanted.slice(0, limit))
      }),
      { numRuns: 100 },
    )
  })
})
