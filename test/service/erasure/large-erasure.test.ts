import type { Signals } from 'restante/service'
import { expect, it } from 'vitest'
import { createLocalSignals } from '../../../src/service/log/local-signals'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

/** More than goes with the request that erases. */
const many = 700

/** Signals that do not wake what goes on with an erasure, which looks by itself later than any test waits. */
function signalsWithoutErasure(): Signals {
  const signals = createLocalSignals()
  return {
    ...signals,
    publish: (topic, hint) => topic === 'queue:erase' || signals.publish(topic, hint),
  }
}

describeDatabases('what holds much, once it is deleted', (openDatabase) => {
  let clock: JumpClock
  const { service, database } = useService(openDatabase, (options) => {
    clock = new JumpClock()
    return openService(options, { clock, signals: signalsWithoutErasure() })
  })

  /** A thread of so many messages; copies, but for the first. */
  async function fill(to: string) {
    await service.mail({ to, subject: 'quarterly', attachments: [{ filename: 'a.txt', content: 'abc' }] })
    const [first] = (await service.call('GET', '/messages')).body.messages
    const db = await openBeside(database.options)
    const row = await db
      .selectFrom('messages')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    const { seq } = await db.selectFrom('accounts').select('seq').executeTakeFirstOrThrow()
    const copies = Array.from({ length: many }, (_, i) => ({
      ...row,
      id: `msg_copy${i}`,
      created_seq: seq + i + 1,
    }))
    for (let at = 0; at < many; at += 20)
      await db
        .insertInto('messages')
        .values(copies.slice(at, at + 20))
        .execute()
    await db
      .updateTable('accounts')
      .set({ seq: seq + many })
      .execute()
    await db.destroy()
    return first
  }

  const statusOf = async (path: string) => (await service.call('GET', path)).status
  async function expectGone(first: { id: string; thread_id: string; attachments: { id: string }[] }) {
    const left = await openBeside(database.options)
    const row = await left.selectFrom('messages').select('id').where('id', '=', first.id).executeTakeFirst()
    expect(row, 'it is still in the database').toBeDefined()
    await left.destroy()
    for (const path of [
      `/messages/${first.id}`,
      `/messages/${first.id}/raw`,
      `/attachments/${first.attachments[0]!.id}`,
      `/threads/${first.thread_id}`,
    ])
      expect(await statusOf(path), path).toBe(404)
    const reply = await service.call('POST', `/messages/${first.id}/reply`, { body: { text: 'hi' } })
    expect(reply.status).toBe(404)
  }

  async function expectNothingListed() {
    for (const list of ['messages', 'threads', 'drafts'])
      expect((await service.call('GET', `/${list}`)).body[list], list).toEqual([])
    for (const query of ['q=quarterly', 'q="quarterly"', 'has_attachment=false', 'order=asc', 'label=seen'])
      expect((await service.call('GET', `/messages?${query}`)).body.messages, query).toEqual([])
  }

  it('an inbox: its mail answers at once as if it had never been, wherever it is asked for', async () => {
    const { body: desk } = await service.call('POST', '/inboxes', { body: { local_part: 'desk' } })
    const { body: draft } = await service.call('POST', '/drafts', { body: { inbox_id: desk.id } })
    const first = await fill(desk.address)
    expect((await service.call('DELETE', `/inboxes/${desk.id}`)).status).toBe(204)
    await expectGone(first)
    expect(await statusOf(`/drafts/${draft.id}`)).toBe(404)
    await expectNothingListed()
  })

  it('an inbox: no consumer is handed its mail any more, begun or not', async () => {
    const { body: desk } = await service.call('POST', '/inboxes', { body: { local_part: 'desk' } })
    for (const name of ['begun', 'new']) await service.call('POST', '/consumers', { body: { name } })
    const lease = async (name: string) =>
      (await service.call('POST', `/consumers/${name}/lease`, { body: { max: 9 } })).body.deliveries
    const first = await fill(desk.address)
    await service.mail({ to: desk.address, subject: 'annual' })
    const held = await lease('begun')
    expect(held).toMatchObject([{ message: { id: first.id } }, { message: { subject: 'annual' } }])
    const [one, other] = held.map(({ lease }: { lease: string }) => [lease])
    await service.call('POST', '/consumers/begun/release', { body: { leases: one } })
    expect((await service.call('DELETE', `/inboxes/${desk.id}`)).status).toBe(204)
    await service.mail({ to: service.home.address, subject: 'for somebody who is there' })
    await service.call('POST', '/consumers/begun/ack', { body: { leases: other } })
    for (const name of ['begun', 'new']) {
      expect(await lease(name), name).toMatchObject([{ message: { subject: 'for somebody who is there' } }])
      expect((await service.call('GET', `/consumers/${name}`)).body, name).toMatchObject({
        waiting: 0,
        leased: 1,
      })
    }
  })

  it('a thread: so do its messages, until none is left and nobody needs to look', async () => {
    await service.call('POST', '/consumers', { body: { name: 'new' } })
    const first = await fill(service.home.address)
    const { body: label } = await service.call('POST', '/labels', { body: { name: 'seen' } })
    await service.call('POST', `/labels/${label.id}/assign`, { body: { message_id: first.id } })
    expect((await service.call('DELETE', `/threads/${first.thread_id}`)).status).toBe(204)
    await expectGone(first)
    await expectNothingListed()
    const leased = await service.call('POST', '/consumers/new/lease', { body: { max: 9 } })
    expect(leased.body.deliveries).toEqual([])
    const db = await openBeside(database.options)
    const left = async () => [
      await db.selectFrom('messages').select('id').execute(),
      await db.selectFrom('accounts').select('erasing_threads').execute(),
    ]
    await expect
      .poll(async () => {
        clock.jump(60_000)
        return await left()
      })
      .toEqual([[], [{ erasing_threads: 0 }]])
    await db.destroy()
  })
})
