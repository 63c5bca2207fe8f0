import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

const secret = 'Xylographentum'
const hour = 3_600_000

describeDatabases('erasure', (openDatabase) => {
  let clock: JumpClock
  const start = (options: ServiceOptions) => openService(options, { clock })
  const { service, database } = useService(openDatabase, (options) => {
    clock = new JumpClock()
    return start(options)
  })
  const secretMail = (extra: object = {}) => ({
    from: `${secret} <${secret}@example.com>`,
    subject: `About ${secret}`,
    text: `This is the ${secret}.`,
    html: `<p>${secret}</p>`,
    attachments: [{ filename: `${secret}.txt`, content: secret }],
    ...extra,
  })
  const newest = async () => (await service.call('GET', '/messages')).body.messages[0]
  const log = async () => (await service.call('GET', '/events?after=0&limit=500')).body.events
  const files = () => {
    const { data } = database.options
    if (data === undefined) return []
    return readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  }
  const holding = () => files().filter((file) => readFileSync(file).includes(secret))

  /** Nothing of the mail is told, and on SQLite nothing of it is left on disk within the hour. */
  async function expectGone() {
    const reported = await log()
    expect(JSON.stringify(reported)).not.toContain(secret)
    expect(reported.map((event: { seq: number }) => event.seq)).toEqual(
      reported.map((_: unknown, i: number) => i + 1),
    )
    for (const list of ['messages', 'threads'])
      expect(JSON.stringify((await service.call('GET', `/${list}?limit=100`)).body)).not.toContain(secret)
    clock.jump(hour)
    await expect.poll(holding).toEqual([])
  }

  it('of a message leaves its thread right, and nothing of what was written', async () => {
    await service.mail({ messageId: '<a@x>', subject: 'First', text: 'one' })
    const first = await newest()
    await service.mail(secretMail({ messageId: '<b@x>', inReplyTo: '<a@x>' }))
    const second = await newest()
    expect((await service.call('DELETE', `/messages/${second.id}`)).status).toBe(204)
    for (const path of ['', '/raw'])
      expect((await service.call('GET', `/messages/${second.id}${path}`)).status).toBe(404)
    expect((await service.call('GET', `/attachments/${second.attachments[0].id}`)).status).toBe(404)
    expect((await service.call('GET', `/threads/${first.thread_id}`)).body).toMatchObject({
      subject: 'First',
      message_count: 1,
      last_message_id: first.id,
      last_message_created_seq: first.created_seq,
      preview: 'one',
      participants: ['ana@example.com', service.home.address],
    })
    expect((await log()).slice(-2).map((event: { type: string }) => event.type)).toEqual([
      'message.deleted',
      'thread.updated',
    ])
    await expectGone()
    await service.mail({ messageId: '<c@x>', inReplyTo: '<b@x>' })
    expect((await newest()).thread_id).toBe(first.thread_id)
  })

  it('of the last message takes the thread along, and a late reply begins a new one', async () => {
    await service.mail(secretMail({ messageId: '<a@x>' }))
    const message = await newest()
    await service.call('DELETE', `/messages/${message.id}`)
    expect((await service.call('GET', `/threads/${message.thread_id}`)).status).toBe(404)
    await expectGone()
    await service.mail({ messageId: '<b@x>', inReplyTo: '<a@x>', subject: 'Re: it' })
    const reply = await newest()
    expect(reply.thread_id).not.toBe(message.thread_id)
    await service.mail({ messageId: '<c@x>', inReplyTo: '<a@x>' })
    expect((await newest()).thread_id).toBe(reply.thread_id)
  })

  it('of the first message changes the subject where nobody else has it', async () => {
    await service.mail(secretMail({ messageId: '<a@x>' }))
    const first = await newest()
    await service.mail({ messageId: '<b@x>', inReplyTo: '<a@x>', subject: 'Something else' })
    await service.call('DELETE', `/messages/${first.id}`)
    expect((await service.call('GET', `/threads/${first.thread_id}`)).body.subject).toBe('Something else')
    await expectGone()
  })

  it('of a thread takes all its messages, labels and outcomes', async () => {
    await service.mail(secretMail({ messageId: '<a@x>' }))
    const message = await newest()
    const label = (await service.call('POST', '/labels', { body: { name: 'seen' } })).body
    await service.call('POST', `/labels/${label.id}/assign`, { body: { message_id: message.id } })
    const body = { text: `again ${secret}`, client_id: 'r1' }
    const reply = (await service.call('POST', `/messages/${message.id}/reply`, { body })).body
    await expect
      .poll(async () => (await service.call('GET', `/messages/${reply.id}`)).body.delivery_status)
      .toBe('sent')
    expect((await service.call('DELETE', `/threads/${message.thread_id}`)).status).toBe(204)
    expect((await service.call('GET', `/messages/${reply.id}`)).status).toBe(404)
    await expectGone()
    const replayed = await service.call('POST', `/messages/${message.id}/reply`, { body })
    expect(replayed.body).toEqual({ ...reply, idempotent: true })
  })

  it('of an inbox takes everything in it, and leaves the others alone', async () => {
    const inbox = (await service.call('POST', '/inboxes', { body: { local_part: 'desk' } })).body
    await service.mail(secretMail({ to: inbox.address, messageId: '<a@x>' }))
    await service.mail({ subject: 'stays' })
    const draft = { inbox_id: inbox.id, to: ['bo@example.com'], subject: secret, text: secret }
    await service.call('POST', '/drafts', { body: draft })
    expect((await service.call('DELETE', `/inboxes/${inbox.id}`)).status).toBe(204)
    expect((await service.call('GET', '/messages')).body.messages).toMatchObject([{ subject: 'stays' }])
    expect((await service.call('GET', '/drafts')).body.drafts ?? []).toEqual([])
    await expectGone()
  })

  it('removes a large original only where no other message has the same', async () => {
    const raw = `From: a@example.com\r\nTo: x\r\nMessage-ID: <big@x>\r\n\r\n${secret} ${randomBytes(90_000).toString('base64')}\r\n`
    const other = (await service.call('POST', '/inboxes', { body: { local_part: 'other' } })).body
    const to = [service.home.address, other.address]
    await service.mail({ raw, envelope: { from: 'a@example.com', to } })
    const messages = (await service.call('GET', '/messages')).body.messages
    expect(messages).toHaveLength(2)
    await service.call('DELETE', `/messages/${messages[0].id}`)
    clock.jump(hour)
    await service.call('GET', '/account')
    expect((await service.call('GET', `/messages/${messages[1].id}/raw`)).body).toBe(raw)
    await service.call('DELETE', `/messages/${messages[1].id}`)
    await expectGone()
  })

  it('is carried on by the next process', async () => {
    if (database.options.data === undefined) return
    const raw = `From: a@example.com\r\n\r\n${secret} ${'x'.repeat(90_000)}\r\n`
    await service.mail({ raw, envelope: { from: 'a@example.com', to: service.home.address } })
    await service.call('DELETE', `/messages/${(await newest()).id}`)
    await service[Symbol.asyncDispose]()
    expect(holding()).not.toEqual([])
    clock.jump(hour)
    await database.start(start)
    await expect.poll(holding).toEqual([])
  })

  it('of what was never there answers 404', async () => {
    for (const path of ['messages/msg_1', 'threads/thr_1', 'inboxes/inb_1', 'labels/lbl_1', 'lists/lst_1'])
      expect((await service.call('DELETE', `/${path}`)).status).toBe(404)
  })
})
