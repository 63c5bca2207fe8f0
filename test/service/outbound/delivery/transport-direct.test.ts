import { describe, expect, test } from 'vitest'
import { isPublic } from '../../../../src/service/net/networks'
import type { OutgoingMail } from '../../../../src/service/outbound/delivery/transport'
import {
  createDirectTransport,
  type DirectTransportOptions,
} from '../../../../src/service/outbound/delivery/transport-direct'
import { createFakeResolver, type FakeName } from '../../../support/fake-resolver'
import { startFakeSmtp } from '../../../support/fake-smtp'
import { JumpClock } from '../../../support/jump-clock'

const mailTo = (...recipients: string[]): OutgoingMail => ({
  mailFrom: 'agent@here.test',
  recipients,
  raw: Buffer.from('Subject: hello\r\n\r\ntext\r\n'),
})

const mx = (...exchanges: string[]) => exchanges.map((exchange, i) => ({ exchange, priority: 10 * (i + 1) }))

function direct(names: Record<string, FakeName>, options: Partial<DirectTransportOptions> = {}) {
  const resolver = createFakeResolver(names)
  return {
    resolver,
    transport: createDirectTransport({ resolver, hostname: 'mx.here.test', allowPrivate: true, ...options }),
  }
}

describe('where a mail goes', () => {
  test('to the mail exchanger, under its name', async () => {
    const fake = await startFakeSmtp()
    const { transport } = direct(
      { 'there.test': { mx: mx('mx.there.test') }, 'mx.there.test': { addresses: ['127.0.0.1'] } },
      { port: fake.port },
    )
    expect(await transport.send(mailTo('a@There.test'))).toMatchObject([
      {
        recipient: 'a@There.test',
        outcome: 'sent',
        code: 250,
        remote: `mx.there.test[127.0.0.1]:${fake.port}`,
      },
    ])
    expect(fake.mails).toHaveLength(1)
  })

  const four = {
    'there.test': { mx: mx('gone.test', 'refused.test', 'one.test', 'two.test') },
    'refused.test': { addresses: ['127.0.0.3'] },
    'one.test': { addresses: ['127.0.0.1'] },
    'two.test': { addresses: ['127.0.0.2'] },
  }
  const hosts = (outcomes: { outcome: string; remote: string | null }[]) =>
    outcomes.map(({ outcome, remote }) => [outcome, remote?.split('[')[0]])

  test('to the next exchanger where one does not answer, or puts everybody off', async () => {
    const rcpt = (line: string) => (line.includes('no@') ? '550 5.1.1 no' : '450 4.2.0 later')
    const first = await startFakeSmtp({ RCPT: rcpt })
    const second = await startFakeSmtp({}, first.port, '127.0.0.2')
    const { transport } = direct(four, { port: first.port })
    const outcomes = await transport.send(mailTo('late@there.test', 'no@there.test'))
    expect(hosts(outcomes)).toEqual([
      ['sent', 'two.test'],
      ['bounced', 'one.test'],
    ])
    expect(second.lines.filter((line) => line.includes('RCPT'))).toEqual(['0: RCPT TO:<late@there.test>'])
  })

  test('to the next for those who were put off, once it is written down who has it', async () => {
    const rcpt = (line: string) => (line.includes('late@') ? '450 4.2.0 later' : '250 ok')
    const first = await startFakeSmtp({ RCPT: rcpt })
    const second = await startFakeSmtp({}, first.port, '127.0.0.2')
    const { transport } = direct(four, { port: first.port })
    const settled: (readonly { recipient: string; outcome: string }[])[] = []
    const settle = async (taken: (typeof settled)[number]) => {
      expect(second.connections).toBe(0)
      settled.push(taken)
    }
    const mail = mailTo('late@there.test', 'now@there.test')
    const outcomes = await transport.send(mail, undefined, settle)
    expect(settled).toMatchObject([[{ recipient: 'now@there.test', outcome: 'sent' }]])
    expect(hosts(outcomes)).toEqual([
      ['sent', 'two.test'],
      ['sent', 'one.test'],
    ])
    expect(second.lines.filter((line) => line.includes('RCPT'))).toEqual(['0: RCPT TO:<late@there.test>'])
    await expect(
      transport.send(mail, undefined, () => Promise.reject(new Error('the lease was lost'))),
    ).rejects.toThrow('the lease was lost')
    expect(second.mails).toHaveLength(1)
  })

  test.each(['MAIL', 'RCPT', 'DATA'] as const)(
    'to the next where the connection breaks at %s',
    async (step) => {
      const first = await startFakeSmtp({ [step]: 'DROP' })
      const second = await startFakeSmtp({}, first.port, '127.0.0.2')
      const { transport } = direct(four, { port: first.port })
      expect(hosts(await transport.send(mailTo('a@there.test', 'b@there.test')))).toEqual([
        ['sent', 'two.test'],
        ['sent', 'two.test'],
      ])
      expect([first.mails, second.mails.length]).toEqual([[], 1])
    },
  )

  test('to the next where the connection breaks in the middle of the mail', async () => {
    const first = await startFakeSmtp({ breaksAfterBytes: 100_000 })
    const second = await startFakeSmtp({}, first.port, '127.0.0.2')
    const { transport } = direct(four, { port: first.port })
    const raw = Buffer.from(`Subject: long\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(300_000)}`)
    expect(hosts(await transport.send({ ...mailTo('a@there.test'), raw }))).toEqual([['sent', 'two.test']])
    expect([first.mails, second.mails.length]).toEqual([[], 1])
  })

  test('over the connection of the one before, to the same host', async () => {
    const fake = await startFakeSmtp({ RCPT: (line) => (line.includes('no@') ? '550 5.1.1 no' : '250 ok') })
    const clock = new JumpClock()
    const names = { 'there.test': { addresses: ['127.0.0.1'] }, 'other.test': { addresses: ['127.0.0.1'] } }
    const { transport } = direct(names, { port: fake.port, maxMails: 3, idleMs: 5_000, clock })
    for (let i = 0; i < 4; i += 1) await transport.send(mailTo(`${i}@there.test`, 'no@there.test'))
    expect(fake.connections).toBe(2)
    await transport.send(mailTo('a@other.test'))
    expect(fake.connections).toBe(3)
    clock.jump(5_000)
    await transport.send(mailTo('a@there.test'))
    expect(fake.connections).toBe(4)
    await transport.close()
  })

  test('not to the next where the first may have it', async () => {
    const first = await startFakeSmtp({ '.': 'DROP' })
    const second = await startFakeSmtp({}, first.port, '127.0.0.2')
    const { transport } = direct(
      { 'there.test': { mx: mx('one.test') }, 'one.test': { addresses: ['127.0.0.1', '127.0.0.2'] } },
      { port: first.port },
    )
    expect(await transport.send(mailTo('a@there.test'))).toMatchObject([
      { outcome: 'deferred', enhanced: '4.4.2' },
    ])
    expect(second.connections).toBe(0)
  })

  test('to the address of the domain where it has no MX', async () => {
    const fake = await startFakeSmtp()
    const { transport } = direct({ 'there.test': { addresses: ['127.0.0.1'] } }, { port: fake.port })
    expect(await transport.send(mailTo('a@there.test'))).toMatchObject([{ outcome: 'sent' }])
  })

  test('to an address literal', async () => {
    const fake = await startFakeSmtp()
    const { transport } = direct({}, { port: fake.port })
    expect(await transport.send(mailTo('a@[127.0.0.1]', 'a@[nonsense]'))).toMatchObject([
      { outcome: 'sent' },
      { outcome: 'bounced', enhanced: '5.1.3' },
    ])
  })

  test('to each domain once, in the order of the recipients', async () => {
    const fake = await startFakeSmtp()
    const here = { addresses: ['127.0.0.1'] }
    const { transport } = direct({ 'a.test': here, 'xn--bcher-kva.test': here }, { port: fake.port })
    const recipients = ['1@a.test', '2@b\u00fccher.test', '3@A.test', 'nobody', '4@xn--bcher-kva.test']
    const outcomes = await transport.send(mailTo(...recipients))
    expect(outcomes.map(({ recipient, outcome }) => [recipient, outcome])).toEqual([
      ['1@a.test', 'sent'],
      ['2@b\u00fccher.test', 'sent'],
      ['3@A.test', 'sent'],
      ['nobody', 'bounced'],
      ['4@xn--bcher-kva.test', 'sent'],
    ])
    expect(fake.mails).toHaveLength(2)
  })
})

