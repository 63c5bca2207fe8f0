import { expect, it, onTestFinished } from 'vitest'
import { layCopies } from '../../support/copied-mail'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'

it('looks once into a large segment for what is asked again, until something in it changes', async () => {
  const { folder } = await layCopies('A harbour, and the harvest of the year', 1_099)
  const service = await openService({ data: folder })
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
  expect(await count('+the-harv* +harv*')).toBe(1_100)

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
