import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/service/base/time'
import { createLocalSignals } from '../../../src/service/log/local-signals'
import { createNatsSignals } from '../../../src/service/log/nats-signals'
import type { NodeSignals } from '../../../src/service/log/ports'
import { createPostgresSignals } from '../../../src/service/log/postgres-signals'
import type { LogHint, Signals } from '../../../src/service/ports'
import { directUrlOf, postgresSchema, reachable } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { noNats, startNats } from '../../support/nats-server'
import { openService } from '../../support/service'

const mail = new Uint8Array(new TextEncoder().encode('From: ana@example.com\r\nSubject: Hi\r\n\r\nx'))
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** The URL of a new schema, past a pooler, through which nobody hears anything. */
async function openSchema(): Promise<string> {
  const { options, drop } = await postgresSchema('new')
  onTestFinished(drop)
  return directUrlOf(options)
}

async function openNode(url: string, warn: (message: string) => void = () => {}): Promise<NodeSignals> {
  const logger = { ...quiet, warn: (_facts: object, message: string) => warn(message) }
  const signals = createPostgresSignals({ url, clock: systemClock, logger })
  onTestFinished(() => signals.close())
  await signals.connected
  return signals
}

/** The topics that a node is woken for. */
function listen(signals: Signals, ...topics: string[]): string[] {
  const woken: string[] = []
  for (const topic of topics) onTestFinished(signals.subscribe(topic, () => void woken.push(topic)))
  return woken
}

/** The contract of every implementation. */
function contract(open: () => Promise<Signals>): void {
  it('signals tell each listener of a topic in the same turn, with the hint, until it leaves', async () => {
    const signals = await open()
    const hints: (LogHint | undefined)[] = []
    const leave = signals.subscribe('log', (hint) => void hints.push(hint))
    const second = listen(signals, 'log', 'other')
    const hint: LogHint = () => []
    signals.publish('log', hint)
    expect(hints).toEqual([hint])
    leave()
    signals.publish('log')
    expect(hints).toHaveLength(1)
    expect(second).toEqual(['log', 'log'])
  })

  it('signals may be published where nobody listens', async () => {
    const signals = await open()
    signals.publish('nobody')
  })
}

describe('signals of one process', () => contract(async () => createLocalSignals()))

describe.skipIf(!reachable)('signals by PostgreSQL', () => {
  contract(async () => openNode(await openSchema()))

  it('wakes the other nodes of a schema, and nobody else', async () => {
    const [mine, theirs] = [await openSchema(), await openSchema()]
    const [first, second, stranger] = [await openNode(mine), await openNode(mine), await openNode(theirs)]
    const [own, other, strange] = [first, second, stranger].map((one) => listen(one, 'a', 'b'))
    first.publish('a')
    second.publish('b')
    await expect
      .poll(() => [own, other].map((one) => [...one!].sort()))
      .toEqual([
        ['a', 'b'],
        ['a', 'b'],
      ])
    expect(strange).toEqual([])
  })

  it('brings any number of topics, however long', async () => {
    const url = await openSchema()
    const [first, second] = [await openNode(url), await openNode(url)]
    const topics = Array.from({ length: 500 }, (_, index) => `${'topic'.repeat(10)} ${index}`)
    const woken = listen(second, ...topics)
    for (const topic of [...topics, topics[0]!]) first.publish(topic)
    await expect.poll(() => woken.length).toBe(topics.length)
    expect(new Set(woken)).toEqual(new Set(topics))
  })

  it('comes back after its connection was cut', async () => {
    const url = await openSchema()
    const name = `cut-${randomUUID()}`
    const warnings: string[] = []
    const first = await openNode(url)
    const second = await openNode(`${url}&application_name=${name}`, (said) => warnings.push(said))
    const woken = listen(second, 'a')
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    onTestFinished(() => admin.end())
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      name,
    ])
    await expect.poll(() => warnings).toEqual([expect.stringContaining('not heard for now')])
    const tell = () => {
      first.publish('a')
      return woken.length
    }
    await expect.poll(tell).toBeGreaterThan(0)
  })

  it('wakes who waits at another node, whose clock stands still', async () => {
    const { options, drop } = await postgresSchema()
    const clock = new JumpClock()
    const [first, second] = [await openService(options), await openService(options, { clock })]
    onTestFinished(async () => {
      for (const one of [first, second]) await one[Symbol.asyncDispose]()
      await drop()
    })
    const seen = (await second.call('GET', '/events?after=0')).body.events
    let events: { type: string }[] | undefined
    const path = `/events?after=${seen.at(-1).seq}&wait_ms=20000`
    const answered = second.call('GET', path).then(({ body }) => {
      events = body.events
    })
    // The first may be too early: nodes connect to each other while they work.
    const deliver = async () => {
      const envelope = { mailFrom: 'ana@example.com', recipients: [first.home.address] }
      await first.service.receive(envelope, mail)
      return events
    }
    await expect.poll(deliver).toBeDefined()
    await answered
    expect(events?.map(({ type }) => type)).toContain('message.received')
  })
})

