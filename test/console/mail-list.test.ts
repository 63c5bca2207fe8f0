import { expect, it } from 'vitest'
import { MailList } from '../../src/console/mail/mail-list'
import { viewOf } from '../../src/console/mail/views'
import type { Mailbox } from '../../src/mailbox/mailbox'

const total = 4_000
const record = (created_seq: number, more: object = {}) => ({
  id: `msg_${created_seq}`,
  thread_id: 'thr_1',
  inbox_id: 'inb_1',
  direction: 'inbound',
  labels: [] as string[],
  created_seq,
  seq: created_seq,
  ...more,
})

/** A list of 4,000 messages that was read to its end: the rows of its first pages were let go. */
async function readWhole() {
  let tell = (_event: { type: string; data: object }) => {}
  const mailbox = {
    on: (_: string, listener: typeof tell) => {
      tell = listener
      return () => {}
    },
    messages: {
      list: async ({ cursor = String(total), limit }: { cursor?: string; limit: number }) => {
        const seqs = Array.from({ length: limit }, (_, at) => Number(cursor) - at)
        const next = Number(cursor) - limit
        const items = seqs.map((seq) => ({ record: record(seq) }))
        return { items, nextCursor: next > 0 ? String(next) : null }
      },
    },
  }
  const list = new MailList(mailbox as unknown as Mailbox, {
    view: viewOf(null),
    inbox: null,
    query: '',
    mode: 'hybrid',
    order: 'desc',
  })
  while (!list.isWhole.value) await list.more()
  list.see(total - 10, total)
  return { list, tell }
}

it('holds as many rows as there are messages, whatever happens to those whose rows were let go', async () => {
  const { list, tell } = await readWhole()
  const length = () => list.rows.value.length
  expect([length(), list.rows.value[20]]).toEqual([total, null])
  const [old, seq] = [total - 20, total + 1]
  const before = list.rows.value
  tell({ type: 'label.assigned', data: record(old, { labels: ['mine'], seq }) })
  // Nothing of it is shown: whoever shows the list is not told of another.
  expect(list.rows.value).toBe(before)
  expect(length()).toBe(total)
  tell({ type: 'label.assigned', data: record(old, { labels: ['trash'], seq: seq + 1 }) })
  expect(length()).toBe(total - 1)
  tell({ type: 'label.unassigned', data: record(old, { seq: seq + 2 }) })
  expect(length()).toBe(total)
  tell({ type: 'message.deleted', data: { id: `msg_${old}` } })
  expect(length()).toBe(total - 1)
  tell({ type: 'message.received', data: record(seq + 4) })
  expect(length()).toBe(total)
})
