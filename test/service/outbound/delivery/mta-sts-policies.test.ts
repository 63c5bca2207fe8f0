import { expect, it, onTestFinished } from 'vitest'
import { createSelfSigned } from '../../../../src/service/inbound/smtp/certificate'
import { createPolicies, dropOldPolicies } from '../../../../src/service/outbound/delivery/mta-sts-policies'
import type { OutgoingMail } from '../../../../src/service/outbound/delivery/transport'
import { createDirectTransport } from '../../../../src/service/outbound/delivery/transport-direct'
import { readSettings } from '../../../../src/service/settings'
import { openStore } from '../../../../src/service/store/open-store'
import { describeDatabases } from '../../../support/databases'
import { createFakeResolver, type FakeName } from '../../../support/fake-resolver'
import { type FakeScript, startFakeSmtp } from '../../../support/fake-smtp'
import { JumpClock } from '../../../support/jump-clock'
import { useDatabase } from '../../../support/use-service'

const mail: OutgoingMail = {
  mailFrom: 'agent@here.test',
  recipients: ['bo@there.test'],
  raw: Buffer.from('Subject: hello\r\n\r\ntext\r\n'),
}
const policy = (mode: string, mx = 'mx.there.test', maxAge = 86_400) =>
  `version: STSv1\nmode: ${mode}\nmx: ${mx}\nmax_age: ${maxAge}\n`
const announced = (id: string): FakeName => ({ txt: [[`v=STSv1; id=${id};`]] })
const certificate = createSelfSigned('mx.there.test')

describeDatabases('what a domain demands of senders', (openDatabase) => {
  const database = useDatabase(openDatabase)

  async function start(names: Record<string, FakeName> = {}) {
    const store = await openStore(readSettings(database.options))
    onTestFinished(() => store.close())
    const clock = new JumpClock()
    const warned: object[] = []
    const silent = () => {}
    const logger = { debug: silent, info: silent, error: silent, warn: (facts: object) => warned.push(facts) }
    const resolver = createFakeResolver(names)
    const published = { text: '', fetches: 0 }
    const ports = { store, clock, logger, resolver }
    const open = () =>
      createPolicies(ports, async () => {
        published.fetches += 1
        if (published.text === '') throw new Error('no answer')
        return published.text
      })
    const mode = async (policyOf = open()) => (await policyOf('there.test'))?.mode ?? null
    return { names, ports, clock, warned, resolver, published, open, mode }
  }

  it('is fetched once, kept as long as it says, also by the next process, and then fetched anew', async () => {
    const { names, clock, published, open, mode, ports } = await start({
      '_mta-sts.there.test': announced('a'),
    })
    published.text = policy('enforce')
    const policyOf = open()
    expect([await mode(policyOf), await mode(policyOf), await mode(), published.fetches]).toEqual([
      'enforce',
      'enforce',
      'enforce',
      1,
    ])
    // Whoever hides the record and the policy cannot switch it off.
    names['_mta-sts.there.test'] = { txt: 'ETIMEOUT' }
    published.text = ''
    clock.jump(86_000_000)
    expect(await mode()).toBe('enforce')
    names['_mta-sts.there.test'] = announced('b')
    expect([await mode(), published.fetches]).toEqual(['enforce', 2])
    clock.jump(400_001)
    expect(await mode()).toBeNull()
    published.text = policy('enforce')
    expect(await mode()).toBe('enforce')
    clock.jump(86_400_000)
    await dropOldPolicies(ports)
    expect(await ports.store.db.selectFrom('transport_policies').selectAll().execute()).toEqual([])
  })

  it('is looked for again where the DNS announces another, at most every five minutes', async () => {
    const { names, clock, published, open, mode } = await start({ '_mta-sts.there.test': announced('a') })
    published.text = policy('enforce')
    const policyOf = open()
    await mode(policyOf)
    names['_mta-sts.there.test'] = announced('b')
    published.text = policy('none')
    expect(await mode(policyOf)).toBe('enforce')
    clock.jump(5 * 60_000)
    expect([await mode(policyOf), published.fetches]).toEqual([null, 2])
    names['_mta-sts.there.test'] = announced('c')
    published.text = 'nonsense'
    clock.jump(5 * 60_000)
    expect(await mode(policyOf)).toBeNull()
  })

  it('is not asked for where nothing announces one', async () => {
    const { published, mode } = await start()
    expect([await mode(), published.fetches]).toEqual([null, 0])
  })

  const exchanger = {
    'there.test': { mx: [{ exchange: 'mx.there.test', priority: 10 }] },
    'mx.there.test': { addresses: ['127.0.0.1'] },
    '_mta-sts.there.test': announced('a'),
  }
  const trusted: FakeScript = { tls: 'works', certificate }

  async function send(script: FakeScript, text: string, names: Record<string, FakeName> = exchanger) {
    const world = await start(names)
    world.published.text = text
    const fake = await startFakeSmtp(script)
    const transport = createDirectTransport({
      ...world.ports,
      hostname: 'here.test',
      port: fake.port,
      allowPrivate: true,
      policyOf: world.open(),
      ca: certificate.cert,
    })
    const [outcome] = await transport.send(mail)
    await transport.close()
    return { outcome: outcome!, fake, warned: world.warned }
  }

  it('lets mail go to an exchanger that it names, whose certificate is good', async () => {
    const { outcome, fake } = await send(trusted, policy('enforce'))
    expect(outcome).toMatchObject({ outcome: 'sent' })
    expect(fake.lines).toContain('0: STARTTLS')
  })

  it.each<[string, FakeScript, string]>([
    ['without TLS', {}, policy('enforce')],
    ['with a handshake that breaks', { tls: 'breaks' }, policy('enforce')],
    ['with a certificate that nobody vouches for', { tls: 'works' }, policy('enforce')],
    ['that it does not name', trusted, policy('enforce', 'other.there.test')],
  ])('keeps mail from an exchanger %s, and tells nobody more than a name', async (_, script, text) => {
    const { outcome, fake } = await send(script, text)
    expect(outcome).toMatchObject({ outcome: 'deferred', enhanced: '4.7.5' })
    expect(fake.lines.filter((line) => /MAIL|RCPT/.test(line))).toEqual([])
    expect(fake.connections).toBeLessThanOrEqual(1)
  })

  it('passes by an exchanger that it does not name for one that it does', async () => {
    const names: Record<string, FakeName> = {
      ...exchanger,
      'there.test': {
        mx: [
          { exchange: 'evil.test', priority: 1 },
          { exchange: 'mx.there.test', priority: 10 },
        ],
      },
      'evil.test': { addresses: ['127.0.0.2'] },
    }
    const { outcome } = await send(trusted, policy('enforce'), names)
    expect(outcome).toMatchObject({ outcome: 'sent', remote: expect.stringContaining('mx.there.test') })
  })

  const unvouched = expect.stringMatching(/self|verify/i)
  it.each<[string, FakeScript, string, string | null]>([
    ['a bad certificate', { tls: 'works' }, policy('testing'), unvouched],
    ['no TLS', {}, policy('testing'), 'there was no TLS'],
    ['another exchanger', trusted, policy('testing', '*.else.test'), 'the policy does not name it'],
    ['nothing', trusted, policy('testing'), null],
  ])('in testing tells the log of %s, and sends', async (_, script, text, reason) => {
    const { outcome, warned } = await send(script, text)
    expect(outcome.outcome).toBe('sent')
    const reported = { domain: 'there.test', exchanger: 'mx.there.test', reason }
    expect(warned).toEqual(reason === null ? [] : [reported])
  })
})
