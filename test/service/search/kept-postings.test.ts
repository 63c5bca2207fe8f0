import { expect, it, onTestFinished } from 'vitest'
import { Lookup } from '../../../src/service/search/lookup'
import { type IndexLeaf, wordsLeaf } from '../../../src/service/search/query-parts'
import { buildBlocks } from '../../../src/service/search/segments/build'
import { documentsOf } from '../../../src/service/search/segments/documents'
import { atOnce } from '../../../src/service/search/segments/pauses'
import { insertBlocks, insertSegment, selectSegments } from '../../../src/service/search/segments/rows'
import { openSqlite } from '../../../src/service/store/open-sqlite'
import { layCopies } from '../../support/copied-mail'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'

it('looks once into a large segment for what is asked again, until something in it changes', async () => {
  const { folder } = await layCopies('A harbour, and the harvest of the year', 1_099)
  // Nobody but the searches takes in, so that there is a large segment.
  const service = await openService({ data: folder }, { clock: new JumpClock() })
  const beside = await openBeside({ data: folder })
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]()
    await beside.destroy()
  })
  const search = async (q: string, cursor = '') => {
    const query = new URLSearchParams({ q, mode: 'keyword', limit: '100', ...(cursor && { cursor }) })
    const { body } = await service.call('GET', `/messages?${query}`)
    return body as { messages: { id: string }[]; next_cursor: string | null }
  }
  const questions = ['harbour', '"the harvest of"', 'harv*', '+harbour -absent']
  await search('nothing of it')
  const before = await Promise.all(questions.map((q) => search(q)))
  for (const { messages } of before) expect(messages).toHaveLength(100)

  // What is known of one condition leaves nothing out of another that needs more of the same word.
  const count = async (q: string) => {
    let found = 0
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof search>> = await search(q, cursor)
      found += page.messages.length
      cursor = page.next_cursor
    }
    return found
  }
  expect(await count('+"harbour and" +harbour')).toBe(1_100)
  expect(await count('+"harbour and" +and')).toBe(1_100)

  const large = beside.selectFrom('search_segments').select('id').where('documents', '>=', 1_000)
  const { id } = await large.where('state', '=', 'live').executeTakeFirstOrThrow()
  await beside.deleteFrom('search_blocks').where('segment', '=', id).execute()
  for (const [i, q] of questions.entries()) {
    expect(await search(q)).toEqual(before[i])
    expect((await search(q, before[i]!.next_cursor!)).messages).toHaveLength(100)
  }
  // What was not asked before is looked for in the rest, which is small.
  const small = (await search('year')).messages.length
  expect(small).toBeLessThan(100)

  const oldest = await beside
    .selectFrom('messages')
    .select('id')
    .orderBy('created_seq')
    .executeTakeFirstOrThrow()
  await service.call('DELETE', `/messages/${oldest.id}`)
  await service.call('DELETE', `/messages/${oldest.id}`)
  for (const q of questions) expect((await search(q)).messages).toHaveLength(small)
})

/** An index of segments, each of mails that are a list of words, and what is found of a condition in each of them. */
async function openIndex(segments: readonly (readonly (readonly string[])[])[]) {
  const store = await openSqlite()
  onTestFinished(() => store.close())
  const tenantId = 'acc_kept'
  let seq = 0
  for (const mails of segments)
    await store.write(async (tx) => {
      const documents = documentsOf(mails.map(({ length }) => ({ seq: seq++, inboxId: 'inb_1', length })))
      const id = await insertSegment(tx, tenantId, 0, documents, 'live')
      const terms = mails.map((words) => ({
        terms: new Map(words.map((word, i) => [word, { weight: 1, positions: [i + 1] }])),
        length: words.length,
      }))
      await insertBlocks(tx, tenantId, id, atOnce(buildBlocks(terms)))
    })
  const live = await selectSegments(store.db, tenantId).execute()
  return async (...leaves: readonly IndexLeaf[]) => {
    const lookup = new Lookup({ db: store.db, dialect: 'sqlite', tenantId, segments: live })
    await lookup.read(leaves)
    const counts = leaves.map((leaf) => live.map((segment) => lookup.postings(segment, leaf).count))
    return { counts, cut: [...lookup.cut] }
  }
}

const copiesOf = (mail: readonly string[], count: number) => Array.from({ length: count }, () => mail)

it('finds in a large segment how a phrase goes on, though all that begins so is known there', async () => {
  const find = await openIndex([copiesOf(['one', 'zorg2'], 600), [['one', 'zorg1']]])
  const beginning = wordsLeaf(['zorg'], true)
  const phrase = wordsLeaf(['one', 'zorg'], true)
  expect((await find(beginning)).counts).toEqual([[600, 1]])
  expect((await find(beginning, phrase)).counts).toEqual([
    [600, 1],
    [600, 1],
  ])
  expect((await find(phrase, wordsLeaf(['one'], false), beginning)).counts).toEqual([
    [600, 1],
    [600, 1],
    [600, 1],
  ])
})

it('says each time that only some of the words count that begin alike', async () => {
  const words = (mail: number) => Array.from({ length: 120 }, (_, i) => `zorg${mail}x${i}`)
  const find = await openIndex([Array.from({ length: 600 }, (_, mail) => words(mail))])
  const [first, second] = [await find(wordsLeaf(['zorg'], true)), await find(wordsLeaf(['zorg'], true))]
  expect(first.cut).toEqual(['zorg'])
  expect(second).toEqual(first)
})
