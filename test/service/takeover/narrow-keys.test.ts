import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { type Owner, ownerOf } from '../../support/desk'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('what keys learn about people', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  let owner: Owner
  let threadId: string
  let messageId: string
  beforeAll(async () => {
    owner = await ownerOf(service)
    await service.mail({ subject: 'Printer', messageId: '<narrow@example.com>' })
    const { messages } = (await service.call('GET', '/messages?direction=inbound&limit=1')).body
    threadId = messages[0].thread_id
    messageId = messages[0].id
    await owner.call('POST', `/threads/${threadId}/assign`, { assignee: { kind: 'operator', id: 'me' } })
    await owner.call('POST', `/threads/${threadId}/hold`, { reason: 'She threatens to sue.' })
  })
  const keyOf = async (scopes: string[], inbox_id?: string): Promise<string> => {
    const path = `/v1/console/accounts/${service.home.tenantId}/keys`
    const { body } = await owner.browser.ask('POST', path, {
      name: 'narrow',
      scopes,
      ...(inbox_id && { inbox_id }),
    })
    return body.api_key
  }
  const ask = (key: string, method: string, path: string, body?: object) =>
    service.call(method, path, { key, ...(body && { body }) })

  it('not who has a thread, by no filter', async () => {
    const keys = [await keyOf(['read']), await keyOf(['read', 'manage'], service.home.inboxId)]
    for (const key of keys) {
      for (const assignee of [owner.sender.id, 'support-bot', 'me'])
        expect((await ask(key, 'GET', `/threads?assignee=${assignee}`)).body.error).toBe('insufficient_scope')
      expect((await ask(key, 'GET', '/threads?assignee=none')).body.threads).toEqual([])
    }
    const whole = await ask(await keyOf(['read', 'manage']), 'GET', `/threads?assignee=${owner.sender.id}`)
    expect(whole.body.threads).toMatchObject([{ id: threadId }])
  })

  it('without read, no reason of a hold, and no names', async () => {
    const key = await keyOf(['manage'])
    const answers = [
      await ask(key, 'POST', `/threads/${threadId}/snooze`, { until: '2099-01-01T00:00:00.000Z' }),
      await ask(key, 'POST', `/threads/${threadId}/reopen`),
      await ask(key, 'GET', `/threads/${threadId}`),
      await ask(key, 'GET', '/audit'),
      await ask(key, 'GET', '/audit/export'),
      await ask(key, 'GET', '/saved-replies'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 200, 200, 403])
    expect(String(answers[4]!.body)).toContain('"action":"thread.held","by":{"kind":"operator"}')
    const shown = JSON.stringify(answers.map(({ body }) => body))
    expect(shown).not.toContain('threatens')
    expect(shown).not.toContain(owner.sender.id)
  })

  it('without read, not who acted, by no filter of the audit log', async () => {
    const key = await keyOf(['manage'])
    for (const path of ['/audit', '/audit/export'])
      for (const by of [owner.sender.id, 'nobody'])
        expect(await ask(key, 'GET', `${path}?by=${by}`)).toMatchObject({
          status: 403,
          body: { error: 'insufficient_scope' },
        })
    const whole = await ask(await keyOf(['read', 'manage']), 'GET', `/audit?by=${owner.sender.id}`)
    expect(whole.body.entries[0].by).toEqual(owner.sender)
  })

  it('of one inbox, no consumer of another one and no run', async () => {
    const other = (await service.call('POST', '/inboxes', { body: { local_part: 'other' } })).body
    await service.call('POST', '/consumers', { body: { name: 'theirs', inbox_id: other.id } })
    const key = await keyOf(['read', 'send', 'manage'], service.home.inboxId)
    const assignee = { kind: 'consumer', id: 'theirs' }
    expect((await ask(key, 'POST', `/threads/${threadId}/assign`, { assignee })).status).toBe(404)
    const { body } = await owner.call('POST', `/messages/${messageId}/reply`, { text: 'By hand.' })
    const sent = (await ask(key, 'GET', `/messages/${body.id}`)).body
    expect(sent).toMatchObject({ sent_by: { kind: 'operator' }, run: null })
    expect(JSON.stringify(sent)).not.toContain(owner.sender.id)
  })
})
