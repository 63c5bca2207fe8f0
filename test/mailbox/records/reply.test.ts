import { isServiceError } from 'restante'
import { expect, test } from 'vitest'
import type { Message } from '../../../src/mailbox/records/message'
import { settle } from '../support/fake-clock'
import { refuse } from '../support/fake-routes'
import { openFake } from '../support/open'

const delivered = async () => {
  const context = await openFake({ inbox: 'inb_a' })
  const first = context.mailbox.incoming()
  const second = context.mailbox.incoming()
  context.service.receive()
  const message = (await first.next()).value as Message
  const again = (await second.next()).value as Message
  const sends = () => context.service.requests.filter(({ method }) => method === 'POST')
  return { ...context, message, again, sends }
}

test('S5: the reply of a turn has an id that is derived from the message', async () => {
  const { mailbox, message, again, sends } = await delivered()
  const sent = await message.reply({ text: 'Yes', replyAll: true, onlyIfLatest: true, cc: ['b@x.example'] })
  expect(sent).toMatchObject({ id: 'out_1', threadId: 'thr_1', idempotent: false })
  expect(sends()[0]).toMatchObject({
    path: '/v1/messages/msg_1/reply',
    body: {
      text: 'Yes',
      reply_all: true,
      cc: ['b@x.example'],
      expect_last_message_id: 'msg_1',
      client_id: 'reply:msg_1:reply',
      replay: 'first_wins',
    },
  })
  expect(await again.replyAll({ text: 'In other words' })).toMatchObject({ id: 'out_1', idempotent: true })
  await mailbox.close()
})

test('S5: a second reply without a key of its own is refused, also by way of the thread', async () => {
  const { mailbox, message, sends } = await delivered()
  await message.reply({ text: 'One' })
  await expect(message.reply({ text: 'Two' })).rejects.toMatchObject({
    code: 'already_replied',
    message: expect.stringContaining('key'),
  })
  const thread = await message.thread()
  await expect(thread.reply({ text: 'Two' })).rejects.toMatchObject({ code: 'already_replied' })
  await message.reply({ text: 'Two', key: 'follow-up' })
  expect(sends()[1]?.body.client_id).toMatch(/:follow-up$/)
  await mailbox.close()
})

test('S5: a message is passed on once in a turn, beside its reply', async () => {
  const { mailbox, message, again, sends } = await delivered()
  const to = 'sales@x.example'
  await message.reply({ text: 'Yes' })
  await message.forward({ to, text: 'Yours?', headers: { 'X-Ticket': '42' } })
  expect(sends()[1]).toMatchObject({
    path: '/v1/messages/msg_1/forward',
    body: {
      to: [to],
      text: 'Yours?',
      headers: { 'X-Ticket': '42' },
      client_id: 'forward:msg_1:forward',
      replay: 'first_wins',
    },
  })
  await expect(message.forward({ to })).rejects.toMatchObject({ code: 'already_forwarded' })
  await message.forward({ to, key: 'to-sales' })
  expect(await again.forward({ to })).toMatchObject({ id: 'out_2', idempotent: true })
  await mailbox.close()
})

test('a clientId that belongs to a scheduled mail is refused, naming its draft', async () => {
  const { mailbox, service } = await openFake({ inbox: 'inb_a' })
  const time = '2030-01-31T12:00:00Z'
  const draft = {
    ...{ id: 'drf_1', inbox_id: 'inb_a', subject: '', status: 'scheduled', scheduled_at: time, seq: 1 },
    ...{ thread_id: null, sent_message_id: null, error: null, created_at: time, updated_at: time },
  }
  service.override = ({ method }) => (method === 'POST' ? Response.json(draft, { status: 202 }) : undefined)
  await expect(mailbox.send({ to: 'a@x.example', text: 'Hi', clientId: 'later' })).rejects.toMatchObject({
    code: 'not_sent_yet',
    message: expect.stringContaining('drf_1'),
  })
  await mailbox.close()
})

test('a reply that was refused may be tried again, under the same id', async () => {
  const { mailbox, service, message, sends } = await delivered()
  service.override = ({ method }) => (method === 'POST' ? refuse(403, 'sending_paused') : undefined)
  const refused = await message.reply({ text: 'Hi' }).catch((error: unknown) => error)
  expect(isServiceError(refused, 'sending_paused')).toBe(true)
  service.override = undefined
  await message.reply({ text: 'Hi' })
  expect(new Set(sends().map(({ body }) => body.client_id)).size).toBe(1)
  await mailbox.close()
})

test('a reply whose answer was lost is not sent twice', async () => {
  const { mailbox, service, clock, message, sends } = await delivered()
  const { fetch } = service
  let lost = false
  service.fetch = async (request) => {
    const answered = await fetch.call(service, request)
    if (request.method === 'GET' || lost) return answered
    lost = true
    throw new TypeError('fetch failed')
  }
  const replying = message.reply({ text: 'Hi' })
  await settle(20)
  await clock.advance(1_000)
  expect(await replying).toMatchObject({ id: 'out_1', idempotent: true })
  expect(sends()).toHaveLength(2)
  await mailbox.close()
})

test('S5: a message that was asked for replies under an id of its own and the key, or under the caller’s', async () => {
  const { mailbox, sends } = await delivered()
  const message = await mailbox.messages.get('msg_1')
  await message.reply({ text: 'One' })
  await message.reply({ text: 'One', key: 'receipt' })
  await message.forward({ to: 'sales@x.example' })
  await message.reply({ text: 'Three', clientId: 'mine' })
  await message.reply({ text: 'In other words', replay: 'first_wins' })
  const identities = sends().map(({ body }) => [body.client_id, body.replay, body.release_on_discard])
  expect(identities).toEqual([
    ['reply:msg_1:reply', undefined, true],
    ['reply:msg_1:receipt', undefined, true],
    ['forward:msg_1:forward', undefined, true],
    ['mine', undefined, undefined],
    ['reply:msg_1:reply', 'first_wins', true],
  ])
  await mailbox.close()
})

test('send always has a client_id; attachments go in base64', async () => {
  const { mailbox, sends } = await delivered()
  await mailbox.send({
    to: 'Ana <ana@example.com>',
    subject: 'Hi',
    text: 'Text',
    attachments: [{ filename: 'ü.txt', content: 'grün' }],
  })
  expect(sends()[0]?.body).toEqual({
    inbox_id: 'inb_a',
    to: ['Ana <ana@example.com>'],
    subject: 'Hi',
    text: 'Text',
    attachments: [
      { filename: 'ü.txt', content_base64: 'Z3LDvG4=', content_type: 'text/plain; charset=utf-8' },
    ],
    client_id: expect.stringMatching(/^send:[0-9a-f]{32}$/),
  })
  await mailbox.close()
})

test('a thread replies to its newest inbound message', async () => {
  const { mailbox, service, sends } = await delivered()
  service.receive({ direction: 'outbound' })
  const thread = await mailbox.threads.get('thr_1')
  await thread.reply({ text: 'And?' })
  expect(sends()[0]?.path).toBe('/v1/messages/msg_1/reply')
  service.receive({ thread_id: 'thr_2', direction: 'outbound' })
  const other = await mailbox.threads.get('thr_2')
  await expect(other.reply({ text: 'And?' })).rejects.toMatchObject({ code: 'nothing_to_reply_to' })
  await mailbox.close()
})
