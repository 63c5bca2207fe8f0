import { randomBytes } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { ServiceOptions } from 'restante/service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDirectTransport } from '../../src/service/outbound/delivery/transport-direct'
import { createFakeResolver } from '../support/fake-resolver'
import { type PostfixServer, postfixIsMissing, startPostfix } from '../support/postfix-server'
import { openService } from '../support/service'

if (postfixIsMissing()) console.warn('There is no Postfix, or this is not root: its tests are skipped.')

const resolver = createFakeResolver({
  'there.test': { mx: [{ exchange: 'mx.there.test', priority: 10 }] },
  'mx.there.test': { addresses: ['127.0.0.1'] },
})

/** A service that sends directly, to a Postfix whose certificate it demands to be good. */
async function openBeside(postfix: () => PostfixServer, options: ServiceOptions = {}) {
  const hostname = 'restante.test'
  const policy = {
    mode: 'enforce',
    names: (name: string) => name === 'mx.there.test',
    seen: () => {},
  } as const
  const direct = () =>
    createDirectTransport({
      ...{ resolver, hostname, port: postfix().port, ca: postfix().ca },
      allowPrivate: true,
      policyOf: async () => policy,
    })
  let transport: ReturnType<typeof direct> | undefined
  const service = await openService(
    { domain: hostname, checkSenders: false, ...options },
    {
      transport: {
        siteOf: (domain) => domain,
        send(mail, signal) {
          transport ??= direct()
          return transport.send(mail, signal)
        },
        close: async () => transport?.close(),
      },
    },
  )
  onTestFinished(() => service[Symbol.asyncDispose]())
  const send = async (to: string[], body: object = {}) =>
    (await service.call('POST', '/messages', { body: { to, text: 'Grüße', ...body } })).body
  const recipients = (id: string) =>
    expect.poll(async () => (await service.call('GET', `/messages/${id}`)).body.recipients)
  return { service, send, recipients }
}

describe.skipIf(postfixIsMissing())('mail to a real Postfix', () => {
  test('goes over TLS, each recipient by itself, as it was signed', async () => {
    const postfix = await startPostfix({
      mailboxes: ['bo', 'cy', 'late'],
      settings: [
        'smtpd_recipient_restrictions = check_recipient_access inline:{{late@there.test = 450 4.2.0 Greylisted}}',
      ],
    })
    const { service, send, recipients } = await openBeside(() => postfix)
    const to = ['bo', 'cy', 'late', 'nobody'].map((name) => `${name}@there.test`)
    const sent = await send(to, { subject: 'Ünder way' })
    await recipients(sent.id).toMatchObject([
      { address: 'bo@there.test', status: 'sent', detail: expect.stringContaining('queued as') },
      { address: 'cy@there.test', status: 'sent' },
      { address: 'late@there.test', status: 'deferred', reason: 'greylisted' },
      { address: 'nobody@there.test', status: 'bounced', reason: 'unknown_address', kind: 'hard' },
    ])
    for (const name of ['bo', 'cy']) {
      await expect.poll(async () => (await postfix.mails(name)).length).toBe(1)
      const [mail] = await postfix.mails(name)
      expect(mail).toMatch(/using TLSv1\.3/)
      expect(mail).toMatch(
        /^Return-Path: <bounces\+(?=[^@]{30,56}@)[\da-z]+\.[\da-z]+\.[\da-z]+@restante\.test>/m,
      )
      expect(mail).toContain(`Message-ID: ${sent.message_id}`)
      expect(mail).toMatch(/^DKIM-Signature: .*\s+.*d=restante\.test/m)
    }
    const { suppressions } = (await service.call('GET', '/suppressions')).body
    expect(suppressions).toMatchObject([{ address: 'nobody@there.test' }])
  })

  test('gives the message its bounce where it bounces later', async () => {
    let postfix: PostfixServer | undefined
    const { service, send, recipients } = await openBeside(() => postfix!)
    const { smtp } = await service.listen()
    const [host, port] = smtp.split(':')
    postfix = await startPostfix({
      mailboxes: [],
      settings: [
        'virtual_alias_maps = inline:{{gone@there.test = gone@closed.test}}',
        `transport_maps = inline:{{closed.test = error:5.1.1 the mailbox was closed}, {restante.test = smtp:[${host}]:${port}}}`,
      ],
    })
    const sent = await send(['gone@there.test'])
    await recipients(sent.id).toMatchObject([
      { status: 'bounced', kind: 'hard', detail: expect.stringContaining('closed') },
    ])
    const { messages } = (await service.call('GET', '/messages?direction=inbound')).body
    expect(messages).toMatchObject([{ thread_id: sent.thread_id, auto_reason: 'bounce' }])
    expect((await service.call('GET', '/suppressions')).body.suppressions).toMatchObject([
      { address: 'gone@there.test', reason: 'bounce' },
    ])
  })
})

describe.skipIf(postfixIsMissing())('mail from a real Postfix', () => {
  test('comes over TLS, which it insists on, and stays as it was', async () => {
    const { service } = await openBeside(() => postfix)
    const { smtp } = await service.listen()
    const [host, port] = smtp.split(':')
    const postfix = await startPostfix({
      mailboxes: [],
      settings: [
        'smtp_tls_security_level = encrypt',
        `virtual_alias_maps = inline:{{desk@there.test = ${service.home.address}}}`,
        `transport_maps = inline:{{restante.test = smtp:[${host}]:${port}}}`,
      ],
    })
    const person = createTransport({
      host: '127.0.0.1',
      port: postfix.port,
      tls: { rejectUnauthorized: false },
    })
    onTestFinished(() => person.close())
    const content = randomBytes(200_000)
    const { messageId } = await person.sendMail({
      from: 'Ann <ann@else.test>',
      to: 'desk@there.test',
      subject: 'Grüße',
      text: '.\n..\nFrom here on.\n',
      attachments: [{ filename: 'Übersicht.bin', content }],
    })
    const list = async () => (await service.call('GET', '/messages?direction=inbound')).body.messages
    await expect.poll(async () => (await list()).length).toBe(1)
    const [{ id }] = await list()
    const { body } = await service.call('GET', `/messages/${id}`)
    expect(body).toMatchObject({
      rfc822_message_id: messageId,
      from_addr: 'ann@else.test',
      subject: 'Grüße',
      body_text: '.\n..\nFrom here on.\n',
      flaws: [],
      attachments: [{ filename: 'Übersicht.bin', size: content.length }],
    })
    const file = await service.call('GET', `/attachments/${body.attachments[0].id}`)
    expect(Buffer.from(file.body.content_base64, 'base64').equals(content)).toBe(true)
    const { body: raw } = await service.call('GET', `/messages/${id}/raw`)
    expect(raw.slice(0, 2000)).toMatch(/by mx\.there\.test/)
  })
})
