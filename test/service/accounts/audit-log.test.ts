import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { consumerOf, type Owner, ownerOf } from '../../support/desk'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const dayMs = 24 * 3_600_000

interface Entry {
  id: string
  action: string
  by: object | null
  target: string | null
  details: object
}

describeDatabases('the audit log', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (options) => openService(options, { clock }), perBlock)
  let owner: Owner
  let names = 0
  beforeAll(async () => {
    owner = await ownerOf(service)
  })
  const audit = async (query = ''): Promise<Entry[]> =>
    (await service.call('GET', `/audit?limit=100${query}`)).body.entries
  const mail = async () => {
    await service.mail({ subject: 'Audited', messageId: `<audit.${names++}@example.com>` })
    return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
  }
  const console = (path: string) => `/v1/console/accounts/${service.home.tenantId}${path}`

  it('has sign-ins, and keys that are created and revoked', async () => {
    const { body: key } = await owner.browser.ask('POST', console('/keys'), {
      ...{ name: 'bot', scopes: ['read'] },
    })
    await owner.browser.ask('DELETE', console(`/keys/${key.id}`))
    expect(await audit(`&target=${key.id}`)).toMatchObject([
      { action: 'key.revoked', by: owner.sender },
      { action: 'key.created', by: owner.sender, details: { name: 'bot', scopes: ['read'] } },
    ])
    const [signedIn] = await audit('&action=operator.signed_in')
    expect(signedIn).toMatchObject({ by: owner.sender, target: null, details: { by: 'link' } })
    expect(JSON.stringify(await audit())).not.toContain(key.api_key)
  })

  it('has holds, settings and erasures, with who did them', async () => {
    const { thread_id, id } = await mail()
    await owner.call('POST', `/threads/${thread_id}/hold`, {
      ...{ reason: 'Refund', until: new Date(clock.now() + 60_000).toISOString() },
    })
    clock.jump(60_000)
    await expect
      .poll(async () => (await audit(`&target=${thread_id}`)).map(({ action }) => action))
      .toEqual(['thread.released', 'thread.held'])
    expect(JSON.stringify(await audit(`&target=${thread_id}`))).not.toContain('Refund')
    expect(await audit(`&target=${thread_id}`)).toMatchObject([
      { action: 'thread.released', by: null },
      { action: 'thread.held', by: owner.sender },
    ])
    await owner.call('PATCH', `/inboxes/${service.home.inboxId}`, { hold_after_reply: '2h' })
    expect(await audit(`&target=${service.home.inboxId}`)).toMatchObject([
      { action: 'inbox.updated', by: owner.sender, details: { hold_after_reply: '2h' } },
    ])
    await service.call('DELETE', `/messages/${id}`)
    expect(await audit(`&target=${id}`)).toMatchObject([{ action: 'message.erased', by: { kind: 'key' } }])
    const other = await mail()
    await owner.call('DELETE', `/threads/${other.thread_id}`)
    expect(await audit(`&target=${other.thread_id}`)).toMatchObject([
      { action: 'thread.erased', by: owner.sender },
    ])
  })

  it('has approvals and rejections', async () => {
    const { body: key } = await owner.browser.ask('POST', console('/keys'), {
      ...{ name: 'careful', scopes: ['read', 'manage'] },
    })
    const draft = async () => {
      const post = async (path: string, body: object) =>
        (
          await service.service.fetch(
            new Request(`http://restante.test/v1${path}`, {
              method: 'POST',
              headers: { authorization: `Bearer ${key.api_key}`, 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
          )
        ).json() as Promise<{ id: string; seq: number }>
      const { id } = await post('/drafts', {
        ...{ inbox_id: service.home.inboxId, to: ['bo@example.com'], subject: 'Hi', text: 'Hello.' },
      })
      return post(`/drafts/${id}/send`, {})
    }
    const [good, bad] = [await draft(), await draft()]
    const approved = await owner.browser.ask('POST', console(`/drafts/${good.id}/approve`), { seq: good.seq })
    expect(approved.status, JSON.stringify(approved.body)).toBe(200)
    await owner.browser.ask('POST', console(`/drafts/${bad.id}/reject`), { seq: bad.seq })
    expect(await audit(`&target=${good.id}`)).toMatchObject([{ action: 'draft.approved', by: owner.sender }])
    expect(await audit(`&target=${bad.id}`)).toMatchObject([{ action: 'draft.rejected', by: owner.sender }])
  })

  it('has redrives', async () => {
    const bot = consumerOf(service, 'audited')
    await bot.create()
    await bot.redrive()
    expect(await audit('&target=audited')).toMatchObject([
      { action: 'consumer.redriven', by: { kind: 'key' }, details: { redriven: 0 } },
    ])
  })

  it('is read in pages, by filters, and exported as NDJSON', async () => {
    const all = await audit()
    expect(all.length).toBeGreaterThan(3)
    const read: Entry[] = []
    let cursor = ''
    do {
      const { body } = await service.call('GET', `/audit?limit=3${cursor}`)
      read.push(...body.entries)
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    expect(read).toEqual(all)
    const mine = await audit(`&by=${owner.sender.id}`)
    expect(mine).toEqual(all.filter(({ by }) => by !== null && JSON.stringify(by).includes(owner.sender.id)))
    const answer = await service.service.fetch(
      new Request('http://restante.test/v1/audit/export', {
        headers: { authorization: `Bearer ${service.home.apiKey}` },
      }),
    )
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await answer.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(all)
    expect(await audit(`&before=${new Date(0).toISOString()}`)).toEqual([])
  })

  it('forgets entries after the retention', async () => {
    expect((await audit()).length).toBeGreaterThan(0)
    clock.jump(366 * dayMs)
    await expect.poll(() => audit()).toEqual([])
  })
})
