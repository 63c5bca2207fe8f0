import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { type FakeSmtp, startFakeSmtp } from '../../support/fake-smtp'
import { openService } from '../../support/service'
import { useDatabase } from '../../support/use-service'

/** A bounce that quotes nothing by which its message could be found. */
function bounce(to: string, recipient: string, messageId = '') {
  const part = (type: string, lines: string[]) => ['--b', `Content-Type: ${type}`, '', ...lines]
  const raw = [
    'From: MAILER-DAEMON@there.test',
    `To: ${to}`,
    'Subject: Undelivered',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    ...part('text/plain', ['It did not work.', '']),
    ...part('message/delivery-status', [
      'Reporting-MTA: dns; mx.there.test',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      'Action: failed',
      'Status: 5.1.1',
      '',
    ]),
    ...(messageId ? part('text/rfc822-headers', [`Message-ID: ${messageId}`, '']) : []),
    '--b--',
  ].join('\r\n')
  return { raw, envelope: { from: '', to } }
}

describeDatabases('a bounce', (openDatabase) => {
  const database = useDatabase(openDatabase)

  async function send(recipient = 'bo@there.test') {
    const fake: FakeSmtp = await startFakeSmtp()
    const delivery = `smtp://127.0.0.1:${fake.port}`
    const service = await database.start((options) => openService({ ...options, delivery }))
    const sendTo = async (to: string) =>
      (await service.call('POST', '/messages', { body: { to: [to], text: 'hi' } })).body
    const envelopeOf = async (count: number) => {
      const from = () => fake.lines.filter((line) => line.includes('MAIL FROM'))
      await expect.poll(() => from().length).toBe(count)
      return /<([^>]+)>/.exec(from()[count - 1]!)![1]!
    }
    const sent = await sendTo(recipient)
    const suppressed = async () =>
      (await service.call('GET', '/suppressions')).body.suppressions.map(
        (one: { address: string }) => one.address,
      )
    const read = async (id: string) => (await service.call('GET', `/messages/${id}`)).body
    return { service, sendTo, envelopeOf, sent, envelope: await envelopeOf(1), suppressed, read }
  }

  it('to the signed sender finds its message, whatever it quotes and in whatever case it comes', async () => {
    const { service, sent, envelope, suppressed, read } = await send()
    expect(envelope.split('@')[0]!.length).toBeLessThanOrEqual(64)
    await service.mail(bounce(envelope.toUpperCase(), 'bo@there.test'))
    expect((await read(sent.id)).recipients).toMatchObject([{ status: 'bounced', kind: 'hard' }])
    expect(await suppressed()).toEqual(['bo@there.test'])
    const { messages } = (await service.call('GET', '/messages?direction=inbound')).body
    expect(messages).toMatchObject([{ thread_id: sent.thread_id, auto_reason: 'bounce' }])
  })

  it('to a sender that was made up is refused at RCPT', async () => {
    const { service, sendTo, envelopeOf, envelope, suppressed } = await send()
    await sendTo('cy@there.test')
    const other = await envelopeOf(2)
    const [local, domain] = envelope.split('@') as [string, string]
    const forged = [
      `${local.slice(0, -1)}${local.endsWith('0') ? '1' : '0'}@${domain}`,
      // The signature of another message.
      `${local.slice(0, -12)}${other.split('@')[0]!.slice(-12)}@${domain}`,
      `${local.slice(0, -17)}${other.split('@')[0]!.slice(-17)}@${domain}`,
      // What it was signed for left out.
      `${local.slice(0, -17)}${local.slice(-12)}@${domain}`,
    ]
    for (const to of forged) await expect(service.mail(bounce(to, 'bo@there.test'))).rejects.toThrow(/550/)
    expect(await suppressed()).toEqual([])
  })

  it('to another address is shown and changes nothing, whatever it names, until somebody believes it', async () => {
    const { service, sent, suppressed, read } = await send()
    const unsigned = `bounces+${service.home.inboxId}@restante.localhost`
    for (const to of [service.home.address, unsigned]) {
      await service.mail(bounce(to, 'bo@there.test'))
      await service.mail(bounce(to, 'bo@there.test', '<guessed@restante.localhost>'))
    }
    expect((await read(sent.id)).delivery_status).toBe('sent')
    expect(await suppressed()).toEqual([])
    await service.mail(bounce(unsigned, 'bo@there.test', sent.message_id))
    expect((await read(sent.id)).delivery_status).toBe('sent')
    expect(await suppressed()).toEqual([])
    const [{ id }] = (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages
    const { events } = (await service.call('GET', '/events?after=0&types=message.received')).body
    expect(events.at(-1).data).toMatchObject({ id, flaws: ['unproven-report'] })
    expect(await read(id)).toMatchObject({ report: { believed: false, message_id: sent.id } })
    const believe = (which: string) => service.call('POST', `/messages/${which}/believe-report`)
    expect(await believe(sent.id)).toMatchObject({ status: 409, body: { error: 'not_a_report' } })
    for (let at = 0; at < 2; at++)
      expect((await believe(id)).body).toEqual({ id, message_id: sent.id, believed: true })
    expect((await read(id)).report.believed).toBe(true)
    expect((await read(sent.id)).recipients).toMatchObject([{ status: 'bounced', kind: 'hard' }])
    expect(await suppressed()).toEqual(['bo@there.test'])
  })

  it('to a sender signed with the secret of before is believed', async () => {
    const fake = await startFakeSmtp()
    const delivery = `smtp://127.0.0.1:${fake.port}`
    const old = 'an old secret of the tests'
    const first = await openService({ ...database.options, delivery, secret: old })
    await first.call('POST', '/messages', { body: { to: ['bo@there.test'], text: 'hi' } })
    await expect.poll(() => fake.mails.length).toBe(1)
    await first[Symbol.asyncDispose]()
    const secret = `a new secret of the tests,${old}`
    const service = await database.start((options) => openService({ ...options, delivery, secret }))
    const envelope = /<([^>]+)>/.exec(fake.lines.find((line) => line.includes('MAIL FROM'))!)![1]!
    await service.mail(bounce(envelope, 'bo@there.test'))
    expect((await service.call('GET', '/suppressions')).body.suppressions).toHaveLength(1)
  })
})
