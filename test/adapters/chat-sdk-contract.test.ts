import {
  createMockChatInstance,
  createMockState,
  matchers,
  selfMessageContract,
  threadIdContract,
} from '@chat-adapter/tests'
import { Chat } from 'chat'
import type { Mailbox } from 'restante'
import { createMailboxAdapter } from 'restante/chat-sdk'
import { createWorld } from 'restante/testing'
import { expect, onTestFinished, test } from 'vitest'

expect.extend(matchers)

const openHooked = async () => {
  const world = await createWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  const mailbox = await world.open({ source: 'webhook' })
  const endpoint = await world.webhook({ events: ['message.received'] })
  const adapter = createMailboxAdapter(mailbox, { webhookSecret: endpoint.secret })
  /** A mail, as the webhook tells of it. */
  const tell = async (from: string) => {
    const mail = { to: mailbox.address, subject: 'Hello', text: 'Is anybody there?' }
    const arrived = () => world.settle().then(() => endpoint.requests.length)
    const before = endpoint.requests.length
    await world.person(from).write(mail)
    await expect.poll(arrived).toBe(before + 1)
    const { headers, body } = endpoint.requests.at(-1)!
    return () => new Request('https://bot.example/hook', { method: 'POST', headers, body })
  }
  return { world, mailbox, endpoint, adapter, tell }
}

let opened: Awaited<ReturnType<typeof openHooked>>

selfMessageContract({
  name: 'restante',
  setup: async () => {
    opened = await openHooked()
    const chat = createMockChatInstance()
    await opened.adapter.initialize(chat)
    return { adapter: opened.adapter, chat }
  },
  makeOtherMessageRequest: async () => (await opened.tell('ana@example.com'))(),
  makeSelfMessageRequest: async () => (await opened.tell(opened.mailbox.address))(),
})

/** An adapter for what needs no mailbox. */
const bare = createMailboxAdapter({ inboxes: [] } as unknown as Mailbox)

threadIdContract({
  name: 'restante',
  encode: (thread) => bare.encodeThreadId(thread),
  decode: (id) => bare.decodeThreadId(id),
  cases: [
    { decoded: { inboxId: 'ibx_1', threadId: 'thr_1' }, encoded: 'restante:ibx_1:thr_1' },
    { decoded: { inboxId: 'ibx_1', address: 'ana+a:b@example.com' } },
    { decoded: { inboxId: 'ibx_1', address: '"a:b c"@bücher.example' } },
  ],
  isDM: {
    fn: (id) => bare.isDM(id),
    dmThreadId: 'restante:ibx_1:dm-ana%40example.com',
    nonDmThreadId: 'restante:ibx_1:thr_1',
  },
})

test('a webhook is answered 200 once its mail was handled, and comes again where it was not', async () => {
  const { world, mailbox, adapter, tell } = await openHooked()
  const state = createMockState()
  const bot = new Chat({ userName: 'desk', adapters: { restante: adapter }, state, logger: 'silent' })
  let failures = 1
  bot.onNewMention(async (thread) => {
    await thread.post(`Answer ${failures}`)
    if (failures-- > 0) throw new Error('The model is not there')
  })
  const request = await tell('ana@example.com')
  const ask = async (of = request()) => (await bot.webhooks.restante(of)).status
  expect(await ask(new Request(request(), { headers: { 'webhook-signature': 'v1,AAAA' } }))).toBe(401)
  expect([await ask(), await ask(), await ask()]).toEqual([500, 200, 200])
  await world.settle()
  expect(world.person('ana@example.com').mails.map(({ text }) => text.trim())).toEqual(['Answer 1'])
  const { items } = await mailbox.messages.list({ direction: 'outbound' })
  expect(items.map(({ record }) => record.sent_by?.kind)).toEqual(['key'])
  await bot.shutdown()
})

test('with webhooks too, nothing is lost to the lock of another process', async () => {
  const { world, adapter, mailbox, tell } = await openHooked()
  const state = createMockState()
  const bot = new Chat({
    ...{ userName: 'desk', adapters: { restante: adapter }, state, logger: 'silent' as const },
    concurrency: 'queue',
  })
  bot.onNewMention((thread) => thread.post('Yes').then(() => {}))
  const request = await tell('ana@example.com')
  const lock = await state.acquireLock(`restante:${mailbox.inboxes[0]!.id}`, 60_000)
  expect((await bot.webhooks.restante(request())).status).toBe(500)
  await state.releaseLock(lock!)
  const waiting: Promise<unknown>[] = []
  const { status } = await bot.webhooks.restante(request(), { waitUntil: (task) => waiting.push(task) })
  expect([status, waiting.length]).toEqual([200, 1])
  await world.settle()
  expect(world.person('ana@example.com').mails).toHaveLength(1)
  await bot.shutdown()
})
