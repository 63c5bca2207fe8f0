import { beforeAll, expect, it } from 'vitest'
import { signedIn } from '../../support/console'
import { describeDatabases } from '../../support/databases'
import { consumerOf, type Owner, ownerOf } from '../../support/desk'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const secondMs = 1_000

describeDatabases('an operator in a thread', (openDatabase) => {
  const clock = new JumpClock()
  const { service, database } = useService(
    openDatabase,
    (options) => openService(options, { clock }),
    perBlock,
  )
  let owner: Owner
  let names = 0
  beforeAll(async () => {
    owner = await ownerOf(service)
  })

  async function opened() {
    const name = `desk-${names++}`
    const bot = consumerOf(service, name)
    await service.call('POST', '/consumers', { body: { name, from: 'now' } })
    await service.mail({ subject: name, messageId: `<${name}@example.com>` })
    const { id, thread_id } = (await service.call('GET', '/messages?direction=inbound&limit=1')).body
      .messages[0]
    const path = `/accounts/${service.home.tenantId}/threads/${thread_id}/presence`
    const report = (state: string, browser = owner.browser) => browser.call('POST', path, { state })
    const reply = () => service.call('POST', `/messages/${id}/reply`, { body: { text: 'From the agent.' } })
    const head = async () => (await service.call('GET', '/events?after=now')).body.head
    return { bot, report, reply, head, id, threadId: thread_id as string }
  }

  it('keeps agents out while there is unsent text, without an event or an attempt', async () => {
    const { bot, report, reply, head } = await opened()
    const leased = await bot.lease()
    const before = await head()
    expect(await report('writing')).toMatchObject({ status: 200, body: { present: [] } })
    expect(await reply()).toMatchObject({
      status: 409,
      body: { error: 'thread_held', details: { reason: 'typing' } },
    })
    await bot.release(leased)
    expect(await bot.lease()).toEqual([])
    expect(await head()).toBe(before)
    clock.jump(90 * secondMs)
    await report('writing')
    clock.jump(90 * secondMs)
    expect((await reply()).status).toBe(409)
    await report('gone')
    expect(await bot.lease()).toMatchObject([{ attempt: 1, handed_back: false }])
    expect((await reply()).status).toBe(200)
  })

  it('does so for two minutes after the last report', async () => {
    const { bot, report, reply } = await opened()
    await report('writing')
    clock.jump(119 * secondMs)
    expect(await bot.lease()).toEqual([])
    clock.jump(7 * secondMs)
    await expect.poll(() => bot.lease()).toMatchObject([{ attempt: 1 }])
    expect((await reply()).status).toBe(200)
  })

  it('does not keep them out by reading', async () => {
    const { bot, report, reply } = await opened()
    await report('reading')
    expect(await bot.lease()).toHaveLength(1)
    expect((await reply()).status).toBe(200)
  })

  it('gives agents nothing that the operator answered meanwhile, or holds', async () => {
    const { bot, report, id } = await opened()
    await report('writing')
    expect((await owner.call('POST', `/messages/${id}/reply`, { text: 'By hand.' })).status).toBe(200)
    await report('gone')
    expect(await bot.lease()).toEqual([])
    await owner.call(
      'POST',
      `/threads/${(await service.call('GET', `/messages/${id}`)).body.thread_id}/release`,
    )
    expect(await bot.lease()).toEqual([])
  })

  it('is shown to the others, and attends to a thread that was handed over', async () => {
    const { report, id } = await opened()
    const other = await signedIn(service.service)
    const session = (await other.ask('GET', '/console/auth/session')).body.operator
    const db = await openBeside(database.options)
    const created_at = new Date(clock.now()).toISOString()
    await db
      .insertInto('account_operators')
      .values({ operator_id: session.id, tenant_id: service.home.tenantId, created_at })
      .execute()
      .finally(() => db.destroy())
    await service.call('POST', `/messages/${id}/hand-over`, { body: { reason: 'A refund' } })
    await report('writing')
    const { body } = await report('reading', other)
    expect(body.present).toEqual([
      { operator_id: owner.sender.id, name: owner.sender.name, state: 'writing', since: expect.any(String) },
    ])
    clock.jump(60 * 60 * secondMs)
    await service.mail({ subject: 'lets the jobs run' })
    const unattended = await service.call('GET', '/events?after=0&types=thread.unattended')
    expect(unattended.body.events).toEqual([])
    expect((await report('gone', other)).body.present).toEqual([])
  })

  it('is told so where the thread does not exist', async () => {
    const { threadId } = await opened()
    const stranger = await signedIn(service.service)
    const path = `/accounts/${service.home.tenantId}/threads/${threadId}/presence`
    expect((await stranger.call('POST', path, { state: 'writing' })).status).toBe(404)
    const unknown = path.replace(threadId, 'thr_0')
    expect((await owner.browser.call('POST', unknown, { state: 'writing' })).status).toBe(404)
  })
})
