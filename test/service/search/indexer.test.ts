import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLocalSignals } from '../../../src/service/log/local-signals'
import { searchTopic } from '../../../src/service/messages/add-message'
import type { IndexPorts } from '../../../src/service/search/index-messages'
import { SearchIndexer } from '../../../src/service/search/indexer'
import { inSlices } from '../../../src/service/search/segments/pauses'
import { noSemantics } from '../../../src/service/search/semantic/semantic-search'
import { createSearchThreads } from '../../../src/service/search/semantic/threads'
import { openSqlite } from '../../../src/service/store/open-sqlite'
import { layCopies } from '../../support/copied-mail'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'
import { temporaryFolder } from '../../support/temporary-folder'

/** A clock whose short waits are over at once, and are counted. */
class RestlessClock extends JumpClock {
  rests = 0
  chance = 0

  override random(): number {
    return this.chance
  }

  override background(delayMs: number, callback: () => void): () => void {
    if (delayMs > 100) return super.background(delayMs, callback)
    this.rests++
    setImmediate(callback)
    return () => {}
  }
}

/** Takes mails into the index while others come, so long after they came: how often that rested, the threads it started, and the words. */
async function indexed(mails: number, waitedMs: number) {
  const { folder, tenantId } = await layCopies(
    'The only mail, of which there are many. '.repeat(200),
    mails - 1,
  )
  const store = await openSqlite(folder)
  const rows = await store.db.selectFrom('messages').select(['created_at']).execute()
  const lastMs = Math.max(...rows.map((row) => Date.parse(row.created_at)))
  const clock = new RestlessClock(lastMs + waitedMs - 1_000)
  const signals = createLocalSignals()
  const ports = { store, clock, signals, semantics: noSemantics } as unknown as IndexPorts
  let threads = 0
  const count = () => threads++
  process.on('worker', count)
  const searchThreads = createSearchThreads()
  const indexer = new SearchIndexer(ports, searchThreads)
  onTestFinished(async () => {
    process.off('worker', count)
    await indexer.close()
    await searchThreads.close()
    await store.close()
  })
  clock.jump(1_000)
  signals.publish(searchTopic)
  await expect
    .poll(async () => {
      const live = store.db.selectFrom('search_segments').select('documents').where('state', '=', 'live')
      const segments = await live.where('tenant_id', '=', tenantId).execute()
      return segments.reduce((sum, { documents }) => sum + documents, 0)
    })
    .toBe(mails)
  const blocks = await store.db
    .selectFrom('search_blocks')
    .select(['first_term', 'postings', 'positions'])
    .where('tenant_id', '=', tenantId)
    .orderBy('segment')
    .orderBy('first_term')
    .execute()
  return { rests: clock.rests, threads, blocks }
}

it('rests while a few mails come, unless that would never let it catch up', async () => {
  const inTime = await indexed(20, 2_000)
  const late = await indexed(20, 4_000)
  expect(inTime.rests).toBeGreaterThan(5)
  expect(late.rests).toBeLessThan(inTime.rests / 2)
  expect([inTime.threads, late.threads]).toEqual([0, 0])
})

it('takes many mails apart in a thread, and does it itself once they have waited long, with the same outcome', async () => {
  const inTime = await indexed(100, 2_000)
  const late = await indexed(100, 4_000)
  expect([inTime.threads, late.threads]).toEqual([1, 0])
  expect(inTime.blocks).toEqual(late.blocks)
})

it('rests once a turn is over, as long as turns are by then', async () => {
  let nowMs = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  onTestFinished(() => clock.mockRestore())
  let turnMs = 1
  let rests = 0
  const pause = inSlices(
    async () => ++rests > 0,
    () => turnMs,
  )
  const restsAt = async (ms: number) => {
    nowMs = ms
    await pause()
    return rests
  }
  expect([await restsAt(0.9), await restsAt(1), await restsAt(1.5)]).toEqual([0, 1, 1])
  turnMs = 5
  expect([await restsAt(3), await restsAt(6), await restsAt(10)]).toEqual([1, 2, 2])
})

describeDatabases('the index of an account that is searched after each mail', (openDatabase) => {
  it('is merged, though nothing is ever left to take in', async () => {
    const database = await openDatabase()
    const clock = new RestlessClock()
    const service = await openService(database.options, { clock })
    const beside = await openBeside(database.options)
    onTestFinished(async () => {
      await service[Symbol.asyncDispose]()
      await beside.destroy()
      await database.drop()
    })
    for (let i = 0; i < 12; i++) {
      await service.mail({ subject: `Report ${i}` })
      expect((await service.call('GET', `/messages?q=${i}&mode=keyword`)).body.messages).toHaveLength(1)
    }
    clock.jump(3_000)
    const { tenantId } = service.home
    const live = beside
      .selectFrom('search_segments')
      .select('documents')
      .where('tenant_id', '=', tenantId)
      .where('state', '=', 'live')
    const cursor = beside.selectFrom('search_cursors').select('unmerged').where('tenant_id', '=', tenantId)
    await expect.poll(() => live.execute()).toEqual([{ documents: 12 }])
    await expect.poll(async () => (await cursor.executeTakeFirst())?.unmerged).toBe(0)
    expect((await service.call('GET', '/messages?q=report&mode=keyword')).body.messages).toHaveLength(12)
  })
})

it('takes in the mail of others where the index of an account fails', async () => {
  const folder = await temporaryFolder()
  const clock = new RestlessClock()
  const service = await openService({ data: folder }, { clock })
  const beside = await openBeside({ data: folder })
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]()
    await beside.destroy()
  })
  const headers = { 'idempotency-key': 'a'.repeat(43) }
  const other = (await service.call('POST', '/agent-signups', { key: null, headers })).body
  const { tenantId } = service.home
  await sql
    .raw(`create trigger fails before insert on search_segments when new.tenant_id = '${tenantId}'
      begin select raise(abort, 'no room'); end`)
    .execute(beside)
  const taken = beside.selectFrom('search_segments').select('documents').where('tenant_id', '!=', tenantId)
  // The account that fails is the first one way round.
  for (const [round, chance] of [0, 0.6].entries()) {
    clock.chance = chance
    await service.mail({ subject: 'Never taken in' })
    const mail = new TextEncoder().encode(
      `Message-ID: <${round}@example.com>\r\nSubject: Taken in\r\n\r\nHi\r\n`,
    )
    await service.service.receive({ mailFrom: '', recipients: [other.inbox.address] }, mail)
    clock.jump(3_000)
    await expect.poll(async () => (await taken.execute()).length).toBe(round + 1)
  }
})
