import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { consumerOf, type Leased, ownerOf } from '../../support/desk'
import { faultsIn, readLog } from '../../support/hold-log'
import { JumpClock } from '../../support/jump-clock'
import { type Answer, openService } from '../../support/service'
import { useService } from '../../support/use-service'

/** Time for which a report of typing counts. */
const typingMs = 120_000

/** Work of an operator in a thread. */
type ThreadStep =
  | { do: 'hold' | 'release' | 'reply by hand' | 'type' | 'stop typing'; thread: number }
  | { do: 'assign'; thread: number; to: 'me' | 'bot' | 'nobody' }
  | { do: 'close' | 'reopen' | 'snooze'; thread: number }

/** A thing that may happen; numbers choose among what there is. */
type Step =
  | ThreadStep
  | { do: 'mail'; thread: number }
  | { do: 'lease'; worker: number; max: number }
  | { do: 'answer' | 'suggest' | 'hand over' | 'give up' | 'skip'; worker: number; which: number }
  | { do: 'use' | 'dismiss'; which: number }
  | { do: 'wait'; ms: number }
  | { do: 'redrive' }

const assignees = (consumer: string) => ({
  me: { kind: 'operator', id: 'me' },
  bot: { kind: 'consumer', id: consumer },
  nobody: null,
})

const maxThreads = 3
const thread = fc.nat({ max: maxThreads - 1 })
const worker = fc.nat({ max: 2 })
const which = fc.nat({ max: 5 })
const oneOf = <Name extends string>(...names: Name[]) => fc.constantFrom(...names)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: oneOf('mail'), thread }) },
  { weight: 4, arbitrary: fc.record({ do: oneOf('hold', 'release', 'reply by hand'), thread }) },
  { weight: 2, arbitrary: fc.record({ do: oneOf('type', 'stop typing'), thread }) },
  { weight: 3, arbitrary: fc.record({ do: oneOf('assign'), thread, to: oneOf('me', 'bot', 'nobody') }) },
  { weight: 2, arbitrary: fc.record({ do: oneOf('close', 'reopen', 'snooze'), thread }) },
  { weight: 6, arbitrary: fc.record({ do: oneOf('lease'), worker, max: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: oneOf('answer', 'answer', 'suggest', 'hand over', 'give up', 'skip'),
      worker,
      which,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: oneOf('use', 'dismiss'), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: oneOf('wait'), ms: fc.constantFrom(10_000, 25_000, 3_000_000, 90_000_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: oneOf('redrive') }) },
)

