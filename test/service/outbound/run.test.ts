import { Mailbox } from 'restante'
import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { consumerOf, type Owner, ownerOf } from '../../support/desk'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('the run that wrote a message', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (options) => openService(options, { clock }), perBlock)
  let owner: Owner
  let names = 0
  beforeAll(async () => {
    owner = await ownerOf(service)
  })

  async function leased() {
    const consumer = `run-${names++}`
    const bot = consumerOf(service, consumer)
    await service.call('POST', '/consumers', { body: { name: consumer, from: 'now' } })
    await service.mail({ subject: consumer, messageId: `<${consumer}@example.com>` })
    const [one] = await bot.lease()
    return { consumer, id: one!.message.id, threadId: one!.message.thread_id }
  }
  const read = async (id: string) => (await service.call('GET', `/messages/${id}`)).body

  it('is stored with what it read and how long it took', async () => {
    const { consumer, id } = await leased()
    clock.jump(4_200)
    const { body } = await service.call('POST', `/messages/${id}/reply`, {
      body: { text: 'Yes.', consumer, messages_read: 3 },
    })
    const sent = await read(body.id)
    expect(sent).toMatchObject({ sent_by: { kind: 'consumer', id: consumer }, run: { messages_read: 3 } })
    expect(sent.sent_by).not.toHaveProperty('run')
    expect(sent.run.duration_ms).toBeGreaterThanOrEqual(4_200)
    expect(sent.run.duration_ms).toBeLessThan(60_000)
  })

  it('stays with a suggestion that a person sends', async () => {
    const { consumer, id, threadId } = await leased()
    await owner.call('POST', `/threads/${threadId}/hold`, {})
    const { body: draft } = await service.call('POST', `/messages/${id}/reply`, {
      body: { text: 'Perhaps.', consumer, messages_read: 2, when_held: 'draft' },
    })
    const { body } = await owner.call('POST', `/drafts/${draft.id}/send`)
    expect(await read(body.id)).toMatchObject({
      sent_by: { id: consumer },
      approved_by: owner.sender,
      run: { messages_read: 2 },
    })
  })

  it('is null for a person, and a repeat with another number is the same send', async () => {
    const { consumer, id } = await leased()
    const reply = (messages_read: number) =>
      service.call('POST', `/messages/${id}/reply`, {
        body: { text: 'Once.', consumer, messages_read, client_id: consumer },
      })
    const first = await reply(1)
    expect((await reply(5)).body).toMatchObject({ id: first.body.id, idempotent: true })
    const byHand = await owner.call('POST', `/messages/${id}/reply`, { text: 'By hand.' })
    expect(await read(byHand.body.id)).toMatchObject({ sent_by: owner.sender, run: null })
  })

  it('is reported by the handler of a mailbox', async () => {
    const { threadId } = await leased()
    const { messages } = (await service.call('GET', `/messages?thread_id=${threadId}`)).body
    await using mailbox = await Mailbox.open({ service: service.service })
    const consumer = `mailbox-${names++}`
    for await (const message of mailbox.incoming({ consumer, from: 'start' })) {
      if (message.id !== messages[0].id) continue
      await message.thread()
      const { id } = await message.reply('Read.')
      expect((await read(id)).run).toMatchObject({ messages_read: 1, duration_ms: expect.any(Number) })
      break
    }
  })
})
