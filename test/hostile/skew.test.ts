import { expect, it, onTestFinished, vi } from 'vitest'
import { leaseJobs } from '../../src/service/jobs/jobs'
import { createLocalSignals } from '../../src/service/log/local-signals'
import { Registry } from '../../src/service/log/registry'
import { requestEmbedding } from '../../src/service/search/semantic/request-embedding'
import { openStore } from '../../src/service/store/open-store'
import { describeDatabases } from '../support/databases'
import { openService, type QuietService } from '../support/service'

describeDatabases('nodes whose clocks differ', (openDatabase) => {
  /** Moves the clock of this machine, for what starts from now on and what runs. */
  function machineClock() {
    const realNow = Date.now
    let aheadMs = 0
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + aheadMs)
    onTestFinished(() => void vi.restoreAllMocks())
    return {
      set(ms: number) {
        aheadMs = ms
      },
    }
  }

  async function openShared(skip: () => void) {
    const { options, drop } = await openDatabase()
    if (options.databaseUrl === undefined) {
      await drop()
      skip() // one process has one clock
    }
    onTestFinished(drop)
    return options
  }

  async function startOn(options: Awaited<ReturnType<typeof openShared>>) {
    const service = await openService({
      ...options,
      secret: 'a secret of the tests',
      metrics: '127.0.0.1:0',
    })
    onTestFinished(() => service[Symbol.asyncDispose]())
    return service
  }

  const lease = async ({ call }: QuietService) =>
    (await call('POST', '/consumers/bot/lease', { body: { max: 1, wait_ms: 0 } })).body.deliveries as {
      lease_until: string
    }[]

  const readiness = async ({ service }: QuietService) =>
    (await service.fetch(new Request('http://restante.test/readyz'))).json()

  it.for([{ aheadMs: 30_000 }, { aheadMs: -30_000 }])(
    'keep each other from a message that one has leased ($aheadMs ms)',
    async ({ aheadMs }, { skip }) => {
      const options = await openShared(skip)
      const clock = machineClock()
      const right = await startOn(options)
      clock.set(aheadMs)
      const wrong = await startOn(options)
      const at = (ms: number) => {
        clock.set(ms)
        return ms === 0 ? right : wrong
      }
      expect((await at(0).call('POST', '/consumers', { body: { name: 'bot', from: 'now' } })).status).toBe(
        201,
      )
      for (const [one, other] of [
        [0, aheadMs],
        [aheadMs, 0],
      ] as const) {
        await at(one).mail({ subject: `Leased at ${one}` })
        expect(await lease(at(one))).toHaveLength(1)
        expect(await lease(at(other))).toEqual([])
      }
    },
  )

  it('keep each other from jobs', async ({ skip }) => {
    const options = await openShared(skip)
    const clock = machineClock()
    async function open() {
      const store = await openStore(options)
      onTestFinished(() => store.close())
      const quiet = { debug() {}, info() {}, warn() {}, error() {} }
      const registry = new Registry()
      return { store, clock: store.clock!, logger: quiet, signals: createLocalSignals(), registry }
    }
    const right = await open()
    await right.store.write((tx) => requestEmbedding(right, tx, 'acc_1'))
    clock.set(-30_000)
    const late = await open()
    expect(await leaseJobs(late, 'embeddings', 1, 20_000, { except: [] })).toHaveLength(1)
    clock.set(30_000)
    const early = await open()
    for (const node of [right, early])
      expect(await leaseJobs(node, 'embeddings', 1, 20_000, { except: [] })).toEqual([])
  })

  it('report a clock that is more than five seconds off', async ({ skip }) => {
    const options = await openShared(skip)
    const clock = machineClock()
    const right = await startOn(options)
    expect(await readiness(right)).not.toHaveProperty('clock_skew_seconds')
    clock.set(30_000)
    const wrong = await startOn(options)
    expect(await readiness(wrong)).toMatchObject({ database: true, clock_skew_seconds: 30 })
    const { metrics } = await wrong.listen()
    const text = await (await fetch(`http://${metrics}/metrics`)).text()
    expect(Number(/^restante_clock_skew_seconds (\S+)$/m.exec(text)?.[1])).toBeCloseTo(30, 0)
  })

  it('go on by the clock of the database where that of a machine is set while it runs', async ({ skip }) => {
    const options = await openShared(skip)
    const clock = machineClock()
    const service = await startOn(options)
    await service.call('POST', '/consumers', { body: { name: 'bot', from: 'now' } })
    await service.mail({ subject: 'Before' })
    expect(await lease(service)).toHaveLength(1)
    clock.set(60_000)
    expect(await lease(service)).toEqual([])
    clock.set(-60_000)
    expect(await lease(service)).toEqual([])
  })
})
