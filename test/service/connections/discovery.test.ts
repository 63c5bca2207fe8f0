import { once } from 'node:events'
import { connect } from 'node:net'
import { createServer } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { MockAgent } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type DiscoveryPorts, discover } from '../../../src/service/connections/discovery/discover'
import { createFileFetcher } from '../../../src/service/connections/discovery/fetch-file'
import type { MailServer } from '../../../src/service/connections/discovery/providers'
import { createSelfSigned } from '../../../src/service/inbound/smtp/certificate'
import { createFakeResolver, type FakeName } from '../../support/fake-resolver'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { startScriptedMailbox } from './support/scripted-mailbox'

const never = new AbortController().signal
const at = (name: string, port: number, priority = 0, weight = 0) => ({ name, port, priority, weight })
const server = (host: string, port: number, tls: MailServer['tls'] = 'implicit') => ({ host, port, tls })

interface World {
  names?: Record<string, FakeName>
  files?: Record<string, string>
  /** Servers that greet, as `host:port`. */
  greeting?: string[]
}

/** Finds the servers of an address in a world, and says what was asked of whom. */
async function find(address: string, { names = {}, files = {}, greeting = [] }: World = {}) {
  const resolver = createFakeResolver(names)
  const asked: string[] = []
  const ports: DiscoveryPorts = {
    resolver,
    async fetchFile(url) {
      asked.push(url)
      const file = files[url]
      return file === undefined ? null : Buffer.from(file)
    },
    async greets({ host, port }) {
      asked.push(`${host}:${port}`)
      return greeting.includes(`${host}:${port}`)
    },
  }
  return { found: await discover(ports, address, never), asked: [...asked, ...resolver.asked] }
}

const wellKnown = 'https://example.com/.well-known/autoconfig/mail/config-v1.1.xml'
const autoconfig = 'https://autoconfig.example.com/mail/config-v1.1.xml?emailaddress=ana%40example.com'
const configOf = (servers: string) =>
  `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="example.com">${servers}</emailProvider></clientConfig>`
const incoming = (host: string, socket = 'SSL', type = 'imap', user = '%EMAILADDRESS%') =>
  `<incomingServer type="${type}"><hostname>${host}</hostname><port>993</port><socketType>${socket}</socketType><username>${user}</username></incomingServer>`
const outgoing = (host: string) =>
  `<outgoingServer type="smtp"><hostname>${host}</hostname><port>587</port><socketType>STARTTLS</socketType><username>%EMAILADDRESS%</username></outgoingServer>`

