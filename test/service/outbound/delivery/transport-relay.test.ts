import { describe, expect, test } from 'vitest'
import {
  createCaptureTransport,
  type OutgoingMail,
} from '../../../../src/service/outbound/delivery/transport'
import {
  createRelayTransport,
  type RelayTransportOptions,
} from '../../../../src/service/outbound/delivery/transport-relay'
import { type FakeScript, startFakeSmtp } from '../../../support/fake-smtp'

const mail: OutgoingMail = {
  mailFrom: 'agent@here.test',
  recipients: ['one@there.test', 'two@there.test'],
  raw: Buffer.from('Subject: hello\r\n\r\n.dot\r\ntext\r\n'),
}

async function relayTo(
  script: FakeScript = {},
  options: Partial<RelayTransportOptions> & { login?: string; query?: string } = {},
) {
  const { login = '', query = '', ...rest } = options
  const fake = await startFakeSmtp(script)
  const url = `smtp://${login}127.0.0.1:${fake.port}${query}`
  return { fake, transport: createRelayTransport({ url, hostname: 'here.test', ...rest }) }
}

const summary = (outcomes: { recipient: string; outcome: string; enhanced: string | null }[]) =>
  outcomes.map(({ recipient, outcome, enhanced }) => `${recipient.split('@')[0]} ${outcome} ${enhanced}`)

describe('a mail through a smarthost', () => {
  test('is sent, dots stuffed, with the reply of the remote', async () => {
    const { fake, transport } = await relayTo()
    expect(await transport.send(mail)).toEqual(
      mail.recipients.map((recipient) => ({
        recipient,
        outcome: 'sent',
        code: 250,
        enhanced: '2.6.0',
        detail: '250 2.6.0 queued as FAKE1',
        remote: `127.0.0.1[127.0.0.1]:${fake.port}`,
      })),
    )
    expect(fake.mails).toEqual(['Subject: hello\r\n\r\n..dot\r\ntext\r\n'])
    expect(fake.lines).toContain('0: EHLO here.test')
    await transport.close()
  })

  test('uses the connection of the one before, up to a number of mails', async () => {
    const { fake, transport } = await relayTo({}, { maxMails: 2 })
    for (let i = 0; i < 5; i += 1) await transport.send(mail)
    expect(fake.mails).toHaveLength(5)
    expect(fake.connections).toBe(3)
    await transport.close()
  })

  test('goes over a new connection where the idle one is gone', async () => {
    const { fake, transport } = await relayTo()
    await transport.send(mail)
    await fake.dropAll()
    expect(summary(await transport.send(mail))).toEqual(['one sent 2.6.0', 'two sent 2.6.0'])
    expect(fake.connections).toBe(2)
    await transport.close()
  })

  test('goes over a new connection where the idle one breaks at MAIL', async () => {
    let mails = 0
    const { fake, transport } = await relayTo({ MAIL: () => (++mails === 2 ? 'DROP' : '250 ok') })
    await transport.send(mail)
    expect(summary(await transport.send(mail))).toEqual(['one sent 2.6.0', 'two sent 2.6.0'])
    expect(fake.mails).toHaveLength(2)
    await transport.close()
  })

  test('is not sent twice in one attempt where the connection breaks after the last dot', async () => {
    let dots = 0
    const { fake, transport } = await relayTo({ '.': () => (++dots === 2 ? 'DROP' : '250 2.6.0 ok') })
    await transport.send(mail)
    const outcomes = await transport.send(mail)
    expect(summary(outcomes)).toEqual(['one deferred 4.4.2', 'two deferred 4.4.2'])
    expect(outcomes[0]?.detail).toMatch(/it may arrive twice$/)
    expect(fake.mails).toHaveLength(2)
    await transport.close()
  })

  test('of many at once: each gets a connection, and few of them are kept', async () => {
    const { fake, transport } = await relayTo({}, { maxIdle: 2 })
    await Promise.all(Array.from({ length: 6 }, () => transport.send(mail)))
    const used = fake.connections
    await Promise.all([transport.send(mail), transport.send(mail)])
    expect(fake.connections).toBe(used)
    await transport.close()
    await expect(transport.send(mail)).rejects.toThrow('closed')
  })
})

