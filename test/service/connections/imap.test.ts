import { Mailbox } from 'restante'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasDovecot, mailboxUser } from '../../support/dovecot'
import { composed, type MailboxServer, personAt, startMailboxServer } from '../../support/mailbox-server'
import { openService, type QuietService } from '../../support/service'

const poll = (what: () => unknown) => expect.poll(what, { interval: 20 })

const kinds = [
  { name: 'with CONDSTORE', withoutCondstore: false },
  { name: 'without CONDSTORE', withoutCondstore: true },
]

describe.skipIf(!hasDovecot).each(kinds)('a connected mailbox at Dovecot, $name', ({ withoutCondstore }) => {
  let server: MailboxServer
  let service: QuietService
  let person: Awaited<ReturnType<typeof personAt>>
  let inbox: string
  let id: string

  const messages = async (query = '') =>
    (await service.call('GET', `/messages?inbox_id=${inbox}&limit=100${query}`)).body.messages
  const state = async () => (await service.call('GET', `/connections/${id}`)).body
  const deliver = async (mail: Parameters<typeof composed>[0], folder = 'INBOX', flags: string[] = []) =>
    person.append(folder, await composed(mail), flags)

  beforeAll(async () => {
    server = await startMailboxServer({ withoutCondstore })
    person = await personAt(server.dovecot)
    await deliver({ subject: 'From before', text: 'Old' })
    service = await openService({ connectionsAllowPrivate: true })
    const answer = await service.call('POST', '/connections', {
      body: { ...server.body, mark_answered: true, keyword: 'handled' },
    })
    expect(answer).toMatchObject({ status: 201, body: { address: mailboxUser, error: null } })
    ;({ inbox_id: inbox, id } = answer.body)
  })
  afterAll(async () => {
    person?.close()
    await service?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  it('takes in what comes from now on, whole, and marks nothing as read', async () => {
    await poll(async () => (await state()).state).toBe('live')
    await deliver({ subject: 'Hello', text: 'Is anybody there?', messageId: '<one@example.net>' })
    await poll(async () => (await messages()).map((one: { subject: string }) => one.subject)).toEqual([
      'Hello',
    ])
    const [message] = await messages()
    const raw = await (
      await service.service.fetch(
        new Request(`http://restante.test/v1/messages/${message.id}/raw`, {
          headers: { authorization: `Bearer ${service.home.apiKey}` },
        }),
      )
    ).text()
    await person.mailboxOpen('INBOX')
    const stored = await person.fetchAll('1:*', { flags: true, source: true })
    expect(stored.map(({ source }) => source!.toString())).toContain(raw)
    expect(stored.every(({ flags }) => !flags!.has('\\Seen'))).toBe(true)
    expect(await state()).toMatchObject({ state: 'live', error: null, live_since: expect.any(String) })
  })

  it('takes in what somebody has read already', async () => {
    await deliver({ subject: 'Read by a person', text: 'Seen' }, 'INBOX', ['\\Seen'])
    await poll(async () => (await messages())[0].subject).toBe('Read by a person')
  })

  it('knows what is moved, uploaded again, or under new UIDs', async () => {
    const before = (await messages()).length
    const validity = async () => (await state()).folders[0].uid_validity
    const validityBefore = await validity()
    await person.mailboxOpen('INBOX')
    const all = await person.fetchAll('1:*', { source: true })
    await person.append('INBOX', all[0]!.source!, [])
    await person.append('INBOX', all[1]!.source!, [])
    await person.messageMove('1:2', 'Archive')
    await person.mailboxOpen('Archive')
    await person.messageMove('1:*', 'INBOX')
    server.dovecot.kickAll()
    server.dovecot.resetUids('INBOX')
    person = await personAt(server.dovecot)
    await deliver({ subject: 'After the reset', text: 'New' })
    await poll(async () => (await messages())[0].subject).toBe('After the reset')
    expect((await messages()).length).toBe(before + 1)
    expect(await validity()).not.toBe(validityBefore)
  })

  it('answers by the server of the mailbox, files a copy once and marks what was answered', async () => {
    const parent = (await messages()).find((one: { subject: string }) => one.subject === 'Hello')
    const reply = await service.call('POST', `/messages/${parent.id}/reply`, { body: { text: 'Yes, I am.' } })
    expect(reply.status).toBe(200)
    await poll(() => server.sent.length).toBe(1)
    expect(server.sent[0]).toMatchObject({ from: mailboxUser, to: ['ana@example.net'] })
    expect(server.sent[0]!.raw).toContain('In-Reply-To: <one@example.net>')
    const copies = async () => {
      await person.mailboxOpen('Sent')
      return (await person.search({ header: { 'message-id': reply.body.message_id } })) || []
    }
    await poll(async () => (await copies()).length).toBe(1)
    const answered = async () => {
      await person.mailboxOpen('INBOX')
      const found = await person.fetchAll('1:*', { flags: true, envelope: true })
      const mine = found.filter(({ envelope }) => envelope!.messageId === '<one@example.net>')
      return mine.every(
        ({ flags }) => flags!.has('\\Answered') && flags!.has('handled') && !flags!.has('\\Seen'),
      )
    }
    await poll(answered).toBe(true)
    const sent = (await messages('&direction=outbound')).length
    expect(sent).toBe(1)
  })

  it('sees what a person answers by hand: nothing is answered that was', async () => {
    await deliver({ subject: 'For a person', text: 'Hi', messageId: '<hand@example.net>' })
    await poll(async () => (await messages())[0].subject).toBe('For a person')
    const [mine] = await messages()
    const by = { from: mailboxUser, to: 'ana@example.net', text: 'By hand', inReplyTo: '<hand@example.net>' }
    await deliver({ ...by, subject: 'Re: For a person' }, 'Sent', ['\\Seen'])
    const refused = await service.call('POST', `/messages/${mine.id}/reply`, {
      body: { text: 'By the agent', expect_last_message_id: mine.id },
    })
    expect(refused).toMatchObject({ status: 409, body: { error: 'thread_moved' } })
    const [last] = await messages('&direction=outbound')
    expect(last).toMatchObject({ delivery_status: 'sent', thread_id: mine.thread_id, reply_text: 'By hand' })
  })

  it('gives no loop what was answered before it came here', async () => {
    const by = { from: mailboxUser, to: 'ana@example.net', text: 'Done', inReplyTo: '<quick@example.net>' }
    await deliver({ ...by, subject: 'Re: Quick' }, 'Sent', ['\\Seen'])
    await deliver({ subject: 'Quick', text: 'Quick one', messageId: '<quick@example.net>' })
    await poll(async () => (await messages('&direction=inbound'))[0].subject).toBe('Quick')
    const [quick] = await messages('&direction=inbound')
    expect(quick.unanswerable).toBe('answered')
    await deliver({ subject: 'With the flag', text: 'x' }, 'INBOX', ['\\Answered'])
    await poll(async () => (await messages('&direction=inbound'))[0].unanswerable).toBe('answered')
  })

  it('says what is wrong in words, and goes on when it is right again', async () => {
    await server.dovecot.kill()
    await poll(async () => (await state()).state).toBe('failing')
    expect(await state()).toMatchObject({ error: expect.stringContaining('127.0.0.1'), live_since: null })
    await server.dovecot.start()
    person = await personAt(server.dovecot)
    await deliver({ subject: 'Meanwhile', text: 'x' })
    await poll(async () => (await messages('&direction=inbound'))[0].subject).toBe('Meanwhile')
  })

  it('wakes the loop', async () => {
    await using mailbox = await Mailbox.open({ service: service.service, apiKey: service.home.apiKey })
    const arriving = (async () => {
      for await (const message of mailbox.incoming({ consumer: 'waker', from: 'now' })) return message.subject
    })()
    await poll(async () => (await service.call('GET', '/consumers/waker')).status).toBe(200)
    await deliver({ subject: 'Wake up', text: 'x' })
    expect(await arriving).toBe('Wake up')
  })

  it('refuses a wrong login before anything is kept', async () => {
    const login = { type: 'password', password: 'wrong' }
    const answer = await service.call('POST', '/connections', { body: { ...server.body, login } })
    expect(answer).toMatchObject({ status: 422, body: { error: 'connection_failed' } })
    expect((await state()).state).toBe('live')
  })

  it('forgets a mailbox that is disconnected, and keeps its mail', async () => {
    const before = (await messages()).length
    expect((await service.call('DELETE', `/connections/${id}`)).status).toBe(204)
    expect((await service.call('GET', '/connections')).body.connections).toEqual([])
    expect((await messages()).length).toBe(before)
    const again = await service.call('POST', '/connections', { body: { ...server.body, since: 'all' } })
    expect(again).toMatchObject({ status: 201, body: { inbox_id: inbox, id } })
    await poll(async () => (await state()).state).toBe('live')
    const subjects = (await messages()).map((one: { subject: string }) => one.subject)
    expect(subjects.filter((subject: string) => subject === 'From before')).toHaveLength(1)
    expect(subjects).toHaveLength(before + 1)
  })
})
