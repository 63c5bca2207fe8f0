import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

describeDatabases('inboxes', (openDatabase) => {
  const { service, database } = useService(openDatabase, openService)
  const create = (body: object, key?: string) =>
    service.call('POST', '/inboxes', { body, ...(key !== undefined && { key }) })
  const types = async () =>
    (await service.call('GET', '/events?after=0&limit=500')).body.events.map(
      (event: { type: string }) => event.type,
    )

  it('are created, renamed and deleted, and the log says so', async () => {
    const listed = async () =>
      (await service.call('GET', '/account')).body.inboxes.map((inbox: { address: string }) => inbox.address)
    expect(await listed()).toEqual([service.home.address])
    const { status, body } = await create({ local_part: 'Sales.Desk', name: ' Desk ' })
    expect(await listed()).toEqual([service.home.address, body.address])
    expect([status, body.address, body.name]).toEqual([201, 'sales.desk@restante.localhost', 'Desk'])
    const renamed = await service.call('PATCH', `/inboxes/${body.id}`, { body: { name: null } })
    expect(renamed.body).toMatchObject({ id: body.id, name: null, seq: body.seq + 1 })
    expect((await service.call('DELETE', `/inboxes/${body.id}`)).status).toBe(204)
    expect((await service.call('GET', `/inboxes/${body.id}`)).status).toBe(404)
    expect(await listed()).toEqual([service.home.address])
    expect(await types()).toEqual(['inbox.created', 'inbox.created', 'inbox.updated', 'inbox.deleted'])
  })

  it('are made once for a client_id, also by many calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ client_id: 'one' })))
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array(9).fill(200), 201])
    expect(await create({ client_id: 'one', local_part: 'other' })).toMatchObject({
      status: 409,
      body: { error: 'client_id_conflict' },
    })
  })

  it.each([
    ['taken', 'agent'],
    ['reserved', 'postmaster'],
  ])('refuse a name that is %s', async (_why, local_part) => {
    expect(await create({ local_part })).toMatchObject({ status: 422, body: { error: 'inbox_unavailable' } })
  })

  it('are not made for an unclaimed account, which is told to be claimed', async () => {
    const headers = { 'idempotency-key': 'u'.repeat(43) }
    const { body } = await service.call('POST', '/agent-signups', { key: null, headers, body: {} })
    expect(await create({}, body.api_key)).toMatchObject({ status: 403, body: { error: 'claim_required' } })
    const gone = await service.call('DELETE', `/inboxes/${body.inbox.id}`, { key: body.api_key })
    expect(gone).toMatchObject({ status: 403, body: { error: 'claim_required' } })
  })

  it('retire the address of a deleted inbox at once and for good', async () => {
    const { body } = await create({ local_part: 'leaver' })
    await service.mail({ to: body.address })
    await service.call('DELETE', `/inboxes/${body.id}`)
    await expect(service.mail({ to: body.address, text: 'late' })).rejects.toThrow(/550 5\.1\.6/)
    await expect(service.mail({ to: body.address.replace('@', '+x@') })).rejects.toThrow(/550 5\.1\.6/)
    expect(await create({ local_part: 'leaver' })).toMatchObject({ body: { error: 'inbox_unavailable' } })
    expect((await service.call('GET', '/messages')).body.messages).toEqual([])
  })

  it('take no mail in that is on its way while they are deleted', async () => {
    const { body } = await create({ local_part: 'busy' })
    const mails = Array.from({ length: 30 }, (_, i) => service.mail({ to: body.address, subject: `m${i}` }))
    const gone = service.call('DELETE', `/inboxes/${body.id}`)
    await Promise.allSettled(mails)
    await gone
    expect((await service.call('GET', '/messages')).body.messages).toEqual([])
    expect((await service.call('GET', '/threads')).body.threads).toEqual([])
  })

  it('take no mail in a moment after another node deleted them', async () => {
    if (database.options.databaseUrl === undefined) return
    await using other = await openService(database.options)
    const { body } = await create({ local_part: 'moved' })
    await other.mail({ to: body.address })
    await service.call('DELETE', `/inboxes/${body.id}`)
    await expect(other.mail({ to: body.address, text: 'late' })).rejects.toThrow(/550 5\.1\.6/)
    expect((await service.call('GET', '/messages')).body.messages).toEqual([])
  })

  it('are each listed once, page by page, while others come and go', async () => {
    for (let i = 0; i < 7; i++) await create({ local_part: `page-${i}` })
    const before = (await service.call('GET', '/inboxes?limit=100')).body.inboxes as { id: string }[]
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await service.call('GET', `/inboxes?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.inboxes.map((one: { id: string }) => one.id))
      cursor = body.next_cursor
      if (seen.length === 2) await service.call('DELETE', `/inboxes/${before[1]!.id}`)
      if (seen.length < 8) await create({})
    }
    expect(seen.slice(0, 8)).toEqual(before.map((one) => one.id))
    expect(new Set(seen).size).toBe(seen.length)
  })
})

describe('the limit of inboxes', () => {
  it('is that of the plan', async () => {
    await using service = await openService()
    const max = (await service.call('GET', '/account')).body.limits.inboxes
    const made = await Promise.all(
      Array.from({ length: max - 1 }, () => service.call('POST', '/inboxes', { body: {} })),
    )
    expect(made.every(({ status }) => status === 201)).toBe(true)
    expect(await service.call('POST', '/inboxes', { body: {} })).toMatchObject({
      status: 422,
      body: { error: 'inbox_limit_reached' },
    })
  })
})
