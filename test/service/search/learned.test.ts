import { afterEach, beforeEach, expect, it } from 'vitest'
import { administerReindex } from '../../../src/service/host/administer'
import { readSettings } from '../../../src/service/settings'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'

const words = 'cargo depot pallet customs haulage dispatch freight container harbour loading driver'.split(
  ' ',
)
const textOf = (i: number) =>
  words.filter((_, place) => (Math.imul(i + 7, 2_654_435_761) >>> (place + 8)) & 1)
const count = 64

describeDatabases('what is learned from mail', (openDatabase) => {
  let database: TestDatabase
  let service: QuietService
  let clock: JumpClock
  beforeEach(async () => {
    database = await openDatabase()
    clock = new JumpClock()
    service = await openService(database.options, { clock })
    const own = (i: number) => (i < 5 ? 'zyzzyva' : '')
    await Promise.all(
      Array.from({ length: count }, (_, i) =>
        service.mail({ subject: `Note ${i}`, text: [own(i), ...textOf(i)].join(' ') }),
      ),
    )
    await search('cargo', 'keyword')
    clock.jump(10_000)
    await expect.poll(() => modeUsed('haulage')).toBe('semantic')
  })
  afterEach(async () => {
    await service[Symbol.asyncDispose]()
    await database.drop()
  })

  const search = async (q: string, mode = 'semantic') => {
    const { body } = await service.call('GET', `/messages?${new URLSearchParams({ q, mode, limit: '100' })}`)
    return body as { mode_used: string; messages: { id: string }[] }
  }
  const modeUsed = async (q: string) => (await search(q)).mode_used

  it('forgets within the hour the words that only erased mail had', async () => {
    expect(await modeUsed('zyzzyva')).toBe('semantic')
    for (const { id } of (await search('zyzzyva', 'keyword')).messages)
      await service.call('DELETE', `/messages/${id}`)
    clock.jump(50 * 60_000)
    await expect.poll(() => modeUsed('zyzzyva')).toBe('keyword')
    const { mode_used, messages } = await search('haulage')
    expect(mode_used).toBe('semantic')
    expect(messages.length).toBeGreaterThan(20)
  })

  it('is learned anew when a host asks for it, which hears how far it is', async () => {
    const told: { embedded: number }[] = []
    const counts = await administerReindex(readSettings(database.options), undefined, (progress) =>
      told.push(progress),
    )
    expect(counts).toEqual({ messages: count, embedded: count })
    expect(told.at(-1)).toEqual(counts)
    expect((await search('haulage')).messages.length).toBeGreaterThan(20)
  })

  it('is learned anew by the command itself where no service runs', async () => {
    await service[Symbol.asyncDispose]()
    const counts = await administerReindex(readSettings(database.options), service.home.address)
    expect(counts).toEqual({ messages: count, embedded: count })
    service = await openService(database.options, { clock })
    expect(await modeUsed('haulage')).toBe('semantic')
  })
})
