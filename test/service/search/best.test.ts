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
        const plain = (some: typeof all) => ({
          seqs: Float64Array.from(some, ({ seq }) => seq),
          scores: Float64Array.from(some, ({ score }) => score),
          allowed: null,
          open: null,
        })
        const [first, second] = [all.slice(0, 9), all.slice(9)]
        const isAllowed = ({ seq }: { seq: number }) => first.some((one) => one.seq === seq) || seq % 5 !== 0
        const openOf = ({ seq }: { seq: number }) => (first.some((one) => one.seq === seq) ? 0 : seq % 3)
        const limited = {
          ...plain(second),
          allowed: Uint8Array.from(second, (one) => (isAllowed(one) ? 1 : 0)),
          open: Uint32Array.from(second, openOf),
        }
        const matches = { parts: [plain(first), limited], least }
        const paged = []
        for (let page = bestOf(matches, limit); page.length > 0; page = bestOf(matches, limit, page.at(-1))) {
          expect(page.length).toBeLessThanOrEqual(limit)
          paged.push(...page)
        }
        const sorted = all
          .filter((one) => one.score > least && isAllowed(one))
          .toSorted((one, other) => other.score - one.score || other.seq - one.seq)
        expect(paged).toEqual(sorted.map((one) => ({ ...one, open: openOf(one) })))
      },
    ),
  )
})
