import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxMailBytes } from '../../../src/protocol/records/upload-limit'
import { leaseMs } from '../../../src/service/jobs/job-holder'
import { describeDatabases, postgresSchema, reachable } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'
import { mailOf, type ScriptedMailbox, startScriptedMailbox } from './support/scripted-mailbox'

const poll = (what: () => unknown) => expect.poll(what, { interval: 20 })

/** Connects a mailbox, and says what there is of it. */
async function connected(service: QuietService, body: Record<string, unknown>) {
  const answer = await service.call('POST', '/connections', { body })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(202)
  const { id, inbox_id } = answer.body
  const messages = async (query = '') =>
    (await service.call('GET', `/messages?inbox_id=${inbox_id}&limit=100${query}`)).body.messages
  return {
    id: id as string,
    inboxId: inbox_id as string,
    state: async () => (await service.call('GET', `/connections/${id}`)).body,
    messages,
    subjects: async (): Promise<string[]> =>
      (await messages()).map(({ subject }: { subject: string }) => subject).sort(),
  }
}

/** Has the Sent folder read, as it is before a reply that names the last message of its thread. */
async function readSent(service: QuietService, messageId: string): Promise<void> {
  const body = { text: 'Never sent', expect_last_message_id: 'msg_other' }
  expect((await service.call('POST', `/messages/${messageId}/reply`, { body })).status).toBe(409)
}

