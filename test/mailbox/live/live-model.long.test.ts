import fc from 'fast-check'
import { isServiceError, type LiveQuery, Mailbox } from 'restante'
import { createService } from 'restante/service'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/protocol/time/clock'
import { until } from '../support/fake-clock'
import { deeds, MailWorld, tryDeed } from '../support/mail-world'
import { slowService } from '../support/slow-service'

type Rows = LiveQuery<{ readonly record: { readonly id: string } }>
interface Watched {
  readonly name: string
  readonly query: Rows
  /** The lists that the service shows. */
  readonly list: () => Promise<readonly unknown[]>
  stop: (() => void) | null
}

const limit = 3

const watchAll = (mailbox: Mailbox, { client }: MailWorld, inbox_id: string | undefined): Watched[] => {
  const { threads, messages, drafts } = mailbox
  const shared = { inbox_id, limit }
  // The events, which keep a query up to date, tell no more of a message.
  const brief = { ...shared, body: 'false' } as const
  const rows: [string, Rows, () => Promise<readonly unknown[]>][] = [
    ['threads', threads.watch({ limit }), async () => (await client.threads.list(shared)).threads],
    [
      'threads with spam',
      threads.watch({ limit, spam: true }),
      async () => (await client.threads.list({ ...shared, include: 'spam' })).threads,
    ],
    [
      'red threads',
      threads.watch({ limit, label: 'red' }),
      async () => (await client.threads.list({ ...shared, label: 'red' })).threads,
    ],
    ['messages', messages.watch({ limit }), async () => (await client.messages.list(brief)).messages],
    [
      'blue messages',
      messages.watch({ limit, label: 'Blue' }),
      async () => (await client.messages.list({ ...brief, label: 'Blue' })).messages,
    ],
    [
      'spam',
      messages.watch({ limit, label: 'spam' }),
      async () => (await client.messages.list({ ...brief, label: 'spam' })).messages,
    ],
    [
      'trash',
      messages.watch({ limit, label: 'trash' }),
      async () => (await client.messages.list({ ...brief, label: 'trash' })).messages,
    ],
    [
      'messages with trash',
      messages.watch({ limit, trash: true }),
      async () => (await client.messages.list({ ...brief, include: 'trash' })).messages,
    ],
    [
      'unread',
      messages.watch({ limit, label: 'unread' }),
      async () => (await client.messages.list({ ...brief, label: 'unread' })).messages,
    ],
    [
      'unread threads',
      threads.watch({ limit, label: 'unread' }),
      async () => (await client.threads.list({ ...shared, label: 'unread' })).threads,
    ],
    [
      'threads with all that was put away',
      threads.watch({ limit, spam: true, trash: true }),
      async () => (await client.threads.list({ ...shared, include: 'all' })).threads,
    ],
    [
      'outbound',
      messages.watch({ limit, direction: 'outbound' }),
      async () => (await client.messages.list({ ...brief, direction: 'outbound' })).messages,
    ],
    ['drafts', drafts.watch({ limit }), async () => (await client.drafts.list(shared)).drafts],
    [
      'scheduled drafts',
      drafts.watch({ limit, status: 'scheduled' }),
      async () => (await client.drafts.list({ ...shared, status: 'scheduled' })).drafts,
    ],
  ]
  return rows.map(([name, query, list]) => ({ name, query, list, stop: null }))
}

const orGone = (reading: Promise<unknown>): Promise<unknown> =>
  reading.catch((error) => {
    if (isServiceError(error, 'not_found')) return 'gone'
    throw error
  })

/** Compares what the mailbox says of every record that it has seen with what the service says. */
const compare = async (mailbox: Mailbox, { client }: MailWorld, seen: Map<string, string>) => {
  const said: unknown[] = []
  const reported: unknown[] = []
  for (const [id, kind] of seen) {
    if (kind === 'message') {
      said.push(await orGone(mailbox.messages.get(id).then(({ record }) => record)))
      reported.push(
        await orGone(
          client.messages.get({ id }).then(({ body_text, body_html, headers, codes, links, ...rest }) => {
            const { report: _, recipients: __, ...record } = rest
            return expect.objectContaining(record)
          }),
        ),
      )
    } else if (kind === 'thread') {
      said.push(
        await orGone(
          mailbox.client.threads.get({ id }).then(async () => {
            const { record, messages } = await mailbox.threads.get(id)
            return { record, ids: messages.map((message) => message.id) }
          }),
        ),
      )
      reported.push(
        await orGone(
          client.threads.get({ id }).then(async (record) => {
            const query = { thread_id: id, order: 'asc', limit: 100 } as const
            const [without, all] = await Promise.all([
              client.messages.list(query),
              client.messages.list({ ...query, include: 'spam' }),
            ])
            const { messages } = without.messages.length > 0 ? without : all
            return { record: expect.objectContaining(record), ids: messages.map((message) => message.id) }
          }),
        ),
      )
    } else if (kind === 'draft') {
      said.push(await orGone(mailbox.drafts.get(id).then(({ record }) => record)))
      reported.push(await orGone(client.drafts.get({ id, include: 'content' })))
    }
  }
  said.push(await mailbox.labels.list())
  reported.push((await client.labels.list({ limit: 100 })).labels)
  return { said, reported }
}

