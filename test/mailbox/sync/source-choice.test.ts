import { expect, test } from 'vitest'
import {
  chooseSource,
  lostSocket,
  planTrial,
  untriedSockets,
  wonSocket,
} from '../../../src/mailbox/sync/source-choice'

const broken = new Error('cut')

test('the socket is chosen unless three in a row failed, and then polls', () => {
  let record = untriedSockets
  for (let failures = 0; failures < 3; failures += 1) {
    expect(chooseSource('auto', record)).toBe('socket')
    record = lostSocket(record, false, broken)
  }
  expect(chooseSource('auto', record)).toBe('poll')
  expect(chooseSource('auto', wonSocket(record))).toBe('socket')
  expect(chooseSource('auto', lostSocket(record, true, broken))).toBe('socket')
})

test('a network that swallows sockets is not waited for again', () => {
  expect(chooseSource('auto', lostSocket(untriedSockets, false, { code: 'socket_timeout' }))).toBe('poll')
})

test('the source that is asked for is chosen, however sockets fare', () => {
  const failed = { failures: 9, trials: 9 }
  for (const source of ['socket', 'webhook', 'poll'] as const)
    expect(chooseSource(source, failed)).toBe(source)
})

test('sockets are tried again after a minute, then less and less often', () => {
  let record = { failures: 3, trials: 0 }
  const delays = Array.from({ length: 6 }, () => {
    const plan = planTrial(record)
    record = lostSocket(plan.record, false, broken)
    return plan.delayMs / 60_000
  })
  expect(delays).toEqual([1, 2, 4, 8, 10, 10])
  expect(planTrial(lostSocket(record, true, broken)).delayMs).toBe(60_000)
})
