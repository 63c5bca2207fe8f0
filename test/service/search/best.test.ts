import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bestOf } from '../../../src/service/search/best'

const found = fc.uniqueArray(fc.record({ score: fc.integer({ min: 0, max: 4 }), seq: fc.nat(60) }), {
  maxLength: 40,
  selector: ({ seq }) => seq,
})

it('page by page, the best that may be found come first, and among equals the newest', () => {
  fc.assert(
    fc.property(
      found,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(0, Number.NEGATIVE_INFINITY),
      (all, limit, least) => {
        const partOf = (some: typeof all) => ({
          seqs: Float64Array.from(some, ({ seq }) => seq),
          scores: Float64Array.from(some, ({ score }) => score),
          allowed: Uint8Array.from(some, ({ seq }) => (seq % 5 === 0 ? 0 : 1)),
          open: Uint32Array.from(some, ({ seq }) => seq % 3),
        })
        const matches = { parts: [partOf(all.slice(0, 9)), partOf(all.slice(9))], least }
        const paged = []
        for (let page = bestOf(matches, limit); page.length > 0; page = bestOf(matches, limit, page.at(-1))) {
          expect(page.length).toBeLessThanOrEqual(limit)
          paged.push(...page)
        }
        const sorted = all
          .filter(({ score, seq }) => score > least && seq % 5 !== 0)
          .toSorted((one, other) => other.score - one.score || other.seq - one.seq)
        expect(paged).toEqual(sorted.map((one) => ({ ...one, open: one.seq % 3 })))
      },
    ),
  )
})
