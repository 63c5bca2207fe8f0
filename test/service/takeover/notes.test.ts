import { Mailbox } from 'restante'
import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { type Owner, ownerOf } from '../../support/desk'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('notes on a thread', (openDatabase) => {
  const { service, database } = useService(openDatabase, openService, perBlock)
  let owner: Owner
  let names = 0
  beforeAll(async () => {
    owner = await ownerOf(service)
  })

  async function conversation() {
    await service.mail({ subject: 'Printer', messageId: `<note.${names++}@example.com>` })
    const { messages } = (await service.call('GET', '/messages?direction=inbound&limit=1')).body
    const { thread_id: id, id: messageId } = messages[0]
    const add = (text: string, for_agent = false) =>
      owner.call('POST', `/threads/${id}/notes`, { text, for_agent })
    const read = async (path = `/threads/${id}/notes`) => (await service.call('GET', path)).body
    return { id, messageId, add, read }
  }
  const textsOf = ({ notes }: { notes: { text: string }[] }) => notes.map(({ text }) => text)

  it('are listed oldest first, counted in the thread, and never sent', async () => {
    const { id, add, read } = await conversation()
    const first = await add('Calls on Mondays.')
    expect(first).toMatchObject({
      status: 201,
      body: { thread_id: id, text: 'Calls on Mondays.', for_agent: false, by: owner.sender },
    })
    await add('Offer a refund.', true)
    expect(textsOf(await read())).toEqual(['Calls on Mondays.', 'Offer a refund.'])
    const page = await read(`/threads/${id}/notes?limit=1`)
    expect(textsOf(await read(`/threads/${id}/notes?limit=1&cursor=${page.next_cursor}`))).toEqual([
      'Offer a refund.',
    ])
    expect((await read(`/threads/${id}`)).note_count).toBe(2)
    expect((await read(`/threads/${id}`)).message_count).toBe(1)
  })

  it('show a key without manage those for the agent, without their author', async () => {
    const { id, add } = await conversation()
    await add('Only for us.')
    await add('For the agent.', true)
    const { body: key } = await owner.browser.ask(
      'POST',
      `/v1/console/accounts/${service.home.tenantId}/keys`,
      { name: 'reader', scopes: ['read', 'send'] },
    )
    const ask = (method: string, body?: object) =>
      service.service.fetch(
        new Request(`http://restante.test/v1/threads/${id}/notes`, {
          method,
          headers: { authorization: `Bearer ${key.api_key}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        }),
      )
    const { notes } = (await (await ask('GET')).json()) as { notes: object[] }
    expect(notes).toMatchObject([{ text: 'For the agent.', by: { kind: 'operator' } }])
    expect(JSON.stringify(notes)).not.toContain(owner.sender.id)
    expect((await ask('POST', { text: 'From the agent.' })).status).toBe(403)
  })

  it('are for the agent only by operators: a key cannot write as one', async () => {
    const { id } = await conversation()
    const add = (for_agent: boolean) =>
      service.call('POST', `/threads/${id}/notes`, { body: { text: 'Refunds are approved.', for_agent } })
    expect((await add(false)).status).toBe(201)
    expect(await add(true)).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } })
  })

  it('stand in prompts if they are for the agent, outside the fences', async () => {
    const { id, messageId, add } = await conversation()
    await add('Only for us.')
    await add('Offer a refund of at most 20 EUR.', true)
    await using mailbox = await Mailbox.open({ service: service.service })
    const prompts = [
      await (await mailbox.threads.get(id)).toPrompt(),
      await (await mailbox.messages.get(messageId)).toPrompt(),
    ]
    for (const prompt of prompts) {
      const [before] = prompt.split(/^<<<mail:\w+$/m)
      expect(before).toContain('- Offer a refund of at most 20 EUR.')
      expect(prompt).not.toContain('Only for us.')
    }
  })

  it('are the newest ones in a prompt, however many there are', async () => {
    const { id, messageId, add, read } = await conversation()
    const db = await openBeside(database.options)
    const notes = Array.from({ length: 1_000 }, (_, at) => ({
      ...{ tenant_id: service.home.tenantId, thread_id: id, for_agent: 1, text: `Old note ${at}.` },
      ...{ id: `not_${String(at).padStart(10, '0')}`, author: '{"kind":"operator","id":null,"name":null}' },
      created_at: '2026-01-01T00:00:00.000Z',
    }))
    await db
      .insertInto('notes')
      .values(notes)
      .execute()
      .finally(() => db.destroy())
    await add('The newest note.', true)
    expect(textsOf(await read(`/threads/${id}/notes?order=desc&limit=2`))).toEqual([
      'The newest note.',
      'Old note 999.',
    ])
    await using mailbox = await Mailbox.open({ service: service.service })
    const prompt = await (await mailbox.messages.get(messageId)).toPrompt()
    expect(prompt).toContain('- The newest note.')
    expect(prompt).not.toContain('- Old note 0.')
  })

  it('are erased with their thread', async () => {
    const { id, messageId, add } = await conversation()
    await add('Secret.', true)
    await service.call('DELETE', `/messages/${messageId}`)
    expect((await service.call('GET', `/threads/${id}/notes`)).status).toBe(404)
    const { events } = (await service.call('GET', '/events?after=0&limit=100')).body
    expect(JSON.stringify(events)).not.toContain('Secret.')
  })
})
