import { expect, test } from 'vitest'
import { createClient } from '../../../src/client/client'
import { createWebhookSource } from '../../../src/mailbox/sync/poll-source'
import { Sync } from '../../../src/mailbox/sync/sync'
import type { SyncStatus } from '../../../src/mailbox/sync/sync-machine'
import { FakeClock, settle, until } from '../support/fake-clock'
import { FakeService } from '../support/fake-service'

/** A sync that reads by webhooks. */
const openHinted = async (service = new FakeService()) => {
  const clock = new FakeClock()
  const client = createClient({
    url: 'https://mail.example/v1',
    apiKey: service.key,
    fetch: (address, init) => service.fetch(new Request(address, init)),
  })
  const seen: number[] = []
  const statuses: SyncStatus[] = []
  const source = createWebhookSource({ client, inboxId: undefined, clock })
  const sync = new Sync({
    client,
    clock,
    prefer: 'webhook',
    inboxId: undefined,
    sources: { socket: source, webhook: source, poll: source },
    onEvent: ({ seq }) => seen.push(seq),
    onState: ({ status }) => statuses.push(status),
    onError: () => {},
    onReset: () => {},
    onFatal: () => {},
  })
  sync.start()
  await until(() => sync.state.status === 'live')
  return { sync, service, clock, seen, statuses }
}

test('S3: a webhook is a hint: the log is read up to it, once, in order', async () => {
  const { sync, service, seen } = await openHinted()
  expect(sync.state).toMatchObject({ source: 'webhook', cursor: 0 })
  for (let count = 0; count < 5; count += 1) service.receive()
  await settle()
  expect(seen).toEqual([])
  await Promise.all([sync.hint(3), sync.hint(1), sync.hint(5), sync.hint(5)])
  expect(seen).toEqual([1, 2, 3, 4, 5])
  await sync.hint(2)
  expect(sync.state).toMatchObject({ status: 'live', cursor: 5, lag: 0 })
  sync.close()
})

test('S3: where a webhook is lost, the log is looked at once a minute', async () => {
  const { sync, service, clock, seen } = await openHinted()
  service.receive()
  const asked = service.requests.length
  await clock.advance(59_000)
  expect(service.requests).toHaveLength(asked)
  await clock.advance(1_000)
  expect(seen).toEqual([1])
  sync.close()
  expect(clock.pending).toBe(0)
})

test('a hint that fails says so, and the source goes on', async () => {
  const { sync, service, clock, seen, statuses } = await openHinted()
  service.receive()
  service.down = true
  await expect(sync.hint(1)).rejects.toMatchObject({ name: 'NetworkError' })
  expect(statuses.at(-1)).toBe('stale')
  service.down = false
  await clock.advance(1_000)
  expect(seen).toEqual([1])
  expect(sync.state).toMatchObject({ status: 'live', lag: 0 })
  sync.close()
})

test('a hint beyond the end of the log is refused, and forgotten', async () => {
  const { sync, service, seen } = await openHinted()
  service.receive()
  await expect(sync.hint(9)).rejects.toMatchObject({ code: 'log_incomplete' })
  expect(seen).toEqual([1])
  expect(sync.state).toMatchObject({ status: 'live', cursor: 1, head: 1 })
  sync.close()
})

test('a hint of another epoch is refused, since the cache is of the log before a restore, until that is read', async () => {
  const { sync, service, clock } = await openHinted()
  for (let count = 0; count < 3; count += 1) service.receive()
  await sync.hint(3)
  service.restore(1)
  service.receive()
  await expect(sync.hint(2, 'restored')).rejects.toMatchObject({ code: 'cursor_expired' })
  await clock.advance(1_000)
  expect(sync.epoch).toBe('restored')
  await sync.hint(2, 'restored')
  sync.close()
})

test('a hint that still waits is rejected when the mailbox is closed', async () => {
  const { sync, service } = await openHinted()
  service.override = () => new Promise(() => {})
  const waiting = sync.hint(1)
  sync.close()
  await expect(waiting).rejects.toMatchObject({ code: 'mailbox_closed' })
  await expect(sync.hint(1)).rejects.toMatchObject({ code: 'mailbox_closed' })
})
