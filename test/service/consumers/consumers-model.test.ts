import fc from 'fast-check'
import { expect, it } from 'vitest'
import { claimed } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

/** A thing that may happen; numbers choose among what there is. */
type Step =
  | { do: 'mail'; thread: number }
  | { do: 'merge'; thread: number; other: number }
  | { do: 'lease'; max: number }
  | { do: 'ack' | 'nack' | 'release' | 'erase'; which: number }
  | { do: 'wait'; ms: number }
  | { do: 'ack all' | 'redrive' }

const thread = fc.nat({ max: 3 })
const which = fc.nat({ max: 20 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('mail' as const), thread }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), thread, other: thread }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('lease' as const), max: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('ack' as const, 'ack', 'nack', 'release', 'erase'), which }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 20_000, 3_000_000) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('ack all' as const, 'redrive') }) },
)

/** A message as the model has it. */
interface Modelled {
  id: string
  root: number
  state: 'waiting' | 'acked' | 'dead' | 'erased'
  attempts: number
  lease: string | null
  untilMs: number
}

interface Answered {
  lease: string
  attempt: number
  message: { id: string }
}

describeDatabases('S4, S6: a consumer against a plain model', (openDatabase) => {
  const clock = new JumpClock()
  const { service, database } = useService(
    openDatabase,
    (options) => openService(options, { clock }),
    perBlock,
  )
  let runs = 0

  async function play(steps: Step[]): Promise<void> {
    const run = runs++
    const account = await claimed(service, database.options, { at: clock.now(), plan: 'unlimited' })
    const bot = (verb: string, body: object) => account.call('POST', `/consumers/bot/${verb}`, { body })
    await account.call('POST', '/consumers', { body: { name: 'bot' } })
    const messages: Modelled[] = []
    /** Threads that became one lead to the same number. */
    const roots = [0, 1, 2, 3]
    const rootId = (at: number) => `<root.${at}.${run}@example.com>`
    /** A thread ends with its last message, and then nothing knows what belonged to it. */
    function forgetThread(root: number): void {
      if (messages.some((one) => one.root === root && one.state !== 'erased')) return
      for (const [at, other] of roots.entries())
        if (other === root) roots[at] = 1_000 + 4 * messages.length + at
    }
    const isHeld = (one: Modelled) => one.lease !== null && one.untilMs > clock.now()
    const held = () => messages.filter((one) => one.state === 'waiting' && one.lease !== null)

    async function mail(references: string[], root: number): Promise<void> {
      const messageId = `<m.${messages.length}.${run}@example.com>`
      const { response } = await service.mail({ to: account.address, messageId, references })
      const [id] = /msg_\w+/.exec(response)!
      messages.push({ id, root, state: 'waiting', attempts: 0, lease: null, untilMs: 0 })
    }

    function handedOut({ lease, attempt, message: { id } }: Answered): void {
      const one = messages.find((other) => other.id === id)!
      const siblings = messages.filter((other) => other.root === one.root && other.state === 'waiting')
      expect(one.state, 'never after its end').toBe('waiting')
      expect(isHeld(one), 'never to two').toBe(false)
      expect(siblings.filter(isHeld), 'never two of a thread').toEqual([])
      expect(siblings[0], 'in order').toBe(one)
      expect(attempt, 'attempts').toBe(one.attempts + 1)
      expect(attempt, 'attempts at most').toBeLessThanOrEqual(10)
      Object.assign(one, { attempts: attempt, lease, untilMs: clock.now() + 20_000 })
    }

    /** Buries what was had ten times and never acknowledged, once its lease is over and somebody looks. */
    function bury(): void {
      for (const one of messages)
        if (one.state === 'waiting' && one.attempts === 10 && !isHeld(one)) one.state = 'dead'
    }

    async function lease(max: number): Promise<number> {
      bury()
      const { deliveries } = (await bot('lease', { max })).body as { deliveries: Answered[] }
      for (const one of deliveries) handedOut(one)
      return deliveries.length
    }

    async function settle(verb: 'ack' | 'nack' | 'release', ones: Modelled[]): Promise<void> {
      if (ones.length === 0) return
      const leases = ones.map((one) => one.lease)
      const answer = await bot(verb, { leases })
      expect(answer.body.held.toSorted()).toEqual(leases.toSorted())
      for (const one of ones) {
        if (verb === 'ack') one.state = 'acked'
        if (verb === 'nack' && one.attempts === 10) one.state = 'dead'
        if (verb === 'release') one.attempts -= 1
        one.lease = null
      }
    }

    async function take(step: Step): Promise<void> {
      switch (step.do) {
        case 'mail':
          return mail([rootId(step.thread)], roots[step.thread]!)
        case 'merge': {
          const [kept, other] = [roots[step.thread]!, roots[step.other]!]
          for (const [at, root] of roots.entries()) if (root === other) roots[at] = kept
          for (const one of messages) if (one.root === other) one.root = kept
          return mail([rootId(step.thread), rootId(step.other)], kept)
        }
        case 'lease':
          return void (await lease(step.max))
        case 'wait':
          return clock.jump(step.ms)
        case 'ack all':
          return settle('ack', held())
        case 'redrive': {
          await bot('redrive', {})
          for (const one of messages)
            if (one.state === 'dead') Object.assign(one, { state: 'waiting', attempts: 0, lease: null })
          return
        }
        case 'erase': {
          const one = messages[step.which % messages.length]
          if (!one || one.state === 'erased') return
          expect((await account.call('DELETE', `/messages/${one.id}`)).status).toBe(204)
          one.state = 'erased'
          forgetThread(one.root)
          return
        }
        default: {
          const one = held()[step.which % Math.max(1, held().length)]
          if (one) await settle(step.do, [one])
        }
      }
    }

    for (const one of steps) await take(one)
    // Nothing is lost: all that is left comes, and then nothing more.
    for (let idle = 0; idle < 3; ) {
      idle = (await lease(10)) === 0 ? idle + 1 : 0
      await settle('ack', held().filter(isHeld))
      clock.jump(3_000_000)
    }
    const left = messages.filter((one) => one.state === 'waiting')
    expect(left).toEqual([])
    const state = (await account.call('GET', '/consumers/bot')).body
    const dead = messages.filter((one) => one.state === 'dead').length
    expect(state).toMatchObject({ waiting: 0, leased: 0, dead })
  }

  it('does as the model says in any order of what may happen', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), (steps) => play(steps)),
      { numRuns: Number(process.env.RESTANTE_MODEL_RUNS ?? 8) },
    ))
})