describeDatabases('people and agents on the same threads, against the rules of a hold', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (options) => openService(options, { clock }))
  let runs = 0

  async function play(steps: Step[]): Promise<void> {
    const run = runs++
    const owner = await ownerOf(service)
    const name = `bot-${run}`
    const bot = consumerOf(service, name)
    await service.call('POST', '/consumers', { body: { name, from: 'now' } })
    const { head } = (await service.call('GET', '/events?after=now')).body
    await service.call('PATCH', `/inboxes/${service.home.inboxId}`, {
      body: { handover_text: 'A colleague will write.' },
    })
    const threads: (string | undefined)[] = []
    const hands: Leased[][] = [[], [], []]
    const suggestions: string[] = []
    const leasedIds = new Set<string>()
    const given = new Set<string>()
    /** Threads in which an operator types, and until when. */
    const typing = new Map<string, number>()
    let mails = 0

    async function mail(at: number): Promise<void> {
      const root = `<root.${run}.${at}@example.com>`
      const messageId = threads[at] === undefined ? root : `<m.${run}.${mails++}@example.com>`
      await service.mail({
        subject: `${run} ${at}`,
        messageId,
        ...(messageId !== root && { inReplyTo: root, references: [root] }),
      })
      const { messages } = (await service.call('GET', '/messages?direction=inbound&limit=1')).body
      threads[at] = messages[0].thread_id
      given.add(messages[0].id)
    }
    const lastIn = async (threadId: string) =>
      (await service.call('GET', `/messages?thread_id=${threadId}&direction=inbound&limit=1`)).body
        .messages[0].id
    const isKept = async (threadId: string) =>
      (typing.get(threadId) ?? 0) > clock.now() ||
      (await service.call('GET', `/threads/${threadId}`)).body.hold !== null

    async function lease(worker: number, max: number): Promise<number> {
      const deliveries = await bot.lease(max)
      for (const one of deliveries) {
        const isWrong = await isKept(one.message.thread_id)
        expect(isWrong, 'no loop gets a message while people hold its thread or type in it').toBe(false)
        leasedIds.add(one.message.id)
      }
      hands[worker]!.push(...deliveries)
      return deliveries.length
    }

    /** Answers as the handler of a run does: what people hold goes back. */
    async function answer(one: Leased, when_held: 'refuse' | 'draft'): Promise<void> {
      const { id, thread_id } = one.message
      const mayNot = (typing.get(thread_id) ?? 0) > clock.now()
      const sent = await service.call('POST', `/messages/${id}/reply`, {
        body: {
          text: `From ${name}.`,
          consumer: name,
          client_id: `${name}:${id}`,
          replay: 'first_wins',
          when_held,
        },
      })
      if (sent.body.error === 'thread_held') return void (await bot.release([one]))
      const isSent = sent.status === 200 && !sent.body.idempotent
      expect(isSent && mayNot, 'no agent sends while an operator types').toBe(false)
      expect([200, 202], JSON.stringify(sent.body)).toContain(sent.status)
      if (sent.status === 202) suggestions.push(sent.body.id)
      await bot.ack([one])
    }

    async function act(kind: string, worker: number, which: number): Promise<void> {
      const hand = hands[worker]!
      const [one] = hand.splice(which % Math.max(1, hand.length), 1)
      if (!one) return
      if (kind === 'answer') return answer(one, 'refuse')
      if (kind === 'suggest') return answer(one, 'draft')
      if (kind === 'give up') return void (await bot.nack([one]))
      if (kind === 'skip') return void (await bot.release([one]))
      await service.call('POST', `/messages/${one.message.id}/hand-over`, {
        body: { reason: 'Too hard', consumer: name, lease: one.lease, send_prepared_text: which % 2 === 0 },
      })
    }

    async function decide(kind: 'use' | 'dismiss', which: number): Promise<void> {
      const [id] = suggestions.splice(which % Math.max(1, suggestions.length), 1)
      if (id === undefined) return
      const answer =
        kind === 'use'
          ? await owner.call('POST', `/drafts/${id}/send`)
          : await owner.call('DELETE', `/drafts/${id}`)
      expect([200, 204], JSON.stringify(answer.body)).toContain(answer.status)
    }

    /** What an operator does in a thread. */
    async function operate(step: ThreadStep, threadId: string): Promise<Answer> {
      const verb = (name: string, body?: object) => owner.call('POST', `/threads/${threadId}/${name}`, body)
      if (step.do === 'assign') return verb('assign', { assignee: assignees(name)[step.to] })
      if (step.do === 'snooze') return verb('snooze', { until: new Date(clock.now() + 60_000).toISOString() })
      if (step.do === 'hold') return verb('hold', {})
      if (step.do === 'reply by hand')
        return owner.call('POST', `/messages/${await lastIn(threadId)}/reply`, { text: 'By hand.' })
      if (step.do !== 'type' && step.do !== 'stop typing') return verb(step.do)
      const isTyping = step.do === 'type'
      typing.set(threadId, isTyping ? clock.now() + typingMs : 0)
      const presence = `/console/accounts/${service.home.tenantId}/threads/${threadId}/presence`
      return owner.call('POST', presence, { state: isTyping ? 'writing' : 'gone' })
    }

    async function take(step: Step): Promise<void> {
      if (step.do === 'mail') return mail(step.thread)
      if (step.do === 'lease') return void (await lease(step.worker, step.max))
      if (step.do === 'wait') return clock.jump(step.ms)
      if (step.do === 'redrive') return void (await bot.redrive())
      if ('which' in step)
        return 'worker' in step ? act(step.do, step.worker, step.which) : decide(step.do, step.which)
      const threadId = 'thread' in step ? threads[step.thread] : undefined
      if (threadId === undefined) return
      const answer = await operate(step as ThreadStep, threadId)
      expect(answer.status, JSON.stringify([step, answer.body])).toBe(200)
    }

    for (const one of steps) await take(one)
    // All is released, and what is left is leased and answered, until nothing more comes.
    for (let idle = 0; idle < 3; ) {
      for (const threadId of threads) if (threadId) await owner.call('POST', `/threads/${threadId}/release`)
      await bot.redrive()
      idle = (await lease(0, 10)) === 0 ? idle + 1 : 0
      for (const one of hands[0]!.splice(0)) await answer(one, 'refuse')
      clock.jump(3_000_000)
    }
    const log = await readLog(service, head)
    expect(faultsIn(log, given, leasedIds)).toEqual([])
    expect(await bot.state()).toMatchObject({ waiting: 0, leased: 0, dead: 0 })
  }

  it('keeps them in any order of what may happen', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), (steps) => play(steps)),
      { numRuns: Number(process.env.RESTANTE_MODEL_RUNS ?? 6) },
    ))
})
