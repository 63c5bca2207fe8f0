import { openStore } from '../service/store/open-store'
import { World, type WorldOptions } from './world'

/**
 * Makes a world: its service runs, and nothing of it leaves the process.
 *
 * @throws UsageError `invalid_settings`
 * @example
 * ```ts
 * import { createWorld } from 'restante/testing'
 *
 * await using world = await createWorld({ startAt: new Date('2026-03-01T09:00:00Z') })
 * const mailbox = await world.open()
 * await mailbox.client.messages.send({
 *   inbox_id: mailbox.inboxes[0]!.id,
 *   to: ['ana@example.com'],
 *   subject: 'Later',
 *   text: 'Two hours later, in no time.',
 *   scheduled_at: '2026-03-01T11:00:00Z',
 * })
 * await world.advance({ hours: 2 })
 * console.log((await world.person('ana@example.com').received()).text)
 * ```
 */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const world = new World(await openStore({}), options)
  await world.start()
  return world
}
