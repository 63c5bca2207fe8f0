import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  initialSync,
  type SyncInput,
  type SyncModel,
  type SyncSignal,
  type SyncStatus,
  stepSync,
  syncTable,
} from '../../../src/mailbox/sync/sync-machine'

const statuses: SyncStatus[] = ['connecting', 'catching-up', 'live', 'stale', 'closed']
const signals: SyncSignal[] = ['opened', 'behind', 'level', 'lost', 'expired', 'refused', 'closed']

test('the table says what every signal does in every state', () => {
  expect(Object.keys(syncTable).sort()).toEqual([...statuses].sort())
  for (const status of statuses) {
    expect(Object.keys(syncTable[status]).sort()).toEqual([...signals].sort())
    for (const signal of signals) expect(statuses).toContain(syncTable[status][signal])
  }
})

test('closed is final, and only level makes live', () => {
  for (const signal of signals) expect(syncTable.closed[signal]).toBe('closed')
  for (const status of statuses)
    for (const signal of signals)
      if (syncTable[status][signal] === 'live' && status !== 'live')
        expect([status, signal]).toEqual(['catching-up', 'level'])
})

const model = (fields: Partial<SyncModel>): SyncModel => ({ ...initialSync, ...fields })

test('an event that joins on is applied, an old one is not, and one beyond a hole makes it fetch', () => {
  const at5 = model({ status: 'live', cursor: 5, head: 5 })
  expect(stepSync(at5, { type: 'event', prev: 5, seq: 6 })).toMatchObject({
    effect: 'apply',
    model: { cursor: 6, head: 6, status: 'live' },
  })
  expect(stepSync(at5, { type: 'event', prev: 3, seq: 5 })).toMatchObject({ effect: 'none', model: at5 })
  const hole = stepSync(at5, { type: 'event', prev: 6, seq: 7 })
  expect(hole).toMatchObject({
    effect: 'fetch',
    model: { cursor: 5, head: 7, wanted: 7, status: 'catching-up' },
  })
  const filled = stepSync(hole.model, { type: 'covered', prev: 5, seq: 7, head: 7 })
  expect(filled).toMatchObject({ effect: 'none', model: { cursor: 7, status: 'live' } })
})

test('opening where there is nothing to read is live at once', () => {
  const read = model({ cursor: 5, head: 5 })
  expect(stepSync(read, { type: 'opened', head: 5 }).model.status).toBe('live')
  expect(stepSync(read, { type: 'opened', head: 6 }).model.status).toBe('catching-up')
})

test('a hint makes it read, and is dropped where the log ends before it', () => {
  const live = model({ status: 'live', cursor: 5, head: 5 })
  expect(stepSync(live, { type: 'hint', seq: 5 })).toEqual({ model: live, effect: 'none' })
  const hinted = stepSync(live, { type: 'hint', seq: 9 })
  expect(hinted).toMatchObject({ effect: 'fetch', model: { status: 'catching-up', head: 5, wanted: 9 } })
  expect(stepSync(hinted.model, { type: 'ended' }).model).toMatchObject({ status: 'live', wanted: 5 })
})

const position = fc.integer({ min: 0, max: 12 })
const span = fc.tuple(position, fc.integer({ min: 1, max: 4 }))
const input: fc.Arbitrary<SyncInput> = fc.oneof(
  span.map(([prev, by]) => ({ type: 'event' as const, prev, seq: prev + by })),
  span.map(([prev, by]) => ({ type: 'covered' as const, prev, seq: prev + by, head: prev + by })),
  position.map((head) => ({ type: 'opened' as const, head })),
  position.map((seq) => ({ type: 'hint' as const, seq })),
  fc.constantFrom({ type: 'lost' as const }, { type: 'expired' as const }, { type: 'ended' as const }),
)

test('S3, S8: whatever comes, the cursor only grows, without jumps, and live means level', () => {
  fc.assert(
    fc.property(fc.array(input, { maxLength: 60 }), (inputs) => {
      let now = initialSync
      for (const given of inputs) {
        const { model: next, effect } = stepSync(now, given)
        expect(next.cursor).toBeGreaterThanOrEqual(now.cursor)
        if (next.cursor > now.cursor && 'prev' in given) expect(given.prev).toBeLessThanOrEqual(now.cursor)
        if (effect === 'apply') expect(next.cursor).toBe('seq' in given ? given.seq : -1)
        if (next.status === 'live')
          expect(next.cursor).toBeGreaterThanOrEqual(Math.max(next.head, next.wanted))
        now = next
      }
    }),
  )
})
