import { beforeAll, expect, it } from 'vitest'
import { type Browser, signedIn } from '../../support/console'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { claimedTenant } from '../../support/tenant'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('drafts that wait for an operator', (openDatabase) => {
  const { service } = useService(openDatabase, (options) => openService(options), perBlock)
  let owner: Browser
  let keys: { whole: string; writing: string }
  let path: string
  let inboxId: string
  beforeAll(async () => {
    const tenant = await claimedTenant(service, 'd')
    owner = tenant.browser
    const { body } = await service.call('GET', '/account', { key: tenant.key })
    inboxId = body.inboxes[0].id
    path = `/accounts/${body.tenant_id}`
    const made = await owner.call('POST', `${path}/keys`, { name: 'writes', scopes: ['read', 'manage'] })
    keys = { whole: tenant.key, writing: made.body.api_key }
  })

  const ask = async (text: string) => {
    const mail = { inbox_id: inboxId, to: ['bo@example.com'], subject: 'An order', text }
    const draft = await service.call('POST', '/drafts', { key: keys.writing, body: mail })
    const asked = await service.call('POST', `/drafts/${draft.body.id}/send`, { key: keys.writing })
    expect(asked.status).toBe(202)
    return asked.body as { id: string; seq: number }
  }
  const decide = (verb: string, { id, seq }: { id: string; seq: number }, more: object = {}) =>
    owner.call('POST', `${path}/drafts/${id}/${verb}`, { seq, ...more })
  const statusOf = async (id: string) =>
    (await service.call('GET', `/drafts/${id}`, { key: keys.whole })).body.status

  it('are listed and shown to the operator of the account, and sent by their word', async () => {
    const asked = await ask('Seventeen bicycles.')
    const { body: listed } = await owner.call('GET', `${path}/drafts`)
    expect(listed).toMatchObject({
      drafts: [{ id: asked.id, seq: asked.seq, to: ['bo@example.com'] }],
      next_cursor: null,
    })
    const { body: shown } = await owner.call('GET', `${path}/drafts/${asked.id}`)
    expect(shown).toMatchObject({ text: 'Seventeen bicycles.', from_addr: expect.stringContaining('@') })
    const sent = await decide('approve', asked)
    expect(sent).toMatchObject({ status: 200, body: { idempotent: false } })
    expect((await decide('approve', asked)).body).toMatchObject({ id: sent.body.id, idempotent: true })
    expect(await statusOf(asked.id)).toBe('sent')
    expect((await owner.call('GET', `${path}/drafts`)).body.drafts).toEqual([])
  })

  it('are rejected with a reason, and wait no longer once they were changed', async () => {
    const asked = await ask('One.')
    await service.call('PATCH', `/drafts/${asked.id}`, { key: keys.writing, body: { text: 'Two.' } })
    for (const verb of ['approve', 'reject'])
      expect(await decide(verb, asked)).toMatchObject({ status: 409, body: { error: 'draft_changed' } })
    const again = await ask('Three.')
    expect(await decide('reject', again, { reason: 'Too many.' })).toMatchObject({
      status: 200,
      body: { status: 'rejected', error: { message: 'Too many.' } },
    })
  })

  it('have files that their operator can look at before they decide, and nobody else', async () => {
    const large = Buffer.alloc(100_000, 'large').toString('base64')
    const mail = {
      inbox_id: inboxId,
      to: ['bo@example.com'],
      text: 'See these.',
      attachments: [
        { filename: 'offer.html', content_type: 'text/html', content_base64: 'PGI+aGk8L2I+' },
        { filename: 'plan.bin', content_base64: large },
      ],
    }
    const draft = await service.call('POST', '/drafts', { key: keys.writing, body: mail })
    const asked = await service.call('POST', `/drafts/${draft.body.id}/send`, { key: keys.writing })
    const file = `${path}/drafts/${asked.body.id}/file`
    const first = await owner.call('GET', `${file}?position=0`)
    expect([first.status, first.body]).toEqual([200, '<b>hi</b>'])
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; filename="offer.html"/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect((await owner.call('GET', `${file}?position=1`)).body).toBe(Buffer.from(large, 'base64').toString())
    const other = await signedIn(service.service)
    for (const answer of [
      await owner.call('GET', `${file}?position=2`),
      await other.call('GET', `${file}?position=0`),
    ])
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
    await decide('approve', asked.body)
    expect((await owner.call('GET', `${file}?position=0`)).status).toBe(404)
  })

  it('are decided on by nobody else: no key, no operator of another account, nobody who is not signed in', async () => {
    const asked = await ask('Four.')
    const other = await signedIn(service.service)
    const target = `${path}/drafts/${asked.id}`
    const answers = [
      await other.call('POST', `${target}/approve`, { seq: asked.seq }),
      await other.call('GET', target),
      await other.call('GET', `${path}/drafts`),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
    const byKey = await service.call('POST', `/console${target}/approve`, {
      key: keys.whole,
      body: { seq: asked.seq },
      headers: { origin: 'http://restante.test' },
    })
    expect(byKey).toMatchObject({ status: 401, body: { error: 'sign_in_required' } })
    expect(await statusOf(asked.id)).toBe('pending_approval')
  })
})
