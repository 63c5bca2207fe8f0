import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../../src/service/base/time'
import { createSelfSigned } from '../../../../src/service/inbound/smtp/certificate'
import { namesExchanger, parsePolicy, policyIdOf } from '../../../../src/service/outbound/delivery/mta-sts'
import { createPolicyFetcher } from '../../../../src/service/outbound/delivery/mta-sts-fetch'
import { createFakeResolver } from '../../../support/fake-resolver'
import { JumpClock } from '../../../support/jump-clock'

const lines = (...all: string[]) => all.join('\r\n')
const good = lines(
  'version: STSv1',
  'mode: enforce',
  'mx: mx.there.test',
  'mx: *.Backup.test',
  'max_age: 600',
)

describe('a policy', () => {
  test('is read as the standard writes it', () => {
    expect(parsePolicy(good)).toEqual({
      mode: 'enforce',
      exchangers: ['mx.there.test', '*.backup.test'],
      maxAgeSeconds: 600,
    })
    expect(parsePolicy('mode:none\nversion:STSv1\nmax_age:99999999999\n')).toBeNull()
    expect(parsePolicy('mode:none\nversion:STSv1\nmax_age:9999999999\nnew: 1\nmode: enforce\n')).toEqual({
      mode: 'none',
      exchangers: [],
      maxAgeSeconds: 31_557_600,
    })
  })

  test.each([
    '',
    'nonsense',
    good.replace('STSv1', 'STSv2'),
    good.replace('enforce', 'always'),
    good.replace('max_age: 600', ''),
    good.replace('600', '-1'),
    good.replace('600', '6e2'),
    lines('version: STSv1', 'mode: enforce', 'max_age: 600'),
    good.replace('mx.there.test', '*'),
    good.replace('mx.there.test', 'mx.*.test'),
    '<html>'.repeat(10_000),
    ':\n'.repeat(30_000),
  ])('is not %j', (text) => expect(parsePolicy(text)).toBeNull())

  test('names exchangers, with a star for one label', () => {
    const policy = parsePolicy(good)!
    const named = (host: string) => namesExchanger(policy, host)
    expect(['mx.there.test', 'a.backup.test'].map(named)).toEqual([true, true])
    expect(['there.test', 'x.mx.there.test', 'backup.test', 'a.b.backup.test', 'test'].map(named)).toEqual(
      Array(5).fill(false),
    )
  })

  test.each<[string[][], string | null]>([
    [[['v=STSv1; id=20260101T0000;']], '20260101T0000'],
    [[['v=STSv1;', ' id=abc'], ['v=spf1 -all']], 'abc'],
    [[['v=STSv1; id=a'], ['v=STSv1; id=b']], null],
    [[['v=STSv1; id=not an id']], null],
    [[['v=STSv10; id=a']], null],
    [[['id=a; v=STSv1']], null],
    [[], null],
  ])('is announced by %j: %s', (records, id) => expect(policyIdOf(records)).toBe(id))
})

describe('the fetch of a policy', () => {
  const certificate = createSelfSigned('mta-sts.there.test')

  async function fetcher(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    { ca = certificate.cert, clock = systemClock } = {},
  ) {
    const server = createServer(certificate, answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const connect = buildConnector({ ca })
    const connections = new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, done) =>
        connect(
          { ...options, hostname: '127.0.0.1', port: String(port), servername: options.hostname },
          done,
        ),
    })
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await connections.destroy()
    })
    return createPolicyFetcher({ resolver: createFakeResolver({}), clock, connections })
  }

  test('asks where the standard says', async () => {
    const asked: string[] = []
    const fetchPolicy = await fetcher((request, response) => {
      asked.push(`${request.headers.host}${request.url}`)
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(good)
    })
    expect(parsePolicy(await fetchPolicy('there.test'))?.mode).toBe('enforce')
    expect(asked).toEqual(['mta-sts.there.test/.well-known/mta-sts.txt'])
  })

  test.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    [
      'a redirect',
      (_, response) => response.writeHead(302, { location: 'https://mta-sts.there.test/' }).end(),
    ],
    ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(good)],
    ['an error', (_, response) => response.writeHead(404, { 'content-type': 'text/plain' }).end(good)],
    [
      'a flood',
      (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(70_000)),
    ],
  ])('takes no %s', async (_, answer) => {
    await expect((await fetcher(answer))('there.test')).rejects.toThrow()
  })

  test('takes nothing from a host that nobody vouches for, or that vouches for another name', async () => {
    const answer = (_: IncomingMessage, response: ServerResponse) => response.end(good)
    const strange = await fetcher(answer, { ca: createSelfSigned('other.test').cert })
    await expect(strange('there.test')).rejects.toThrow()
    await expect((await fetcher(answer))('other.test')).rejects.toThrow()
  })

  test('waits for a while only', async () => {
    const clock = new JumpClock()
    const fetchPolicy = await fetcher(() => clock.jump(15_000), { clock })
    await expect(fetchPolicy('there.test')).rejects.toThrow('in time')
  })

  test('goes to no private address, and to no host that a domain smuggles in', async () => {
    const resolver = createFakeResolver({ 'mta-sts.there.test': { addresses: ['127.0.0.1', '10.0.0.1'] } })
    const fetchPolicy = createPolicyFetcher({ resolver, clock: systemClock })
    await expect(fetchPolicy('there.test')).rejects.toThrow('no address on the public internet')
    for (const domain of ['there.test/x', 'there.test:25', 'there.test#', 'a@there.test'])
      await expect(fetchPolicy(domain)).rejects.toThrow('part of a URL')
    expect(resolver.asked).toEqual(['addresses mta-sts.there.test'])
  })
})
