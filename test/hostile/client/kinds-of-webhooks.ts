import { runInNewContext } from 'node:vm'
import express from 'express'
import { Headers as UndiciHeaders } from 'undici'
import { expect } from 'vitest'
import { type Kind, post, type Scene, secret, serve, signedEvent } from './kind'

/** A receiver that opens its own mailbox, at a port behind a proxy, and a signed event for it. */
async function receiving(
  scene: Scene,
  options: Partial<Parameters<Scene['restante']['createWebhookReceiver']>[0]> = {},
) {
  const inbox = await scene.newInbox()
  await scene.mail(inbox.address, 'Bicycle')
  const subjects: string[] = []
  const receiver = scene.restante.createWebhookReceiver({
    ...{ url: scene.url, apiKey: scene.apiKey, secret, inbox: inbox.id },
    onMessage: ({ subject }) => subjects.push(subject),
    onError: () => {},
    ...options,
  })
  return { inbox, receiver, subjects, event: await signedEvent(scene, inbox.id) }
}

/** Headers in another form are read. */
const reads = (
  name: string,
  source: Kind['source'],
  form: (headers: Record<string, string>) => unknown,
): Kind => ({
  ...{ name, source, holds: 'the signature is found' },
  async run(scene) {
    const { event } = await receiving(scene)
    const { verifyWebhook } = scene.webhooks
    // As they arrive through a proxy: each name in lower case.
    let arrived: Record<string, string> = {}
    const { url } = await serve((request, response) => {
      arrived = request.headers as Record<string, string>
      response.end()
    })
    await post(url, event)
    const headers = form(arrived) as never
    expect(await verifyWebhook({ secret, headers, body: event.body })).toMatchObject({ id: event.id })
  },
})

const subtleEvent =
  '{"id":"evt_1","type":"message.read","seq":1,"inbox_id":null,"created_at":"2026-01-01T00:00:00.000Z","data":{}}'