describeDatabases('connected mailboxes', (openDatabase) => {
  const { service } = useService(
    openDatabase,
    (options) => openService({ ...options, metrics: '127.0.0.1:0' }),
    perBlock,
  )
  let mailbox: ScriptedMailbox
  beforeAll(async () => {
    mailbox = await startScriptedMailbox()
  })
  afterAll(() => mailbox[Symbol.asyncDispose]())

  it('take in the folders that were chosen, and no other', async () => {
    await using other = await startScriptedMailbox()
    for (const folder of ['INBOX', 'Clients', 'Private', 'Sent'])
      other.imap.append(mailOf(folder.toLowerCase()), folder)
    const { state, subjects, messages } = await connected(
      service,
      other.body({ folders: ['Clients', 'INBOX'], since: 'all' }),
    )
    await poll(async () => (await state()).state).toBe('live')
    expect(await subjects()).toEqual(['clients', 'inbox', 'sent'])
    expect((await messages('&direction=outbound')).length).toBe(1)
    expect((await state()).folders.map(({ path, role }: Record<string, string>) => [path, role])).toEqual([
      ['Clients', 'incoming'],
      ['INBOX', 'incoming'],
      ['Sent', 'sent'],
    ])
    other.imap.append(mailOf('another'), 'Clients')
    await poll(subjects).toContain('another')
    expect(
      await service.call('POST', '/connections', { body: other.body({ folders: ['Nowhere'] }) }),
    ).toMatchObject({ status: 422, body: { message: expect.stringContaining('Nowhere') } })
  })

  it('take in mail from a date on', async () => {
    await using other = await startScriptedMailbox()
    for (const day of ['30-Jan-2026', '01-Feb-2026', '02-Feb-2026'])
      other.imap.append(mailOf(`of-${day}`), 'INBOX', [], `${day} 12:00:00 +0000`)
    const { state, subjects } = await connected(service, other.body({ since: '2026-02-01T00:00:00Z' }))
    await poll(async () => (await state()).state).toBe('live')
    expect(await subjects()).toEqual(['of-01-Feb-2026', 'of-02-Feb-2026'])
    expect((await state()).since).toBe('2026-02-01T00:00:00.000Z')
  })

  it('keep header and first text of a mail that is too large', async () => {
    await using other = await startScriptedMailbox()
    const large = `${mailOf('large')}${'The first text. '.repeat(20)}\r\n${'x'.repeat(78)}\r\n`.padEnd(
      maxMailBytes + 1_000,
      'filling up\r\n',
    )
    other.imap.append(large)
    other.imap.append(mailOf('small'))
    const { state, messages } = await connected(service, other.body({ since: 'all' }))
    await poll(async () => (await state()).state).toBe('live')
    const all = await messages()
    expect(all.map(({ subject }: { subject: string }) => subject).sort()).toEqual(['large', 'small'])
    const { id } = all.find(({ subject }: { subject: string }) => subject === 'large')
    const message = (await service.call('GET', `/messages/${id}`)).body
    expect(message).toMatchObject({ size: large.length, flaws: expect.arrayContaining(['too_large']) })
    expect(message.body_text).toContain('The first text.')
    const fetched = other.imap.commands.filter((one) => /^UID FETCH 1 .*BODY\.PEEK\[\]/.test(one))
    expect(fetched.join()).toContain('<0.262144>')
    expect(fetched.join()).not.toContain(`<0.${maxMailBytes}>`)
  })

  it('are counted in readyz and metrics by their state', async () => {
    const { state, id } = await connected(service, mailbox.body())
    await poll(async () => (await state()).state).toBe('live')
    const ready = async () =>
      (await service.service.fetch(new Request('http://restante.test/readyz'))).json() as Promise<{
        connections: Record<string, number>
      }>
    const before = (await ready()).connections.live!
    mailbox.imap.admits = () => false
    mailbox.imap.kickAll()
    await poll(async () => (await state()).state).toBe('failing')
    expect((await ready()).connections).toMatchObject({ failing: expect.any(Number) })
    expect((await ready()).connections.live ?? 0).toBeLessThan(before)
    const { metrics } = await service.listen()
    const reported = await (await fetch(`http://${metrics}/metrics`)).text()
    const { failing } = (await ready()).connections
    expect(reported).toContain(`restante_connections{state="failing"} ${failing}`)
    mailbox.imap.admits = () => true
    await service.call('POST', `/connections/${id}/retry`)
    await poll(async () => (await state()).state).toBe('live')
  })

  it('believe a bounce of their own server, and none of another user of its domain', async () => {
    await using other = await startScriptedMailbox()
    const { state, messages, inboxId } = await connected(
      service,
      other.body({ authserv_id: 'mx.company.test' }),
    )
    await poll(async () => (await state()).state).toBe('live')
    const body = { inbox_id: inboxId, to: ['victim@customer.test'], subject: 'Offer', text: 'Hi' }
    const sent = (await service.call('POST', '/messages', { body })).body
    const statusNow = async () => (await service.call('GET', `/messages/${sent.id}`)).body.delivery_status
    await poll(statusNow).toBe('sent')
    const { rfc822_message_id } = (await service.call('GET', `/messages/${sent.id}`)).body
    const bounceFrom = (from: string, path: string, subject: string) =>
      [
        `Return-Path: <${path}>`,
        'Authentication-Results: mx.company.test; dmarc=pass header.from=company.test',
        `From: ${from}`,
        'To: kim@company.test',
        `Subject: ${subject}`,
        `Message-ID: <${subject}@company.test>`,
        'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
        '',
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; company.test',
        '',
        'Final-Recipient: rfc822; victim@customer.test',
        'Action: failed',
        'Status: 5.1.1',
        '',
        '--b',
        'Content-Type: text/rfc822-headers',
        '',
        `Message-ID: ${rfc822_message_id}`,
        '',
        '--b--',
        '',
      ].join('\r\n')
    other.imap.append(bounceFrom('eve@company.test', 'eve@company.test', 'forged'))
    other.imap.append(bounceFrom('mailer-daemon@company.test', 'eve@company.test', 'half-forged'))
    await poll(async () => (await messages('&direction=inbound')).length).toBe(2)
    expect(await statusNow()).toBe('sent')
    other.imap.append(bounceFrom('MAILER-DAEMON@company.test', '', 'Undelivered'))
    await poll(statusNow).toBe('bounced')
  })

  it('keep strangers apart who answered the same unseen message, if a person answers one of them', async () => {
    await using other = await startScriptedMailbox()
    const { state, messages } = await connected(service, other.body({ since: 'all' }))
    await poll(async () => (await state()).state).toBe('live')
    const answers = 'In-Reply-To: <offer@elsewhere.test>\r\nReferences: <offer@elsewhere.test>\r\n'
    other.imap.append(mailOf('Re: Offer', answers).replace('<Re: Offer@', '<ann@'))
    await poll(async () => (await messages()).length).toBe(1)
    const bob = mailOf('Re: Offer', answers).replace('<Re: Offer@', '<bob@')
    other.imap.append(bob.replace('Ana <ana@example.net>', 'Bob <bob@example.org>'))
    await poll(async () => (await messages()).length).toBe(2)
    other.imap.append(
      [
        'From: kim@company.test',
        'To: Ana <ana@example.net>',
        'Subject: Re: Offer',
        'Message-ID: <kim@company.test>',
        'In-Reply-To: <ann@example.net>',
        'References: <offer@elsewhere.test> <ann@example.net>',
        '',
        'Hello Ana',
        '',
      ].join('\r\n'),
      'Sent',
    )
    await readSent(service, (await messages())[0].id)
    expect((await messages()).length).toBe(3)
    const threadOf = Object.fromEntries(
      (await messages()).map((one: Record<string, string>) => [one.from_addr, one.thread_id]),
    )
    expect(threadOf['kim@company.test']).toBe(threadOf['ana@example.net'])
    expect(threadOf['bob@example.org']).not.toBe(threadOf['ana@example.net'])
  })

  it('are no recipients of a reply to all from another of the account', async () => {
    await using one = await startScriptedMailbox()
    await using two = await startScriptedMailbox()
    const first = one.body({ address: 'sales@acme.test' })
    const { state, messages } = await connected(service, first)
    await poll(async () => (await state()).state).toBe('live')
    const info = await connected(service, two.body({ address: 'info@acme.test' }))
    await poll(async () => (await info.state()).state).toBe('live')
    one.imap.append(
      mailOf('both').replace('kim@company.test', 'sales@acme.test, info@acme.test, bo@example.net'),
    )
    await poll(async () => (await messages()).length).toBe(1)
    const [{ id }] = await messages()
    const reply = await service.call('POST', `/messages/${id}/reply`, {
      body: { text: 'Hi', reply_all: true },
    })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    const sent = (await service.call('GET', `/messages/${reply.body.id}`)).body
    expect([...sent.to_addrs, ...sent.cc_addrs]).toEqual(['ana@example.net', 'bo@example.net'])
  })

  it('read a Sent folder that appears later from its first message, and nothing older than the connection', async () => {
    await using other = await startScriptedMailbox({ sent: false })
    const { state, messages } = await connected(service, other.body())
    await poll(async () => (await state()).state).toBe('live')
    other.imap.append(
      mailOf('old', '').replace('Ana <ana@example.net>', 'kim@company.test'),
      'Sent',
      [],
      '01-Feb-2026 12:00:00 +0000',
    )
    other.imap.append(mailOf('first').replace('Ana <ana@example.net>', 'kim@company.test'), 'Sent')
    other.imap.kickAll()
    await poll(async () =>
      (await messages('&direction=outbound')).map((one: { subject: string }) => one.subject),
    ).toEqual(['first'])
  })

  it('see what a person answered before the reply is written', async () => {
    await using other = await startScriptedMailbox()
    const { state, messages } = await connected(service, other.body())
    await poll(async () => (await state()).state).toBe('live')
    other.imap.append(mailOf('asked'))
    await poll(async () => (await messages()).length).toBe(1)
    const [asked] = await messages()
    other.imap.append(
      mailOf('Re: asked', 'In-Reply-To: <asked@example.net>\r\n').replace('Re: asked@', 'answer@'),
      'Sent',
    )
    const late = { text: 'By the agent', expect_last_message_id: asked.id }
    expect(await service.call('POST', `/messages/${asked.id}/reply`, { body: late })).toMatchObject({
      status: 409,
      body: { error: 'thread_moved' },
    })
    expect((await messages('&direction=outbound')).length).toBe(1)
  })

  it('hold a thread by the reply of a person, not by an automatic reply or a copy of what was sent here', async () => {
    await using other = await startScriptedMailbox()
    const { state, messages } = await connected(service, other.body())
    await poll(async () => (await state()).state).toBe('live')
    other.imap.append(mailOf('wanted'))
    await poll(async () => (await messages()).length).toBe(1)
    const [{ id, thread_id }] = await messages()
    const hold = async () => (await service.call('GET', `/threads/${thread_id}`)).body.hold
    const sent = (name: string, header = '') =>
      other.imap.append(
        mailOf(name, `In-Reply-To: <wanted@example.net>\r\n${header}`).replace(
          `Subject: ${name}`,
          'Subject: Re: wanted',
        ),
        'Sent',
      )
    const outbound = async () => (await messages('&direction=outbound')).length
    expect(
      (await service.call('POST', `/messages/${id}/reply`, { body: { text: 'By the agent' } })).status,
    ).toBe(200)
    sent('renamed-copy', 'X-Restante-Hops: 1\r\n')
    sent('vacation', 'Auto-Submitted: auto-replied\r\n')
    await readSent(service, id)
    expect(await outbound()).toBe(3)
    expect(await hold()).toBeNull()
    sent('by-hand')
    await readSent(service, id)
    expect(await outbound()).toBe(4)
    expect(await hold()).toMatchObject({
      by: { kind: 'operator', id: null, name: null },
      reason: 'A person replied.',
    })
    const late = await service.call('POST', `/messages/${id}/reply`, { body: { text: 'By the agent' } })
    expect(late.body.error).toBe('thread_held')
  })

  it('take in nothing more once they are disconnected, whatever was under way', async () => {
    await using other = await startScriptedMailbox()
    for (let i = 0; i < 5; i++) other.imap.append(mailOf(`n${i}`))
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let asked = 0
    other.imap.beforeFetch = () => {
      asked += 1
      return held
    }
    const { id, subjects } = await connected(service, other.body({ since: 'all' }))
    await poll(() => asked).toBeGreaterThan(0)
    expect((await service.call('DELETE', `/connections/${id}`)).status).toBe(204)
    release()
    await poll(() => other.imap.connections).toBe(0)
    expect(await subjects()).toEqual([])
    expect((await service.call('GET', `/connections/${id}`)).status).toBe(404)
  })

  it('take in each mail once where they are changed meanwhile, by the settings that they have then', async () => {
    await using other = await startScriptedMailbox()
    for (let i = 0; i < 5; i++) other.imap.append(mailOf(`n${i}`), 'INBOX', [], '01-Feb-2026 12:00:00 +0000')
    other.imap.append(mailOf('in-clients'), 'Clients')
    let release = () => {}
    let asked = 0
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    other.imap.beforeFetch = () => {
      asked += 1
      return asked === 1 ? held : Promise.resolve()
    }
    const body = other.body({ since: 'all' })
    const { state, subjects, id } = await connected(service, body)
    await poll(() => asked).toBe(1)
    const changed = await service.call('POST', '/connections', {
      body: { ...body, folders: ['INBOX', 'Clients'] },
    })
    expect(changed).toMatchObject({ status: 200, body: { id } })
    release()
    await poll(async () => (await state()).state).toBe('live')
    await poll(subjects).toEqual(['in-clients', 'n0', 'n1', 'n2', 'n3', 'n4'])
  })
})

