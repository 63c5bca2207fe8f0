import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../../src/service/settings'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'

/** Counts the waits for an idle period. */
class IdleClock extends JumpClock {
  waits = 0

  override background(delayMs: number, callback: () => void): () => void {
    if (delayMs === 100) this.waits++
    return super.background(delayMs, callback)
  }
}

const texts = [
  ['Delivery', 'The lorry with your order broke down on the motorway, so it comes on Thursday.'],
  ['Lunch', 'Shall we eat at the new Italian restaurant on Friday?'],
  ['Order of the chairs', 'Please order twelve chairs for the meeting room.'],
  ['Broken order', 'The order of the pages in the report is broken.'],
  ['Réunion', 'Bonjour, nous avons reçu votre message et nous vous remercions pour la commande.'],
] as const

type Found = {
  mode_used: string
  messages: { id: string; subject: string }[]
  warnings: { message: string }[]
}

describeDatabases('search with the built-in encoder', (openDatabase) => {
  let database: TestDatabase
  let service: QuietService
  let clock: IdleClock
  beforeAll(async () => {
    database = await openDatabase()
    clock = new IdleClock()
    service = await openService({ ...database.options, embeddings: 'builtin' }, { clock })
    for (const [subject, text] of texts) await service.mail({ subject, text })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await database.drop()
  })

  const search = async (q: string, mode = 'hybrid') =>
    (await service.call('GET', `/messages?${new URLSearchParams({ q, mode, limit: '100' })}`)).body as Found
  const subjectsOf = async (q: string, mode?: string) =>
    (await search(q, mode)).messages.map(({ subject }) => subject)
  const untilEmbedded = async (q = 'order') => {
    await search('order', 'keyword')
    clock.jump(10_000)
    await expect.poll(async () => (await search(q)).mode_used).toBe('hybrid')
  }

  it('says keyword while no found message has a vector, and then hybrid and semantic', async () => {
    expect(await search('order')).toMatchObject({ mode_used: 'keyword' })
    await untilEmbedded()
    expect((await search('order', 'semantic')).mode_used).toBe('semantic')
    expect((await search('order', 'keyword')).mode_used).toBe('keyword')
  })

  it('ranks what words find by meaning', async () => {
    const found = await subjectsOf('order delayed because the vehicle had an accident', 'semantic')
    expect(found[0]).toBe('Delivery')
    expect(found.indexOf('Delivery')).toBeLessThan(found.indexOf('Broken order'))
  })

  it('puts messages with the only word before those with a related one', async () => {
    const far = 'The weather of the mountains stays dry and calm. '.repeat(5)
    await service.mail({ subject: 'Word', text: `${far} lorry ${far}` })
    for (let i = 0; i < 3; i++)
      await service.mail({ subject: `Related ${i}`, text: 'The truck, a van: vehicles for heavy cargo.' })
    for (const mode of ['semantic', 'hybrid']) {
      await search('lorry', 'keyword')
      clock.jump(10_000)
      await expect.poll(async () => (await search('weather', mode)).mode_used).toBe(mode)
      const found = await subjectsOf('lorry', mode)
      expect(found.slice(0, 2).sort(), mode).toEqual(['Delivery', 'Word'])
      expect(found.length, mode).toBeGreaterThan(2)
    }
  })

  it.each(['keyword', 'semantic', 'hybrid'])('finds nothing without a word, in %s mode', async (mode) => {
    expect(await search('zzzznothing', mode)).toMatchObject({
      messages: [],
      mode_used: 'keyword',
      warnings: [{ column: 1, message: 'No message has “zzzznothing”.' }],
    })
  })

  it('embeds neither messages nor queries in other languages', async () => {
    expect((await search('commande', 'semantic')).mode_used).toBe('keyword')
    const question = 'nous avons une question sur la commande avec les order'
    expect(await search(question, 'semantic')).toMatchObject({ mode_used: 'keyword' })
  })

  it('does not rank what was erased', async () => {
    const [first] = (await search('chairs', 'semantic')).messages
    expect((await service.call('DELETE', `/messages/${first!.id}`)).status).toBe(204)
    expect((await search('chairs meeting room', 'semantic')).messages).toEqual([])
  })

  it('embeds no message while more arrive densely', async () => {
    clock.waits = 0
    await service.mail({ subject: 'Dense', text: 'dense haulage' })
    await search('order', 'keyword')
    clock.jump(4_900)
    await expect
      .poll(async () => {
        await service.mail({ subject: 'Dense', text: 'dense haulage' })
        clock.jump(50)
        return clock.waits
      })
      .toBeGreaterThan(0)
    expect((await search('haulage')).mode_used).toBe('keyword')
    clock.jump(100)
    await expect
      .poll(async () => {
        clock.jump(100)
        return (await search('haulage')).mode_used
      })
      .toBe('hybrid')
  })
})

describe('embeddings', () => {
  it('are off only without an endpoint', async () => {
    expect(readSettings({}).embeddings).toBe('builtin')
    expect(() => readSettings({ embeddings: 'off', embeddingsUrl: 'http://127.0.0.1:1/v1' })).toThrow(
      /embeddings .* is off/,
    )
    const clock = new JumpClock()
    await using service = await openService({ embeddings: 'off' }, { clock })
    await service.mail({ subject: 'Order', text: 'order' })
    await service.call('GET', '/messages?q=order')
    clock.jump(10_000)
    const { body } = await service.call('GET', '/messages?q=order&mode=semantic')
    expect(body).toMatchObject({ mode_used: 'keyword', messages: [{ subject: 'Order' }] })
  })
})