describe('the servers of an address', () => {
  it.each([
    ['Ana@GMail.com', 'imap.gmail.com', 'smtp.gmail.com', undefined],
    ['ana@hotmail.com', 'outlook.office365.com', 'smtp-mail.outlook.com', undefined],
    ['ana@contoso.onmicrosoft.com', 'outlook.office365.com', 'smtp.office365.com', undefined],
    ['ana@icloud.com', 'imap.mail.me.com', 'smtp.mail.me.com', undefined],
    ['ana@web.de', 'imap.web.de', 'smtp.web.de', 'ana'],
  ])('are known for %s, without asking anybody', async (address, imap, smtp, user) => {
    const { found, asked } = await find(address)
    expect(found).toMatchObject({ imap: { host: imap, port: 993 }, smtp: { host: smtp } })
    expect(found).toHaveProperty(...((user ? ['user', user] : ['imap']) as [string]))
    expect(asked).toEqual([])
  })

  it('are those of the DNS, by priority, then by weight', async () => {
    const { found } = await find('ana@example.com', {
      names: {
        '_imaps._tcp.example.com': {
          srv: [at('c.example.com', 993, 10), at('a.example.com', 993), at('B.example.com.', 994, 0, 5)],
        },
        '_submissions._tcp.example.com': { srv: [at('.', 0)] },
        '_submission._tcp.example.com': { srv: [at('smtp.example.com', 587)] },
      },
    })
    expect(found).toEqual({
      imap: server('b.example.com', 994),
      smtp: server('smtp.example.com', 587, 'starttls'),
    })
  })

  it('are not those of another domain that the DNS names, unless everybody knows them', async () => {
    const named = (imap: string, smtp: string) => ({
      names: {
        '_imaps._tcp.example.com': { srv: [at(imap, 993)] },
        '_submission._tcp.example.com': { srv: [at(smtp, 587)] },
      },
    })
    const { found } = await find('ana@example.com', named('imap.evil.test', 'smtp.example.com'))
    expect(found).toEqual({
      problem: expect.stringMatching(/imap\.evil\.test.*another domain.*imap and smtp/),
    })
    const known = await find('ana@example.com', named('imap.fastmail.com', 'smtp.fastmail.com'))
    expect(known.found).toMatchObject({ imap: server('imap.fastmail.com', 993) })
    // `notexample.com` is not in `example.com`.
    const similar = await find('ana@example.com', named('imap.notexample.com', 'smtp.example.com'))
    expect(similar.found).toHaveProperty('problem')
  })

  it('are those of the file for Thunderbird: the first with TLS', async () => {
    const file = configOf(
      [
        incoming('pop.example.net', 'SSL', 'pop3'),
        incoming('plain.example.net', 'plain'),
        incoming('Imap.example.net', 'SSL', 'imap', '%EMAILLOCALPART%'),
        incoming('other.example.net'),
        outgoing('smtp.example.net'),
      ].join(''),
    )
    for (const url of [autoconfig, wellKnown]) {
      const { found, asked } = await find('ana@example.com', { files: { [url]: file } })
      expect(found).toEqual({
        imap: server('imap.example.net', 993),
        smtp: server('smtp.example.net', 587, 'starttls'),
        user: 'ana',
      })
      expect(asked).toContain(url)
    }
  })

  it.each([
    ['no XML', 'hello'],
    ['HTML', '<!doctype html><html><body>Not found</body></html>'],
    ['no server with TLS', configOf(incoming('imap.example.net', 'plain') + outgoing('smtp.example.net'))],
    ['a host that is none', configOf(incoming('a b') + outgoing('smtp.example.net'))],
    ['no SMTP', configOf(incoming('imap.example.net'))],
    [
      'an entity',
      `<!DOCTYPE x [<!ENTITY e "imap.example.net">]>${configOf(incoming('&e;') + outgoing('a.test'))}`,
    ],
  ])('are not those of a file with %s', async (_what, file) => {
    const { found } = await find('ana@example.com', { files: { [wellKnown]: file } })
    expect(found).toHaveProperty('problem')
  })

  it('are those of the provider that receives the email of the domain', async () => {
    const exchangers = [
      { exchange: 'backup.example.net', priority: 20 },
      { exchange: 'ASPMX.L.Google.com', priority: 1 },
    ]
    const { found } = await find('ana@example.com', { names: { 'example.com': { mx: exchangers } } })
    expect(found).toMatchObject({ imap: { host: 'imap.gmail.com' }, smtp: { host: 'smtp.gmail.com' } })
  })

  it('have the usual names, TLS from the first byte before STARTTLS', async () => {
    const greeting = ['imap.example.com:143', 'mail.example.com:993', 'mail.example.com:587']
    const { found } = await find('ana@example.com', { greeting })
    expect(found).toEqual({
      imap: server('mail.example.com', 993),
      smtp: server('mail.example.com', 587, 'starttls'),
    })
  })

  it('are asked for where nobody knows them', async () => {
    expect((await find('ana@example.com', { greeting: ['imap.example.com:993'] })).found).toEqual({
      problem: expect.stringMatching(/No IMAP and SMTP server of example\.com.*IMAP is on.*restante connect/),
    })
  })
})

