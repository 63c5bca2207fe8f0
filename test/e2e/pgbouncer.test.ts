import type { ServiceOptions } from 'restante/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SharedRateLimiter } from '../../src/service/net/shared-rate-limiter'
import { openStore } from '../../src/service/store/open-store'
import { createRateSlices } from '../../src/service/store/rate-slices'
import { directUrlOf, postgresSchema, reachable } from '../support/databases'
import { JumpClock } from '../support/jump-clock'
import { pgbouncerIsMissing, startPgbouncer } from '../support/pgbouncer'
import { openService } from '../support/service'

const raw = (subject: string) =>
  new TextEncoder().encode(`From: ana@example.com\r\nSubject: ${subject}\r\n\r\nIs it blue?\r\n`)

/** Opens nodes behind a pooler, and says where PostgreSQL itself is. */
async function behindPooler() {
  const { options, drop } = await postgresSchema('new')
  onTestFinished(drop)
  const directUrl = directUrlOf(options)
  const databaseUrl = await startPgbouncer(directUrl)
  const openNode = async (more: ServiceOptions = {}, ports: Parameters<typeof openService>[1] = {}) => {
    const node = await openService({ secret: options.secret!, databaseUrl, ...more }, ports)
    onTestFinished(() => node[Symbol.asyncDispose]())
    const receive = (subject: string) =>
      node.service.receive({ mailFrom: 'ana@example.com', recipients: [node.home.address] }, raw(subject))
    return { ...node, receive }
  }
  return { openNode, directUrl }
}

describe.skipIf(!reachable || pgbouncerIsMissing())('nodes behind PgBouncer in transaction mode', () => {
  test('take mail at once and number it without a gap', async () => {
    const { openNode } = await behindPooler()
    const nodes = [await openNode(), await openNode()]
    const subjects = Array.from({ length: 30 }, (_, index) => `mail ${index}`)
    await Promise.all(subjects.map((subject, index) => nodes[index % 2]!.receive(subject)))
    const { body } = await nodes[0]!.call('GET', '/messages?limit=100')
    expect(body.messages.map((one: { subject: string }) => one.subject).sort()).toEqual([...subjects].sort())
    const { events } = (await nodes[1]!.call('GET', '/events?after=0&limit=200')).body
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(
      events.map((_: object, at: number) => at + 1),
    )
  })

  // More nodes than the pooler has connections, none of which may be left with a lock.
  test('make the tables of a new database at once', async () => {
    const { openNode } = await behindPooler()
    for (let round = 0; round < 2; round++) {
      const nodes = await Promise.all(Array.from({ length: 6 }, () => openNode()))
      for (const node of nodes) await node.mail({ subject: 'new' })
    }
    const { body } = await (await openNode()).call('GET', '/messages')
    expect(body.messages).toHaveLength(12)
  })

  test('let through together what one may, also when all ask at once', async () => {
    const { options, drop } = await postgresSchema('new')
    onTestFinished(drop)
    const databaseUrl = await startPgbouncer(directUrlOf(options))
    const nowMs = Date.UTC(2026, 0, 1)
    async function openLimiter(): Promise<SharedRateLimiter> {
      const store = await openStore({ databaseUrl })
      onTestFinished(() => store.close())
      const slices = createRateSlices(store, () => nowMs)
      const rate = { limit: 300, windowMs: 60_000 }
      return new SharedRateLimiter(
        rate,
        (...asked) => slices('requests', ...asked),
        () => nowMs,
      )
    }
    const nodes = [await openLimiter(), await openLimiter(), await openLimiter()]
    const asked = Array.from({ length: 900 }, (_, i) => nodes[i % nodes.length]!.take('key'))
    const allowed = (await Promise.all(asked)).filter((verdict) => verdict.allowed).length
    expect(allowed).toBeGreaterThanOrEqual(291)
    expect(allowed).toBeLessThanOrEqual(300)
  })

  test('wake each other past it, where they are told how', async () => {
    const { openNode, directUrl } = await behindPooler()
    const databaseDirectUrl = directUrl
    const first = await openNode({ databaseDirectUrl })
    // Its clock stands still: it looks at nothing by itself.
    const second = await openNode({ databaseDirectUrl }, { clock: new JumpClock() })
    const seen = (await second.call('GET', '/events?after=0')).body.events
    let events: { type: string }[] | undefined
    const answered = second.call('GET', `/events?after=${seen.at(-1).seq}&wait_ms=20000`).then(({ body }) => {
      events = body.events
    })
    // The first may be too early: nodes connect to each other while they work.
    const deliver = async () => {
      await first.receive('Blue')
      return events
    }
    await expect.poll(deliver).toBeDefined()
    await answered
    expect(events!.map(({ type }) => type)).toContain('message.received')
  })

  test('say that they cannot, where they are not', async () => {
    const { openNode } = await behindPooler()
    const warnings: string[] = []
    const clock = new JumpClock()
    const quiet = { debug: () => {}, info: () => {}, error: () => {} }
    const logger = { ...quiet, warn: (_facts: object, message: string) => void warnings.push(message) }
    await openNode({}, { clock, logger })
    const beat = () => {
      clock.jump(30_000)
      return warnings
    }
    await expect.poll(beat).toContainEqual(expect.stringContaining('RESTANTE_DATABASE_DIRECT_URL'))
  })
})
