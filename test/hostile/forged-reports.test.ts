import type { ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { createSecrets } from '../../src/service/base/secrets'
import { describeDatabases } from '../support/databases'
import { createNotingTransport } from '../support/return-paths'
import { openService } from '../support/service'
import { perBlock, useService } from '../support/use-service'

const secret = 'a secret of the tests'
const [bo, cy, dan] = ['bo@one.example', 'cy@one.example', 'dan@two.example'] as const

const reportOf = (kind: 'bounce' | 'complaint', address: string, messageId: string) => {
  const type = kind === 'bounce' ? 'delivery-status' : 'feedback-report'
  const about =
    kind === 'bounce'
      ? [
          'Reporting-MTA: dns; mx.example',
          '',
          `Final-Recipient: rfc822; ${address}`,
          'Action: failed',
          'Status: 5.1.1',
        ]
      : ['Feedback-Type: abuse', 'User-Agent: x', 'Version: 1', `Original-Rcpt-To: ${address}`]
  return [
    'From: MAILER-DAEMON@smarthost.example',
    'Subject: Undelivered Mail Returned to Sender',
    `Content-Type: multipart/report; report-type=${type}; boundary=b`,
    '',
    ...['--b', '', 'It did not work.', '--b', `Content-Type: message/${type}`, '', ...about, ''],
    ...[
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${messageId}`,
      `To: ${address}`,
      '',
      '--b--',
    ],
  ].join('\r\n')
}

describeDatabases('a forged report', (openDatabase) => {
  const { transport, returnPaths } = createNotingTransport()
  const begin = (options: ServiceOptions) =>
    openService({ ...options, secret, reportDomains: 'smarthost.example' }, { transport })
  const { service } = useService(openDatabase, begin, perBlock)
  const encoder = new TextEncoder()
  const proof = { spf: 'pass', dkim: 'pass', dmarc: 'none', arc: 'none', from_verified: false }

  async function sendTo(...to: string[]) {
    for (const { id } of (await service.call('GET', '/suppressions')).body.suppressions)
      await service.call('DELETE', `/suppressions/${id}`)
    const { body } = await service.call('POST', '/messages', { body: { to, text: 'hi' } })
    await expect
      .poll(async () => (await service.call('GET', `/messages/${body.id}`)).body.delivery_status)
      .toBe('sent')
    return body as { id: string; message_id: string }
  }
  async function reported(sent: { id: string }) {
    const { recipients } = (await service.call('GET', `/messages/${sent.id}`)).body
    const { suppressions } = (await service.call('GET', '/suppressions')).body
    const [newest] = (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages
    const { report } = (await service.call('GET', `/messages/${newest.id}`)).body
    return {
      hit: recipients
        .filter((one: { status: string }) => one.status !== 'sent')
        .map((one: { address: string }) => one.address),
      suppressed: suppressions.map((one: { address: string }) => one.address),
      believed: report.believed,
    }
  }
  const report = (
    to: string,
    kind: 'bounce' | 'complaint',
    address: string,
    messageId: string,
    more: object = {},
  ) =>
    service.service.receive(
      { mailFrom: '', recipients: [to], ...more },
      encoder.encode(`X-Once: ${Math.random()}\r\n${reportOf(kind, address, messageId)}`),
    )
  const nothing = { hit: [], suppressed: [], believed: false }
  const both = ['bounce', 'complaint'] as const

  it.each(both)('(%s) that knows the Message-ID changes nothing', async (kind) => {
    const sent = await sendTo(bo)
    await report(service.home.address, kind, bo, sent.message_id)
    expect(await reported(sent)).toEqual(nothing)
  })

  it.each(both)('(%s) of who got the mail reaches those at its own domain, and no other', async (kind) => {
    const sent = await sendTo(bo, cy, dan)
    expect(returnPaths.get(bo)).toBe(returnPaths.get(cy))
    expect(returnPaths.get(dan)!.split('@')[0]!.length).toBeLessThanOrEqual(64)
    await report(returnPaths.get(dan)!, kind, bo, sent.message_id)
    expect(await reported(sent)).toEqual(nothing)
    await report(returnPaths.get(bo)!, kind, cy, sent.message_id)
    expect(await reported(sent)).toEqual({ hit: [cy], suppressed: [cy], believed: true })
  })

  it.each(both)('(%s) speaks of no other mail than that of its return path', async (kind) => {
    const other = await sendTo(bo)
    await sendTo(bo, dan)
    await report(returnPaths.get(dan)!, kind, bo, other.message_id)
    expect(await reported(other)).toEqual(nothing)
  })

  it('with a return path of before is believed where it could speak of one domain alone', async () => {
    const secrets = createSecrets(secret)
    const before = (sent: { id: string }) => {
      const inboxId = service.home.inboxId
      const signature = secrets.sign('envelope sender', `${inboxId}.${sent.id}`, 12)
      return `bounces+${inboxId.slice(4)}.${sent.id.slice(4)}.${signature}@restante.localhost`
    }
    const one = await sendTo(bo, cy)
    await report(before(one), 'bounce', bo, one.message_id)
    expect(await reported(one)).toEqual({ hit: [bo], suppressed: [bo], believed: true })
    const two = await sendTo(bo, dan)
    await report(before(two), 'bounce', bo, two.message_id)
    expect(await reported(two)).toEqual(nothing)
  })

  it('of the smarthost is believed where its domain signed it, and nobody else', async () => {
    const sent = await sendTo(bo, dan)
    for (const authentication of [null, proof, { ...proof, from_verified: true }])
      await report(service.home.address, 'bounce', bo, sent.message_id, { authentication })
    expect(await reported(sent)).toEqual(nothing)
    const authentication = { ...proof, dkim_aligned: true }
    const signed = { authentication, judgedDomain: 'smarthost.example' }
    const other = { authentication, judgedDomain: 'evil.example' }
    await report(service.home.address, 'bounce', bo, sent.message_id, other)
    expect(await reported(sent)).toEqual(nothing)
    await report(service.home.address, 'bounce', bo, sent.message_id, signed)
    expect(await reported(sent)).toEqual({ hit: [bo], suppressed: [bo], believed: true })
  })
})
