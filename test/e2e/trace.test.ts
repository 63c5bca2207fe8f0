import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { context, propagation, type TextMapPropagator, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { Mailbox } from 'restante'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { mailOf, startScriptedMailbox } from '../service/connections/support/scripted-mailbox'
import { openService, startService } from '../support/service'

const exporter = new InMemorySpanExporter()
let isBroken = false
/** Throws as each span ends, while it is broken. */
const breaking: SpanProcessor = {
  onStart: () => {},
  onEnd: () => {
    if (isBroken) throw new Error('the SDK is broken')
  },
  forceFlush: async () => {},
  shutdown: async () => {},
}
/** Hands on what mail is about, as a propagator of baggage might. */
const talking: TextMapPropagator = {
  inject: (_, carrier, { set }) => set(carrier, 'baggage', 'user.email=ann@example.com'),
  extract: (context) => context,
  fields: () => ['baggage'],
}
// A framework that another file of this process has loaded may have an SDK of its own, and only the first is taken.
const globals = globalThis as { [place: symbol]: unknown }
const place = Symbol.for('opentelemetry.js.api.1')
const others = globals[place]
beforeAll(() => {
  delete globals[place]
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter), breaking] }),
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), talking] }),
  )
})
beforeEach(() => exporter.reset())
afterAll(() => {
  for (const api of [trace, context, propagation]) api.disable()
  globals[place] = others
})

const spans = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name)
const spanOf = (name: string, isIt: (span: ReadableSpan) => boolean = () => true) =>
  expect
    .poll(() => spans(name).find(isIt))
    .toBeDefined()
    .then(() => spans(name).find(isIt)!)
const traceIdOf = (span: ReadableSpan) => span.spanContext().traceId
const isWithin = (inner: ReadableSpan, outer: ReadableSpan) => {
  expect(traceIdOf(inner)).toBe(traceIdOf(outer))
  expect(inner.parentSpanContext?.spanId).toBe(outer.spanContext().spanId)
}

const isAbout = (later: ReadableSpan, earlier: ReadableSpan) => {
  expect(later.links.map(({ context }) => context)).toMatchObject([
    { traceId: traceIdOf(earlier), spanId: earlier.spanContext().spanId, isRemote: true },
  ])
  expect(traceIdOf(later)).not.toBe(traceIdOf(earlier))
}

test('a mail is followed from its acceptance through the loop to its reply and webhook, over the wire, and nothing of it is told', async () => {
  const service = await startService(
    {},
    { postToEndpoint: async () => ({ httpStatus: 204, error: null, responseBody: null }) },
  )
  onTestFinished(() => service[Symbol.asyncDispose]())
  const hook = { url: 'https://hooks.example/secret-path', events: ['message.received'] }
  expect((await service.call('POST', '/webhooks', { body: hook })).status).toBe(201)
  const mailbox = await Mailbox.open({ url: service.url, apiKey: service.home.apiKey })
  onTestFinished(() => mailbox.close())
  mailbox.run((message) => message.reply('An answer to nobody else'), { consumer: 'bot' })
  await service.mail({ subject: 'A subject of its own', text: 'A text of its own' })

  const handled = await spanOf('handle mail')
  const id = handled.attributes['restante.message_id']
  const accepted = await spanOf('accept mail')
  expect(accepted.attributes).toEqual({ 'restante.message_id': id })
  isAbout(handled, accepted)
  const reply = await spanOf('reply')
  expect(reply.attributes).toEqual({ 'restante.message_id': id })
  isWithin(reply, handled)
  const call = await spanOf('POST /messages/{id}/reply')
  isWithin(call, reply)
  const answered = await spanOf('POST /v1/messages/{id}/reply')
  isWithin(answered, call)
  expect(answered.attributes['http.response.status_code']).toBe(200)

  const sent = (await service.call('GET', '/messages?direction=outbound')).body.messages[0]
  const delivered = await spanOf('attempt delivery')
  expect(delivered.attributes).toEqual({ 'restante.message_id': sent.id })
  isAbout(delivered, answered)
  const reported = await spanOf('attempt webhook')
  expect(reported.attributes['restante.event_type']).toBe('message.received')

  const all = JSON.stringify(
    exporter
      .getFinishedSpans()
      .map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
  )
  for (const secret of [
    'of its own',
    'nobody else',
    'ana@',
    service.home.address,
    service.home.apiKey,
    'secret-path',
  ])
    expect(all).not.toContain(secret)
})