describe('refusals', () => {
  test('are told for each recipient', async () => {
    const rcpt = (line: string) => (line.includes('one@') ? '550 5.1.1 nobody' : '250 2.1.5 ok')
    for (const extensions of [['PIPELINING'], []]) {
      const { transport } = await relayTo({ RCPT: rcpt, extensions })
      expect(summary(await transport.send(mail))).toEqual(['one bounced 5.1.1', 'two sent 2.6.0'])
      await transport.close()
    }
  })

  test('of a recipient stay where the mail is refused as a whole', async () => {
    const rcpt = (line: string) => (line.includes('one@') ? '550 5.1.1 nobody' : '250 2.1.5 ok')
    const { transport } = await relayTo({ RCPT: rcpt, '.': '451 4.7.1 later' })
    expect(summary(await transport.send(mail))).toEqual(['one bounced 5.1.1', 'two deferred 4.7.1'])
    await transport.close()
  })

  test('of one mail do not stick to the next', async () => {
    let mails = 0
    const mailText = () => (++mails === 1 ? '552 5.3.4 too large' : '250 ok')
    const { transport } = await relayTo({
      MAIL: mailText,
      RCPT: (line) => (mails === 1 && line.includes('one@') ? '550 5.1.1 no' : '250 ok'),
    })
    expect((await transport.send(mail)).map(({ outcome }) => outcome)).toEqual(['bounced', 'bounced'])
    expect(summary(await transport.send(mail))).toEqual(['one sent 2.6.0', 'two sent 2.6.0'])
    await transport.close()
  })

  test.each<[string, FakeScript, string, string | null]>([
    ['all recipients unknown', { RCPT: '550 5.1.1 nobody' }, 'bounced', '5.1.1'],
    ['all recipients greylisted', { RCPT: '450 4.2.0 later' }, 'deferred', '4.2.0'],
    ['the sender', { MAIL: '550 5.7.1 not you' }, 'bounced', '5.7.1'],
    ['DATA', { DATA: '451 4.3.0 disk full' }, 'deferred', '4.3.0'],
    ['the mail', { '.': '554 5.6.0 spam' }, 'bounced', '5.6.0'],
    ['the greeting', { connect: '554 5.3.2 closed' }, 'deferred', '5.3.2'],
    ['421 at RCPT', { RCPT: '421 4.7.0 too many' }, 'deferred', '4.7.0'],
    ['an end at once', { connect: 'DROP' }, 'deferred', '4.4.2'],
    ['an end at MAIL', { MAIL: 'DROP' }, 'deferred', '4.4.2'],
    ['an end at DATA', { DATA: 'DROP' }, 'deferred', '4.4.2'],
    ['nonsense', { MAIL: 'what?' }, 'deferred', null],
  ])('%s', async (_, script, outcome, enhanced) => {
    const { transport } = await relayTo(script)
    for (const result of await transport.send(mail)) expect(result).toMatchObject({ outcome, enhanced })
    await transport.close()
  })

  test('a mail that is larger than the remote says it takes bounces without a try', async () => {
    const { fake, transport } = await relayTo({ extensions: ['SIZE 10'] })
    expect(summary(await transport.send(mail))).toEqual(['one bounced 5.3.4', 'two bounced 5.3.4'])
    expect(fake.lines.join()).not.toContain('MAIL')
    await transport.close()
  })

  test('an address that would break out of its command bounces alone', async () => {
    const { fake, transport } = await relayTo()
    const recipients = ['a@b.test>\r\nRSET', 'no-domain', 'good@there.test']
    expect(
      (await transport.send({ ...mail, recipients })).map(({ outcome, enhanced }) => [outcome, enhanced]),
    ).toEqual([
      ['bounced', '5.1.3'],
      ['bounced', '5.1.3'],
      ['sent', '2.6.0'],
    ])
    expect(fake.lines.join()).not.toContain('RSET')
    await transport.close()
  })
})

describe('a remote that is slow or gone', () => {
  test.each<[string, FakeScript, Partial<RelayTransportOptions>]>([
    ['no greeting', { connect: 'SILENCE' }, { greetingMs: 30 }],
    ['no reply to EHLO', { EHLO: 'SILENCE' }, { dataMs: 30 }],
    ['no reply to RCPT', { RCPT: 'SILENCE' }, { dataMs: 30 }],
    ['no reply to the last dot', { '.': 'SILENCE' }, { dataMs: 30 }],
  ])('%s', async (_, script, options) => {
    const { transport } = await relayTo(script, options)
    for (const { outcome } of await transport.send(mail)) expect(outcome).toBe('deferred')
    await transport.close()
  })

  test('defers where nobody listens', async () => {
    const transport = createRelayTransport({ url: 'smtp://127.0.0.1:1', hostname: 'here.test' })
    expect(summary(await transport.send(mail))).toEqual(['one deferred 4.4.1', 'two deferred 4.4.1'])
  })
})

