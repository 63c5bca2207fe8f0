import { expect, it } from 'vitest'
import { createPoller } from '../../../src/service/log/poller'
import { JumpClock } from '../../support/jump-clock'

function setUp() {
  const clock = new JumpClock()
  const asked = new Set<string>()
  const polls: string[][] = []
  const errors: unknown[] = []
  let during = async () => {}
  const poller = createPoller({
    clock,
    askAll: () => asked.add('all'),
    isAsked: () => asked.size > 0,
    async poll() {
      polls.push([...asked])
      asked.clear()
      await during()
    },
    onError: (error) => errors.push(error),
  })
  const ask = (what: string) => {
    asked.add(what)
    poller.wake()
  }
  return {
    clock,
    lookout: poller,
    ask,
    polls,
    errors,
    meanwhile: (work: () => Promise<void>) => (during = work),
  }
}

it('a poller polls when it is woken, and everything every five seconds', async () => {
  const { clock, ask, polls } = setUp()
  ask('one')
  await expect.poll(() => polls).toEqual([['one']])
  clock.jump(4_999)
  expect(polls).toHaveLength(1)
  clock.jump(1)
  await expect.poll(() => polls).toEqual([['one'], ['all']])
})

it('a poller polls everything every five seconds, however often it is woken meanwhile', async () => {
  const { clock, ask, polls } = setUp()
  for (const name of ['one', 'two', 'three']) {
    const before = polls.length
    ask(name)
    await expect.poll(() => polls.length).toBeGreaterThan(before)
    clock.jump(2_000)
  }
  await expect.poll(() => polls).toContainEqual(['all'])
})

it('a poller never polls twice at once, and forgets no wake-up that comes meanwhile', async () => {
  const { ask, polls, meanwhile } = setUp()
  let running = 0
  meanwhile(async () => {
    expect(running++).toBe(0)
    if (polls.length === 1) ask('two')
    await Promise.resolve()
    running--
  })
  ask('one')
  await expect.poll(() => polls).toEqual([['one'], ['two']])
})

it('a poller polls everything again where a poll took so long that more became due', async () => {
  const { clock, ask, polls, meanwhile } = setUp()
  meanwhile(async () => {
    if (polls.length === 1) clock.jump(5_000)
  })
  ask('one')
  await expect.poll(() => polls).toEqual([['one'], ['all']])
})

it('a poller goes on after a poll that failed', async () => {
  const { clock, ask, polls, errors, meanwhile } = setUp()
  meanwhile(() => Promise.reject(new Error('no database')))
  ask('one')
  await expect.poll(() => errors).toHaveLength(1)
  clock.jump(5_000)
  await expect.poll(() => polls).toEqual([['one'], ['all']])
})

it('a poller that is closed waits for a poll that is under way, and polls no more', async () => {
  const { clock, lookout: poller, ask, polls, meanwhile } = setUp()
  let finish = () => {}
  meanwhile(() => new Promise((resolve) => (finish = resolve)))
  ask('one')
  let isClosed = false
  const closing = poller.close().then(() => (isClosed = true))
  await Promise.resolve()
  expect(isClosed).toBe(false)
  finish()
  await closing
  ask('two')
  clock.jump(10_000)
  expect(polls).toEqual([['one']])
})
