import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SharedRateLimiter, type TakeSlice } from '../../../src/service/net/shared-rate-limiter'
import { openStore } from '../../../src/service/store/open-store'
import { createRateSlices, dropOldRates } from '../../../src/service/store/rate-slices'
import type { Store } from '../../../src/service/store/store'
import { postgresSchema, reachable, type TestDatabase } from '../../support/databases'

const minuteMs = 60_000

describe.skipIf(!reachable)('a rate that nodes share', () => {
  let database: TestDatabase
  let store: Store
  let nowMs: number
  let asked: number
  let take: TakeSlice
  beforeEach(async () => {
    database = await postgresSchema()
    store = await openStore(database.options)
    nowMs = Date.UTC(2026, 0, 1)
    asked = 0
    const slices = createRateSlices(store, () => nowMs)
    take = (...given) => {
      asked += 1
      return slices('requests', ...given)
    }
  })
  afterEach(async () => {
    await store.close()
    await database.drop()
  })
  const nodes = (limit: number, count = 3) =>
    Array.from(
      { length: count },
      () => new SharedRateLimiter({ limit, windowMs: minuteMs }, take, () => nowMs),
    )
  /** The number that is let through of so many, one after the other, each at the next node. */
  async function letThrough(all: SharedRateLimiter[], count: number): Promise<number> {
    let allowed = 0
    for (let i = 0; i < count; i++) if ((await all[i % all.length]!.take('key')).allowed) allowed += 1
    return allowed
  }

  it.each([
    [20, 20, 20],
    [300, 291, 300],
    [6_000, 5_820, 6_000],
  ])('of %i lets three nodes do between %i and %i at once', async (limit, least, most) => {
    const all = nodes(limit)
    const allowed = await letThrough(all, limit * 2)
    expect(allowed).toBeGreaterThanOrEqual(least)
    expect(allowed).toBeLessThanOrEqual(most)
  })

  it('comes back bit by bit, for all nodes together', async () => {
    const all = nodes(6_000)
    const first = await letThrough(all, 7_000)
    let later = 0
    for (let second = 0; second < 60; second++) {
      nowMs += 1_000
      later += await letThrough(all, 300)
    }
    expect(first + later).toBeGreaterThan(12_000 * 0.95)
    expect(first + later).toBeLessThanOrEqual(12_000 * 1.05)
  })

  it('asks for one in fifty requests at the most, and for none that is refused', async () => {
    const all = nodes(6_000)
    await letThrough(all, 3_000)
    expect(asked).toBeLessThanOrEqual(60)
    await letThrough(all, 4_000)
    const before = asked
    expect(await letThrough(all, 1_000)).toBe(0)
    expect(asked).toBe(before)
  })

  it('lets no more through when all ask at once', async () => {
    const all = nodes(300)
    const verdicts = await Promise.all(
      Array.from({ length: 900 }, (_, i) => all[i % all.length]!.take('key')),
    )
    const allowed = verdicts.filter((one) => one.allowed).length
    expect(allowed).toBeGreaterThanOrEqual(291)
    expect(allowed).toBeLessThanOrEqual(300)
    const refused = verdicts.find((one) => !one.allowed)!
    expect(refused).toMatchObject({ remaining: 0 })
    nowMs += refused.retryAfterMs
    expect((await all[0]!.take('key')).allowed).toBe(true)
  })

  it('pays what was given before anybody could be asked', async () => {
    const all = nodes(20)
    for (let i = 0; i < 12; i++) expect(all[i % 3]!.takeNow('key').allowed).toBe(true)
    await expect.poll(async () => (await take('key', 0, all[0]!.rate)).usedMs).toBe(12 * 3_000)
    expect(await letThrough(all, 30)).toBe(8)
    expect(all[0]!.look('key').allowed).toBe(false)
  })

  it('keeps keys apart, and lets everybody pass where nobody can be asked', async () => {
    const [one] = nodes(20, 1)
    expect(await letThrough([one!], 30)).toBe(20)
    expect((await one!.take('other')).allowed).toBe(true)
    const alone = new SharedRateLimiter(
      { limit: 20, windowMs: minuteMs },
      () => Promise.reject(new Error('away')),
      () => nowMs,
    )
    expect(await letThrough([alone], 30)).toBe(30)
  })

  it('is there again after its time where the clock was set back', async () => {
    const all = nodes(300)
    expect(await letThrough(all, 400)).toBeGreaterThanOrEqual(291)
    nowMs -= 24 * 60 * minuteMs
    await letThrough(all, 400)
    nowMs += minuteMs
    expect(await letThrough(all, 400)).toBeGreaterThanOrEqual(291)
    expect(await letThrough(nodes(300), 10)).toBeLessThanOrEqual(9)
  })

  it('is forgotten soon after all of it is there again, and where its time is yet to come', async () => {
    const kept = async () =>
      (await store.db.selectFrom('rates').select('key').execute()).map(({ key }) => key)
    const rate = { limit: 20, windowMs: minuteMs }
    nowMs += 24 * 60 * minuteMs
    await take('set back', 1, rate)
    nowMs -= 24 * 60 * minuteMs
    await take('long ago', 1, rate)
    nowMs += 90 * minuteMs
    await take('now', 1, rate)
    await dropOldRates(store, nowMs)
    expect(await kept()).toEqual(['now'])
  })
})
