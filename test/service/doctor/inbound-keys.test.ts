import { expect, it } from 'vitest'
import { examine } from '../../../src/service/doctor'
import { readSettings } from '../../../src/service/settings'
import { describeDatabases } from '../../support/databases'
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
})