test('a loop of another time knows the span of the mail, and what its body does belongs to it', async () => {
  const service = await startService()
  onTestFinished(() => service[Symbol.asyncDispose]())
  await service.mail({ subject: 'Before', text: 'Is anybody there?' })
  const accepted = await spanOf('accept mail')
  const mailbox = await Mailbox.open({ url: service.url, apiKey: service.home.apiKey })
  onTestFinished(() => mailbox.close())
  for await (const message of mailbox.incoming({ consumer: 'bot' })) {
    await message.reply('An answer')
    expect(spans('handle mail')).toEqual([])
    break
  }
  const handled = await spanOf('handle mail')
  isAbout(handled, accepted)
  expect(handled.attributes).toEqual(accepted.attributes)
  isWithin(await spanOf('reply'), handled)
})

test('a loop without a consumer has a span for each mail, until it asks for the next', async () => {
  const service = await startService()
  onTestFinished(() => service[Symbol.asyncDispose]())
  const mailbox = await Mailbox.open({ url: service.url, apiKey: service.home.apiKey })
  onTestFinished(() => mailbox.close())
  const loop = mailbox.incoming()
  const next = loop.next()
  await service.mail({ subject: 'One', text: 'Is anybody there?' })
  await next
  expect(spans('handle mail')).toEqual([])
  const another = loop.next()
  isAbout(await spanOf('handle mail'), await spanOf('accept mail'))
  await loop.return()
  await another
  expect(spans('handle mail')).toHaveLength(1)
})

test('mail of a connected mailbox is taken in within a span, which a loop knows', async () => {
  const elsewhere = await startScriptedMailbox()
  onTestFinished(() => elsewhere[Symbol.asyncDispose]())
  elsewhere.imap.append(mailOf('from-elsewhere'), 'INBOX')
  const service = await openService()
  onTestFinished(() => service[Symbol.asyncDispose]())
  const { body } = await service.call('POST', '/connections', { body: elsewhere.body({ since: 'all' }) })
  const accepted = await spanOf('accept mail')
  expect(accepted.attributes).toEqual({ 'restante.connection_id': body.id })
  const { messages } = (await service.call('GET', `/messages?inbox_id=${body.inbox_id}`)).body
  const { traceId, spanId } = accepted.spanContext()
  expect(messages[0].traceparent).toBe(`00-${traceId}-${spanId}-01`)
})

test('whoever signs in names the trace of a request, and nobody else', async () => {
  const service = await openService()
  onTestFinished(() => service[Symbol.asyncDispose]())
  const traceId = 'a'.repeat(32)
  const headers = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` }
  await service.call('GET', '/account', { headers })
  expect(traceIdOf(await spanOf('GET /v1/account'))).toBe(traceId)
  for (const key of [null, 'rst_wrong']) {
    exporter.reset()
    expect((await service.call('GET', '/account', { headers, key })).status).toBe(401)
    expect(traceIdOf(await spanOf('GET /v1/account'))).not.toBe(traceId)
  }
})

test('what fails says its code', async () => {
  const service = await startService()
  onTestFinished(() => service[Symbol.asyncDispose]())
  const mailbox = await Mailbox.open({ url: service.url, apiKey: service.home.apiKey })
  onTestFinished(() => mailbox.close())
  await expect(mailbox.messages.get('msg_unknown00000')).rejects.toThrow()
  const failed = await spanOf('GET /messages/{id}')
  expect(failed.attributes['error.type']).toBe('not_found')
  expect(failed.status).toEqual({ code: 2 })
})

test('an SDK that throws undoes nothing: mail is taken, answered and sent once', async () => {
  const service = await startService()
  onTestFinished(() => service[Symbol.asyncDispose]())
  const mailbox = await Mailbox.open({ url: service.url, apiKey: service.home.apiKey })
  onTestFinished(() => mailbox.close())
  isBroken = true
  onTestFinished(() => {
    isBroken = false
  })
  mailbox.run((message) => message.reply('Once'), { consumer: 'bot' })
  await service.mail({ subject: 'Broken', text: 'Is anybody there?' })
  const sent = async () => (await service.call('GET', '/messages?direction=outbound')).body.messages
  await expect.poll(async () => (await sent())[0]?.delivery_status).toBe('sent')
  expect(await sent()).toHaveLength(1)
})

test('a request hands on the trace, and nothing else that an SDK would', async () => {
  const asked: IncomingHttpHeaders[] = []
  const server = createServer(({ headers }, response) => {
    asked.push(headers)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(Mailbox.open({ url, apiKey: 'rst_none' })).rejects.toThrow()
  expect(asked[0]).toMatchObject({ traceparent: expect.stringMatching(/^00-/) })
  expect(asked[0]).not.toHaveProperty('baggage')
})
