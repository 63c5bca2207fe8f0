import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { consumerOf, type Leased, type Owner, ownerOf } from '../../support/desk'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const subjects = (deliveries: readonly Leased[]) => deliveries.map(({ message }) => message.subject)

describeDatabases('a paused consumer', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  let owner: Owner
  beforeAll(async () => {
    owner = await ownerOf(service)
  })

  const opened = async (name: string) => {
    const bot = consumerOf(service, name)
    await service.call('POST', '/consumers', { body: { name, from: 'now' } })
    const does = async (verb: string) => (await owner.call('POST', `/consumers/${name}/${verb}`)).body
    const wait = async (): Promise<Leased[]> =>
      (await service.call('POST', `/consumers/${name}/lease`, { body: { max: 9, wait_ms: 20_000 } })).body
        .deliveries
    return { bot, does, wait }
  }

  it('gets no new leases, keeps those that are out, and goes on where it was', async () => {
    const { bot, does, wait } = await opened('paused')
    await service.mail({ subject: 'a' })
    const out = await bot.lease()
    const { paused } = await does('pause')
    expect(paused).toEqual({ by: owner.sender, since: expect.any(String) })
    await service.mail({ subject: 'b' })
    expect(await bot.lease()).toEqual([])
    expect(await bot.extend(out)).toMatchObject({ held: [out[0]!.lease] })
    await bot.nack(out)
    expect(await bot.lease()).toEqual([])
    expect(await bot.state()).toMatchObject({ waiting: 2, leased: 0, paused })
    // Whoever waits for messages gets them at once.
    const waiting = wait()
    await service.mail({ subject: 'c' })
    expect((await does('resume')).paused).toBeNull()
    expect(subjects(await waiting).sort()).toEqual(['a', 'b', 'c'])
  })

  it('repeats the answer to a lease request that was lost, which counts no attempt', async () => {
    const { bot, does } = await opened('repeated')
    const request = async (): Promise<Leased[]> => {
      const body = { max: 9, request_id: 'lost00000000' }
      return (await service.call('POST', '/consumers/repeated/lease', { body })).body.deliveries
    }
    await service.mail({ subject: 'lost' })
    await request()
    await does('pause')
    await service.mail({ subject: 'new' })
    const again = await request()
    expect(again).toMatchObject([{ attempt: 1, message: { subject: 'lost' } }])
    await bot.ack(again)
    expect(await request()).toEqual([])
  })

  it('is paused once, and the audit log says by whom', async () => {
    const { does } = await opened('audited')
    const first = await does('pause')
    expect(await does('pause')).toEqual(first)
    await does('resume')
    await does('resume')
    const { entries } = (await service.call('GET', '/audit?target=audited')).body
    expect(entries).toMatchObject([
      { action: 'consumer.resumed', by: owner.sender },
      { action: 'consumer.paused', by: owner.sender },
    ])
  })

  it('needs the scope to manage, and hides the name of the operator from others', async () => {
    const { does } = await opened('scoped')
    await does('pause')
    const { api_key: key } = await service.service.keys.create({
      account_id: service.home.tenantId,
      name: 'reader',
      scopes: ['read', 'send'],
    })
    const refused = await service.call('POST', '/consumers/scoped/resume', { key })
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope'])
    const { paused } = (await service.call('GET', '/consumers/scoped', { key })).body
    expect(paused).toEqual({ by: { kind: 'operator' }, since: expect.any(String) })
  })
})
