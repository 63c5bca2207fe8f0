import { expect, it } from 'vitest'
import { examine } from '../../../src/cli/doctor/doctor'
import type { InboundProvider } from '../../../src/protocol/records/inbound/provider'
import { readSettings } from '../../../src/service/settings'
import { startScriptedMailbox } from '../../service/connections/support/scripted-mailbox'
import { describeDatabases } from '../../support/databases'
import { createFakeResolver, type FakeName } from '../../support/fake-resolver'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

describeDatabases('the doctor', (openDatabase) => {
  const clock = new JumpClock()
  const { service, database } = useService(openDatabase, (options) => openService(options, { clock }))
  const found = async () => {
    const settings = readSettings({ ...database.options, smtp: 'off' })
    const inbound = ['no_inbound_key', 'provider_refused']
    return (await examine(settings, [])).filter(({ check }) => inbound.includes(check))
  }

  it('says that no mail can come in, and which provider is refused, until it is put right', async () => {
    expect((await found()).map(({ check }) => check)).toEqual(['no_inbound_key'])
    const { id, api_key } = await service.service.keys.create({
      account_id: service.home.tenantId,
      name: 'Postmark',
      scopes: ['inbound'],
      provider: { type: 'postmark' },
    })
    expect(await found()).toEqual([])
    const post = (password: string) =>
      service.call('POST', `/inbound/keys/${id}/postmark`, {
        key: null,
        body: {
          RawEmail: 'Subject: Hi\r\n\r\nHi',
          OriginalRecipient: service.home.address,
          From: 'a@example.net',
        },
        headers: { authorization: `Basic ${Buffer.from(`x:${password}`).toString('base64')}` },
      })
    expect((await post('wrong')).status).toBe(503)
    expect(await found()).toMatchObject([
      { check: 'provider_refused', problem: expect.stringContaining(`postmark under the key ${id}`) },
    ])
    clock.jump(60_000)
    expect((await post(api_key)).status).toBe(200)
    clock.jump(61_000)
    await expect.poll(found).toEqual([])
  })

  it('says that the MX of the domain does not lead to the provider that has a key', async () => {
    const domain = 'mail.company.com'
    const seen = async (mx: FakeName['mx']) => {
      const settings = readSettings({ ...database.options, smtp: 'off', domain })
      const resolver = createFakeResolver({ [domain]: { mx } })
      return (await examine(settings, [], { resolver })).filter(({ check }) => /mx/.test(check))
    }
    const at = (exchange: string) => [{ exchange, priority: 10 }]
    expect(await seen(at('mx1.elsewhere.example'))).toEqual([])
    const make = (name: string, provider?: InboundProvider) =>
      service.service.keys.create({
        account_id: service.home.tenantId,
        name,
        scopes: ['inbound'],
        ...(provider && { provider }),
      })
    await make('SES', { type: 'ses', topic_arn: 'arn:aws:sns:eu-west-1:123456789012:mail' })
    expect(await seen(at('inbound-smtp.eu-west-1.amazonaws.com'))).toEqual([])
    expect(await seen('SERVFAIL')).toEqual([])
    expect(await seen(at('mx1.elsewhere.example'))).toMatchObject([
      {
        check: 'inbound_mx',
        problem: expect.stringMatching(/goes to mx1\.elsewhere\.example, not to ses/),
        remedy: expect.stringContaining('inbound-smtp.<region>.amazonaws.com (ses)'),
      },
    ])
    expect((await seen([]))[0]?.problem).toMatch(/has no MX record/)
    await make('a pipe')
    expect(await seen(at('mx1.elsewhere.example'))).toEqual([])
  })

  it('says in words which connected mailbox fails, and that one is a road of its own', async () => {
    await using mailbox = await startScriptedMailbox()
    const { id } = (await service.call('POST', '/connections', { body: mailbox.body() })).body
    const look = async () =>
      (await examine(readSettings({ ...database.options, smtp: 'off' }), [])).filter(({ check }) =>
        /connection|skipped|no_inbound/.test(check),
      )
    const state = async () => (await service.call('GET', `/connections/${id}`)).body.state
    await expect.poll(state).toBe('live')
    expect(await look()).toEqual([])
    mailbox.imap.admits = () => false
    mailbox.imap.kickAll()
    await expect
      .poll(async () => {
        clock.jump(5_000)
        return (await look())[0]?.problem
      })
      .toMatch(/^No mail of kim-\d+@company\.test comes in since .*refused the login/)
    expect(await look()).toMatchObject([{ check: 'connection_failing', remedy: expect.stringContaining(id) }])
  })
})
