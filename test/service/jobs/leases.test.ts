import { expect, it, onTestFinished } from 'vitest'
import { timeOf } from '../../../src/service/base/time'
import { leaseJobs, postponeJob } from '../../../src/service/jobs/jobs'
import { createLocalSignals } from '../../../src/service/log/local-signals'
import { Registry } from '../../../src/service/log/registry'
import { requestEmbedding } from '../../../src/service/search/semantic/request-embedding'
import { openStore } from '../../../src/service/store/open-store'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'

describeDatabases('leases of jobs', (open) => {
  /** Accounts that each have the one job that embeds its mail, which has the same id in all. */
  async function openQueue(count: number) {
    const { options, drop } = await open()
    const store = await openStore(options)
    onTestFinished(async () => {
      await store.close()
      await drop()
    })
    const clock = new JumpClock()
    const quiet = { debug() {}, info() {}, warn() {}, error() {} }
    const ports = { store, clock, logger: quiet, signals: createLocalSignals(), registry: new Registry() }
    const tenants = Array.from({ length: count }, (_, at) => `acc_${at}`)
    for (const tenant of tenants) await store.write((tx) => requestEmbedding({ clock }, tx, tenant))
    const lease = async (limit: number, except: { tenant_id: string; id: string }[] = []) =>
      (await leaseJobs(ports, 'embeddings', limit, 1_000, { except })).map((job) => job.tenant_id)
    const leaseAll = () => leaseJobs(ports, 'embeddings', count, 1_000, { except: [] })
    return { clock, tenants, lease, leaseAll, ports }
  }

  it('are of so many jobs as were asked for, each at one holder, also where accounts have jobs of one id', async () => {
    const { tenants, lease } = await openQueue(5)
    const first = await lease(1)
    expect(first).toHaveLength(1)
    const rest = (await Promise.all([lease(2), lease(2)])).flat()
    expect([...first, ...rest].sort()).toEqual(tenants)
    expect(await lease(5)).toEqual([])
  })

  it('leave out the job of an account that is still under way, and those of no other', async () => {
    const { clock, lease } = await openQueue(2)
    await lease(2)
    clock.jump(1_000)
    expect(await lease(2, [{ tenant_id: 'acc_0', id: 'job_embeddings' }])).toEqual(['acc_1'])
  })

  it('count no attempt for a holder that died', async () => {
    const { clock, leaseAll, ports } = await openQueue(1)
    const [first] = await leaseAll()
    expect(first!.attempts).toBe(1)
    for (let deaths = 0; deaths < 5; deaths++) {
      clock.jump(1_000)
      const [taken] = await leaseAll()
      expect(taken!.attempts).toBe(1)
    }
    clock.jump(1_000)
    const [last] = await leaseAll()
    await ports.store.write((tx) => postponeJob(tx, last!, timeOf(clock.now()), last!.data))
    const [again] = await leaseAll()
    expect(again!.attempts).toBe(2)
  })
})