describe('a file for Thunderbird', () => {
  const fetchBy = (agent: MockAgent) =>
    createFileFetcher({
      ...{ resolver: createFakeResolver({}), clock: new JumpClock(), allowPrivate: false },
      connections: agent,
    })

  it('is fetched by HTTPS, also where a redirect leads on', async () => {
    const agent = new MockAgent()
    onTestFinished(() => agent.close())
    agent.disableNetConnect()
    agent
      .get('https://example.com')
      .intercept({ path: '/a' })
      .reply(301, '', { headers: { location: 'https://www.example.com/b' } })
    agent.get('https://www.example.com').intercept({ path: '/b' }).reply(200, 'the file')
    expect((await fetchBy(agent)('https://example.com/a', never))?.toString()).toBe('the file')
  })

  it.each(['http://www.example.com/', 'https://127.0.0.1/', 'https://printer/', 'https://u:p@example.com/'])(
    'is not fetched from %s',
    async (location) => {
      const agent = new MockAgent()
      onTestFinished(() => agent.close())
      agent.disableNetConnect()
      agent.get('https://example.com').intercept({ path: '/a' }).reply(302, '', { headers: { location } })
      await expect(fetchBy(agent)('https://example.com/a', never)).rejects.toThrow(/HTTPS|internet|local/)
    },
  )

  it('is not read where it is too large or missing', async () => {
    const agent = new MockAgent()
    onTestFinished(() => agent.close())
    agent.disableNetConnect()
    const pool = agent.get('https://example.com')
    pool.intercept({ path: '/a' }).reply(200, 'x'.repeat(64 * 1024 + 1))
    pool.intercept({ path: '/b' }).reply(404, 'no')
    await expect(fetchBy(agent)('https://example.com/a', never)).rejects.toThrow('larger than')
    expect(await fetchBy(agent)('https://example.com/b', never)).toBeNull()
  })

  it('is not fetched from a name on a private network', async () => {
    const resolver = createFakeResolver({ 'autoconfig.example.com': { addresses: ['127.0.0.1'] } })
    const fetchFile = createFileFetcher({ resolver, clock: new JumpClock(), allowPrivate: false })
    await expect(fetchFile('https://autoconfig.example.com/', never)).rejects.toThrow(/public internet/)
  })
})

it('connects a mailbox by its address, with TLS', async () => {
  await using mailbox = await startScriptedMailbox()
  const tls = createServer(createSelfSigned('imap.company.test'), (socket) => {
    const plain = connect(mailbox.imap.port, '127.0.0.1')
    plain.on('error', () => socket.destroy())
    socket.on('error', () => plain.destroy())
    socket.pipe(plain).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(tls, 'listening')
  onTestFinished(() => void tls.close())
  const smtp = new SMTPServer({
    secure: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'ana' }),
  })
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  onTestFinished(() => new Promise<void>((done) => smtp.close(done)))
  const portOf = (one: { address(): unknown }) => (one.address() as { port: number }).port
  const resolver = createFakeResolver({
    '_imaps._tcp.company.test': { srv: [at('imap.company.test', portOf(tls))] },
    '_submissions._tcp.company.test': { srv: [at('smtp.company.test', portOf(smtp.server))] },
    'imap.company.test': { addresses: ['127.0.0.1'] },
    'smtp.company.test': { addresses: ['127.0.0.1'] },
  })
  await using service = await openService({ connectionsAllowPrivate: true }, { resolver })
  const body = { address: 'ana@company.test', login: { type: 'password', password: 'right' } }
  expect(await service.call('POST', '/connections', { body })).toMatchObject({
    status: 201,
    body: {
      user: 'ana@company.test',
      imap: server('imap.company.test', portOf(tls)),
      smtp: server('smtp.company.test', portOf(smtp.server)),
    },
  })
  const nobody = { ...body, address: 'ana@nowhere.test' }
  expect(await service.call('POST', '/connections', { body: nobody })).toMatchObject({
    status: 422,
    body: { error: 'connection_failed', message: expect.stringContaining('nowhere.test') },
  })
})
