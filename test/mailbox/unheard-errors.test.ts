import type { Event } from 'restante/protocol'
import { createWorld } from 'restante/testing'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { eventually, openConsuming } from './support/consuming'
import { openFake } from './support/open'

beforeEach(() => {
  // Other files share this process and may have set it.
  const { exitCode } = process
  process.exitCode = undefined
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  return () => {
    process.exitCode = exitCode
    printed.mockRestore()
  }
})

const printed = () => vi.mocked(console.error).mock.calls.map(([error]) => error)

test('what a handler of run() throws is printed if nobody listens, and the process ends with 1', async () => {
  await using world = await openConsuming()
  await world.mail('a')
  const run = world.mailbox.run(
    () => {
      throw new Error('the model is away')
    },
    { consumer: 'bot' },
  )
  await eventually(() => printed().length > 0)
  expect(printed()[0]).toMatchObject({ code: 'handler_failed', cause: { message: 'the model is away' } })
  expect(process.exitCode).toBe(1)
  await run.stop()
})

test('a listener or onError takes what a handler throws: nothing is printed', async () => {
  await using world = await openConsuming()
  await world.mail('a')
  const taken: unknown[] = []
  const stop = world.mailbox.on('error', ({ code }) => taken.push(code))
  const handler = () => {
    throw new Error('the model is away')
  }
  const listened = world.mailbox.run(handler, { consumer: 'listened' })
  await eventually(() => taken.length > 0)
  await listened.stop()
  stop()
  const reported: unknown[] = []
  const run = world.mailbox.run(handler, { consumer: 'told', onError: (error) => reported.push(error) })
  await eventually(() => reported.length > 0)
  await run.stop()
  expect(taken).toContain('handler_failed')
  expect(printed()).toEqual([])
  expect(process.exitCode).not.toBe(1)
})

test('a run that its onError ended says so, though nobody awaits done', async () => {
  await using world = await openConsuming()
  await world.mail('a')
  world.mailbox.run(
    () => {
      throw new Error('the model is away')
    },
    {
      consumer: 'bot',
      onError: (error) => {
        throw error
      },
    },
  )
  await eventually(() => printed().length > 0)
  expect(printed()[0].message).toContain('onError of run() threw, which ends the run')
})

test('a key that was revoked is printed once the mailbox ends by it', async () => {
  const service = await openWithoutListener()
  service.key = 'another'
  service.cut()
  await vi.waitFor(() => expect(printed()).not.toEqual([]))
  expect(printed()[0].code).toBe('unauthorized')
  expect(process.exitCode).toBe(1)
})

/** A mailbox that nobody listens to. */
async function openWithoutListener() {
  const { FakeService } = await import('./support/fake-service')
  const { Mailbox } = await import('restante')
  const service = new FakeService()
  const mailbox = await Mailbox.open({ service, source: 'socket' })
  onTestFinished(() => mailbox.close())
  return service
}

test('a listener that throws is printed if nobody hears errors', async () => {
  const { service, mailbox } = await openFake()
  onTestFinished(() => mailbox.close())
  const { Mailbox } = await import('restante')
  const unheard = await Mailbox.open({ service })
  onTestFinished(() => unheard.close())
  unheard.on('event', () => {
    throw new Error('of the listener')
  })
  service.receive()
  await vi.waitFor(() => expect(printed()).toMatchObject([{ code: 'listener_failed' }]))
})

test('what a handler of a webhook throws goes to onError with its event, else to the console', async () => {
  const world = await createWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  const mailbox = await world.open({ source: 'webhook' })
  const endpoint = await world.webhook({ events: ['message.received'] })
  const onMessage = () => {
    throw new Error('the model is away')
  }
  const reported: [unknown, Event][] = []
  const receive = {
    reported: mailbox.webhook({
      secret: endpoint.secret,
      onMessage,
      onError: (error, event) => reported.push([error, event]),
    }),
    unheard: mailbox.webhook({ secret: endpoint.secret, onMessage }),
  }
  await world.person('ana@example.com').write({ to: mailbox.address, subject: 'Hello', text: 'Hi' })
  await world.settle()
  const { headers, body } = endpoint.requests[0]!
  const request = () => new Request('https://agent.example/hook', { method: 'POST', headers, body })
  expect((await receive.reported(request())).status).toBe(500)
  expect(reported).toEqual([[expect.objectContaining({ message: 'the model is away' }), expect.anything()]])
  expect(reported[0]![1].type).toBe('message.received')
  expect(printed()).toEqual([])
  expect((await receive.unheard(request())).status).toBe(500)
  expect(printed()).toMatchObject([{ code: 'handler_failed', cause: { message: 'the model is away' } }])
})

test('options that webhook() does not have are refused', async () => {
  const { mailbox } = await openFake()
  onTestFinished(() => mailbox.close())
  const options = { secret: 'whsec_AAAA', onMesage: () => {} }
  expect(() => mailbox.webhook(options)).toThrow('not onMesage: say onMessage')
})