interface Warned {
  message: string
  error: unknown
}

async function openNatsNode(
  url: string,
  database = 'one',
  warn: (said: Warned) => void = () => {},
): Promise<NodeSignals> {
  const logger = {
    ...quiet,
    warn: ({ error }: { error?: unknown }, message: string) => warn({ message, error }),
  }
  const signals = createNatsSignals({ url, database: async () => database, clock: systemClock, logger })
  onTestFinished(() => signals.close())
  return signals
}

describe.skipIf(noNats !== null)('signals by NATS', () => {
  async function open() {
    const server = await startNats()
    onTestFinished(server.stop)
    const openNode = async (...more: [database?: string, warn?: (said: Warned) => void]) => {
      const signals = await openNatsNode(server.url, ...more)
      await signals.connected
      return signals
    }
    return { server, openNode }
  }

  contract(async () => (await open()).openNode())

  it('wakes the other nodes on a database, itself once, and nobody else', async () => {
    const { openNode } = await open()
    const [first, second, stranger] = [await openNode(), await openNode(), await openNode('another')]
    const [own, other, strange] = [first, second, stranger].map((one) => listen(one, 'a', 'b', 'end'))
    first.publish('a')
    second.publish('b')
    stranger.publish('end')
    for (const one of [first, second]) one.publish('end')
    await expect
      .poll(() => [own, other].map((one) => one!.filter((topic) => topic === 'end').length))
      .toEqual([2, 2])
    expect(own!.filter((topic) => topic !== 'end').sort()).toEqual(['a', 'b'])
    expect(other!.filter((topic) => topic !== 'end').sort()).toEqual(['a', 'b'])
    expect(strange).toEqual(['end'])
  })

  it('takes a login from the URL, and several servers', async () => {
    const { server } = await open()
    // This server wants no login, and nobody is at the first address.
    const url = `nats://ana:p%40ss@127.0.0.1:1, ${server.url}`
    const [first, second] = [await openNatsNode(url), await openNatsNode(url)]
    await Promise.all([first.connected, second.connected])
    const woken = listen(second, 'a')
    first.publish('a')
    await expect.poll(() => woken).toEqual(['a'])
  })

  it('wakes who is here while no server is there, says it once, and wakes the others again when it is back', async () => {
    const { server, openNode } = await open()
    const warned: Warned[] = []
    const [first, second] = [await openNode(), await openNode('one', (said) => warned.push(said))]
    const [own, other] = [listen(first, 'a'), listen(second, 'a')]
    await server.stop()
    await expect.poll(() => warned.length).toBe(1)
    expect(warned[0]!.message).toMatch(/NATS cannot be reached/)
    first.publish('a')
    expect(own).toEqual(['a'])
    await server.start()
    const tell = () => {
      first.publish('a')
      return other.length
    }
    await expect.poll(tell).toBeGreaterThan(0)
    expect(warned).toHaveLength(1)
  })

  it('is awaited at the start by nobody, and found once it is there', async () => {
    const { server } = await open()
    await server.stop()
    const warned: Warned[] = []
    const signals = await openNatsNode(server.url, 'one', (said) => warned.push(said))
    const own = listen(signals, 'a')
    signals.publish('a')
    expect(own).toEqual(['a'])
    await expect.poll(() => warned.length).toBe(1)
    await server.start()
    await signals.connected
    const other = await openNatsNode(server.url)
    await other.connected
    other.publish('a')
    await expect.poll(() => own).toEqual(['a', 'a'])
  })

  it('does without what strangers say on the same server', async () => {
    const { server, openNode } = await open()
    const signals = await openNode()
    const woken = listen(signals, 'a')
    const { connect } = await import('@nats-io/transport-node')
    const stranger = await connect({ servers: server.url.replace('nats://', '') })
    for (const said of ['', 'no json', '{"topics":["a"]}', '[1,null]', '["a"]'])
      stranger.publish('restante.one', said)
    await stranger.drain()
    await expect.poll(() => woken).toEqual(['a'])
  })
})
