import { expect, it, onTestFinished, vi } from 'vitest'
import * as jobs from '../../../../src/service/jobs/jobs'
import type { JobPorts } from '../../../../src/service/jobs/ports'
import * as deliveries from '../../../../src/service/outbound/delivery/deliveries'
import type { RecipientOutcome } from '../../../../src/service/outbound/delivery/outcome'
import type { OutgoingMail, Transport } from '../../../../src/service/outbound/delivery/transport'
import { openSqlite } from '../../../../src/service/store/open-sqlite'
import type { Store } from '../../../../src/service/store/store'
import { describeDatabases } from '../../../support/databases'
import { JumpClock } from '../../../support/jump-clock'
import { openService } from '../../../support/service'
import { useDatabase } from '../../../support/use-service'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

type Verdict = Partial<RecipientOutcome> & Pick<RecipientOutcome, 'outcome'>
const sent: Verdict = { outcome: 'sent', code: 250, detail: '250 fine' }
const refused: Verdict = { outcome: 'deferred', stage: 'connect', detail: 'connection refused' }

/** A way out whose answers the test gives, by recipient. */
function scriptedTransport(answer: (recipient: string) => Verdict | Promise<Verdict>) {
  const mails: OutgoingMail[] = []
  let running = 0
  const seen = { mails, max: 0, aborted: 0 }
  const transport: Transport = {
    siteOf: (domain) => domain,
    async send(mail, signal) {
      mails.push(mail)
      running += 1
      seen.max = Math.max(seen.max, running)
      const aborted = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => {
          seen.aborted += 1
          reject(signal.reason)
        }),
      )
      const verdicts = Promise.all(mail.recipients.map(answer))
      return Promise.race([verdicts, aborted])
        .then((all) =>
          all.map((one, i) => ({
            ...{ recipient: mail.recipients[i]!, code: null, enhanced: null, remote: null, detail: '' },
            ...one,
          })),
        )
        .finally(() => {
          running -= 1
        })
    },
    close: async () => {},
  }
  return { seen, transport }
}

