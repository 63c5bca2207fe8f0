import { Mailbox, type Message } from 'restante'
import type { SpamFilter, SuspectMail } from 'restante/service'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

interface Told {
  id: string
  seq: number
  subject: string
  thread_id: string
  labels: string[]
  label_ids: string[]
}

/** A filter that knows spam by its subject. */
const bySubject: SpamFilter = {
  judge: async ({ raw }: SuspectMail) => ({
    spam: /^Subject: .*\[spam\]/m.test(new TextDecoder().decode(raw)),
  }),
}

describeDatabases('spam', (openDatabase) => {
  const { service } = useService(openDatabase, (options) => openService(options, { spamFilter: bySubject }))
  const get = async (path: string) => (await service.call('GET', path)).body
  const subjects = async (query = '') =>
    ((await get(`/messages?order=asc${query}`)).messages as Told[]).map((one) => one.subject)
  const threads = async (query = '') =>
    ((await get(`/threads?limit=50${query}`)).threads as Told[]).map((one) => one.subject)
  const spam = async () => ((await get('/messages?label=spam&order=asc')).messages as Told[])[0]!
  const mark = (message_id: string, verb = 'assign') =>
    service.call('POST', `/labels/spam/${verb}`, { body: { message_id } })

  it('is labelled as it comes in, and left out of lists and searches that do not ask for it', async () => {
    await service.mail({ subject: 'good offer' })
    await service.mail({ subject: '[spam] great offer' })
    expect((await get('/labels')).labels).toContainEqual(
      expect.objectContaining({ id: 'spam', system: true }),
    )
    expect(await subjects()).toEqual(['good offer'])
    expect(await subjects('&q=offer')).toEqual(['good offer'])
    expect(await threads()).toEqual(['good offer'])
    for (const query of ['&label=spam', '&label=SPAM']) {
      expect(await subjects(query)).toEqual(['[spam] great offer'])
      expect(await subjects(`${query}&q=offer`)).toEqual(['[spam] great offer'])
      expect(await threads(query)).toEqual(['[spam] great offer'])
    }
    expect(await subjects('&include=spam')).toEqual(['good offer', '[spam] great offer'])
    expect(await subjects('&include=spam&q=offer')).toHaveLength(2)
    expect(await threads('&include=spam')).toEqual(['[spam] great offer', 'good offer'])
    const { id, thread_id } = await spam()
    expect(await get(`/messages/${id}`)).toMatchObject({
      labels: ['spam', 'unread'],
      label_ids: ['spam', 'unread'],
    })
    expect(await get(`/threads/${thread_id}`)).toMatchObject({ labels: ['spam'] })
  })

  it('can be put on and taken off by hand, again and again', async () => {
    await service.mail({ subject: '[spam] not really' })
    const { id } = await spam()
    expect((await mark(id, 'unassign')).body).toMatchObject({ labels: ['unread'] })
    expect([await subjects(), await threads()]).toEqual([['[spam] not really'], ['[spam] not really']])
    expect((await mark(id)).body).toMatchObject({ labels: ['spam', 'unread'] })
    expect((await mark(id)).status).toBe(200)
    expect([await subjects(), await threads()]).toEqual([[], []])
  })

  it('has a label that is put on by hand too, and cannot be renamed or deleted', async () => {
    await service.mail({ subject: 'boring' })
    const [boring] = (await get('/messages')).messages
    const { body: own } = await service.call('POST', '/labels', { body: { name: 'own' } })
    const rename = (id: string, name: string) => service.call('PATCH', `/labels/${id}`, { body: { name } })
    const reserved = { status: 409, body: { error: 'system_label' } }
    expect(await rename(own.id, 'Spam')).toMatchObject(reserved)
    expect(await mark(boring.id, 'unassign')).toMatchObject({ status: 200, body: { labels: ['unread'] } })
    expect(await mark('msg_none')).toMatchObject({ status: 404 })
    expect((await mark(boring.id)).body).toMatchObject({ labels: ['spam', 'unread'] })
    expect(await subjects()).toEqual([])
    expect(await rename('spam', 'ham')).toMatchObject(reserved)
    expect(await service.call('DELETE', '/labels/spam')).toMatchObject(reserved)
    expect(await service.call('POST', '/labels', { body: { name: 'SPAM' } })).toMatchObject({
      status: 409,
      body: { error: 'label_exists', details: { label_id: 'spam' } },
    })
  })

  it('does not hide the conversation into which it is sent, and is not its last message for who replies', async () => {
    await service.mail({ subject: 'plan', messageId: '<a@x>' })
    const [first] = (await get('/messages')).messages as Told[]
    await service.mail({ subject: 'Re: plan [spam]', inReplyTo: '<a@x>', from: 'eve@example.net' })
    expect((await spam()).thread_id).toBe(first!.thread_id)
    expect(await threads()).toEqual(['plan'])
    expect(await subjects(`&thread_id=${first!.thread_id}`)).toEqual(['plan'])
    const reply = (text: string, expected: string) => {
      const body = { text, expect_last_message_id: expected }
      return service.call('POST', `/messages/${first!.id}/reply`, { body })
    }
    expect((await reply('yes', first!.id)).status).toBe(200)
    const moved = await reply('again', first!.id)
    expect(moved).toMatchObject({ status: 409, body: { error: 'thread_moved' } })
  })

  it('S2, S3: events say it, and a mailbox holds what the service shows', async () => {
    await using mailbox = await Mailbox.open({ service: service.service })
    const reported: string[] = []
    mailbox.on('message', (message) => reported.push(message.subject))
    const [loop, all] = [mailbox.incoming(), mailbox.incoming({ spam: true })]
    await service.mail({ subject: '[spam] one', messageId: '<s@x>' })
    await service.mail({ subject: 'two', messageId: '<t@x>' })
    const seen = [(await all.next()).value, (await all.next()).value] as Message[]
    expect(seen.map((message) => [message.subject, message.labels])).toEqual([
      ['[spam] one', ['spam', 'unread']],
      ['two', ['unread']],
    ])
    expect((await loop.next()).value).toMatchObject({ subject: 'two' })
    expect(reported).toEqual(['two'])
    const thread = await seen[1]!.thread()
    await service.mail({ subject: '[spam] three', inReplyTo: '<t@x>', from: 'eve@example.net' })
    expect((await all.next()).value).toMatchObject({ threadId: thread.id })
    expect((await seen[1]!.thread()).messages.map((one) => one.subject)).toEqual(['two'])
    expect((await mailbox.threads.get(thread.id)).record).toEqual(await get(`/threads/${thread.id}`))
    expect((await seen[0]!.thread()).messages.map((one) => one.subject)).toEqual(['[spam] one'])
    await mark(seen[0]!.id, 'unassign')
    const changed = new Promise<void>((done) =>
      mailbox.on('event', ({ type }) => type === 'label.assigned' && done()),
    )
    await mark(seen[1]!.id)
    await changed
    const listed = await mailbox.messages.list({ order: 'asc', spam: true })
    for (const { id, record } of listed.items) expect((await mailbox.messages.get(id)).record).toEqual(record)
    expect((await mailbox.messages.list()).items.map((one) => one.id)).toEqual([seen[0]!.id])
    expect((await mailbox.threads.list()).items.map((one) => one.id)).toEqual([seen[0]!.threadId])
    expect((await mailbox.threads.list({ spam: true })).items).toHaveLength(2)
  })
})
