import { expect, it, onTestFinished, vi } from 'vitest'
import { claimed, type TestAccount } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { type Answer, openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

interface Leased {
  lease: string
  lease_until: string
  attempt: number
  redriven: boolean
  message: { id: string; subject: string; thread_id: string }
}

const path = '/consumers/bot'
const subjects = (deliveries: Leased[]) => deliveries.map((one) => one.message.subject)

/** The calls of a consumer `bot` of an account. */
const botOf = (account: TestAccount) => {
  const post = async (verb: string, body: object): Promise<Answer['body']> => {
    const answer = await account.call('POST', `${path}/${verb}`, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  const onLeases =
    (verb: string) =>
    (deliveries: Leased[], more: object = {}) =>
      post(verb, { leases: deliveries.map((one) => one.lease), ...more })
  return {
    create: (body: object = {}) => account.call('POST', '/consumers', { body: { name: 'bot', ...body } }),
    lease: async (max = 1, wait_ms = 0, more: object = {}): Promise<Leased[]> =>
      (await post('lease', { max, wait_ms, ...more })).deliveries,
    ack: onLeases('ack'),
    nack: onLeases('nack'),
    extend: onLeases('extend'),
    release: onLeases('release'),
    redrive: (body: object = {}) => post('redrive', body),
    state: async () => (await account.call('GET', path)).body,
    dead: async () => (await account.call('GET', `${path}/dead-letters`)).body.dead_letters,
  }
}

describeDatabases('a consumer', (openDatabase) => {
  const clock = new JumpClock()
  const { service, database } = useService(
    openDatabase,
    (options) => openService(options, { clock }),
    perBlock,
  )

  async function opened(body?: object) {
    const account = await claimed(service, database.options, { at: clock.now(), plan: 'unlimited' })
    const bot = botOf(account)
    if (body) await bot.create(body)
    let mails = 0
    const mail = async (subject: string, more: { references?: string[]; to?: string } = {}) => {
      const messageId = `<${subject}.${mails++}.${account.tenantId}@example.com>`
      await service.mail({ to: account.address, subject, messageId, ...more })
      return messageId
    }
    return { account, bot, mail }
  }

  it('hands out what is there from the oldest on, each message until it is acknowledged', async () => {
    const { bot, mail } = await opened()
    for (const subject of ['a', 'b', 'c']) await mail(subject)
    expect((await bot.create()).status).toBe(201)
    expect((await bot.create({ from: 'now' })).status).toBe(200)
    expect(await bot.state()).toMatchObject({ waiting: 3, leased: 0, dead: 0 })
    const first = await bot.lease(2)
    expect(first).toMatchObject([
      { attempt: 1, redriven: false, message: { subject: 'a', direction: 'inbound', reply_text: 'Hi' } },
      { message: { subject: 'b' } },
    ])
    expect(await bot.state()).toMatchObject({ waiting: 1, leased: 2 })
    expect(subjects(await bot.lease(5))).toEqual(['c'])
    expect(await bot.ack(first)).toEqual({ held: first.map((one) => one.lease), lost: [] })
    expect(await bot.ack(first)).toEqual({ held: [], lost: first.map((one) => one.lease) })
    expect(await bot.lease(5)).toEqual([])
    clock.jump(20_000)
    expect(await bot.lease(5)).toMatchObject([{ attempt: 2, message: { subject: 'c' } }])
    expect(await bot.state()).toMatchObject({ waiting: 0, leased: 1 })
  })

  it('gives a request that is repeated what it was given, and nobody else', async () => {
    const { account, bot, mail } = await opened({})
    for (const subject of ['a', 'b', 'c']) await mail(subject)
    const [one, other] = [{ request_id: 'onerequest00' }, { request_id: 'onerequest001' }]
    const lost = await bot.lease(2, 0, one)
    clock.jump(15_000)
    const again = await bot.lease(2, 0, one)
    expect(again).toMatchObject([
      { attempt: 1, message: { subject: 'a' } },
      { attempt: 1, message: { subject: 'b' } },
    ])
    // Whoever finds that the first answer reached nobody gives nothing back that the second one holds.
    expect((await bot.release(lost)).held).toEqual([])
    clock.jump(15_000)
    expect(subjects(await bot.lease(5, 0, other))).toEqual(['c'])
    expect((await bot.ack(again)).held).toHaveLength(2)
    await mail('d')
    expect(subjects(await bot.lease(5, 0, one))).toEqual(['d'])
    clock.jump(20_000)
    expect(await bot.lease(5)).toMatchObject([{ attempt: 2 }, { attempt: 2 }])
    const refused = await account.call('POST', `${path}/lease`, { body: { request_id: 'onerequest-%' } })
    expect(refused.body.error).toBe('invalid_request')
  })

  it('leaves out what a reply would be refused for, counts and lists it, and sends round what was misjudged', async () => {
    const { account, bot, mail } = await opened({})
    await mail('asked')
    const away = { subject: 'Automatic reply: asked', text: 'I am away', messageId: '<away@example.com>' }
    await service.mail({ to: account.address, ...away })
    await mail('asked again')
    const leased = await bot.lease(10)
    expect(subjects(leased)).toEqual(['asked', 'asked again'])
    await bot.ack(leased)
    expect(await bot.state()).toMatchObject({ waiting: 0, dead: 0, skipped: 1 })
    const skipped = async () => (await account.call('GET', `${path}/skipped`)).body.messages
    expect(await skipped()).toMatchObject([{ subject: away.subject, unanswerable: 'automatic' }])
    const [{ id, seq }] = await skipped()
    const reply = () => account.call('POST', `/messages/${id}/reply`, { body: { text: 'Thanks' } })
    expect((await reply()).body).toMatchObject({
      error: 'automatic_mail',
      details: { unanswerable: 'automatic' },
    })

    expect(await bot.redrive()).toEqual({ redriven: 0, left_out: 0 })
    expect(await bot.redrive({ message_ids: [id] })).toEqual({ redriven: 1, left_out: 0 })
    const [late] = await bot.lease(10)
    expect(late).toMatchObject({ redriven: true, attempt: 1, message: { id, unanswerable: null } })
    await bot.ack([late!])
    expect(await bot.lease(10)).toEqual([])
    expect(await bot.state()).toMatchObject({ waiting: 0, skipped: 0 })
    const { events } = (await account.call('GET', `/events?after=${seq}&types=message.updated`)).body
    expect(events).toMatchObject([{ type: 'message.updated', data: { id, unanswerable: null } }])
    expect((await reply()).status).toBe(200)
  })

  it('hands what was misjudged to each that left it out, once, also where its thread is out', async () => {
    const { account, bot, mail } = await opened({})
    await account.call('POST', '/consumers', { body: { name: 'archive' } })
    const messageId = await mail('asked')
    const headers = { 'Auto-Submitted': 'auto-replied' }
    await service.mail({ to: account.address, subject: 'Re: asked', references: [messageId], headers })
    const archive = async () => {
      const { body } = await account.call('POST', '/consumers/archive/lease', { body: { max: 10 } })
      await account.call('POST', '/consumers/archive/ack', {
        body: { leases: body.deliveries.map((one: { lease: string }) => one.lease) },
      })
      return subjects(body.deliveries)
    }
    expect(await archive()).toEqual(['asked'])
    const first = await bot.lease(10)
    const [{ id }] = (await account.call('GET', `${path}/skipped`)).body.messages
    expect(await bot.redrive({ message_ids: [id] })).toEqual({ redriven: 1, left_out: 0 })
    expect(await bot.lease(10)).toEqual([])
    await bot.ack(first)
    const second = await bot.lease(10)
    expect(subjects(second)).toEqual(['Re: asked'])
    await bot.ack(second)
    expect(await bot.lease(10)).toEqual([])
    expect(await archive()).toEqual(['Re: asked'])
    expect(await archive()).toEqual([])
  })

  it('gets what is unanswerable where it asks for it, and counts only what came since it began', async () => {
    const { account, bot } = await opened()
    const away = () => service.mail({ to: account.address, subject: 'Automatic reply: x', text: 'I am away' })
    await away()
    await bot.create({ unanswerable: true })
    expect((await bot.create({})).body.error).toBe('consumer_exists')
    expect(await bot.lease(10)).toMatchObject([{ message: { unanswerable: 'automatic' } }])
    expect(await bot.state()).toMatchObject({ skipped: 0, unanswerable: true })
    await account.call('POST', '/consumers', { body: { name: 'late', from: 'now' } })
    expect((await account.call('GET', '/consumers/late')).body).toMatchObject({ waiting: 0, skipped: 0 })
    const refused = await account.call('GET', '/consumers/none/skipped')
    expect(refused.body.error).toBe('not_found')
  })

  it('begins where its creator says: at the start, now, or at a time', async () => {
    const { account, bot, mail } = await opened()
    await mail('old')
    clock.jump(60_000)
    const from = new Date(clock.now()).toISOString()
    await mail('young')
    for (const [name, start] of Object.entries({
      start: 'start',
      now: 'now',
      at: from,
      later: '2200-01-01T00:00:00Z',
    }))
      await account.call('POST', '/consumers', { body: { name, from: start } })
    await mail('new')
    const seen = async (name: string) =>
      subjects((await account.call('POST', `/consumers/${name}/lease`, { body: { max: 9 } })).body.deliveries)
    expect(await seen('start')).toEqual(['old', 'young', 'new'])
    expect(await seen('at')).toEqual(['young', 'new'])
    expect(await seen('now')).toEqual(['new'])
    expect(await seen('later')).toEqual(['new'])
    expect((await account.call('GET', '/consumers?limit=3')).body.consumers).toMatchObject([
      { name: 'at' },
      { name: 'later' },
      { name: 'now' },
    ])
    await bot.create()
    expect((await bot.create({ spam: true })).body.error).toBe('consumer_exists')
  })

  it('begins with what nobody has answered, and then gets everything, where nothing is said', async () => {
    const { account, mail } = await opened()
    const answered = await mail('answered')
    await mail('follow-up', { references: [answered] })
    const [first] = (await account.call('GET', '/messages?order=asc')).body.messages
    const reply = (text: string) => account.call('POST', `/messages/${first.id}/reply`, { body: { text } })
    await reply('Yes')
    await mail('open')
    const other = await mail('also open')
    await account.call('POST', '/consumers', { body: { name: 'second' } })
    const lease = async () =>
      (await account.call('POST', '/consumers/second/lease', { body: { max: 9 } })).body.deliveries
    const deliveries = await lease()
    expect(subjects(deliveries)).toEqual(['open', 'also open'])
    // What is answered from now on was unanswered when it began.
    await account.call('POST', `/messages/${deliveries[0].message.id}/reply`, { body: { text: 'Done' } })
    const leases = deliveries.map(({ lease }: { lease: string }) => lease)
    await account.call('POST', '/consumers/second/ack', { body: { leases } })
    await mail('new', { references: [other] })
    await mail('new and answered', { references: [answered] })
    await reply('Once more')
    expect(subjects(await lease())).toEqual(['new', 'new and answered'])
    expect((await account.call('GET', '/consumers/second')).body).toMatchObject({ waiting: 0, leased: 2 })
  })

  it('sends nothing round after which something was sent, unless that is wanted', async () => {
    const { account, bot, mail, clock: at } = { ...(await opened()), clock }
    await mail('one')
    await mail('two')
    await bot.create()
    for (let attempt = 1; attempt <= 10; attempt++) {
      for (const { lease } of await bot.lease(2))
        await account.call('POST', `${path}/nack`, { body: { leases: [lease], delay_ms: 0 } })
      at.jump(1)
    }
    const letters = (await account.call('GET', `${path}/dead-letters`)).body.dead_letters
    expect(letters).toHaveLength(2)
    const [{ message }] = letters
    await account.call('POST', `/messages/${message.id}/reply`, { body: { text: 'A person answers' } })
    const redrive = async (body: object) => (await account.call('POST', `${path}/redrive`, { body })).body
    expect(await redrive({ message_ids: [message.id] })).toEqual({ redriven: 0, left_out: 1 })
    expect(await redrive({})).toEqual({ redriven: 1, left_out: 1 })
    expect(await redrive({ include_answered: true })).toEqual({ redriven: 1, left_out: 0 })
  })

  it('ends the wait of a worker whose account is suspended meanwhile', async () => {
    const { account } = await opened({})
    const pauses = vi.spyOn(clock, 'background')
    onTestFinished(() => pauses.mockRestore())
    const waitMs = 4_321
    const waiting = account.call('POST', `${path}/lease`, { body: { wait_ms: waitMs } })
    // It has looked, and found nothing.
    await expect.poll(() => pauses.mock.calls.map(([ms]) => ms)).toContain(waitMs)
    await service.service.admin.suspend(account.tenantId)
    clock.jump(waitMs)
    expect(await waiting).toMatchObject({ status: 403, body: { error: 'account_suspended' } })
  })

  it('S6: has one message of a thread out at a time, in order, and others meanwhile', async () => {
    const { bot, mail } = await opened({})
    const root = await mail('a1')
    await mail('a2', { references: [root] })
    await mail('b1')
    await mail('a3', { references: [root] })
    const [a1, b1, ...none] = await bot.lease(9)
    expect(subjects([a1!, b1!])).toEqual(['a1', 'b1'])
    expect(none).toEqual([])
    await bot.nack([a1!], { delay_ms: 5_000 })
    await bot.ack([b1!])
    expect(await bot.lease(9)).toEqual([])
    expect(await bot.state()).toMatchObject({ waiting: 3, leased: 0 })
    clock.jump(5_000)
    for (const subject of ['a1', 'a2', 'a3']) {
      const [one, ...more] = await bot.lease(9)
      expect(subjects([one!, ...more])).toEqual([subject])
      await bot.ack([one!])
    }
    expect(await bot.state()).toMatchObject({ waiting: 0, leased: 0 })
  })

  it('is fair: a thread that was served waits behind those that were not', async () => {
    const { bot, mail } = await opened({})
    const root = await mail('busy')
    await mail('busy', { references: [root] })
    await mail('busy', { references: [root] })
    for (const subject of ['x', 'y']) await mail(subject)
    const order: string[] = []
    for (let turn = 0; turn < 5; turn++) {
      clock.jump(10)
      const deliveries = await bot.lease()
      order.push(...subjects(deliveries))
      await bot.ack(deliveries)
    }
    expect(order).toEqual(['busy', 'x', 'y', 'busy', 'busy'])
  })

  it('S4: counts attempts at the lease, waits longer from the third on, and gives up after ten', async () => {
    const { bot, mail } = await opened({})
    const root = await mail('bad')
    await mail('good', { references: [root] })
    for (let round = 0; round < 3; round++) await bot.release(await bot.lease())
    for (const [at, waitMs] of [0, 0, 10, 20, 40, 80, 160, 320, 640, 1_280].map((s) => s * 1_000).entries()) {
      if (waitMs > 0) {
        clock.jump(waitMs - 1)
        expect(await bot.lease()).toEqual([])
        clock.jump(1)
      }
      const attempt = at + 1
      const deliveries = await bot.lease()
      expect(deliveries).toMatchObject([{ attempt, message: { subject: 'bad' } }])
      // Half of them by failing, half by being silent.
      if (attempt % 2) await bot.nack(deliveries)
      else clock.jump(20_000)
    }
    expect(subjects(await bot.lease())).toEqual(['good'])
    expect(await bot.dead()).toMatchObject([{ attempts: 10, message: { subject: 'bad' } }])
    expect(await bot.state()).toMatchObject({ dead: 1, leased: 1, waiting: 0 })
    expect(await bot.redrive({ message_ids: ['msg_000'] })).toEqual({ redriven: 0, left_out: 0 })
    expect(await bot.redrive()).toEqual({ redriven: 1, left_out: 0 })
    expect(await bot.lease()).toEqual([])
    clock.jump(20_000)
    expect(await bot.lease()).toMatchObject([{ attempt: 1, redriven: true, message: { subject: 'bad' } }])
    expect(await bot.dead()).toEqual([])
  })

  it('keeps a message for who extends its lease, and lets it be acknowledged while nobody else has it', async () => {
    const { bot, mail } = await opened({})
    await mail('long')
    const held = await bot.lease()
    for (let round = 0; round < 5; round++) {
      clock.jump(15_000)
      expect((await bot.extend(held)).lost).toEqual([])
      expect(await bot.lease()).toEqual([])
    }
    clock.jump(20_000)
    const [taken] = await bot.lease()
    expect(taken).toMatchObject({ attempt: 2 })
    expect(await bot.extend(held)).toMatchObject({ held: [] })
    expect(await bot.ack(held)).toMatchObject({ held: [] })
    clock.jump(20_000)
    expect(await bot.ack([taken!])).toMatchObject({ lost: [] })
    expect(await bot.lease()).toEqual([])
  })

  it('S6: keeps its promises when two threads turn out to be one', async () => {
    const { bot, mail } = await opened({})
    const one = await mail('one1')
    const other = await mail('other1')
    const done = await mail('done1')
    await mail('one2', { references: [one] })
    await mail('done2', { references: [done] })
    const [one1, other1, done1] = await bot.lease(9)
    await bot.ack([done1!])
    await bot.ack(await bot.lease(9))
    await mail('all', { references: [one, other, done] })
    expect(await bot.lease(9)).toEqual([])
    expect(await bot.state()).toMatchObject({ leased: 2, waiting: 2 })
    await bot.ack([other1!])
    expect(await bot.lease(9)).toEqual([])
    await bot.ack([one1!])
    for (const subject of ['one2', 'all']) {
      const deliveries = await bot.lease(9)
      expect(subjects(deliveries)).toEqual([subject])
      await bot.ack(deliveries)
    }
    expect(await bot.lease(9)).toEqual([])
    expect(await bot.state()).toMatchObject({ leased: 0, waiting: 0 })
  })

  it('S6: of threads that are one now the older message comes first, whichever waits longer', async () => {
    const { bot, mail } = await opened({})
    const references = [await mail('older'), await mail('newer')]
    const [older, newer] = await bot.lease(9)
    await mail('both', { references })
    await bot.nack([older!], { delay_ms: 60_000 })
    await bot.nack([newer!], { delay_ms: 1_000 })
    clock.jump(2_000)
    expect(await bot.lease(9)).toEqual([])
    clock.jump(60_000)
    for (const subject of ['older', 'newer', 'both']) {
      const deliveries = await bot.lease(9)
      expect(subjects(deliveries)).toEqual([subject])
      await bot.ack(deliveries)
    }
  })

  it('S6: of threads that are one now the older message waits for the newer one that somebody has', async () => {
    const { bot, mail } = await opened({})
    const references = [await mail('older'), await mail('newer')]
    const [older, newer] = await bot.lease(9)
    await mail('both', { references })
    await bot.nack([older!], { delay_ms: 1_000 })
    clock.jump(2_000)
    expect(await bot.lease(9)).toEqual([])
    await bot.ack([newer!])
    expect(subjects(await bot.lease(9))).toEqual(['older'])
  })

  it('S6: does not hand out what was handled along with another', async () => {
    const { account, bot, mail } = await opened({})
    const root = await mail('question')
    const question = await bot.lease()
    for (const subject of ['answer', 'more']) await mail(subject, { references: [root] })
    await mail('elsewhere')
    const { messages } = (await account.call('GET', '/messages')).body
    const idOf = (subject: string) => messages.find((one: Leased['message']) => one.subject === subject).id
    const none = Array.from({ length: 998 }, (_, index) => `msg_none_${index}`)
    await bot.ack(question, { message_ids: [...none, idOf('answer'), idOf('elsewhere')] })
    expect(await bot.state()).toMatchObject({ waiting: 1 })
    expect(subjects(await bot.lease(9))).toEqual(['more'])
  })

  it('hands out nothing that is erased, and goes on with what follows it', async () => {
    const { account, bot, mail } = await opened({})
    const root = await mail('erased')
    await mail('next', { references: [root] })
    await mail('other')
    const [erased] = await bot.lease()
    expect((await account.call('DELETE', `/messages/${erased!.message.id}`)).status).toBe(204)
    expect(await bot.ack([erased!])).toMatchObject({ held: [] })
    const [next, other] = await bot.lease(9)
    expect(subjects([next!, other!])).toEqual(['next', 'other'])
    await account.call('DELETE', `/threads/${next!.message.thread_id}`)
    expect(await bot.state()).toMatchObject({ waiting: 0, leased: 1 })
    expect(await bot.extend([next!])).toMatchObject({ held: [] })
  })

  it('leaves spam out, unless it is for that too', async () => {
    const { account, bot, mail } = await opened({})
    await account.call('POST', '/consumers', { body: { name: 'all', spam: true } })
    await mail('ham')
    await mail('spam')
    const { messages } = (await account.call('GET', '/messages')).body
    await account.call('POST', '/labels/spam/assign', { body: { message_id: messages[0].id } })
    expect(subjects(await bot.lease(9))).toEqual(['ham'])
    const all = await account.call('POST', '/consumers/all/lease', { body: { max: 9 } })
    expect(subjects(all.body.deliveries)).toEqual(['ham', 'spam'])
  })

  it('hands out what was marked as spam when it came past, once that is taken back, and nothing twice', async () => {
    const { account, bot, mail } = await opened({})
    const mark = async (verb: string, subject: string) => {
      const { messages } = (await account.call('GET', '/messages?include=spam')).body
      const message_id = messages.find((one: { subject: string }) => one.subject === subject).id
      const answer = await account.call('POST', `/labels/spam/${verb}`, { body: { message_id } })
      expect(answer.status).toBe(200)
    }
    const root = await mail('one')
    await mail('spam')
    await mail('spam behind one', { references: [root] })
    await mail('last')
    await mark('assign', 'spam')
    await mark('assign', 'spam behind one')
    const [one, last] = await bot.lease(9)
    expect(subjects([one!, last!])).toEqual(['one', 'last'])
    // Behind what is out of its thread it waits by itself.
    await mark('unassign', 'spam behind one')
    const waiting = bot.lease(1, 50_000)
    await mark('unassign', 'spam')
    const late = await waiting
    expect(late).toMatchObject([{ redriven: true, attempt: 1, message: { subject: 'spam' } }])
    await bot.ack([...late, one!, last!])
    const behind = await bot.lease(9)
    expect(subjects(behind)).toEqual(['spam behind one'])
    await bot.ack(behind)
    for (const subject of ['one', 'spam', 'spam behind one', 'last']) {
      await mark('assign', subject)
      await mark('unassign', subject)
    }
    expect(await bot.lease(9)).toEqual([])
    expect(await bot.state()).toMatchObject({ waiting: 0, leased: 0 })
  })

  it('is of one inbox where it says so, and for keys of that inbox only', async () => {
    const { account, bot, mail } = await opened()
    const desk = (await account.call('POST', '/inboxes', { body: {} })).body
    const { api_key: key } = await service.service.keys.create({
      account_id: account.tenantId,
      name: 'desk',
      scopes: ['read'],
      inbox_id: desk.id,
    })
    await bot.create()
    await mail('to the first')
    await mail('to the desk', { to: desk.address })
    const asDesk = (method: string, path: string, body?: object) => service.call(method, path, { key, body })
    expect((await asDesk('GET', path)).status).toBe(404)
    expect((await asDesk('POST', `${path}/lease`, {})).status).toBe(404)
    expect((await asDesk('DELETE', path)).status).toBe(404)
    expect((await asDesk('POST', '/consumers', { name: 'bot' })).body.error).toBe('consumer_exists')
    expect((await asDesk('POST', '/consumers', { name: 'desk' })).body).toMatchObject({ inbox_id: desk.id })
    expect((await asDesk('GET', '/consumers')).body.consumers).toMatchObject([{ name: 'desk' }])
    const { deliveries } = (await asDesk('POST', '/consumers/desk/lease', { max: 9 })).body
    expect(subjects(deliveries)).toEqual(['to the desk'])
    await account.call('DELETE', `/inboxes/${desk.id}`)
    expect((await account.call('GET', '/consumers')).body.consumers).toMatchObject([{ name: 'bot' }])
    expect(subjects(await bot.lease(9))).toEqual(['to the first'])
  })

  it('wakes who waits for mail, for an acknowledgement and for a time', async () => {
    const { bot, mail } = await opened({})
    const waiting = bot.lease(1, 50_000)
    const root = await mail('first')
    const first = await waiting
    expect(subjects(first)).toEqual(['first'])
    await mail('second', { references: [root] })
    const second = bot.lease(1, 50_000)
    await bot.ack(first)
    const deliveries = await second
    expect(subjects(deliveries)).toEqual(['second'])
    await bot.nack(deliveries, { delay_ms: 3_000 })
    let third: Leased[] | undefined
    void bot.lease(1, 50_000).then((found) => (third = found))
    await expect
      .poll(() => {
        if (!third) clock.jump(1_000)
        return third && subjects(third)
      })
      .toEqual(['second'])
  })

  it('can be had by an account that nobody has claimed', async () => {
    const { body } = await service.call('POST', '/agent-signups', {
      key: null,
      headers: { 'idempotency-key': 'u'.repeat(43) },
    })
    await service.mail({ to: body.inbox.address, subject: 'welcome' })
    const call = (path: string, content: object) =>
      service.call('POST', path, { key: body.api_key, body: content })
    expect((await call('/consumers', { name: 'bot' })).status).toBe(201)
    const { deliveries } = (await call(`${path}/lease`, {})).body
    expect(subjects(deliveries)).toEqual(['welcome'])
    const { lease } = deliveries[0]
    expect((await call(`${path}/ack`, { leases: [lease] })).body.held).toEqual([lease])
  })
})
