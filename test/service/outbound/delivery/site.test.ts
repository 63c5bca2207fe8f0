import { describe, expect, test } from 'vitest'
import type { RecipientOutcome } from '../../../../src/service/outbound/delivery/outcome'
import { feedbackOf, Site } from '../../../../src/service/outbound/delivery/site'

const minuteMs = 60_000

describe('a site', () => {
  test('has five deliveries at once, more as it takes them, and never more than twenty', () => {
    const site = new Site()
    expect(site.slots(0)).toBe(5)
    for (let i = 0; i < 6; i += 1) site.report('taken', '', 0)
    expect(site.slots(0)).toBe(6)
    for (let i = 0; i < 1_000; i += 1) site.report('taken', '', 0)
    expect(site.slots(0)).toBe(20)
    site.running = 20
    expect(site.slots(0)).toBe(0)
  })

  test('that has enough gets half as many, and at last one now and then', () => {
    const site = new Site()
    site.report('throttled', '', 0)
    expect(site.slots(0)).toBe(2)
    site.report('throttled', '', 0)
    expect(site.slots(0)).toBe(1)
    site.report('throttled', '', 0)
    expect([site.slots(1_599), site.slots(1_600)]).toEqual([0, 1])
    for (let i = 0; i < 100; i += 1) site.report('throttled', '', 0)
    expect([site.slots(63_999), site.slots(64_000)]).toEqual([0, 1])
    for (let i = 0; i < 7; i += 1) site.report('taken', '', 0)
    expect(site.slots(0)).toBeGreaterThan(1)
  })

  test('that nobody reaches is closed, then tried by one, and each time closed for longer, up to an hour', () => {
    const site = new Site()
    for (let i = 0; i < 4; i += 1) {
      expect(site.isClosed(0)).toBe(false)
      site.report('unreachable', 'refused', 0)
    }
    expect(site.isClosed(0)).toBe(true)
    expect(site.refusal(0)).toMatchObject({
      outcome: 'deferred',
      detail: 'refused',
      stage: 'connect',
      retryAfterMs: minuteMs,
    })
    let nowMs = 0
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      nowMs += minutes * minuteMs
      expect([site.isClosed(nowMs - 1), site.isClosed(nowMs), site.slots(nowMs)]).toEqual([true, false, 1])
      site.report('unreachable', 'refused', nowMs)
    }
    site.report('taken', '', nowMs)
    expect([site.isClosed(nowMs), site.slots(nowMs)]).toEqual([false, 2])
  })

  test('that was reached in between stays open', () => {
    const site = new Site()
    for (let i = 0; i < 100; i += 1) {
      site.report('unreachable', '', 0)
      site.report('taken', '', 0)
    }
    expect(site.isClosed(0)).toBe(false)
  })
})

describe('what outcomes say of a site', () => {
  const one = (fields: Partial<RecipientOutcome>): RecipientOutcome => ({
    recipient: 'a@there.test',
    outcome: 'deferred',
    code: null,
    enhanced: null,
    detail: '',
    remote: null,
    ...fields,
  })
  test.each<[string, Partial<RecipientOutcome>[], string]>([
    ['sent', [{ outcome: 'sent' }], 'taken'],
    ['refused for good', [{ outcome: 'bounced', stage: 'recipient' }], 'taken'],
    ['one of two', [{ outcome: 'sent' }, { stage: 'recipient' }], 'taken'],
    ['no connection', [{ stage: 'connect' }, { stage: 'connect' }], 'unreachable'],
    ['no DNS', [{ stage: 'route' }], 'unreachable'],
    ['a sender put off', [{ stage: 'mail', code: 451 }], 'throttled'],
    ['a mail put off', [{ stage: 'content', code: 451 }], 'throttled'],
    ['recipients refused with 421', [{ stage: 'recipient', code: 421 }], 'throttled'],
    ['a full mailbox', [{ stage: 'recipient', code: 452, enhanced: '4.2.2' }], 'none'],
    ['nobody', [], 'none'],
  ])('%s', (_, outcomes, feedback) => expect(feedbackOf(outcomes.map(one))).toBe(feedback))
})
