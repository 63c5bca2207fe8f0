import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { Mailbox } from 'restante'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startService } from '../support/service'

const exporter = new InMemorySpanExporter()
beforeAll(() => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})
beforeEach(() => exporter.reset())
afterAll(() => {
  for (const api of [trace, context, propagation]) api.disable()
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
  expect((await spanOf('accept mail')).attributes).toEqual({ 'restante.message_id': id })
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
  const told = await spanOf('attempt webhook')
  expect(told.attributes['restante.event_type']).toBe('message.received')

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
