import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const lists = ['messages', 'messages?order=asc', 'threads', 'inboxes', 'labels'] as const
type List = (typeof lists)[number]
interface Step {
  added: number
  changed: number[]
  removed: number[]
}
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

  const change = async (list: List, id: string) => {
    const { call } = service
    const name = randomBytes(6).toString('hex')
    if (list === 'inboxes' || list === 'labels') return call('PATCH', `/${list}/${id}`, { body: { name } })
    const message = list === 'threads' ? (await call('GET', `/threads/${id}`)).body.last_message_id : id
    const label = (await call('POST', '/labels', { body: { name } })).body
    return call('POST', `/labels/${label.id}/assign`, { body: { message_id: message } })
  }

  const some = fc.array(fc.nat({ max: 30 }), { maxLength: 2 })
  const meanwhile = fc.array(fc.record({ added: fc.nat({ max: 2 }), changed: some, removed: some }), {
    maxLength: 6,
  })

  /** Reads all pages while records come, change and go. */
  async function readMeanwhile(list: List, limit: number, steps: readonly Step[]) {
    for (let have = (await readAll(list, 100)).length; have < 8; have++) await add(list)
    const before = await readAll(list, 100)
    const [gone, changed] = [new Set<string>(), new Set<string>()]
    const rest = [...steps]
    const seen = await readAll(list, limit, async () => {
      const step = rest.shift() ?? { added: 0, changed: [], removed: [] }
      const pick = (places: number[]) =>
        places
          .map((i) => before[i]!)
          .filter((id) => id?.includes('_') && id !== service.home.inboxId && !gone.has(id))
      for (const id of pick(step.changed)) {
        expect((await change(list, id)).status).toBe(200)
        changed.add(id)
      }
      const lost = pick(step.removed)
      for (const id of lost) gone.add(id)
      await Promise.all([
        ...Array.from({ length: step.added }, () => add(list)),
        ...lost.map((id) => service.call('DELETE', `/${nounOf(list)}/${id}`)),
      ])
    })
    return { before: before.filter((id) => !gone.has(id)), seen, gone, changed }
  }

  it.each(lists)('of %s neither skip nor repeat what was there all along', async (list) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), meanwhile, async (limit, steps) => {
        const { before, seen, gone, changed } = await readMeanwhile(list, limit, steps)
        expect(new Set(seen).size).toBe(seen.length)
        // A thread that changes comes to the front, so only the others have a place to be found in.
        const still = (id: string) => !gone.has(id) && !(list === 'threads' && changed.has(id))
        expect(seen.filter((id) => before.includes(id) && still(id))).toEqual(before.filter(still))
      }),
      { numRuns: 6 },
    )
  })

  it('of threads miss only what the event log tells of', async () => {
    let missed = 0
    const oneStep = fc.array(fc.record({ added: fc.constant(0), changed: some, removed: some }), {
      minLength: 1,
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(oneStep, async (steps) => {
        const start = (await service.call('GET', '/events')).body.to
        const { before, seen } = await readMeanwhile('threads', 2, steps)
        const { events } = (
          await service.call('GET', `/events?after=${start}&types=thread.updated&limit=500`)
        ).body
        const reported = events.map((event: { data: { id: string } }) => event.data.id)
        const lacking = before.filter((id) => !seen.includes(id))
        missed += lacking.length
        for (const id of lacking) expect(reported).toContain(id)
      }),
      { numRuns: 6, examples: [[[{ added: 0, changed: [7], removed: [] }]]] },
    )
    expect(missed).toBeGreaterThan(0)
  })
})
