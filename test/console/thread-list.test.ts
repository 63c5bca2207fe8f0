import { afterEach, expect, it, vi } from 'vitest'
import { ThreadList } from '../../src/console/conversations/thread-list'
import type { Mailbox } from '../../src/mailbox/mailbox'

const pageSize = 100
const service = vi.hoisted(() => ({ ids: [] as string[] }))
vi.mock('../../src/console/core/ask', () => ({
  call: async (path: string) => {
    const cursor = new URL(path, 'http://x').searchParams.get('cursor')
    const from = Number(cursor ?? 0)
    const next = from + pageSize
    return {
      messages: [],
      threads: service.ids.slice(from, next).map((id) => ({ id })),
      next_cursor: next < service.ids.length ? String(next) : null,
    }
  },
}))
afterEach(() => {
  vi.useRealTimers()
})

/** A list of conversations of a service that has these, of which two pages were read. */
async function readTwoPages(ids: string[]) {
  vi.useFakeTimers()
  service.ids = ids
  const mailbox = { on: () => () => {} } as unknown as Mailbox
  const list = new ThreadList('acc_1', mailbox, {})
  await list.more()
  const touch = async (id: string) => {
    list.touch(id)
    await vi.advanceTimersByTimeAsync(200)
    await list.more()
  }
  return { list, touch, shown: () => list.rows.value.map(({ id }) => id) }
}

const named = (count: number) => Array.from({ length: count }, (_, at) => `thr_${at}`)

it('a changed conversation of a later page stays in the list', async () => {
  const { list, touch, shown } = await readTwoPages(named(200))
  expect(shown()).toEqual(named(200))
  await touch('thr_150')
  expect(shown()).toEqual(named(200))
  list.close()
})

it('one that no longer passes the filter leaves it, and one that moved to the front is there once', async () => {
  const ids = named(200)
  const { list, touch, shown } = await readTwoPages(ids)
  ids.splice(150, 1)
  await touch('thr_150')
  expect(shown()).toEqual(ids)
  ids.unshift(...ids.splice(180, 1))
  await touch(ids[0]!)
  expect(shown()).toEqual(ids)
  list.close()
})