describe.skipIf(!reachable)('a connected mailbox on two nodes', () => {
  it('is worked by one of them, and by the other once that is dead', async () => {
    const database = await postgresSchema()
    await using mailbox = await startScriptedMailbox()
    const options = { ...database.options, connectionsAllowPrivate: true }
    // What the dead node has under way stays so: its clock stands still, and it never hears again.
    const dying = new JumpClock()
    const living = new JumpClock(dying.now())
    let ticking: NodeJS.Timeout | undefined
    try {
      await using first = await openService(options, { clock: dying })
      const { state, subjects } = await connected(first, mailbox.body())
      await poll(async () => (await state()).state).toBe('live')
      await using second = await openService(options, { clock: living })
      living.jump(5_000)
      mailbox.imap.append(mailOf('one'))
      await poll(subjects).toEqual(['one'])
      expect(mailbox.imap.connections).toBe(1)
      living.jump(leaseMs)
      // From here on it goes as any clock: one that outran the node would end the node's own lease.
      ticking = setInterval(() => living.jump(100), 100)
      await poll(() => mailbox.imap.connections).toBe(2)
      mailbox.imap.append(mailOf('two'))
      await poll(subjects).toEqual(['one', 'two'])
      // The first finds out that it is no longer its turn.
      await poll(() => mailbox.imap.connections).toBe(1)
      mailbox.imap.append(mailOf('three'))
      await poll(subjects).toEqual(['one', 'three', 'two'])
      // That of the trial, and one of each node.
      expect(mailbox.imap.logins.length).toBe(3)
      expect((await second.call('GET', '/connections')).body.connections).toMatchObject([{ state: 'live' }])
    } finally {
      clearInterval(ticking)
      await database.drop()
    }
  })
})
