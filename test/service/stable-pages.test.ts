import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeDatabases } from '../support/databases'
import { openService } from '../support/service'
import { perBlock, useService } from '../support/use-service'

const lists = ['messages', 'messages?order=asc', 'threads', 'inboxes', 'labels'] as const
type List = (typeof lists)[number]
const nounOf = (list: List) => list.split('?')[0]!

describeDatabases('pages', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)

  const add = async (list: List) => {
    const name = randomBytes(6).toString('hex')
    if (list === 'inboxes') return service.call('POST', '/inboxes', { body: { local_part: `p${name}` } })
    if (list === 'labels') return service.call('POST', '/labels', { body: { name } })
    const body = { inbox_id: service.home.inboxId, to: ['bo@example.com'], subject: name, text: 'x' }
    return service.call('POST', '/messages', { body })
  }
  const page = async (list: List, limit: number, cursor: string | null) => {
    const query = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`
    const { status, body } = await service.call('GET', `/${list}${list.includes('?') ? '&' : '?'}${query}`)
    expect(status).toBe(200)
    const ids: string[] = body[nounOf(list)].map((one: { id: string }) => one.id)
    return { ids, next: body.next_cursor as string | null }
  }
  async function readAll(list: List, limit: number, between = async (_seen: readonly string[]) => {}) {
    const seen: string[] = []
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      const { ids, next } = await page(list, limit, cursor)
      seen.push(...ids)
      cursor = next
      if (cursor !== null) await between(seen)
    }
    return seen
  }

  const meanwhile = fc.array(
    fc.record({ added: fc.nat({ max: 2 }), removed: fc.array(fc.nat({ max: 30 }), { maxLength: 2 }) }),
    { maxLength: 6 },
  )

  it.each(lists)(
    'of %s neither skip nor repeat what was there all along',
    { timeout: 60_000 },
    async (list) => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 4 }), meanwhile, async (limit, steps) => {
          for (let have = (await readAll(list, 100)).length; have < 8; have++) await add(list)
          const before = await readAll(list, 100)
          const gone = new Set<string>()
          const rest = [...steps]
          const seen = await readAll(list, limit, async () => {
            const { added, removed } = rest.shift() ?? { added: 0, removed: [] }
            const lost = removed.map((i) => before[i]!).filter((id) => id && id !== service.home.inboxId)
            for (const id of lost) gone.add(id)
            await Promise.all([
              ...Array.from({ length: added }, () => add(list)),
              ...lost.map((id) => service.call('DELETE', `/${nounOf(list)}/${id}`)),
            ])
          })
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen.filter((id) => before.includes(id) && !gone.has(id))).toEqual(
            before.filter((id) => !gone.has(id)),
          )
        }),
        { numRuns: 6 },
      )
    },
  )
})
