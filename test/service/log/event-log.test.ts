import { expect, it, onTestFinished } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService, type QuietService } from '../../support/service'
import { useDatabase } from '../../support/use-service'

interface LogEvent {
  seq: number
  type: string
  data: { seq: number; id: string }
}

async function readAll({ call }: QuietService): Promise<LogEvent[]> {
  const events: LogEvent[] = []
  for (let after = 0; ; ) {
    const { body } = await call('GET', `/events?after=${after}&limit=7`)
    events.push(...body.events)
    if (body.to === body.head) return events
    after = body.to
  }
}

describeDatabases('the event log', (openDatabase) => {
  const database = useDatabase(openDatabase)
  const start = () => database.start(openService)

  it('S1: seq is dense, in commit order, under concurrent writers', async () => {
    const one = await start()
    const other = database.options.databaseUrl === undefined ? one : await start()
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const { mail, call } = i % 2 ? one : other
        if (i % 3 === 0) return call('POST', '/messages', { body: { to: [`p${i}@example.com`], text: 'hi' } })
        return mail({ subject: `mail ${i}`, messageId: `<m${i}@example.com>` })
      }),
    )
    const events = await readAll(one)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1))
    expect(events.filter((event) => event.type === 'message.received')).toHaveLength(40)
    expect(events.filter((event) => event.type === 'message.queued')).toHaveLength(20)
    for (const event of events) expect(event.data.seq).toBe(event.seq)
  })

  it('S1: a change that is refused leaves no event, and no hole', async () => {
    const service = await start()
    await service.mail({})
    await service.call('POST', '/messages', { body: { to: ['a@example.com'], text: 'x', client_id: 'one' } })
    const before = (await readAll(service)).filter((event) => event.type === 'message.queued')
    const refused = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        service.call('POST', '/messages', {
          body: { to: ['a@example.com'], text: `y${i}`, client_id: 'one' },
        }),
      ),
    )
    expect(new Set(refused.map((answer) => answer.body.error))).toEqual(new Set(['client_id_conflict']))
    const events = await readAll(service)
    expect(events.filter((event) => event.type === 'message.queued')).toEqual(before)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1))
  })

  it('S2: the records that the log leads to are those that the service shows', async () => {
    const service = await start()
    await service.mail({ messageId: '<a@x>' })
    await service.mail({ messageId: '<b@x>', inReplyTo: '<a@x>' })
    const [message] = (await service.call('GET', '/messages')).body.messages
    await service.call('POST', `/messages/${message.id}/reply`, { body: { text: 'thanks' } })
    await expect
      .poll(async () => (await service.call('GET', '/messages')).body.messages[0].delivery_status)
      .toBe('sent')
    const reported = new Map<string, object>()
    for (const event of await readAll(service)) reported.set(event.data.id, event.data)
    const { messages } = (await service.call('GET', '/messages?body=false')).body
    const { threads } = (await service.call('GET', '/threads')).body
    const { inboxes } = (await service.call('GET', '/inboxes')).body
    const shown = [...messages, ...threads, ...inboxes] as { id: string }[]
    expect(shown).toHaveLength(5)
    // How each recipient fares is no part of the record that lists show.
    for (const record of shown) expect({ ...reported.get(record.id), recipients: undefined }).toEqual(record)
  })

  it('answers a poll once something comes, and a filtered page says how far it reaches', async () => {
    const service = await start()
    const head = (await service.call('GET', '/events?after=now')).body.to
    const waiting = service.call('GET', `/events?after=${head}&types=message.received&wait_ms=20000`)
    await service.mail({ subject: 'wake up' })
    const { body } = await waiting
    expect(body.events.map((event: LogEvent) => event.type)).toEqual(['message.received'])
    expect(body).toMatchObject({ from: head, to: head + 2, head: head + 2 })
    const empty = (await service.call('GET', `/events?after=${head}&types=message.bounced`)).body
    const epoch = { epoch: 'first', epoch_from: 0 }
    expect(empty).toEqual({ events: [], from: head, to: head + 2, head: head + 2, ...epoch })
  })

  it('lets many polls wait at once without a warning of Node', async () => {
    const service = await start()
    const warned: Error[] = []
    const warn = (warning: Error) => warned.push(warning)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const head = (await service.call('GET', '/events?after=now')).body.to
    const path = `/events?after=${head}&types=message.received&wait_ms=20000`
    const waiting = Array.from({ length: 12 }, () => service.call('GET', path))
    // The service answers in turn: all of them wait by now.
    await service.call('GET', '/inboxes')
    await service.mail({ subject: 'wake up' })
    for (const { body } of await Promise.all(waiting)) expect(body.events).toHaveLength(1)
    expect(warned).toEqual([])
  })

  it('S9: tells a cursor beyond its end, as after a restore, that it reaches nowhere', async () => {
    const service = await start()
    expect(await service.call('GET', '/events?after=99')).toMatchObject({
      status: 410,
      body: { error: 'cursor_expired' },
    })
  })
})
