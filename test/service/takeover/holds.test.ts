import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { consumerOf, type Leased, type Owner, ownerOf } from '../../support/desk'
import { JumpClock } from '../../support/jump-clock'
import { type Answer, openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const hourMs = 3_600_000
const subjects = (leased: readonly Leased[]) => leased.map(({ message }) => message.subject)

describeDatabases('a held thread', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (options) => openService(options, { clock }), perBlock)
  let owner: Owner
  let names = 0
  beforeAll(async () => {
    owner = await ownerOf(service)
  })

  /** A conversation that a stranger began, and a consumer that is new. */
  async function conversation() {
    const name = `talk-${names++}`
    const messageId = `<${name}@example.com>`
    const bot = consumerOf(service, name)
    await service.call('POST', '/consumers', { body: { name, from: 'now' } })
    let mails = 0
    const mail = async (subject: string) => {
      const isFirst = mails++ === 0
      await service.mail({
        subject: `${name} ${subject}`,
        messageId: isFirst ? messageId : `<${name}.${mails}@example.com>`,
        ...(!isFirst && { inReplyTo: messageId, references: [messageId] }),
      })
      return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
    }
    const first = await mail('first')
    const threadId: string = first.thread_id
    const thread = async () => (await service.call('GET', `/threads/${threadId}`)).body
    const hold = (body: object = {}) => service.call('POST', `/threads/${threadId}/hold`, { body })
    const release = () => service.call('POST', `/threads/${threadId}/release`)
    const reply = (id: string, body: object = {}) =>
      service.call('POST', `/messages/${id}/reply`, { body: { text: 'From the agent.', ...body } })
    const replyByHand = (id: string, body: object = {}) =>
      owner.call('POST', `/messages/${id}/reply`, { text: 'By hand.', ...body })
    const events = async (): Promise<string[]> => {
      const { body } = await service.call(
        'GET',
        '/events?after=0&limit=100&types=thread.held,thread.released',
      )
      return body.events
        .filter((event: { data: { id: string } }) => event.data.id === threadId)
        .map((event: { type: string }) => event.type)
    }
    return { name, bot, mail, first, threadId, thread, hold, release, reply, replyByHand, events }
  }

  it('reaches no consumer, keeps its messages in order, and does not slow others', async () => {
    const { bot, mail, name, hold, release, events, thread } = await conversation()
    expect((await hold({ reason: 'Refund' })).body.hold).toMatchObject({
      by: { kind: 'key' },
      reason: 'Refund',
      until: null,
    })
    await mail('second')
    await service.mail({ subject: `${name} other`, messageId: `<other.${name}@example.com>` })
    const leased = await bot.lease()
    expect(subjects(leased)).toEqual([`${name} other`])
    await bot.ack(leased)
    expect(await bot.lease()).toEqual([])
    expect((await bot.state()).waiting).toBe(2)
    await release()
    expect((await thread()).hold).toBeNull()
    for (const subject of ['first', 'second']) {
      const [next, ...more] = await bot.lease()
      expect(more).toEqual([])
      expect(next).toMatchObject({
        attempt: 1,
        handed_back: true,
        message: { subject: `${name} ${subject}` },
      })
      await bot.ack([next!])
    }
    await mail('third')
    expect(await bot.lease()).toMatchObject([{ handed_back: false }])
    expect(await events()).toEqual(['thread.held', 'thread.released'])
  })

  it('lets a handler keep its lease, and gives the message again after the release without an attempt', async () => {
    const { bot, hold, release, reply, first, mail } = await conversation()
    const leased = await bot.lease()
    await hold()
    expect((await bot.extend(leased)).lost).toEqual([])
    const refused = await reply(first.id)
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'thread_held', details: { reason: 'held', thread_id: first.thread_id } },
    })
    await bot.release(leased)
    expect(await bot.lease()).toEqual([])
    clock.jump(hourMs)
    expect(await bot.lease()).toEqual([])
    await release()
    const again = await bot.lease()
    expect(again).toMatchObject([{ attempt: 1, message: { id: first.id } }])
    await hold()
    await mail('second')
    await bot.ack(again)
    expect(await bot.lease()).toEqual([])
    await release()
    expect(await bot.lease()).toMatchObject([{ attempt: 1, handed_back: true }])
  })

  it('refuses every send of a key, and none of a person', async () => {
    const { hold, reply, replyByHand, first } = await conversation()
    const inbox_id = service.home.inboxId
    const draftOf = async (body: object) =>
      (await service.call('POST', '/drafts', { body: { inbox_id, text: 'Draft.', ...body } })).body
    const [answer, forward] = [
      await draftOf({ reply_to_message_id: first.id }),
      await draftOf({ forward_message_id: first.id, to: ['bo@example.com'] }),
    ]
    await hold()
    const scheduled_at = new Date(clock.now() + hourMs).toISOString()
    const sends: Promise<Answer>[] = [
      reply(first.id),
      reply(first.id, { scheduled_at }),
      service.call('POST', `/messages/${first.id}/forward`, { body: { to: ['bo@example.com'] } }),
      service.call('POST', `/drafts/${answer.id}/send`),
      service.call('POST', `/drafts/${forward.id}/send`),
    ]
    for (const send of sends)
      expect(await send).toMatchObject({ status: 409, body: { error: 'thread_held' } })
    expect((await replyByHand(first.id)).status).toBe(200)
    expect(
      (await owner.call('POST', `/messages/${first.id}/forward`, { to: ['bo@example.com'] })).status,
    ).toBe(200)
  })

  it('gives the first result to a repeated send, and fails a scheduled draft of a key', async () => {
    const { hold, reply, first, threadId } = await conversation()
    const named = { client_id: `once ${threadId}` }
    const sent = await reply(first.id, named)
    const scheduled_at = new Date(clock.now() + hourMs).toISOString()
    const draft = await reply(first.id, { scheduled_at })
    expect(draft.status).toBe(202)
    await hold()
    expect((await reply(first.id, named)).body).toEqual({ ...sent.body, idempotent: true })
    clock.jump(hourMs + 5_000)
    await expect
      .poll(async () => (await service.call('GET', `/drafts/${draft.body.id}`)).body)
      .toMatchObject({ status: 'failed', error: { code: 'thread_held' } })
  })

  it('gives nobody again what a person answered, wherever it waited', async () => {
    const { bot, name, first, mail, replyByHand, release } = await conversation()
    const idle = consumerOf(service, `${name}-idle`)
    await service.call('POST', '/consumers', { body: { name: `${name}-idle` } })
    const leased = await bot.lease()
    await mail('second')
    await replyByHand(first.id)
    await mail('third')
    await release()
    expect((await bot.extend(leased)).lost).toHaveLength(1)
    const third = [{ attempt: 1, handed_back: true, message: { subject: `${name} third` } }]
    expect(await bot.lease()).toMatchObject(third)
    const mine = (await idle.lease(100)).filter(({ message }) => message.subject.startsWith(name))
    expect(mine).toMatchObject(third)
  })

  it('ends at its time', async () => {
    const { bot, hold, thread, events } = await conversation()
    const until = new Date(clock.now() + hourMs).toISOString()
    await hold({ until })
    expect((await hold({ until })).body.hold.until).toBe(until)
    expect(await events()).toEqual(['thread.held'])
    clock.jump(hourMs - 1_000)
    expect(await bot.lease()).toEqual([])
    clock.jump(7_000)
    await expect.poll(async () => (await thread()).hold).toBeNull()
    expect(await bot.lease()).toHaveLength(1)
    expect(await events()).toEqual(['thread.held', 'thread.released'])
    const past = await hold({ until: new Date(clock.now()).toISOString() })
    expect(past).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  it('is replaced by a second hold, whose end counts', async () => {
    const { hold, thread } = await conversation()
    const { since } = (await hold({ until: new Date(clock.now() + hourMs).toISOString() })).body.hold
    await hold({ reason: 'Longer' })
    clock.jump(2 * hourMs)
    await service.mail({ subject: 'lets the jobs run' })
    expect((await thread()).hold).toMatchObject({ reason: 'Longer', since, until: null })
  })

  it('is held by the reply of a person for as long as its inbox says', async () => {
    const { first, reply, replyByHand, thread, release } = await conversation()
    const inbox = `/inboxes/${service.home.inboxId}`
    const set = async (hold_after_reply: string) =>
      (await service.call('PATCH', inbox, { body: { hold_after_reply } })).status
    expect((await service.call('GET', inbox)).body.hold_after_reply).toBe('24h')
    await reply(first.id)
    expect((await thread()).hold).toBeNull()
    await replyByHand(first.id)
    const at = (ms: number) => new Date(clock.now() + ms).toISOString()
    expect((await thread()).hold).toMatchObject({ by: owner.sender, until: at(24 * hourMs) })
    clock.jump(hourMs)
    await replyByHand(first.id)
    expect((await thread()).hold.until).toBe(at(24 * hourMs))
    await release()
    await set('never')
    await replyByHand(first.id)
    expect((await thread()).hold).toBeNull()
    await set('until_released')
    await replyByHand(first.id)
    expect((await thread()).hold.until).toBeNull()
    await set('30m')
    await replyByHand(first.id)
    expect((await thread()).hold.until, 'a reply shortens no hold').toBeNull()
    expect(await set('soon')).toBe(400)
    await set('24h')
  })

  it('is not held by the approval of a draft', async () => {
    const { first, thread } = await conversation()
    const { body: key } = await owner.browser.call('POST', `/accounts/${service.home.tenantId}/keys`, {
      name: 'Drafter',
      scopes: ['read', 'manage'],
    })
    const draft = await service.call('POST', '/drafts', {
      key: key.api_key,
      body: { inbox_id: service.home.inboxId, reply_to_message_id: first.id, text: 'May I?' },
    })
    const { body } = await service.call('POST', `/drafts/${draft.body.id}/send`, { key: key.api_key })
    const path = `/accounts/${service.home.tenantId}/drafts/${body.id}/approve`
    await service.call('POST', `/threads/${first.thread_id}/hold`, { body: {} })
    expect((await owner.browser.call('POST', path, { seq: body.seq })).status).toBe(200)
    await service.call('POST', `/threads/${first.thread_id}/release`)
    expect((await thread()).hold).toBeNull()
  })

  it('names its holder only to a key that manages the account', async () => {
    const { first, replyByHand } = await conversation()
    const { body: key } = await owner.browser.call('POST', `/accounts/${service.home.tenantId}/keys`, {
      name: 'Agent',
      scopes: ['read', 'send'],
    })
    await replyByHand(first.id)
    const as = { key: key.api_key }
    const by = { kind: 'operator' }
    expect((await service.call('GET', `/threads/${first.thread_id}`, as)).body.hold.by).toEqual(by)
    const { body } = await service.call('GET', '/events?after=0&types=thread.held&limit=100', as)
    expect(body.events.at(-1).data.hold.by).toEqual(by)
    expect((await service.call('POST', `/threads/${first.thread_id}/release`, as)).status).toBe(403)
  })

  it('hands a redriven message over only after the release', async () => {
    const { bot, hold, release } = await conversation()
    for (let attempt = 1; attempt <= 10; attempt++) {
      const leased = await bot.lease()
      expect(leased).toMatchObject([{ attempt }])
      await bot.nack(leased)
      clock.jump(12 * hourMs)
    }
    await hold()
    await bot.redrive()
    expect(await bot.lease()).toEqual([])
    await release()
    expect(await bot.lease()).toMatchObject([{ attempt: 1, handed_back: true }])
  })

  it('stays held where it becomes one with another', async () => {
    const one = await conversation()
    const other = await conversation()
    await other.hold()
    const references = [`<${one.name}@example.com>`, `<${other.name}@example.com>`]
    await service.mail({ subject: 'Re: both', messageId: `<both.${one.name}@example.com>`, references })
    const kept = await one.thread()
    expect(kept.id).toBe((await other.thread()).id)
    expect(kept.hold).not.toBeNull()
    expect(subjects(await one.bot.lease())).toEqual([])
    await one.release()
    expect(subjects(await one.bot.lease())).toEqual([`${one.name} first`])
  })
})
