import { expect, it } from 'vitest'
import { createLookout } from '../../src/service/core/lookout'
import { JumpClock } from '../support/jump-clock'

function setUp() {
  const clock = new JumpClock()
  const asked = new Set<string>()
  const looks: string[][] = []
  const errors: unknown[] = []
  let during = async () => {}
  const lookout = createLookout({
    clock,
    askAll: () => asked.add('all'),
    isAsked: () => asked.size > 0,
    async look() {
      looks.push([...asked])
      asked.clear()
      await during()
    },
    onError: (error) => errors.push(error),
  })
  const ask = (what: string) => {
    asked.add(what)
    lookout.wake()
  }
  return { clock, lookout, ask, looks, errors, meanwhile: (work: () => Promise<void>) => (during = work) }
}

it('looks when it is woken, and at everything every five seconds', async () => {
  const { clock, ask, looks } = setUp()
  ask('one')
  await expect.poll(() => looks).toEqual([['one']])
  clock.jump(4_999)
  expect(looks).toHaveLength(1)
  clock.jump(1)
  await expect.poll(() => looks).toEqual([['one'], ['all']])
})

it('never looks twice at once, and forgets no wake-up that comes meanwhile', async () => {
  const { ask, looks, meanwhile } = setUp()
  let running = 0
  meanwhile(async () => {
    expect(running++).toBe(0)
    if (looks.length === 1) ask('two')
    await Promise.resolve()
    running--
  })
  ask('one')
  await expect.poll(() => looks).toEqual([['one'], ['two']])
})

it('looks at everything again where a look took so long that more became due', async () => {
  const { clock, ask, looks, meanwhile } = setUp()
  meanwhile(async () => {
    if (looks.length === 1) clock.jump(5_000)
  })
  ask('one')
  await expect.poll(() => looks).toEqual([['one'], ['all']])
})

it('goes on after a look that failed', async () => {
  const { clock, ask, looks, errors, meanwhile } = setUp()
  meanwhile(() => Promise.reject(new Error('no database')))
  ask('one')
  await expect.poll(() => errors).toHaveLength(1)
  clock.jump(5_000)
  await expect.poll(() => looks).toEqual([['one'], ['all']])
})

it('waits for a look that is under way before it is closed, and looks no more', async () => {
  const { clock, lookout, ask, looks, meanwhile } = setUp()
  let finish = () => {}
  meanwhile(() => new Promise((resolve) => (finish = resolve)))
  ask('one')
  let isClosed = false
  const closing = lookout.close().then(() => (isClosed = true))
  await Promise.resolve()
  expect(isClosed).toBe(false)
  finish()
  await closing
  ask('two')
  clock.jump(10_000)
  expect(looks).toEqual([['one']])
})
