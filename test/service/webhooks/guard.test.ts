import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { guardedLookup } from '../../../src/service/net/guarded-agent'
import { isPublic } from '../../../src/service/net/networks'
import type { Resolver } from '../../../src/service/ports'
import { webhookUrlProblem } from '../../../src/service/webhooks/url'
import { createFakeResolver } from '../../support/fake-resolver'
import { temporaryFolder } from '../../support/temporary-folder'
import { type Hooked, startHooked } from './support/hooked'

const problem = (url: string) => webhookUrlProblem(url, false)

describe('addresses', () => {
  it.each([
    ['loopback', '127.0.0.1', '127.8.9.10', '::1'],
    ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
    ['link-local', '169.254.1.1', 'fe80::1', 'fe80::1%eth0', 'fec0::1'],
    ['metadata', '169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
    ['shared', '100.64.0.1', '100.127.255.255'],
    ['multicast and broadcast', '224.0.0.1', '239.255.255.250', '255.255.255.255', 'ff02::1'],
    [
      'reserved',
      '240.0.0.1',
      '192.0.2.1',
      '198.51.100.1',
      '203.0.113.1',
      '198.18.0.1',
      '2001:db8::1',
      '3fff::1',
    ],
    ['mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
    ['compatible', '::127.0.0.1', '::7f00:1', '::a00:1'],
    ['translated', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::7f00:1', '::ffff:0:127.0.0.1'],
    ['tunnelled', '2002:7f00:1::', '2001::1', '192.88.99.1'],
    ['outside of what is given out', '4000::1', '5f00::1', '100::1'],
    ['nonsense', '', 'nonsense', '1.2.3.4.5', '300.1.1.1'],
  ])('that are %s are not public', (_what, ...addresses) => {
    expect(addresses.filter(isPublic)).toEqual([])
  })

  it('that are public are let through', () => {
    const addresses = ['8.8.8.8', '1.1.1.1', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001::1']
    expect(addresses.filter((address) => !isPublic(address))).toEqual([])
  })
})

describe('URLs', () => {
  it.each([
    ['https://example.com/hook'],
    ['https://example.com:8443/hook?x=1'],
    ['https://8.8.8.8/'],
    ['https://[2606:4700::1111]/'],
    ['https://bücher.example/'],
  ])('%s may be called', (url) => expect(problem(url)).toBeNull())

  it.each([
    ['https://127.0.0.1/', /127\.0\.0\.1 is not an address/],
    ['https://2130706433/', /127\.0\.0\.1 is not/],
    ['https://0x7f000001/', /127\.0\.0\.1 is not/],
    ['https://0x7f.1/', /127\.0\.0\.1 is not/],
    ['https://017700000001/', /127\.0\.0\.1 is not/],
    ['https://0177.0.0.01/', /127\.0\.0\.1 is not/],
    ['https://127.1/', /127\.0\.0\.1 is not/],
    ['https://0/', /0\.0\.0\.0 is not/],
    ['https://127.0.0.1./', /127\.0\.0\.1 is not/],
    ['https://１２７.0.0.1/', /127\.0\.0\.1 is not/],
    ['https://%31%32%37.0.0.1/', /127\.0\.0\.1 is not/],
    ['https://127。0。0。1/', /127\.0\.0\.1 is not/],
    ['https://2852039166/latest/meta-data', /169\.254\.169\.254 is not/],
    ['https://[::1]/', /::1 is not/],
    ['https://[::]/', /:: is not/],
    ['https://[::ffff:127.0.0.1]/', /::ffff:7f00:1 is not/],
    ['https://[::127.0.0.1]/', /::7f00:1 is not/],
    ['https://[64:ff9b::127.0.0.1]/', /64:ff9b::7f00:1 is not/],
    ['https://[fe80::1%25eth0]/', /not a URL/],
    ['https://localhost/', /local network/],
    ['https://LOCALHOST./', /local network/],
    ['https://db.localhost/', /local network/],
    ['https://printer.local/', /local network/],
    ['https://metadata.google.internal/', /local network/],
    ['https://router.home.arpa/', /local network/],
    ['https://postgres/', /local network/],
    ['http://example.com/', /https/],
    ['ftp://example.com/', /https/],
    ['file:///etc/passwd', /https/],
    ['javascript:alert(1)', /https/],
    ['https://user:secret@example.com/', /no user name or password/],
    ['https://example.com@127.0.0.1/', /no user name or password/],
    ['https://example.com:25/', /port 25/],
    ['https://example.com:0/', /port 0/],
    ['/hook', /not a URL/],
    ['https://', /not a URL/],
  ])('%s may not be called', (url, why) => expect(problem(url)).toMatch(why))

  it('may be private, but nothing else, in development', () => {
    expect(webhookUrlProblem('http://localhost:3000/hook', true)).toBeNull()
    expect(webhookUrlProblem('http://127.0.0.1:80/', true)).toBeNull()
    expect(webhookUrlProblem('http://a:b@localhost/', true)).toMatch(/no user name/)
    expect(webhookUrlProblem('gopher://localhost/', true)).toMatch(/https/)
  })
})

describe('the lookup', () => {
  const look = (resolver: Resolver, all: boolean) =>
    new Promise<string | LookupAddress[]>((resolve, reject) => {
      guardedLookup(resolver)('hook.test', { all }, (error, address) =>
        error ? reject(error) : resolve(address),
      )
    })

  it('lets only public addresses through', async () => {
    const addresses = ['10.0.0.1', '8.8.8.8', '::1', '2606:4700::1111']
    const resolver = createFakeResolver({ 'hook.test': { addresses } })
    expect(await look(resolver, true)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await look(resolver, false)).toBe('8.8.8.8')
  })

  it.each([['127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']])('refuses %s', async (address) => {
    const resolver = createFakeResolver({ 'hook.test': { addresses: [address] } })
    await expect(look(resolver, true)).rejects.toMatchObject({ code: 'ENOTPUBLIC' })
  })

  it('passes on that there is no such name', async () => {
    await expect(look(createFakeResolver({}), true)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })
})

describe('a guarded service', () => {
  const poll = (what: () => unknown) => expect.poll(what, { interval: 20 })
  const testOnce = async (service: Hooked, id: string) => {
    await service.call('POST', `/webhooks/${id}/test`)
    return (await service.attempted(id, 1)).attempts[0]!
  }

  it('refuses a literal at creation, and at a change, saying why', async () => {
    await using service = await startHooked({ webhooksAllowPrivate: false })
    const body = { url: 'https://[::ffff:127.0.0.1]/', events: ['*'] }
    expect(await service.call('POST', '/webhooks', { body })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringMatching(/::ffff:7f00:1 is not an address/) },
    })
    const { id } = await service.hook('https://hook.test/')
    const change = await service.call('PATCH', `/webhooks/${id}`, { body: { url: 'https://10.0.0.1/' } })
    expect(change).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect((await service.read(id)).url).toBe('https://hook.test/')
  })

  it('never connects to a name that leads to loopback, though it was public before', async () => {
    let asked = 0
    const resolver = {
      ...createFakeResolver({}),
      // The first answer is what a check of its own would have seen; there is none but the connection's.
      addresses: async () => (asked++ === 0 ? ['8.8.8.8'] : ['127.0.0.1']),
    }
    await resolver.addresses()
    await using service = await startHooked({ webhooksAllowPrivate: false }, { resolver })
    const inside = await service.endpoint()
    const { id } = await service.hook(`https://rebind.test:${inside.port}/`)
    const attempt = await testOnce(service, id)
    expect(attempt).toMatchObject({
      http_status: null,
      error: expect.stringMatching(/no address on the public/),
    })
    expect([asked, inside.connections]).toEqual([2, 0])
  })

  it('looks at the URL again at each delivery: a literal never reaches the lookup', async () => {
    const folder = await temporaryFolder()
    const open = await startHooked({ data: folder })
    const inside = await open.endpoint()
    const { id } = await open.hook(inside.url, { events: ['message.bounced'] })
    await testOnce(open, id)
    await poll(() => inside.received.length).toBe(1)
    await open.service.close()
    await using guarded = await startHooked({ data: folder, webhooksAllowPrivate: false })
    await guarded.call('POST', `/webhooks/${id}/test`)
    const { attempts } = await guarded.attempted(id, 1)
    expect(attempts[0]!.error).toMatch(/cannot be used for a webhook/)
    expect(inside.received).toHaveLength(1)
    await open[Symbol.asyncDispose]()
  })
})
