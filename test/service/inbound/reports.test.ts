import type { ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { createNotingTransport } from '../../support/return-paths'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('reports on sent mail', (openDatabase) => {
  const { transport, returnPaths } = createNotingTransport()
  const begin = (options: ServiceOptions) => openService(options, { transport })
  const { service } = useService(openDatabase, begin, perBlock)
  const read = async (id: string) => (await service.call('GET', `/messages/${id}`)).body
  const newest = async () => {
    const { body } = await service.call('GET', '/messages?direction=inbound&limit=1')
    return read(body.messages[0].id)
  }
  /** The address that bounces of the mail that was sent last come to. */
  let returnPath: string
  const send = async (to: string[]) => {
    const { body } = await service.call('POST', '/messages', { body: { to, subject: 'Offer', text: 'Hi' } })
    await expect.poll(async () => (await read(body.id)).delivery_status).toBe('sent')
    returnPath = returnPaths.get(to[0]!)!
    return body as { id: string; message_id: string; thread_id: string }
  }
  const raw = (lines: string[]) =>
    service.mail({ envelope: { from: '', to: returnPath }, raw: lines.join('\r\n') })
  const bounce = (messageId: string, fields: string[]) =>
    raw([
      'From: MAILER-DAEMON@mx.example',
      `To: ${service.home.address}`,
      'Subject: Undelivered Mail Returned to Sender',
      `Message-ID: <${Math.random()}@mx.example>`,
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      '',
      'It did not work.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      ...fields,
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${messageId}`,
      'Subject: Offer',
      '--b--',
    ])
  const failed = (address: string) => [
    `Final-Recipient: rfc822; ${address}`,
    'Action: failed',
    'Status: 5.1.1',
  ]
  const eventsAfter = async (seq: number) => {
    const { events } = (await service.call('GET', `/events?after=${seq}`)).body
    return events as { type: string; data: { id: string; delivery_status: string } }[]
  }
  const head = async () => (await service.call('GET', '/events?after=now')).body.to as number

  it('change the state of the message that they are about, and say so', async () => {
    const sent = await send(['bob0@there.example'])
    const before = await head()
    await bounce(sent.message_id, failed('bob0@there.example'))
    expect(await newest()).toMatchObject({
      thread_id: sent.thread_id,
      auto_submitted: 'auto-replied',
      auto_reason: 'bounce',
      report: {
        kind: 'bounce',
        message_id: sent.id,
        recipients: [{ address: 'bob0@there.example', action: 'failed', kind: 'hard', status: '5.1.1' }],
      },
    })
    expect(await read(sent.id)).toMatchObject({
      delivery_status: 'bounced',
      delivery_detail: expect.stringContaining('hard bounce: 5.1.1'),
    })
    const reported = (await eventsAfter(before)).filter(({ data }) => data.id === sent.id)
    expect(reported).toMatchObject([{ type: 'message.bounced', data: { delivery_status: 'bounced' } }])
    const again = { to: ['bob0@there.example'], text: 'Hi again' }
    expect((await service.call('POST', '/messages', { body: again })).status).toBe(422)
  })

  it('change nothing for a recipient or a message that there was not', async () => {
    const sent = await send(['bob1@there.example', 'eve1@there.example'])
    await bounce(sent.message_id, failed('mallory@there.example'))
    expect((await read(sent.id)).delivery_status).toBe('sent')
    returnPath = service.home.address
    await bounce('<guessed@mx.example>', failed('bob1@there.example'))
    expect(await newest()).toMatchObject({ report: { message_id: null } })
    expect((await read(sent.id)).delivery_status).toBe('sent')
  })

  it('tell a delay from a failure, and happen once', async () => {
    const sent = await send(['bob2@there.example'])
    await bounce(sent.message_id, [
      'Final-Recipient: rfc822; bob2@there.example',
      'Action: delayed',
      'Status: 4.4.1',
    ])
    expect((await read(sent.id)).delivery_status).toBe('sent')
    await bounce(sent.message_id, failed('bob2@there.example'))
    const { seq } = await read(sent.id)
    await bounce(sent.message_id, failed('BOB2@there.example'))
    expect((await read(sent.id)).seq).toBe(seq)
  })

  it('are complaints too', async () => {
    const sent = await send(['bob3@there.example'])
    const before = await head()
    await raw([
      'From: feedback@isp.example',
      `To: ${service.home.address}`,
      'Subject: Complaint',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      '',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${sent.message_id}`,
      'To: bob3@there.example',
      '',
      'x',
      '--b--',
    ])
    expect(await newest()).toMatchObject({
      report: { kind: 'complaint', type: 'abuse', message_id: sent.id },
    })
    const reported = (await eventsAfter(before)).filter(({ data }) => data.id === sent.id)
    expect(reported).toMatchObject([{ type: 'message.complained', data: { delivery_status: 'complained' } }])
  })
})