describeDatabases('the queue of what leaves', (openDatabase) => {
  const database = useDatabase(openDatabase)
  const open = async (transport: Transport, clock = new JumpClock()) => {
    const service = await database.start((options) => openService(options, { transport, clock }))
    const send = async (to: string[], text = 'hi') =>
      (await service.call('POST', '/messages', { body: { to, text } })).body as { id: string }
    const read = async (id: string) => (await service.call('GET', `/messages/${id}`)).body
    const events = async () => {
      const { events } = (await service.call('GET', '/events?after=0&limit=500')).body
      return events as { type: string; data: { id: string; recipients: object[] } }[]
    }
    const status = (id: string) => expect.poll(async () => (await read(id)).delivery_status)
    return { ...service, clock, send, read, events, status }
  }

  const many = () => (database.options.databaseUrl ? 50 : 1_000)

  it('sends the next part at once where a server takes few recipients at a time', async () => {
    let asked = 0
    const over: Verdict = {
      outcome: 'deferred',
      code: 552,
      detail: '552 Too many recipients',
      isOverLimit: true,
    }
    const { transport, seen } = scriptedTransport(() => (asked++ % 2 === 0 ? sent : over))
    const { send, status, clock } = await open(transport)
    const before = clock.now()
    const { id } = await send(['a@far.test', 'b@far.test', 'c@far.test', 'd@far.test'])
    await status(id).toBe('sent')
    expect(seen.mails.length).toBeGreaterThan(1)
    expect(clock.now()).toBe(before)
  })

  it('lets a thousand mails for a dead domain hold up nobody, and tries few of them', async () => {
    let giveUp = () => {}
    const dead = new Promise<Verdict>((resolve) => {
      giveUp = () => resolve(refused)
    })
    const { transport, seen } = scriptedTransport((to) => (to.endsWith('@dead.test') ? dead : sent))
    const { call, send, status } = await open(transport)
    const waiting = Array.from({ length: many() }, (_, i) => send([`${i}@dead.test`]))
    await Promise.all(waiting)
    // As many as one domain may have are under way: else the next may be done before the last of them begins.
    await expect.poll(() => seen.mails.length).toBe(5)
    const { id } = await send(['bo@live.test'])
    await status(id).toBe('sent')
    expect(seen.mails.length).toBe(6)
    expect(seen.max).toBe(6)
    giveUp()
    const page = async () => (await call('GET', '/messages?limit=100')).body.messages
    const deferred = async () =>
      (await page()).filter((one: { delivery_status: string }) => one.delivery_status === 'deferred').length
    await expect.poll(deferred).toBe(Math.min(many(), 99))
    expect(seen.mails.length).toBeLessThanOrEqual(11)
  })

  it('knows its mail by the name that Amazon SES gave it', async () => {
    const id = '0102019a1b2c3d4e-01234567-89ab-cdef-0123-456789abcdef-000000'
    const renamed = { remote: 'email-smtp.eu-west-1.amazonaws.com', detail: `250 Ok ${id}` }
    const { transport } = scriptedTransport(() => ({ ...sent, ...renamed }))
    const { mail, call, send, read } = await open(transport)
    const { id: sentId } = await send(['ana@there.test'])
    await expect.poll(() => read(sentId)).toMatchObject({ delivery_status: 'sent' })
    const inReplyTo = `<${id}@eu-west-1.amazonses.com>`
    await mail({ from: 'ana@there.test', inReplyTo, subject: 'Another', text: 'answer' })
    const [answer] = (await call('GET', '/messages?limit=1')).body.messages
    expect(answer).toMatchObject({ preview: 'answer', thread_id: (await read(sentId)).thread_id })
  })

  it('sends nothing again to those who had it when it broke off', async () => {
    const asked: string[][] = []
    const transport: Transport = {
      siteOf: (domain) => domain,
      async send({ recipients }, _signal, settle) {
        asked.push([...recipients])
        const all = recipients.map(
          (recipient): RecipientOutcome => ({
            ...{ recipient, outcome: 'sent', code: 250, enhanced: null, remote: null, detail: 'fine' },
          }),
        )
        if (asked.length > 1) return all
        await settle?.(all.slice(0, 1))
        throw new Error('broken off')
      },
      close: async () => {},
    }
    const { clock, send, read, events } = await open(transport)
    const { id } = await send(['now@there.test', 'late@there.test'])
    const statuses = async () => {
      const { recipients } = await read(id)
      return recipients.map(({ address, status }: Record<string, string>) => `${address} ${status}`).sort()
    }
    const poll = () => expect.poll(statuses)
    await poll().toEqual(['late@there.test queued', 'now@there.test sent'])
    const arrive = async () => {
      // Once it is under way, a jump would take its lease away.
      if (asked.length < 2) clock.jump(minuteMs)
      return statuses()
    }
    await expect.poll(arrive).toEqual(['late@there.test sent', 'now@there.test sent'])
    expect(asked).toEqual([['now@there.test', 'late@there.test'], ['late@there.test']])
    const reported = (await events()).filter(({ type }) => type === 'message.sent')
    expect(reported.length).toBe(2)
  })

  it('tries again after growing times, and gives up after four days', async () => {
    const clock = new JumpClock()
    const started = clock.now()
    const tried: number[] = []
    const { transport } = scriptedTransport(() => {
      tried.push(clock.now() - started)
      const detail = `450 4.2.0 greylisted ${tried.length}`
      return { outcome: 'deferred', stage: 'recipient', code: 450, enhanced: '4.2.0', detail }
    })
    const { send, read, events, call } = await open(transport, clock)
    const { id } = await send(['bo@there.test'])
    const recipient = async () => (await read(id)).recipients[0]
    // A jump while the queue is being looked at is noticed at the next look, which goes by the clock too.
    const reported = (count: number) =>
      expect
        .poll(
          async () => {
            // Once it is under way, a jump would take its lease away.
            if (tried.length < count) clock.jump(5_000)
            return (await recipient()).detail
          },
          { interval: 10 },
        )
        .toContain(`greylisted ${count}`)
    const minutes = [1, 5, 15, 30, 60, 120, ...Array(40).fill(240)]
    for (let count = 1; clock.now() - started < 4 * dayMs; count += 1) {
      await reported(count)
      // The jumps in there may have gone beyond.
      if (clock.now() - started >= 4 * dayMs) break
      expect(await recipient()).toMatchObject({ status: 'deferred', reason: 'greylisted', kind: 'soft' })
      const delayMs = Math.min(minutes[count - 1] * minuteMs, 4 * dayMs - tried.at(-1)!)
      clock.jump(0.7 * delayMs)
      await read(id)
      clock.jump(0.3 * delayMs)
    }
    await expect
      .poll(async () => {
        clock.jump(5_000)
        return (await recipient()).status
      })
      .toBe('bounced')
    expect(await recipient()).toMatchObject({
      status: 'bounced',
      kind: 'soft',
      reason: 'greylisted',
      detail: expect.stringContaining('Given up after 4 days'),
    })
    expect(tried.length).toBeGreaterThan(25)
    tried.slice(1, -1).forEach((at, i) => {
      expect(at - tried[i]!).toBeGreaterThan(minutes[i] * 0.7 * minuteMs)
    })
    expect((await events()).map(({ type }) => type)).toContain('message.bounced')
    expect((await call('GET', '/suppressions')).body.suppressions).toEqual([])
  })

  it('tells of each recipient, and repeats for those only that were put off', async () => {
    const clock = new JumpClock()
    let isLate = true
    const verdicts: Record<string, () => Verdict> = {
      gone: () => ({ outcome: 'bounced', stage: 'recipient', code: 550, enhanced: '5.1.1', detail: 'no' }),
      full: () => ({
        outcome: 'bounced',
        stage: 'recipient',
        code: 552,
        enhanced: '5.2.2',
        detail: 'full',
      }),
      late: () => (isLate ? { outcome: 'deferred', stage: 'recipient', code: 450, detail: 'later' } : sent),
    }
    const { transport, seen } = scriptedTransport((to) => verdicts[to.split('@')[0]!]?.() ?? sent)
    const { send, read, events, status, call } = await open(transport, clock)
    const to = ['gone', 'full', 'late', 'ok'].map((name) => `${name}@there.test`)
    const { id } = await send(to)
    await status(id).toBe('deferred')
    expect(seen.mails.map(({ recipients }) => recipients)).toEqual([to])
    expect((await read(id)).recipients).toEqual([
      { address: 'full@there.test', status: 'bounced', reason: 'mailbox_full', kind: 'soft', detail: 'full' },
      {
        address: 'gone@there.test',
        status: 'bounced',
        reason: 'unknown_address',
        kind: 'hard',
        detail: 'no',
      },
      { address: 'late@there.test', status: 'deferred', reason: 'greylisted', kind: 'soft', detail: 'later' },
      { address: 'ok@there.test', status: 'sent', reason: null, kind: null, detail: '250 fine' },
    ])
    isLate = false
    clock.jump(minuteMs)
    await status(id).toBe('bounced')
    expect(seen.mails[1]!.recipients).toEqual(['late@there.test'])
    const reported = (await events()).filter(({ data }) => data.id === id).map(({ type }) => type)
    expect(reported.slice(1).sort()).toEqual(
      ['bounced', 'deferred', 'sent', 'sent'].map((name) => `message.${name}`),
    )
    const { suppressions } = (await call('GET', '/suppressions')).body
    expect(suppressions.map((one: { address: string }) => one.address)).toEqual(['gone@there.test'])
  })

  it('sends nothing to who was suppressed since', async () => {
    const clock = new JumpClock()
    let verdict: Verdict = refused
    const { transport, seen } = scriptedTransport(() => verdict)
    const { send, read, events, status, call } = await open(transport, clock)
    const both = await send(['bo@there.test', 'cy@there.test'])
    const one = await send(['bo@there.test'])
    await status(both.id).toBe('deferred')
    await status(one.id).toBe('deferred')
    await call('POST', '/suppressions', { body: { address: 'bo@there.test' } })
    verdict = sent
    const before = seen.mails.length
    clock.jump(2 * minuteMs)
    await status(one.id).toBe('rejected')
    await expect.poll(() => seen.mails.length).toBe(before + 1)
    expect(seen.mails.at(-1)!.recipients).toEqual(['cy@there.test'])
    await expect
      .poll(async () => (await read(both.id)).recipients)
      .toMatchObject([
        { address: 'bo@there.test', status: 'rejected', reason: 'suppressed' },
        { address: 'cy@there.test', status: 'sent' },
      ])
    expect((await events()).some(({ type, data }) => type === 'message.rejected' && data.id === one.id)).toBe(
      true,
    )
  })

  it('gives back what it held when it stops, uncounted, and the next goes on at once', async () => {
    const { transport, seen } = scriptedTransport(() => new Promise<Verdict>(() => {}))
    const clock = new JumpClock()
    const first = await open(transport, clock)
    const { id } = await first.send(['bo@there.test'])
    await expect.poll(() => seen.mails.length).toBe(1)
    const closed = first.service.close()
    // The grace that running deliveries have goes by the clock.
    await expect
      .poll(() => {
        clock.jump(5_000)
        return seen.aborted
      })
      .toBe(1)
    await closed
    const next = scriptedTransport(() => sent)
    const second = await open(next.transport, clock)
    await second.status(id).toBe('sent')
    expect(next.seen.mails).toHaveLength(1)
  })

  it('stops work at the end of its lease where the database answers no extension, and runs it not beside', async () => {
    const extension = vi.spyOn(jobs, 'extendLease').mockReturnValue(new Promise(() => {}))
    onTestFinished(() => extension.mockRestore())
    let breakOff = () => {}
    const broken = new Promise<Verdict>((_, reject) => {
      breakOff = () => reject(new Error('broken off late'))
    })
    const signals: AbortSignal[] = []
    const transport: Transport = {
      siteOf: (domain) => domain,
      async send({ recipients: [recipient] }, signal) {
        const isSlow = recipient!.endsWith('@slow.test')
        if (isSlow) signals.push(signal!)
        const verdict = isSlow && signals.length === 1 ? await broken : sent
        return [{ recipient: recipient!, code: null, enhanced: null, remote: null, detail: '', ...verdict }]
      },
      close: async () => {},
    }
    const { clock, send, status } = await open(transport)
    const { id } = await send(['bo@slow.test'])
    await expect.poll(() => signals.length).toBe(1)
    clock.jump(19_000)
    expect(signals[0]!.aborted).toBe(false)
    clock.jump(1_500)
    expect(signals[0]!.aborted).toBe(true)
    for (const name of ['one', 'two', 'three']) {
      clock.jump(5_000)
      await status((await send([`${name}@live.test`])).id).toBe('sent')
    }
    expect(signals).toHaveLength(1)
    breakOff()
    const again = () => {
      if (signals.length < 2) clock.jump(15_000)
      return signals.length
    }
    await expect.poll(again).toBe(2)
    await status(id).toBe('sent')
  })

  it('sends nothing twice where the database goes away between the answer and its record', async () => {
    let fails = 2
    const gone = Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01' })
    const record = deliveries.recordOutcomes
    const recording = vi.spyOn(deliveries, 'recordOutcomes').mockImplementation(async (...given) => {
      if (fails-- > 0) throw gone
      return record(...given)
    })
    onTestFinished(() => recording.mockRestore())
    const { transport, seen } = scriptedTransport(() => sent)
    const { clock, send, read } = await open(transport)
    const { id } = await send(['bo@there.test'])
    const status = async () => {
      clock.jump(500)
      return (await read(id)).delivery_status
    }
    await expect.poll(status).toBe('sent')
    expect(recording).toHaveBeenCalledTimes(3)
    expect(seen.mails).toHaveLength(1)
  })
})

