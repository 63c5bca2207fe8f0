import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { consumerOf, type Leased, type Owner, ownerOf } from '../../support/desk'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const minuteMs = 60_000

describeDatabases('handing a thread over', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (options) => openService(options, { clock }), perBlock)
  let owner: Owner
  let names = 0
  beforeAll(async () => {
    owner = await ownerOf(service)
  })

  /** A consumer with a leased message. */
  async function leasedOne() {
    const name = `agent-${names++}`
    const bot = consumerOf(service, name)
    await service.call('POST', '/consumers', { body: { name, from: 'now' } })
    await service.mail({ subject: name, messageId: `<${name}@example.com>` })
    const [leased] = await bot.lease()
    const { id, thread_id } = leased!.message
    const handOver = (body: object = {}) =>
      service.call('POST', `/messages/${id}/hand-over`, {
        body: { reason: 'A refund', consumer: name, lease: leased!.lease, ...body },
      })
    const typesOf = async () => {
      const { body } = await service.call(
        'GET',
        '/events?after=0&limit=100&types=thread.held,thread.unattended',
      )
      return body.events
        .filter((event: { data: { id: string } }) => event.data.id === thread_id)
        .map((event: { type: string }) => event.type)
    }
    return { name, bot, leased: leased!, id, threadId: thread_id, handOver, typesOf }
  }

  it('holds it for people, and gives the message again with new attempts if nobody answered', async () => {
    const { bot, name, leased, threadId, handOver } = await leasedOne()
    await bot.nack([leased])
    const [second] = await bot.lease()
    const answer = await handOver({ lease: second!.lease })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        hold: { by: { kind: 'consumer', id: name }, reason: 'A refund', until: null },
        prepared_message_id: null,
      },
    })
    expect((await bot.release([second!])).held).toEqual([])
    expect(await bot.lease()).toEqual([])
    await owner.call('POST', `/threads/${threadId}/release`)
    expect(await bot.lease()).toMatchObject([{ attempt: 1, handed_back: true }])
  })

  it('leaves a hold of a person as it is', async () => {
    const { threadId, handOver } = await leasedOne()
    await owner.call('POST', `/threads/${threadId}/hold`, { reason: 'Mine' })
    expect((await handOver()).body.hold).toMatchObject({ by: owner.sender, reason: 'Mine' })
  })

  it('happens by itself where a program ends in its last attempt, if it wants so', async () => {
    const name = `agent-${names++}`
    const bot = consumerOf(service, name)
    await service.call('POST', '/consumers', { body: { name, from: 'now' } })
    await service.mail({ subject: name, messageId: `<${name}@example.com>` })
    const lease = async () =>
      (
        await service.call('POST', `/consumers/${name}/lease`, {
          body: { on_give_up: 'hand_over' },
        })
      ).body.deliveries
    let last: Leased | undefined
    for (let attempt = 1; attempt <= 10; attempt++) {
      const deliveries: Leased[] = await lease()
      expect(deliveries).toMatchObject([{ attempt }])
      last = deliveries[0]!
      // It dies, and says nothing.
      clock.jump(60 * minuteMs)
    }
    expect(await lease()).toEqual([])
    expect(await bot.state()).toMatchObject({ waiting: 1, leased: 0, dead: 0 })
    const path = `/threads/${last!.message.thread_id}`
    expect((await service.call('GET', path)).body.hold).toMatchObject({
      by: { kind: 'consumer', id: name },
      reason: 'The agent did not handle the message in ten attempts.',
      until: null,
    })
    await owner.call('POST', `${path}/release`)
    const [again] = await lease()
    expect(again).toMatchObject({ attempt: 1, handed_back: true })
    // The choice is that of the last holder: without it, the message is a dead letter.
    for (let left = 10; left > 0; left--) {
      clock.jump(60 * minuteMs)
      await bot.lease()
    }
    expect(await bot.state()).toMatchObject({ waiting: 0, dead: 1 })
  })

  it('happens by itself after the last attempt was given back', async () => {
    const { bot, name, leased, threadId } = await leasedOne()
    for (let left = 9; left > 0; left--) {
      await service.call('POST', `/consumers/${name}/nack`, { body: { leases: [leased.lease], delay_ms: 0 } })
      const { body } = await service.call('POST', `/consumers/${name}/lease`, {
        body: { on_give_up: 'hand_over' },
      })
      leased.lease = body.deliveries[0].lease
    }
    await bot.nack([leased])
    expect(await bot.lease()).toEqual([])
    expect((await service.call('GET', `/threads/${threadId}`)).body.hold).toMatchObject({ by: { id: name } })
  })

  it.each([
    ['hand_over', [{ attempt: 1 }], 0],
    ['dead_letter', [], 1],
  ] as const)('exhausted messages get new attempts after a hold: on_give_up %s', async (how, again, dead) => {
    const { bot, name, threadId } = await leasedOne()
    const body = how === 'hand_over' ? { on_give_up: how } : {}
    for (let attempt = 2; attempt <= 10; attempt++) {
      clock.jump(60 * minuteMs)
      await service.call('POST', `/consumers/${name}/lease`, { body })
    }
    clock.jump(60 * minuteMs)
    // A person takes it before anybody notices that its last attempt is over.
    await owner.call('POST', `/threads/${threadId}/hold`, {})
    await owner.call('POST', `/threads/${threadId}/release`)
    expect(await bot.lease()).toMatchObject(again)
    expect(await bot.state()).toMatchObject({ dead })
  })

  it('leaves the attempts of other messages as they are', async () => {
    const { bot, leased, threadId } = await leasedOne()
    await bot.nack([leased])
    await owner.call('POST', `/threads/${threadId}/hold`, {})
    await owner.call('POST', `/threads/${threadId}/release`)
    expect(await bot.lease()).toMatchObject([{ attempt: 2 }])
  })

  it('needs a key that may hand over', async () => {
    const { name } = await leasedOne()
    const { tenantId } = service.home
    const { body: key } = await owner.browser.ask('POST', `/v1/console/accounts/${tenantId}/keys`, {
      ...{ name: 'reader', scopes: ['read'] },
    })
    const answer = await service.service.fetch(
      new Request(`http://restante.test/v1/consumers/${name}/lease`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ on_give_up: 'hand_over' }),
      }),
    )
    expect(await answer.json()).toMatchObject({ error: 'insufficient_scope' })
  })

  it('raises thread.unattended unless a person takes it in time', async () => {
    const unattended = await leasedOne()
    const attended = await leasedOne()
    await unattended.handOver()
    await attended.handOver()
    clock.jump(20 * minuteMs)
    await owner.call('POST', `/threads/${attended.threadId}/hold`, { reason: 'Mine' })
    clock.jump(10 * minuteMs + 1_000)
    await expect.poll(unattended.typesOf).toEqual(['thread.held', 'thread.unattended'])
    expect(await attended.typesOf()).toEqual(['thread.held', 'thread.held'])
    const inbox = `/inboxes/${service.home.inboxId}`
    await service.call('PATCH', inbox, { body: { unattended_after: '2h' } })
    const later = await leasedOne()
    await later.handOver()
    clock.jump(60 * minuteMs)
    expect(await later.typesOf()).toEqual(['thread.held'])
    clock.jump(61 * minuteMs)
    await expect.poll(later.typesOf).toEqual(['thread.held', 'thread.unattended'])
  })

  it('sends the text that an operator prepared once in each hold, which answers nothing', async () => {
    const { bot, id, threadId, handOver } = await leasedOne()
    const refused = await handOver({ send_prepared_text: true })
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const inbox = `/inboxes/${service.home.inboxId}`
    await service.call('PATCH', inbox, { body: { handover_text: 'A colleague will write to you.' } })
    const { body } = await handOver({ send_prepared_text: true })
    const sent = (await service.call('GET', `/messages/${body.prepared_message_id}`)).body
    expect(sent).toMatchObject({ body_text: 'A colleague will write to you.\n', thread_id: threadId })
    expect((await handOver({ send_prepared_text: true })).body.prepared_message_id).toBeNull()
    const reply = await service.call('POST', `/messages/${id}/reply`, { body: { text: 'One more.' } })
    expect(reply.body.error).toBe('thread_held')
    await owner.call('POST', `/threads/${threadId}/release`)
    const again = await bot.lease()
    expect(again).toMatchObject([{ attempt: 1, message: { id } }])
    const second = await handOver({ send_prepared_text: true, lease: again[0]!.lease })
    expect(second.body.prepared_message_id).toMatch(/^msg_/)
  })
})
