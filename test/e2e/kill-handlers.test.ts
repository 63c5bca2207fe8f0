import { once } from 'node:events'
import type { ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { describeDatabases } from '../support/databases'
import { openBeside } from '../support/open-beside'
import { openService, type QuietService } from '../support/service'
import { startDying } from '../support/service-process'
import { useDatabase } from '../support/use-service'

describeDatabases('a process that is killed between what a room tells and the commit', (openDatabase) => {
  const database = useDatabase(openDatabase)

  async function withService<T>(work: (service: QuietService) => Promise<T>): Promise<T> {
    const service = await openService(database.options)
    return work(service).finally(() => service[Symbol.asyncDispose]())
  }

  async function done(service: QuietService, path: string, body: object) {
    const answer = await service.call('POST', path, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }

  /** What the labels say of a message, what its event does, and what the consumers wrote down of it. */
  const stateOf = (options: ServiceOptions, id: string) =>
    withService(async ({ call }) => {
      const { labels } = (await call('GET', `/messages/${id}`)).body
      const { events } = (await call('GET', '/events?after=0&types=label.assigned')).body
      const db = await openBeside(options)
      const reported = await db
        .selectFrom('consumer_settled')
        .select(['consumer', 'state'])
        .where('message_id', '=', id)
        .execute()
        .finally(() => db.destroy())
      return { labels, events: events.length, reported }
    })

  it('leaves neither the change nor what its handler wrote, and the next one leaves both', async () => {
    const { options } = database
    const message = await withService(async (service) => {
      await done(service, '/consumers', { name: 'bot' })
      await service.mail({})
      const { deliveries } = await done(service, '/consumers/bot/lease', { max: 1 })
      await done(service, '/consumers/bot/ack', { leases: [deliveries[0].lease] })
      return deliveries[0].message as { id: string }
    })
    const body = { message_id: message.id }

    const dying = await startDying(options, 'consumer_settled')
    const [died] = await Promise.all([
      once(dying.lines, 'line'),
      expect(
        fetch(`${dying.facts.url}/labels/spam/assign`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${dying.facts.api_key}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify(body),
        }),
      ).rejects.toThrow('fetch failed'),
    ])
    expect(died).toEqual(['{"died":"before messages"}'])
    expect(await stateOf(options, message.id)).toEqual({ labels: ['unread'], events: 0, reported: [] })

    await withService((service) => done(service, '/labels/spam/assign', body))
    expect(await stateOf(options, message.id)).toEqual({
      labels: ['spam', 'unread'],
      events: 1,
      reported: [{ consumer: 'bot', state: 'had' }],
    })
  })
})