const kinds = [
  ...Object.keys(deeds),
  'mail',
  'mail',
  'mail',
  'assign',
  'assign',
  'read',
  'read',
  'labels',
  'watch',
  'hold',
  'release',
  'cut',
  'check',
]
const step = fc.record({ kind: fc.constantFrom(...kinds), a: fc.nat(50), b: fc.nat(50), waits: fc.boolean() })

test.each(['all inboxes', 'one inbox'])(
  'S2: what the mailbox holds and shows is what the service shows, whatever happens (%s)',
  async (filter) => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      await using service = await createService({ log: 'silent' })
      const { apiKey } = await service.home()
      const world = await MailWorld.open(service, apiKey)
      await world.makeInbox()
      const slow = slowService(service)
      const inbox = filter === 'one inbox' ? world.inboxes[0]?.id : undefined
      const clock = { ...systemClock, random: () => 0 }
      await using mailbox = await Mailbox.open({
        service: slow,
        apiKey,
        clock,
        maxCacheBytes: 40_000,
        ...(inbox && { inbox }),
      })
      const seen = new Map<string, string>()
      const errors: unknown[] = []
      mailbox.on('error', (error) => errors.push(error))
      mailbox.on('event', ({ type, data }) => {
        const kind = type.slice(0, type.indexOf('.'))
        seen.set(String(data.id), kind === 'label' && 'thread_id' in data ? 'message' : kind)
      })
      const watched = watchAll(mailbox, world, inbox)
      const underWay: Promise<unknown>[] = []

      const check = async () => {
        slow.release()
        await Promise.all(underWay.splice(0))
        for (;;) {
          const { to } = await world.client.events.list({ after: 'now' })
          await until(() => mailbox.state.cursor >= to && mailbox.state.status === 'live')
          const { said, reported } = await compare(mailbox, world, seen)
          const shown = new Map<string, readonly unknown[]>()
          for (const { name, list, stop } of watched) if (stop) shown.set(name, await list())
          if ((await world.client.events.list({ after: 'now' })).to !== to) continue
          expect(said).toEqual(reported)
          for (const { name, query } of watched) {
            const rows = shown.get(name)
            if (!rows) continue
            const now = () => query.getSnapshot()?.map(({ record }) => record)
            await until(
              () =>
                JSON.stringify(now()?.map(({ id }) => id)) ===
                JSON.stringify(rows.map((row) => (row as { id: string }).id)),
            ).catch(() => {})
            expect([name, now()]).toEqual([name, rows])
          }
          return
        }
      }

      for (const { kind, a, b, waits } of steps) {
        const one = watched[a % watched.length]
        if (kind === 'check') await check()
        else if (kind === 'hold') slow.hold()
        else if (kind === 'release') slow.release()
        else if (kind === 'cut') slow.cut()
        else if (kind === 'labels') underWay.push(mailbox.labels.list())
        else if (kind === 'watch' && one) {
          one.stop?.()
          one.stop = one.stop && b % 2 === 0 ? null : one.query.subscribe(() => {})
        } else if (kind === 'read') {
          const [id, of] = [...seen][b % Math.max(1, seen.size)] ?? []
          if (id && of === 'message') underWay.push(orGone(mailbox.messages.get(id)))
          if (id && of === 'thread') underWay.push(orGone(mailbox.threads.get(id)))
          if (id && of === 'draft') underWay.push(orGone(mailbox.drafts.get(id)))
        } else {
          const doing = tryDeed(world, kind as keyof typeof deeds, a, b)
          if (waits) await doing
          else underWay.push(doing)
        }
      }
      await check()
      expect(errors).toEqual([])
    })
    await fc.assert(property, {
      numRuns: Number(process.env.RESTANTE_MODEL_RUNS ?? 8),
      // Before the test's own limit, which would not tell the seed.
      interruptAfterTimeLimit: 90_000,
    })
  },
  120_000,
)
