import { expect, it, onTestFinished } from 'vitest'
import { createLocalSignals } from '../../../src/service/log'
import { searchTopic } from '../../../src/service/messages'
import { noSemantics } from '../../../src/service/search'
import { SearchIndexer } from '../../../src/service/search/indexer'
import type { TakeInPorts } from '../../../src/service/search/take-in'
import { openSqlite } from '../../../src/service/store'
import { layCopies } from '../../support/copied-mail'
import { JumpClock } from '../../support/jump-clock'

/** A clock whose short waits are over at once, and are counted. */
class RestlessClock extends JumpClock {
  rests = 0

  override background(delayMs: number, callback: () => void): () => void {
    if (delayMs > 100) return super.background(delayMs, callback)
    this.rests++
    setImmediate(callback)
    return () => {}
  }
}

/** Takes many mails into the index while others come, so long after they came; how often that rested. */
async function restsAfter(waitedMs: number): Promise<number> {
  const { folder, tenantId } = await layCopies('The only mail, of which there are many. '.repeat(20), 300)
  const store = await openSqlite(folder)
  const rows = await store.db.selectFrom('messages').select(['created_at']).execute()
  const lastMs = Math.max(...rows.map((row) => Date.parse(row.created_at)))
  const clock = new RestlessClock(lastMs + waitedMs - 1_000)
  const signals = createLocalSignals()
  const ports = { store, clock, signals, semantics: noSemantics } as unknown as TakeInPorts
  const indexer = new SearchIndexer(ports)
  onTestFinished(async () => {
    await indexer.close()
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
    .toBe(301)
  return clock.rests
}

it('rests while mail comes, unless that would never let it catch up', async () => {
  const inTime = await restsAfter(2_000)
  const late = await restsAfter(4_000)
  expect(inTime).toBeGreaterThan(20)
  // Merging, once all is taken in, rests again.
  expect(late).toBeLessThan(inTime / 2)
})
