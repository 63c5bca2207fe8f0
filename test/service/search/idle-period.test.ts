import { expect, it } from 'vitest'
import { createLocalSignals } from '../../../src/service/log/local-signals'
import { searchTopic } from '../../../src/service/messages/add-message'
import { IdlePeriods } from '../../../src/service/search/semantic/idle-period'
import { JumpClock } from '../../support/jump-clock'

function begin() {
  const clock = new JumpClock()
  const signals = createLocalSignals()
  const idlePeriods = new IdlePeriods({ clock, signals })
  const comeEvery = (betweenMs: number, times: number) => {
    for (let i = 0; i < times; i++) {
      clock.jump(betweenMs)
      signals.publish(searchTopic)
    }
  }
  /** Begin a wait, and tell whether it is over. */
  const waiting = () => {
    const wait = { isOver: false }
    const ended = idlePeriods.wait().then(() => {
      wait.isOver = true
    })
    return { ended, isOver: () => new Promise((resolve) => setImmediate(() => resolve(wait.isOver))) }
  }
  return { clock, idlePeriods, comeEvery, waiting }
}

it('waits for nothing where no mail comes, or seldom', async () => {
  const { idlePeriods, clock, comeEvery } = begin()
  await idlePeriods.wait()
  comeEvery(500, 3)
  clock.jump(100)
  await idlePeriods.wait()
})

it('waits while mail comes thick, until none has come for a moment', async () => {
  const { clock, comeEvery, waiting } = begin()
  comeEvery(50, 2)
  const wait = waiting()
  for (let i = 0; i < 20; i++) {
    comeEvery(50, 1)
    expect(await wait.isOver()).toBe(false)
  }
  clock.jump(100)
  await wait.ended
})

it('waits no more once mail has come thick for a minute', async () => {
  const { comeEvery, waiting } = begin()
  comeEvery(50, 1_190)
  const wait = waiting()
  expect(await wait.isOver()).toBe(false)
  comeEvery(50, 20)
  await wait.ended
  await waiting().ended
})

it('ends what waits when it is closed', async () => {
  const { idlePeriods, comeEvery, waiting } = begin()
  comeEvery(50, 1)
  const waits = [waiting(), waiting()]
  idlePeriods.close()
  await Promise.all(waits.map(({ ended }) => ended))
})
