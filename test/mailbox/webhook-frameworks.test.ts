import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import type { WebhookReceiver } from 'restante'
import { createWorld } from 'restante/testing'
import { expect, onTestFinished, test } from 'vitest'
import { obstacle } from '../support/proves'
import { nextRoute } from './support/next-route'

/** A server of a framework, reached over a real port. */
type Serve = (receive: WebhookReceiver) => Promise<Server>

const listen = (handler: RequestListener) =>
  new Promise<Server>((resolve) => {
    const server = createServer(handler).listen(0, '127.0.0.1', () => resolve(server))
  })
const listenHono = (handle: (request: Request) => Promise<Response>) =>
  new Promise<Server>((resolve) => {
    const { fetch } = new Hono().post('/hook', ({ req }) => handle(req.raw))
    const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(server as Server))
  })

const frameworks: Record<string, Serve> = {
  'a server of Node': (receive) => listen(receive.node),
  express: (receive) => {
    const app = express()
    app.post('/hook', receive.node)
    app.use(express.json())
    return listen(app)
  },
  'express with a raw body': (receive) => {
    const app = express()
    app.post('/hook', express.raw({ type: '*/*' }), receive.node)
    return listen(app)
  },
  fastify: async (receive) => {
    const app = fastify()
    app.addContentTypeParser('application/json', (_request, _payload, done) => done(null))
    app.post('/hook', async (request, reply) => {
      reply.hijack()
      await receive.node(request.raw, reply.raw)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },
  'fastify with a raw body': async (receive) => {
    const app = fastify()
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    app.post('/hook', async (request, reply) => {
      reply.hijack()
      await receive.node(Object.assign(request.raw, { body: request.body }), reply.raw)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },
  hono: listenHono,
}

async function served(start: Serve) {
  const world = await createWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  const mailbox = await world.open({ source: 'webhook' })
  const endpoint = await world.webhook({ events: ['message.received'] })
  const handled: string[] = []
  const receive = mailbox.webhook({
    secret: endpoint.secret,
    onMessage: ({ subject }) => void handled.push(subject),
  })
  const server = await start(receive)
  onTestFinished(() => void server.close())
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const write = () =>
    world.person('ana@example.com').write({ to: mailbox.address, subject: 'Hello', text: 'Grüße' })
  const post = (change: RequestInit = {}) => {
    const { headers, body } = endpoint.requests.at(-1)!
    return fetch(target, { method: 'POST', headers, body, ...change })
  }
  await write()
  await world.settle()
  return { post, handled }
}

async function receives(start: Serve) {
  const { post, handled } = await served(start)
  expect((await post()).status).toBe(204)
  expect((await post()).status).toBe(204)
  expect(handled).toEqual(['Hello'])
  const forged = await post({ body: '{}' })
  expect([forged.status, await forged.json()]).toEqual([
    401,
    { error: 'webhook_unverified', message: expect.stringContaining('No signature fits') },
  ])
  const large = await post({ body: 'x'.repeat(1_100_000) })
  expect(large.status).toBe(413)
}

test.each(Object.entries(frameworks))('%s receives a webhook', (_name, start) => receives(start))

const withoutNext = obstacle({ node: 20, needs: 'next' })
test.skipIf(withoutNext)(`Next receives a webhook${withoutNext ? `: ${withoutNext}` : ''}`, async () => {
  const { fetch } = globalThis
  onTestFinished(() => void Object.assign(globalThis, { fetch })) // Next puts its own in its place
  await receives((receive) => listen(nextRoute({ POST: receive })))
})

const consumers: Record<string, Serve> = {
  'express.json() before': (receive) => {
    const app = express()
    app.use(express.json())
    app.post('/hook', receive.node)
    return listen(app)
  },
  'the JSON parser of fastify': async (receive) => {
    const app = fastify()
    app.post('/hook', async (request, reply) => {
      reply.hijack()
      await receive.node(request.raw, reply.raw)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server
  },
  'a handler of hono that read it': (receive) =>
    listenHono(async (request) => {
      await request.text()
      return receive(request)
    }),
}

test.each(Object.entries(consumers))('a body read by %s is refused with a remedy', async (_name, start) => {
  const { post, handled } = await served(start)
  const response = await post()
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: 'body_consumed', message: expect.stringContaining('express.raw') },
  ])
  expect(handled).toEqual([])
})
