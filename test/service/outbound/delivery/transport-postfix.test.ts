import { describe, expect, test } from 'vitest'
import type { OutgoingMail } from '../../../../src/service/outbound/delivery/transport'
import { createDirectTransport } from '../../../../src/service/outbound/delivery/transport-direct'
import { createRelayTransport } from '../../../../src/service/outbound/delivery/transport-relay'
import { createFakeResolver } from '../../../support/fake-resolver'
import { smtpSinkIsMissing, startSmtpSink } from '../../../support/postfix'

const content = 'Subject: hello\n\n.dot\n..dots\nl\u00efne\n\nlast\n'
const mail: OutgoingMail = {
  mailFrom: 'agent@here.test',
  recipients: ['one@there.test', 'two@there.test'],
  raw: Buffer.from(content.replaceAll('\n', '\r\n'), 'latin1'),
}
const resolver = createFakeResolver({ 'there.test': { addresses: ['127.0.0.1'] } })

describe.skipIf(smtpSinkIsMissing())('smtp-sink of Postfix', () => {
  test('gets each mail once and byte for byte, over few connections', async () => {
    const sink = await startSmtpSink()
    const transport = createRelayTransport({ url: `smtp://127.0.0.1:${sink.port}`, hostname: 'here.test' })
    for (let i = 0; i < 20; i += 1) {
      const outcomes = await transport.send({ ...mail, mailFrom: i ? `${i}@here.test` : '' })
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['sent', 'sent'])
    }
    await transport.close()
    const mails = await sink.mails()
    expect(mails.map(({ mailFrom }) => mailFrom).sort()).toEqual(
      ['', ...Array.from({ length: 19 }, (_, i) => `${i + 1}@here.test`)].sort(),
    )
    for (const sunk of mails) {
      expect(sunk).toMatchObject({ recipients: mail.recipients, content })
      expect(sunk.mailArgs).toContain('BODY=8BITMIME')
    }
  })

  test('gets it directly too', async () => {
    const sink = await startSmtpSink()
    const transport = createDirectTransport({
      resolver,
      hostname: 'here.test',
      port: sink.port,
      allowPrivate: true,
    })
    expect(await transport.send(mail)).toMatchObject([{ outcome: 'sent' }, { outcome: 'sent' }])
    expect(await sink.mails()).toMatchObject([{ recipients: mail.recipients, content }])
  })

  test.each<[string[], string, string | null]>([
    [['-f', 'rcpt'], 'bounced', '5.3.0'],
    [['-r', 'rcpt'], 'deferred', '4.3.0'],
    [['-f', '.'], 'bounced', '5.3.0'],
    [['-r', '.', '-p'], 'deferred', '4.3.0'],
    [['-Q', 'mail'], 'deferred', null],
    [['-q', 'data'], 'deferred', '4.4.2'],
    [['-q', '.'], 'deferred', '4.4.2'],
    [['-f', 'connect'], 'deferred', null],
    // It does not say that it takes bytes beyond ASCII.
    [['-e'], 'bounced', '5.6.3'],
    [['-f', 'mail'], 'bounced', '5.3.0'],
    [['-r', 'connect'], 'deferred', null],
    [['-q', 'connect'], 'deferred', null],
    [['-q', 'rcpt'], 'deferred', null],
  ])('told %j: %s %s', async (flags, outcome, enhanced) => {
    const sink = await startSmtpSink(flags)
    const relay = createRelayTransport({ url: `smtp://127.0.0.1:${sink.port}`, hostname: 'here.test' })
    const direct = createDirectTransport({
      resolver,
      hostname: 'here.test',
      port: sink.port,
      allowPrivate: true,
    })
    for (const transport of [relay, direct]) {
      for (const result of await transport.send(mail)) {
        expect(result).toMatchObject({ outcome, ...(enhanced ? { enhanced } : {}) })
      }
      await transport.close()
    }
  })
})
