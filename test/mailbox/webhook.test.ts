import type { Message } from 'restante'
import type { Event } from 'restante/protocol'
import { createWorld } from 'restante/testing'
import { verifyWebhook } from 'restante/webhook'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WebhookOptions } from '../../src/mailbox/webhook'

const url = 'https://agent.example/hook'

/** A mailbox that hears of its mail by a webhook only, and the deliveries that were made of it. */
async function hooked(options: Omit<WebhookOptions, 'secret'> = {}) {
  const world = await createWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  const mailbox = await world.open({ source: 'webhook' })
  const endpoint = await world.webhook({ events: ['message.received'] })
  const seen: string[] = []
  mailbox.on('event', ({ type }) => seen.push(type))
  const errors: string[] = []
  mailbox.on('error', ({ code }) => errors.push(code))
  const receive = mailbox.webhook({ secret: endpoint.secret, ...options })
  const ana = world.person('ana@example.com')
  const write = (subject = 'Hello') => ana.write({ to: mailbox.address, subject, text: 'Hi' })
  /** A mail, and the request that tells of it. */
  const delivery = async (subject?: string) => {
    const before = endpoint.requests.length
    await write(subject)
    await world.settle()
    const { headers, body } = endpoint.requests[before]!
    return { headers, body, request: () => new Request(url, { method: 'POST', headers, body }) }
  }
  return { world, mailbox, endpoint, seen, errors, receive, ana, write, delivery }
}

test('a webhook is applied, handled and only then answered', async () => {
  const handled: string[] = []
  let finish = () => {}
  const { world, mailbox, endpoint, receive, ana, write } = await hooked({
    async onMessage(message: Message) {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      await message.reply({ text: 'Got it' })
      handled.push(message.subject)
    },
  })
  const statuses: number[] = []
  endpoint.answer(async (request) => {
    const response = await receive(request)
    statuses.push(response.status)
    return response
  })
  await write()
  await world.settle()
  expect(mailbox.state.lag).toBe(0)
  expect([handled, statuses]).toEqual([[], []])
  finish()
  await world.settle()
  expect([handled, statuses]).toEqual([['Hello'], [204]])
  expect(ana.mails).toHaveLength(1)
})

test('a repeated id is answered 2xx, and nothing is done twice, also side by side', async () => {
  const handled: string[] = []
  const { receive, delivery } = await hooked({ onEvent: ({ id }) => void handled.push(id) })
  const { request } = await delivery()
  const answers = await Promise.all([receive(request()), receive(request())])
  answers.push(await receive(request()))
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
  expect(handled).toHaveLength(1)
})

test('a webhook whose handler throws comes again, and its message still has one reply', async () => {
  let failures = 1
  const { world, endpoint, receive, ana, write, errors } = await hooked({
    async onMessage(message: Message) {
      await message.reply({ text: `Answer ${failures}` })
      if (failures-- > 0) throw new Error('secret of the handler')
    },
  })
  const bodies: string[] = []
  endpoint.answer(async (request) => {
    const response = await receive(request)
    bodies.push(await response.clone().text())
    return response
  })
  await write()
  await world.advance({ seconds: 10 })
  expect(bodies).toEqual([expect.stringContaining('handler_failed'), ''])
  expect(bodies[0]).not.toContain('secret of the handler')
  expect(errors).toEqual(['handler_failed'])
  expect(ana.mails).toHaveLength(1)
})

test('S3: shuffled webhooks: the log is read up to the newest, and each handler runs', async () => {
  const handled: number[] = []
  const { mailbox, receive, delivery } = await hooked({ onEvent: ({ seq }) => void handled.push(seq) })
  const seqs: number[] = []
  mailbox.on('event', ({ seq }) => seqs.push(seq))
  const before = mailbox.state.cursor
  const [one, two, three] = [await delivery('1'), await delivery('2'), await delivery('3')]
  for (const { request } of [three, one, two]) expect((await receive(request())).status).toBe(204)
  expect(handled).toHaveLength(3)
  expect(seqs).toEqual(seqs.map((_, index) => before + 1 + index))
})

