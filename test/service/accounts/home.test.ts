import { createService, type Service, type ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { signedUp } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'
import { useDatabase } from '../../support/use-service'

const operatorAddresses = ['postmaster@restante.localhost', 'Abuse@restante.localhost']

const write = (service: Pick<Service, 'receive'>, to: string, subject = 'Hello') =>
  service.receive(
    { mailFrom: 'ana@example.com', recipients: [to] },
    new TextEncoder().encode(`From: ana@example.com\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\nhi\r\n`),
  )

describeDatabases('the account of the service itself', (openDatabase) => {
  const database = useDatabase(openDatabase)
  const start = (options: ServiceOptions = {}) =>
    database.start((given) => createService({ log: 'silent', ...given, ...options }))

  it('is there from the start, and takes the mail to postmaster and abuse', async () => {
    const service = await start()
    const db = await openBeside(database.options)
    const made = await db.selectFrom('addresses').select('address').execute()
    await db.destroy()
    expect(made).toEqual([{ address: 'agent@restante.localhost' }])
    for (const to of operatorAddresses) expect(await write(service, to)).toHaveProperty('queueId')
  })

  it('has an address at the new domain after the domain changed, and receives at the old one', async () => {
    const first = await start()
    const { address, inboxId, apiKey } = await first.home()
    await first.close()
    expect(address).toBe('agent@restante.localhost')
    const moved = await start({ domain: 'agents.example' })
    expect(await moved.home()).toMatchObject({ address: 'agent@agents.example', inboxId, apiKey })
    for (const to of [address, 'agent@agents.example', 'agent+tag@restante.localhost'])
      expect(await write(moved, to)).toHaveProperty('queueId')
    await moved.close()
    const back = await start()
    expect(await back.home()).toMatchObject({ address, inboxId })
    expect(await write(back, 'agent@agents.example')).toHaveProperty('queueId')
  })

  it('answers all people and not itself where a message names its old address', async () => {
    const first = await start()
    const { address: old } = await first.home()
    await first.close()
    const moved = await start({ domain: 'agents.example' })
    const { apiKey } = await moved.home()
    const raw = `From: ana@example.com\r\nTo: ${old}, bo@example.com\r\nSubject: Hello\r\n\r\nhi\r\n`
    await moved.receive({ mailFrom: 'ana@example.com', recipients: [old] }, new TextEncoder().encode(raw))
    const call = async (path: string, body?: object) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
      return (await moved.fetch(new Request(`http://localhost/v1${path}`, init))).json()
    }
    const { messages } = await call('/messages')
    await call(`/messages/${messages[0].id}/reply`, { text: 'Hi.', reply_all: true, client_id: 'r1' })
    const sent = (await call('/messages?direction=outbound')).messages
    expect(sent[0]).toMatchObject({
      from_addr: 'agent@agents.example',
      to_addrs: ['ana@example.com'],
      cc_addrs: ['bo@example.com'],
    })
  })

  it('lets nobody sign up under its name or the name of a role, and says so', async () => {
    const service = await database.start(openService)
    const names =
      'agent postmaster abuse info marketing sales support noc security hostmaster usenet news webmaster www uucp ftp'
    for (const local_part of names.split(' ')) {
      const headers = { 'idempotency-key': 'h'.repeat(43) }
      const asked = { key: null, headers, body: { local_part } }
      expect(await service.call('POST', '/agent-signups', asked)).toMatchObject({
        status: 422,
        body: {
          error: 'inbox_unavailable',
          message: `The name ${local_part} is reserved. Choose another, or leave out local_part to get a generated one.`,
        },
      })
    }
  })

  it('takes the mail to postmaster and abuse where another has its name', async () => {
    const service = await database.start(openService)
    await signedUp(service)
    const db = await openBeside(database.options)
    await db.deleteFrom('host').where('key', '=', 'home').execute()
    await db.destroy()
    await service[Symbol.asyncDispose]()
    const next = await start()
    expect((await next.home()).address).toMatch(/^agent-\w{8}@restante\.localhost$/)
    for (const to of operatorAddresses) expect(await write(next, to)).toHaveProperty('queueId')
  })

  it('takes the mail to postmaster and abuse though it is suspended, paused or its secret was lost', async () => {
    const first = await start({ secret: 'the first secret of all' })
    const { address, tenantId } = await first.home()
    await first.admin.pause(tenantId)
    await first.admin.suspend(tenantId)
    await expect(write(first, address)).rejects.toMatchObject({ code: 'account_suspended' })
    for (const to of operatorAddresses) expect(await write(first, to)).toHaveProperty('queueId')
    await first.close()
    const next = await start({ secret: 'another secret than that' })
    await expect(next.home()).rejects.toThrow(/RESTANTE_SECRET/)
    for (const to of operatorAddresses) expect(await write(next, to, 'Again')).toHaveProperty('queueId')
  })

  it('keeps its last inbox, since mail to postmaster and abuse comes to it', async () => {
    const service = await database.start(openService)
    const remove = (id: string) => service.call('DELETE', `/inboxes/${id}`)
    expect(await remove(service.home.inboxId)).toMatchObject({
      status: 409,
      body: { error: 'operator_inbox', message: expect.stringContaining('create another first') },
    })
    const other = (await service.call('POST', '/inboxes', { body: {} })).body
    expect((await remove(service.home.inboxId)).status).toBe(204)
    for (const to of operatorAddresses) await service.mail({ to })
    const { messages } = (await service.call('GET', `/messages?inbox_id=${other.id}`)).body
    expect(messages).toHaveLength(2)
  })

  it('is one, however many nodes start at once', async () => {
    if (database.options.databaseUrl === undefined) return
    const nodes = await Promise.all([start(), start(), start()])
    const homes = await Promise.all(nodes.map((node) => node.home()))
    expect(new Set(homes.map(({ tenantId }) => tenantId)).size).toBe(1)
  })
})
