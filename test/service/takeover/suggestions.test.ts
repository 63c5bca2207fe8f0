import { afterEach, beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { consumerOf, type Owner, ownerOf } from '../../support/desk'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('suggested replies', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (options) => openService(options, { clock }), perBlock)
  let owner: Owner
  let names = 0
  beforeAll(async () => {
    owner = await ownerOf(service)
  })
  const inbox = () => `/inboxes/${service.home.inboxId}`
  const setAgent = async (agent: string) =>
    expect((await service.call('PATCH', inbox(), { body: { agent } })).body).toMatchObject({ agent })
  afterEach(() => setAgent('answers'))

  async function received() {
    const name = `suggest-${names++}`
    const bot = consumerOf(service, name)
    await service.call('POST', '/consumers', { body: { name, from: 'now' } })
    await service.mail({ subject: name, messageId: `<${name}@example.com>` })
    const { id, thread_id } = (await service.call('GET', '/messages?direction=inbound&limit=1')).body
      .messages[0]
    const reply = (body: object = {}) =>
      service.call('POST', `/messages/${id}/reply`, { body: { text: 'Suggested.', ...body } })
    const suggestions = async () =>
      (await owner.call('GET', `/drafts?thread_id=${thread_id}&suggestion=true`)).body.drafts
    const thread = async () => (await service.call('GET', `/threads/${thread_id}`)).body
    const sent = async () =>
      (await service.call('GET', `/messages?thread_id=${thread_id}&direction=outbound`)).body.messages
    return { bot, id, threadId: thread_id as string, reply, suggestions, thread, sent }
  }

  it('are drafts that a person sends, which holds nothing', async () => {
    await setAgent('suggests')
    const { reply, suggestions, thread, sent } = await received()
    const answer = await reply({ client_id: 'once', replay: 'first_wins' })
    expect(answer).toMatchObject({ status: 202, body: { suggestion: true, status: 'draft' } })
    expect((await reply({ client_id: 'once', replay: 'first_wins', text: 'Other words.' })).body.id).toBe(
      answer.body.id,
    )
    expect(await suggestions()).toMatchObject([{ id: answer.body.id }])
    const byKey = await service.call('POST', `/drafts/${answer.body.id}/send`)
    expect(byKey).toMatchObject({ status: 202, body: { suggestion: true } })
    expect((await owner.call('POST', `/drafts/${answer.body.id}/send`)).status).toBe(200)
    expect(await sent()).toMatchObject([{ sent_by: { kind: 'key' }, approved_by: owner.sender }])
    expect((await thread()).hold).toBeNull()
  })

  it('hold nothing where the person changed them, and leave where the person deletes them', async () => {
    await setAgent('suggests')
    const { reply, suggestions, thread, sent } = await received()
    const { body: draft } = await reply()
    await owner.call('PATCH', `/drafts/${draft.id}`, { text: 'In my words.' })
    await owner.call('POST', `/drafts/${draft.id}/send`)
    expect(await sent()).toMatchObject([{ sent_by: owner.sender, reply_text: 'In my words.' }])
    expect((await thread()).hold).toBeNull()
    const { body: second } = await reply()
    await owner.call('DELETE', `/drafts/${second.id}`)
    expect(await suggestions()).toMatchObject([{ id: draft.id, status: 'sent' }])
  })

  it('are what a send into a held thread becomes if it says so', async () => {
    const { id, threadId, reply, suggestions } = await received()
    const { body: draft } = await service.call('POST', '/drafts', {
      body: { inbox_id: service.home.inboxId, reply_to_message_id: id, text: 'Draft.' },
    })
    await owner.call('POST', `/threads/${threadId}/hold`, {})
    expect((await reply()).body.error).toBe('thread_held')
    const when_held = 'draft'
    expect(await reply({ when_held })).toMatchObject({ status: 202, body: { suggestion: true } })
    const forward = { to: ['bo@example.com'], when_held }
    expect((await service.call('POST', `/messages/${id}/forward`, { body: forward })).status).toBe(202)
    const sent = await service.call('POST', `/drafts/${draft.id}/send`, { body: { when_held } })
    expect(sent).toMatchObject({ status: 202, body: { id: draft.id, suggestion: true } })
    expect(await suggestions()).toHaveLength(3)
    await owner.call('POST', `/threads/${threadId}/release`)
    expect((await reply({ when_held })).status).toBe(200)
  })

  it('are listed in the conversation whose message they forward, until a person decides', async () => {
    await setAgent('suggests')
    const { id, threadId, suggestions } = await received()
    const other = await received()
    const has = async (query: string) =>
      (await service.call('GET', `/threads?${query}`)).body.threads.map((one: { id: string }) => one.id)
    expect(await has('waiting_for_agent=true')).toContain(threadId)
    const forward = { to: ['bo@example.com'], text: 'For you.' }
    const { body: draft } = await service.call('POST', `/messages/${id}/forward`, { body: forward })
    expect(draft).toMatchObject({ suggestion: true, thread_id: null })
    expect(await suggestions()).toMatchObject([{ id: draft.id }])
    expect(await other.suggestions()).toEqual([])
    expect(await has('has_suggestion=true')).toContain(threadId)
    expect(await has('has_suggestion=true')).not.toContain(other.threadId)
    expect(await has('has_suggestion=false')).toContain(other.threadId)
    expect(await has('has_suggestion=false')).not.toContain(threadId)
    expect(await has('waiting_for_agent=true')).not.toContain(threadId)
    await owner.call('DELETE', `/drafts/${draft.id}`)
    expect(await suggestions()).toEqual([])
    expect(await has('has_suggestion=true')).not.toContain(threadId)
    expect(await has('waiting_for_agent=true')).toContain(threadId)
  })

  it('are all that a scheduled draft of an agent becomes', async () => {
    const { reply } = await received()
    const scheduled_at = new Date(clock.now() + 60_000).toISOString()
    const { body } = await reply({ scheduled_at })
    await setAgent('suggests')
    clock.jump(70_000)
    await expect
      .poll(async () => (await service.call('GET', `/drafts/${body.id}`)).body)
      .toMatchObject({ status: 'draft', suggestion: true, scheduled_at: null })
  })

  it('are not even that where agents are off: they get nothing and send nothing', async () => {
    const { bot, reply, threadId, sent } = await received()
    const leased = await bot.lease()
    await setAgent('off')
    expect(await reply()).toMatchObject({ status: 409, body: { details: { reason: 'agent_off' } } })
    expect(
      (await service.call('POST', '/messages', { body: { to: ['bo@example.com'], text: 'Hi' } })).status,
    ).toBe(409)
    await bot.release(leased)
    const other = await received()
    expect(await bot.lease()).toEqual([])
    expect(await other.bot.lease()).toEqual([])
    await owner.call('POST', `/threads/${threadId}/hold`, {})
    await setAgent('suggests')
    expect((await other.bot.lease()).map(({ message }) => message.id)).toEqual([other.id])
    await owner.call('POST', `/threads/${threadId}/release`)
    expect((await bot.lease()).map(({ attempt }) => attempt)).toEqual([1, 1])
    expect(await sent()).toEqual([])
  })
})