describe('what DNS says', () => {
  test.each<[string, Record<string, FakeName>, string, number | null, string]>([
    ['no such domain', {}, 'bounced', 550, '5.1.2'],
    [
      'null MX (RFC 7505)',
      { 'there.test': { mx: [{ exchange: '', priority: 0 }] } },
      'bounced',
      556,
      '5.1.10',
    ],
    ['no answer for MX', { 'there.test': { mx: 'ETIMEOUT' } }, 'deferred', null, '4.4.3'],
    ['neither MX nor address', { 'there.test': {} }, 'bounced', 550, '5.1.2'],
    ['no answer for the address', { 'there.test': { addresses: 'ETIMEOUT' } }, 'deferred', null, '4.4.3'],
    ['an exchanger that does not exist', { 'there.test': { mx: mx('gone.test') } }, 'bounced', 550, '5.4.4'],
    [
      'one exchanger that does not exist, one without an answer',
      { 'there.test': { mx: mx('slow.test', 'gone.test') }, 'slow.test': { addresses: 'ETIMEOUT' } },
      'deferred',
      null,
      '4.4.3',
    ],
    [
      'an exchanger that is us',
      { 'there.test': { mx: mx('MX.here.test.', 'other.test') } },
      'bounced',
      554,
      '5.4.6',
    ],
  ])('%s', async (_, names, outcome, code, enhanced) => {
    const { transport } = direct(names)
    expect(await transport.send(mailTo('a@there.test'))).toMatchObject([
      { outcome, code, enhanced, remote: null },
    ])
  })

  test('exchangers better than us are used, the others are not', async () => {
    const fake = await startFakeSmtp({ RCPT: '450 4.2.0 later' })
    const { transport, resolver } = direct(
      {
        'there.test': { mx: mx('one.test', 'mx.here.test', 'three.test') },
        'one.test': { addresses: ['127.0.0.1'] },
      },
      { port: fake.port },
    )
    expect(await transport.send(mailTo('a@there.test'))).toMatchObject([{ outcome: 'deferred' }])
    expect(resolver.asked).toEqual(['mx there.test', 'addresses one.test'])
  })
})