test('mail of another inbox is handed to nobody', async () => {
  const { world, mailbox, receive, delivery, endpoint } = await hooked()
  const other = await mailbox.client.inboxes.create({ local_part: 'other' })
  const narrow = await world.open({ inbox: other.id, source: 'webhook' })
  const handled: string[] = []
  const receiveNarrow = narrow.webhook({
    secret: endpoint.secret,
    onMessage: ({ id }) => void handled.push(id),
  })
  const { request } = await delivery()
  expect((await receiveNarrow(request())).status).toBe(204)
  expect((await receive(request())).status).toBe(204)
  expect(handled).toEqual([])
})

describe('a webhook refuses', () => {
  test.each<[string, number, (delivery: { headers: Record<string, string>; body: string }) => RequestInit]>([
    ['another body', 401, ({ headers, body }) => ({ headers, body: `${body} ` })],
    ['another id', 401, ({ headers, body }) => ({ headers: { ...headers, 'webhook-id': 'evt_x' }, body })],
    ['no signature', 401, ({ body }) => ({ body })],
    [
      'another timestamp',
      401,
      ({ headers, body }) => ({ headers: { ...headers, 'webhook-timestamp': '1' }, body }),
    ],
    ['too large', 413, ({ headers }) => ({ headers, body: 'x'.repeat(5_000) })],
    ['a GET', 405, ({ headers }) => ({ method: 'GET', headers, body: undefined })],
  ])('%s with %i', async (_name, status, init) => {
    const handled: string[] = []
    const { receive, delivery, seen } = await hooked({
      onEvent: ({ id }) => void handled.push(id),
      maxBytes: 4_000,
    })
    const made = await delivery()
    const response = await receive(new Request(url, { method: 'POST', ...init(made) }))
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: expect.any(String), message: expect.any(String) })
    expect([handled, seen]).toEqual([[], []])
  })

  test('a request that is over 5 minutes old, by the clock of the mailbox', async () => {
    const { world, receive, delivery } = await hooked()
    const { request } = await delivery()
    await world.advance({ minutes: 4, seconds: 59 })
    expect((await receive(request())).status).toBe(204)
    const later = await delivery('2')
    await world.advance({ minutes: 5, seconds: 2 })
    expect((await receive(later.request())).status).toBe(401)
  })

  test('a body that was read before, and says what to do', async () => {
    const { receive, delivery, errors } = await hooked()
    const { request } = await delivery()
    const read = request()
    await read.json()
    const response = await receive(read)
    expect([response.status, (await response.json()) as object]).toEqual([
      500,
      { error: 'body_consumed', message: expect.stringContaining('before the body parser') },
    ])
    expect(errors).toEqual(['body_consumed'])
  })

  test('everything, once the mailbox is closed', async () => {
    const { mailbox, receive, delivery } = await hooked()
    const { request } = await delivery()
    await mailbox.close()
    expect((await receive(request())).status).toBe(503)
  })
})

test.each([
  [
    'an empty secret',
    '',
    /mailbox\.webhook\(\) has no secret: is WEBHOOK_SECRET set\?.*restante webhooks add/,
  ],
  ['a secret that is not set', undefined, /has no secret/],
  ['no secrets', [], /has no secret/],
  ['one of several that is empty', ['whsec_MTIz', ''], /has no secret/],
  ['what is no base64', 'whsec_%%%', /got a value that is not a secret\. It is whsec_/],
])('%s is refused in words before any request comes', async (_what, secret, words) => {
  const world = await createWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  const mailbox = await world.open({ source: 'webhook' })
  expect(() => mailbox.webhook({ secret: secret as string })).toThrow(words)
})

test('what the official library signs is taken; without a mailbox it can be verified alone', async () => {
  const { receive, delivery, endpoint, world } = await hooked()
  const { body, headers } = await delivery()
  const id = headers['webhook-id']!
  const at = new Date(world.clock.now())
  const signed = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(endpoint.secret).sign(id, at, body),
  }
  expect((await receive(new Request(url, { method: 'POST', headers: signed, body }))).status).toBe(204)
  const event: Event = await verifyWebhook({ secret: endpoint.secret, headers: signed, body })
  expect(event).toMatchObject({ id, type: 'message.received' })
})