test.each(['connect', '.'] as const)('a relay aborted at %s hangs up and rejects', async (step) => {
  const stop = new AbortController()
  const abort = () => {
    setImmediate(() => stop.abort(new Error('stopped')))
    return 'SILENCE' as const
  }
  const { fake, transport } = await relayTo({ [step]: abort })
  await expect(transport.send(mail, stop.signal)).rejects.toThrow('stopped')
  await expect(transport.send(mail, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  expect(fake.connections).toBe(1)
  await transport.close()
})

describe('login and TLS', () => {
  const login = 'us%40er:p%2Fss@'

  test('a password goes over TLS only, unless the URL says otherwise', async () => {
    const clear = await relayTo({ extensions: ['AUTH PLAIN'] }, { login })
    expect(summary(await clear.transport.send(mail))[0]).toMatch(/^one deferred/)
    expect(clear.fake.lines.join()).not.toContain('AUTH')
    const off = await relayTo({ extensions: ['AUTH PLAIN'] }, { login, query: '?tls=off' })
    expect(summary(await off.transport.send(mail))[0]).toBe('one sent 2.6.0')
    const plain = off.fake.lines
      .find((line) => line.includes('AUTH PLAIN '))
      ?.split(' ')
      .at(-1)
    expect(Buffer.from(plain ?? '', 'base64').toString()).toBe('\0us@er\0p/ss')
  })

  test('STARTTLS with a certificate nobody vouches for: refused, taken with verify=off, taken without a password', async () => {
    const script: FakeScript = { extensions: ['AUTH PLAIN'], tls: 'works' }
    const strict = await relayTo(script, { login })
    expect(summary(await strict.transport.send(mail))[0]).toBe('one deferred 4.7.5')
    expect(strict.fake.lines.join()).not.toContain('AUTH')
    const lax = await relayTo(script, { login, query: '?verify=off' })
    expect(summary(await lax.transport.send(mail))[0]).toBe('one sent 2.6.0')
    const without = await relayTo(script)
    expect(summary(await without.transport.send(mail))[0]).toBe('one sent 2.6.0')
    expect(without.fake.lines.join()).toContain('STARTTLS')
  })

  test('a wrong password defers, and is not in the outcome', async () => {
    const script: FakeScript = { extensions: ['AUTH PLAIN'], AUTH: '535 5.7.8 wrong' }
    const { transport } = await relayTo(script, { login, query: '?tls=off' })
    const outcomes = await transport.send(mail)
    expect(summary(outcomes)[0]).toBe('one deferred 5.7.8')
    expect(JSON.stringify(outcomes)).not.toContain('p/ss')
  })

  test.each([
    'http://u:secret@h',
    'smtp://u:secret@h?tls=maybe',
    'smtp://u:secret@h?debug=1',
    'smtp://u:secret@h:x',
    'secret',
  ])('a URL that cannot be used is refused without telling it: %s', (url) => {
    const create = () => createRelayTransport({ url, hostname: 'here.test' })
    expect(create).toThrow(/smarthost/)
    expect(create).not.toThrow(/secret/)
  })
})

describe('internationalized mail', () => {
  test('needs a remote that takes it', async () => {
    const recipients = ['\u7528\u6237@there.test', 'plain@b\u00fccher.example']
    const without = await relayTo()
    expect(summary(await without.transport.send({ ...mail, recipients }))).toEqual([
      '\u7528\u6237 bounced 5.6.7',
      'plain sent 2.6.0',
    ])
    expect(without.fake.lines).toContain('0: RCPT TO:<plain@xn--bcher-kva.example>')
    const headers = { ...mail, smtpUtf8Needed: true }
    expect(summary(await without.transport.send(headers))).toEqual(['one bounced 5.6.7', 'two bounced 5.6.7'])
    const { fake, transport } = await relayTo({ extensions: ['SMTPUTF8', '8BITMIME'] })
    expect(summary(await transport.send({ ...mail, recipients }))[0]).toBe('\u7528\u6237 sent 2.6.0')
    expect(summary(await transport.send(headers))[0]).toBe('one sent 2.6.0')
    await transport.send(mail)
    const declared = fake.lines
      .filter((line) => line.includes('MAIL FROM'))
      .map((line) => line.includes('> SMTPUTF8'))
    expect(declared).toEqual([true, true, false])
    await transport.close()
  })
})

test('mail of the capture transport counts as sent', async () => {
  const transport = createCaptureTransport()
  expect(await transport.send(mail)).toMatchObject([
    {
      recipient: 'one@there.test',
      outcome: 'sent',
      detail: 'captured: nothing left this machine',
      remote: null,
    },
    { recipient: 'two@there.test', outcome: 'sent' },
  ])
  await transport.close()
})