describe('the network around this host', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.1',
    '172.16.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fe80::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '198.18.0.1',
    '224.0.0.1',
    'nonsense',
  ])('has %s, which is not public', (address) => expect(isPublic(address)).toBe(false))

  test.each(['192.0.1.1', '8.8.8.8', '2607:f8b0::1'])('does not have %s, which is public', (address) =>
    expect(isPublic(address)).toBe(true),
  )

  test('is closed to strangers’ mail exchangers, nor for literals', async () => {
    const fake = await startFakeSmtp()
    const names = {
      'there.test': { mx: mx('one.test') },
      'one.test': { addresses: ['127.0.0.1', '::1'] },
      'implicit.test': { addresses: ['10.0.0.1'] },
    }
    const { transport } = direct(names, { port: fake.port, allowPrivate: false })
    const outcomes = await transport.send(
      mailTo('a@there.test', 'a@implicit.test', 'a@[127.0.0.1]', 'a@[IPv6:::1]'),
    )
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ outcome: 'bounced', code: 550, enhanced: '5.4.4' })
    expect(fake.connections).toBe(0)
  })
})

describe('TLS', () => {
  const names = { 'there.test': { addresses: ['127.0.0.1'] } }

  test('is used where it is offered, without a look at the certificate', async () => {
    const fake = await startFakeSmtp({ tls: 'works' })
    expect(await direct(names, { port: fake.port }).transport.send(mailTo('a@there.test'))).toMatchObject([
      { outcome: 'sent' },
    ])
    expect(fake.lines.filter((line) => line.includes('EHLO'))).toHaveLength(2)
    expect(fake.connections).toBe(1)
  })

  test.each(['breaks', 'drops'] as const)('that %s is left out at the second try', async (tls) => {
    const fake = await startFakeSmtp({ tls })
    expect(await direct(names, { port: fake.port }).transport.send(mailTo('a@there.test'))).toMatchObject([
      { outcome: 'sent' },
    ])
    expect(fake.connections).toBe(2)
    expect(fake.lines.filter((line) => line.includes('STARTTLS'))).toEqual(['0: STARTTLS'])
  })

  test('that is offered and then refused is left out', async () => {
    const fake = await startFakeSmtp({ extensions: ['STARTTLS'], STARTTLS: '454 4.7.0 not now' })
    expect(await direct(names, { port: fake.port }).transport.send(mailTo('a@there.test'))).toMatchObject([
      { outcome: 'sent' },
    ])
    expect(fake.connections).toBe(1)
  })
})

test('an abort of a direct transport rejects what is under way', async () => {
  const stop = new AbortController()
  const fake = await startFakeSmtp({
    MAIL: () => {
      setImmediate(() => stop.abort(new Error('stopped')))
      return 'SILENCE'
    },
  })
  const { transport } = direct({ 'there.test': { addresses: ['127.0.0.1'] } }, { port: fake.port })
  await expect(transport.send(mailTo('a@there.test'), stop.signal)).rejects.toThrow('stopped')
})