/** Receivers of webhooks. */
export const kindsOfWebhooks: readonly Kind[] = [
  {
    name: 'a body that was parsed fails the signature with no word of why',
    source: 'stripe/stripe-node#341',
    holds: 'the answer says that the body was parsed, and what to do in express, fastify and Next',
    async run(scene) {
      const { receiver, event, subjects } = await receiving(scene, {})
      const app = express().use(express.json()).post('/', receiver.node)
      const { url } = await serve(app)
      const headers = { ...event.headers, 'content-type': 'application/json' }
      const answer = await post(url, { ...event, headers })
      expect(answer.status).toBe(500)
      expect(await answer.json()).toMatchObject({
        error: 'body_consumed',
        message: expect.stringMatching(/express\.raw.*fastify.*Next/s),
      })
      expect(subjects).toEqual([])
    },
  },
  {
    name: 'a platform parses the body, and keeps the bytes in rawBody',
    source: 'stripe/stripe-node#1254',
    holds: 'the receiver takes rawBody, which the signature guards',
    async run(scene) {
      const { receiver, event, subjects } = await receiving(scene)
      const verify = (request: object, _response: object, rawBody: Buffer) =>
        Object.assign(request, { rawBody })
      const { url } = await serve(express().use(express.json({ verify })).post('/', receiver.node))
      const headers = { ...event.headers, 'content-type': 'application/json' }
      expect((await post(url, { ...event, headers })).status).toBe(204)
      expect(subjects).toEqual(['Bicycle'])
    },
  },
  reads(
    'headers of the web are walked as a plain object',
    'inkbox-ai/inkbox#163',
    (headers) => new Headers(headers),
  ),
  reads(
    'Headers of another class are not recognised',
    'liveblocks/liveblocks#1057',
    (headers) => new UndiciHeaders(headers),
  ),
  reads('a Map of headers has no fields', 'nodejs/undici#319', (headers) => new Map(Object.entries(headers))),
  reads('a gateway gives each header as a list', 'sanity-io/webhook-toolkit#7', (headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
  ),
  reads('a gateway writes names of headers with capitals', 'getsentry/sentry-docs#1364', (headers) =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.replace(/(^|-)\w/g, (start) => start.toUpperCase()),
        value,
      ]),
    ),
  ),
  {
    name: 'a promise is passed as headers',
    source: 'openai/openai-node#2595',
    holds: 'the request is refused by an error of this package',
    async run({ webhooks }) {
      const headers = Promise.resolve(new Headers()) as never
      const verifying = webhooks.verifyWebhook({ secret, headers, body: subtleEvent })
      await expect(verifying).rejects.toMatchObject({ code: 'webhook_unverified' })
    },
  },
  {
    name: 'bytes of another realm are no Uint8Array',
    source: 'jestjs/jest#9993',
    holds: 'they are verified, as are an ArrayBuffer and text',
    async run(scene) {
      const { event } = await receiving(scene)
      const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes: [...Buffer.from(event.body)] })
      const bodies = [foreign, foreign.buffer, new TextEncoder().encode(event.body).buffer, event.body]
      for (const body of bodies) {
        const verified = await scene.webhooks.verifyWebhook({ secret, headers: event.headers, body })
        expect(verified).toMatchObject({ id: event.id })
      }
    },
  },
  {
    name: 'a missing secret is an empty key, or a TypeError',
    source: 'linear/linear#1139',
    holds: 'each way to give none is refused by name',
    async run(scene) {
      const { event, receiver } = await receiving(scene, { secret: undefined })
      const { headers, body } = event
      for (const none of [undefined, '', [], [undefined], ['']]) {
        const verifying = scene.webhooks.verifyWebhook({ secret: none as never, headers, body })
        await expect(verifying).rejects.toMatchObject({ code: 'invalid_secret' })
        const signing = scene.webhooks.signWebhook(none as never, { id: 'evt_1', timestampMs: 0, body: '{}' })
        await expect(signing).rejects.toMatchObject({ code: 'invalid_secret' })
      }
      const { url } = await serve((request, response) => void receiver.node(request, response))
      expect((await post(url, event)).status).toBe(500)
    },
  },
  {
    name: 'the tolerance of timestamps has one side',
    source: 'stripe/stripe-php#657',
    holds: 'a timestamp of an hour ago or ahead is refused, one of four minutes is not',
    async run({ webhooks }) {
      const at = async (offsetMs: number) => {
        const headers = await webhooks.signWebhook([secret], {
          ...{ id: 'evt_1', timestampMs: Date.now() + offsetMs, body: subtleEvent },
        })
        return webhooks.verifyWebhook({ secret, headers: { ...headers }, body: subtleEvent })
      }
      for (const minutes of [-60, -6, 6, 60])
        await expect(at(minutes * 60_000)).rejects.toMatchObject({ code: 'webhook_unverified' })
      for (const minutes of [-4, 0, 4]) expect(await at(minutes * 60_000)).toMatchObject({ id: 'evt_1' })
    },
  },
  {
    name: 'during a rotation events are refused',
    source: 'stripe/stripe-node#396',
    holds: 'a list of secrets takes the events of each',
    async run(scene) {
      const other = scene.webhooks.webhookSecret(crypto.getRandomValues(new Uint8Array(24)))
      const { receiver, event, subjects } = await receiving(scene, { secret: [other, secret] })
      const { url } = await serve((request, response) => void receiver.node(request, response))
      expect((await post(url, event)).status).toBe(204)
      expect(subjects).toEqual(['Bicycle'])
    },
  },
  {
    name: 'a delivery that is repeated while the first is handled runs twice',
    source: 'cyrusagents/cyrus#1450',
    holds: 'all get the same answer, and the handler runs once',
    async run(scene) {
      let release = () => {}
      const gate = new Promise<void>((resolve) => (release = resolve))
      let runs = 0
      const { receiver, event } = await receiving(scene, {
        onMessage: () => {
          runs += 1
          return gate
        },
      })
      const { url, proxy } = await serve((request, response) => void receiver.node(request, response))
      const answers = [post(url, event), post(url, event), post(url, event)]
      await expect.poll(() => proxy.requests.length).toBe(3)
      await expect.poll(() => runs).toBe(1)
      release()
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 204, 204])
      expect((await post(url, event)).status).toBe(204)
      expect(runs).toBe(1)
    },
  },
  {
    name: 'a delivery that failed counts as handled when it is repeated',
    source: 'NousResearch/hermes-agent#47293',
    holds: 'the handler runs again until it succeeds',
    async run(scene) {
      let runs = 0
      const { receiver, event } = await receiving(scene, {
        onMessage: () => {
          runs += 1
          if (runs < 3) throw new Error('not yet')
        },
      })
      const { url } = await serve((request, response) => void receiver.node(request, response))
      const statuses = []
      for (let turn = 0; turn < 4; turn += 1) statuses.push((await post(url, event)).status)
      expect(statuses).toEqual([500, 500, 204, 204])
      expect(runs).toBe(3)
    },
  },
  {
    name: 'an older event that arrives later overwrites the newer state',
    source: 'stripe/stripe-cli#418',
    holds: 'both are handled, and the mailbox shows the newer state',
    async run(scene) {
      const inbox = await scene.newInbox()
      const { Mailbox } = scene.restante
      const mailbox = await Mailbox.open({
        url: scene.url,
        apiKey: scene.apiKey,
        inbox: inbox.id,
        source: 'webhook',
      })
      const types: string[] = []
      const receiver = mailbox.webhook({ secret, onEvent: ({ type }) => types.push(type) })
      const { url } = await serve((request, response) => void receiver.node(request, response))
      await scene.mail(inbox.address, 'Bicycle')
      const older = await signedEvent(scene, inbox.id)
      const message_id: string = JSON.parse(older.body).data.id
      const { labels } = mailbox.client
      await labels.assign({ id: (await labels.create({ name: 'urgent' })).id, message_id })
      const newer = await signedEvent(scene, inbox.id)
      expect((await post(url, newer)).status).toBe(204)
      expect((await post(url, older)).status).toBe(204)
      expect(types).toEqual([JSON.parse(newer.body).type, 'message.received'])
      expect((await mailbox.messages.get(message_id)).record.seq).toBe(JSON.parse(newer.body).seq)
      await mailbox.close()
    },
  },
  {
    name: 'a probe by GET or HEAD is an error of the receiver',
    source: 'elastic/integrations#15355',
    holds: 'it is answered 405 with Allow, and nothing is reported',
    async run(scene) {
      const { receiver } = await receiving(scene)
      const { url } = await serve((request, response) => void receiver.node(request, response))
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(url, { method })
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
      }
    },
  },
  {
    name: 'the proxy ends a delivery in the middle',
    source: 'documenso/documenso#3204',
    holds: 'the id is the same in the next attempt, so it is handled once',
    async run(scene) {
      const { receiver, event, subjects } = await receiving(scene)
      const { url, proxy } = await serve((request, response) => void receiver.node(request, response))
      proxy.behave(() => ({ cutsAnswer: true }))
      await expect(post(url, event)).rejects.toThrow()
      proxy.behave()
      expect((await post(url, event)).status).toBe(204)
      expect(subjects).toEqual(['Bicycle'])
    },
  },
  {
    name: 'a build fails because a variable is not set',
    source: 'auth0/nextjs-auth0#1356',
    holds: 'a receiver is made without any; its requests are answered 500',
    async run(scene) {
      const receiver = scene.restante.createWebhookReceiver({
        url: undefined,
        apiKey: undefined,
        secret: undefined,
      })
      const { url } = await serve((request, response) => void receiver.node(request, response))
      expect((await post(url, { body: '{}', headers: {} })).status).toBe(500)
    },
  },
]
