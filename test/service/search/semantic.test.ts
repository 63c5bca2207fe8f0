import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeDatabases, type TestDatabase } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'

/** Two subjects. Mails of the first that say `lorry` never say `truck`, and the other way round. */
const freight =
  'cargo depot pallet customs haulage dispatch freight container harbour warehouse loading driver'
const money = 'invoice payment ledger balance overdue remittance auditor taxes refund receipt account credit'

const mailOf = (i: number) => {
  const words = (i % 2 ? money : freight).split(' ')
  const some = words.filter((_, place) => (Math.imul(i + 7, 2_654_435_761) >>> (place + 8)) & 1)
  const own = i % 2 ? 'quarterly' : i % 4 ? 'lorry' : 'truck'
  return { subject: `Note ${i}`, text: [own, ...some].join(' ') }
}

/** Count the waits for a lull in the mail. */
class LullClock extends JumpClock {
  lulls = 0

  override background(delayMs: number, callback: () => void): () => void {
    if (delayMs === 100) this.lulls++
    return super.background(delayMs, callback)
  }
}

describeDatabases('search by meaning', (openDatabase) => {
  let database: TestDatabase
  let service: QuietService
  let clock: LullClock
  beforeAll(async () => {
    database = await openDatabase()
    clock = new LullClock()
    service = await openService(database.options, { clock })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await database.drop()
  })

  const search = async (q: string, mode: string, key?: string) => {
    const path = `/messages?${new URLSearchParams({ q, mode, limit: '100' })}`
    const { body } = await service.call('GET', path, key === undefined ? {} : { key })
    return body as { mode_used: string; messages: { id: string; subject: string; inbox_id: string }[] }
  }
  /** Mail that came is embedded a while later, together. */
  const embedSoon = async () => {
    await search('cargo', 'keyword')
    clock.jump(10_000)
  }
  const untilEmbedded = async () => {
    await embedSoon()
    await expect.poll(async () => (await search('haulage', 'semantic')).mode_used).toBe('semantic')
  }

  it('says keyword where there is too little mail to mean anything', async () => {
    await service.mail({ subject: 'Alone', text: 'cargo' })
    expect((await search('cargo', 'hybrid')).mode_used).toBe('keyword')
    expect((await search('cargo', 'semantic')).mode_used).toBe('keyword')
  })

  it('finds mail that has none of the words, once there is enough to learn from', async () => {
    await Promise.all(Array.from({ length: 96 }, (_, i) => service.mail(mailOf(i))))
    await untilEmbedded()
    const byWords = await search('lorry', 'keyword')
    const byMeaning = await search('lorry', 'semantic')
    const subjects = (found: { messages: { subject: string }[] }) =>
      found.messages.map(({ subject }) => subject)
    const trucks = Array.from({ length: 96 }, (_, i) => i).filter((i) => i % 4 === 0)
    expect(subjects(byWords)).not.toContain('Note 4')
    expect(
      subjects(byMeaning).filter((subject) => trucks.includes(Number(subject.slice(5)))).length,
    ).toBeGreaterThan(12)
    const first = subjects(byMeaning).slice(0, 40)
    expect(first.filter((subject) => Number(subject.slice(5)) % 2 === 1).length).toBeLessThan(10)
  })

  it('finds mail that has come since', async () => {
    await service.mail({ subject: 'Newest', text: 'haulage container harbour' })
    await embedSoon()
    await expect
      .poll(
        async () => (await search('haulage container', 'semantic')).messages.map(({ subject }) => subject),
        {},
      )
      .toContain('Newest')
  })

  it('shows a key of one inbox nothing of another', async () => {
    const { body: inbox } = await service.call('POST', '/inboxes', { body: { local_part: 'other' } })
    const account_id = (await service.call('GET', '/account')).body.tenant_id
    const { api_key: key } = await service.service.keys.create({
      account_id,
      inbox_id: inbox.id,
      name: 'one',
      scopes: ['read'],
    })
    await service.mail({ to: inbox.address, subject: 'Theirs', text: 'haulage container harbour depot' })
    // What the mail of the other inbox means is not told by the order of this one: it is too little to learn from.
    expect((await search('haulage', 'semantic', key)).mode_used).toBe('keyword')
    await Promise.all(Array.from({ length: 60 }, (_, i) => service.mail({ to: inbox.address, ...mailOf(i) })))
    await expect.poll(async () => (await search('haulage', 'semantic', key)).mode_used).toBe('semantic')
    const { mode_used, messages } = await search('haulage container', 'hybrid', key)
    expect(mode_used).toBe('hybrid')
    expect(messages.length).toBeGreaterThan(20)
    expect(new Set(messages.map(({ inbox_id }) => inbox_id))).toEqual(new Set([inbox.id]))
  })

  it('does not find what was erased, from then on', async () => {
    const { messages } = await search('haulage container', 'semantic')
    const gone = messages[0]!
    expect((await service.call('DELETE', `/messages/${gone.id}`)).status).toBe(204)
    const ids = (await search('haulage container', 'semantic')).messages.map(({ id }) => id)
    expect(ids.length).toBe(messages.length - 1)
    expect(ids).not.toContain(gone.id)
  })

  it('embeds no mail while more comes thick', async () => {
    const embedded = async () => (await search('haulage subject:thick', 'semantic')).messages.length
    clock.lulls = 0
    await service.mail({ subject: 'Thick', text: 'haulage container harbour' })
    await search('cargo', 'keyword')
    clock.jump(4_900)
    await expect
      .poll(async () => {
        await service.mail({ subject: 'Thick', text: 'haulage container harbour' })
        clock.jump(50)
        return clock.lulls
      })
      .toBeGreaterThan(0)
    expect(await embedded()).toBe(0)
    clock.jump(100)
    await expect.poll(embedded).toBeGreaterThan(0)
  })
})
