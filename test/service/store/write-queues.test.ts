import { describe, expect, it } from 'vitest'
import { createWriteQueues } from '../../../src/service/store/postgres/write-queues'

const lockTimeout = () =>
  Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })

/** Lets everything that is due run. */
const turn = () => new Promise(setImmediate)

/** Work that ends when it is told to. */
function createWork() {
  const running: { end: () => void; fail: (error: unknown) => void }[] = []
  let most = 0
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const leave = (settle: () => void) => () => {
        running.splice(running.indexOf(one), 1)
        settle()
      }
      const one = { end: leave(resolve), fail: (error: unknown) => leave(() => reject(error))() }
      running.push(one)
      most = Math.max(most, running.length)
    })
  return {
    running,
    work,
    get most() {
      return most
    },
  }
}

describe('queues of writes', () => {
  it('let one account run two at once, whatever waits, and others begin at once', async () => {
    const inQueue = createWriteQueues()
    const [noisy, quiet] = [createWork(), createWork()]
    const all = Array.from({ length: 60 }, () => inQueue('noisy', noisy.work))
    await turn()
    expect(noisy.running).toHaveLength(2)
    const other = inQueue('quiet', quiet.work)
    await turn()
    expect(quiet.running).toHaveLength(1)
    quiet.running[0]!.end()
    await other
    while (noisy.running.length > 0) {
      noisy.running[0]!.end()
      await turn()
    }
    await Promise.all(all)
    expect(noisy.most).toBe(2)
  })

  it('let all accounts whose rows are held retry two at a time, so that others keep their connections', async () => {
    const inQueue = createWriteQueues()
    const works = Array.from({ length: 10 }, createWork)
    const waiting = works.map((one, at) => inQueue(`held ${at}`, one.work))
    await turn()
    for (const { running } of works) running[0]!.fail(lockTimeout())
    await turn()
    const retrying = () => works.flatMap(({ running }) => running)
    expect(retrying()).toHaveLength(2)
    while (retrying().length > 0) {
      expect(retrying().length).toBeLessThanOrEqual(2)
      retrying()[0]!.end()
      await turn()
    }
    await Promise.all(waiting)
  })

  it('refuse what waits for a row that is held for twelve seconds', async () => {
    let nowMs = 0
    const inQueue = createWriteQueues(() => nowMs)
    const held = createWork()
    const waiting = Promise.allSettled(Array.from({ length: 5 }, () => inQueue('held', held.work)))
    while (nowMs < 14_000) {
      await turn()
      nowMs += 2_000
      for (const { fail } of [...held.running]) fail(lockTimeout())
    }
    const outcomes = await waiting
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  })

  it('count no other failure as a held row', async () => {
    const inQueue = createWriteQueues()
    const one = createWork()
    const failing = inQueue('account', one.work)
    const next = inQueue('account', one.work)
    await turn()
    one.running[0]!.fail(new Error('no'))
    await expect(failing).rejects.toThrow('no')
    one.running[0]!.end()
    await next
  })
})