it('does not count a try whose node died', async () => {
  const store = await openSqlite()
  onTestFinished(() => store.close())
  const clock = new JumpClock()
  const ports = { clock, store } as unknown as JobPorts
  const lease = async () => {
    const [job] = await jobs.leaseJobs(ports, 'domains', 1, 20_000, { except: [] })
    return job!
  }
  await store.write((tx) => jobs.insertJobs(ports, tx, 'acc_1', 'domains', [{}]))
  for (let deaths = 0; deaths < 5; deaths++) {
    expect(await lease()).toMatchObject({ attempts: 1 })
    clock.jump(20_000)
  }
  await jobs.releaseAllLeases(ports)
  const job = await lease()
  expect(job).toMatchObject({ attempts: 1 })
  await store.write((tx) => jobs.postponeJob(tx, job, new Date(clock.now()).toISOString()))
  expect(await lease()).toMatchObject({ attempts: 2 })
})

it('a look at a queue in which nothing is due writes nothing', async () => {
  const store = await openSqlite()
  onTestFinished(() => store.close())
  let writes = 0
  const write: Store['write'] = (work) => {
    writes += 1
    return store.write(work)
  }
  const ports = { clock: new JumpClock(), store: { ...store, write } } as unknown as JobPorts
  const lease = () => jobs.leaseJobs(ports, 'domains', 10, 20_000, { except: [] })
  expect(await lease()).toEqual([])
  expect(writes).toBe(0)
  const [id] = await store.write((tx) => jobs.insertJobs(ports, tx, 'acc_1', 'domains', [{}]))
  expect(await lease()).toMatchObject([{ id, attempts: 1 }])
  expect(await lease()).toEqual([])
  expect(writes).toBe(1)
})
