import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Block, entriesOf, findEntry } from '../../../src/service/search/segments/block'
import { buildBlocks } from '../../../src/service/search/segments/build'
import { mergeBlocks, without } from '../../../src/service/search/segments/merge'
import { atOnce } from '../../../src/service/search/segments/pauses'
import { phrasePostings } from '../../../src/service/search/segments/phrases'
import { planMerges } from '../../../src/service/search/segments/plan-merge'
import { readPositions, readPostings, usualWeight } from '../../../src/service/search/segments/postings'
import type { DocumentTerms } from '../../../src/service/search/terms/document-terms'

type Blocks = readonly Block[]

const blocksOf = (documents: readonly DocumentTerms[]) => atOnce(buildBlocks(documents))

/** All that blocks say, term by term. */
const contentOf = (blocks: Blocks) =>
  blocks.flatMap((block) =>
    [...entriesOf(block)].map((entry) => {
      const { documents, weights } = readPostings(entry)
      return [entry.term, [...documents], [...weights], readPositions(entry).map((one) => [...one])]
    }),
  )

const document = fc
  .dictionary(
    fc.string({ unit: fc.constantFrom(...'abcü日'), minLength: 1, maxLength: 3 }),
    fc.record({
      weight: fc.integer({ min: 1, max: 255 }),
      positions: fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { maxLength: 4 }),
    }),
    { maxKeys: 8 },
  )
  .map((terms): DocumentTerms => {
    const sorted = Object.entries(terms).map(
      ([term, { weight, positions }]) =>
        [term, { weight, positions: positions.sort((one, other) => one - other) }] as const,
    )
    return { terms: new Map(sorted), length: 10 }
  })

async function* pageOf(blocks: Blocks) {
  for (const block of blocks) yield [block]
}

async function merged(parts: readonly (readonly DocumentTerms[])[]): Promise<Blocks> {
  let base = 0
  const sources = parts.map((part) => {
    const source = { pages: pageOf(blocksOf(part)), base }
    base += part.length
    return source
  })
  const blocks: Block[] = []
  for await (const some of mergeBlocks(sources)) blocks.push(...some)
  return blocks
}

it('segments that are merged say what one of all their documents says', async () => {
  const part = fc.array(document, { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
      const blocks = await merged(parts)
      expect(contentOf(blocks)).toEqual(contentOf(blocksOf(parts.flat())))
      for (const block of blocks)
        for (const { term, count } of entriesOf(block)) expect(findEntry(block, term)?.count).toBe(count)
    }),
  )
})

it('a block without some documents says nothing of them', () => {
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 1, maxLength: 12 }),
      fc.func(fc.boolean()),
      (documents, isGone) => {
        const emptied = documents.map((one, i) => (isGone(i) ? { terms: new Map(), length: 0 } : one))
        const kept = blocksOf(documents).flatMap((block) => without(block, (i) => isGone(i)) ?? [block])
        expect(contentOf(kept)).toEqual(contentOf(blocksOf(emptied)))
      },
    ),
  )
})

it('segments stay few, and each is merged a few times only', () => {
  let segments: { documents: number }[] = []
  let moved = 0
  const merge = (parts: readonly { documents: number }[]) => {
    const documents = parts.reduce((sum, one) => sum + one.documents, 0)
    moved += documents
    segments = [...segments.filter((one) => !parts.includes(one)), { documents }]
  }
  for (let i = 0; i < 60_000; i += 4) {
    segments.push({ documents: 1 + (i % 7) })
    for (let merges = planMerges(segments); merges.length > 0; merges = planMerges(segments))
      for (const parts of merges) merge(parts)
  }
  expect(segments.length).toBeLessThan(45)
  expect(Math.max(...segments.map(({ documents }) => documents))).toBeLessThan(20_000)
  expect(moved).toBeLessThan(6 * 60_000)
})

it('plans few times for many segments, of which each is in one merge at most', () => {
  let segments = Array.from({ length: 20_000 }, () => ({ documents: 16 }))
  let plans = 0
  for (let merges = planMerges(segments); merges.length > 0; merges = planMerges(segments)) {
    const merged = merges.flat()
    expect(new Set(merged).size).toBe(merged.length)
    const gone = new Set(merged)
    const made = merges.map((parts) => ({ documents: parts.reduce((sum, one) => sum + one.documents, 0) }))
    segments = [...segments.filter((one) => !gone.has(one)), ...made]
    plans++
  }
  expect(plans).toBeLessThan(8)
  expect(segments.length).toBeLessThan(60)
})

it('finds where words stand one behind the other', () => {
  const words = ['one', 'two', 'six']
  const text = fc.array(fc.constantFrom(...words), { maxLength: 12 })
  // Places that are further on than those of most mails.
  const start = fc.constantFrom(0, 100, 5_000)
  const phrase = fc.array(fc.uniqueArray(fc.constantFrom(...words), { minLength: 1 }), {
    minLength: 2,
    maxLength: 4,
  })
  fc.assert(
    fc.property(fc.array(fc.tuple(start, text), { minLength: 1, maxLength: 8 }), phrase, (mails, asked) => {
      const documents = mails.map(([before, mail]): DocumentTerms => {
        const placesOf = (word: string) => mail.flatMap((one, at) => (one === word ? [before + at + 1] : []))
        const terms = [...new Set(mail)].map(
          (word) => [word, { weight: 1, positions: placesOf(word) }] as const,
        )
        return { terms: new Map(terms), length: mail.length }
      })
      const blocks = blocksOf(documents)
      const entriesFor = (word: string) => blocks.flatMap((block) => findEntry(block, word) ?? [])
      const found = phrasePostings(asked.map((alternatives) => alternatives.flatMap(entriesFor)))
      const wanted = mails.flatMap(([, mail], document) => {
        const times = mail.filter((_, at) => asked.every((any, i) => any.includes(mail[at + i] ?? ''))).length
        return times === 0 ? [] : [[document, usualWeight * times]]
      })
      expect([...found.documents].map((document, i) => [document, found.weights[i]])).toEqual(wanted)
      expect(found.count).toBe(wanted.length)
    }),
  )
})
