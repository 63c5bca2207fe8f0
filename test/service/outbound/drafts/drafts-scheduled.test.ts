import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../../support/databases'
import { draftCalls } from '../../../support/draft-calls'
import { startDrafting } from '../../../support/drafting'
import { useService } from '../../../support/use-service'

const minuteMs = 60_000

describeDatabases('scheduled drafts', (openDatabase) => {
  const { service: drafting } = useService(openDatabase, startDrafting)
  const { call, whole, made, read, change, send, outbox, in1h, goingOn, settled, events } =
    draftCalls(drafting)

  describe('a time', () => {
    it('makes it send itself then, also after a restart', async () => {
      const { id, status } = await made(whole({ scheduled_at: in1h() }))
      expect(status).toBe('scheduled')
      await drafting.restart()
      drafting.clock.jump(59 * minuteMs)
      await drafting.looked()
      expect(await read(id)).toMatchObject({ status: 'scheduled' })
      await drafting.restart()
      drafting.clock.jump(minuteMs)
      await settled(id).toBe('sent')
      expect(await outbox()).toHaveLength(1)
      expect((await events(id)).map((event: { type: string }) => event.type)).toEqual([
        'draft.created',
        'draft.sent',
      ])
    })

    it('that has passed means at once, however it is written', async () => {
      const { id, scheduled_at } = await made(whole({ scheduled_at: '2020-01-31T12:00:00Z' }))
      expect(scheduled_at).toBe('2020-01-31T12:00:00.000Z')
      await settled(id).toBe('sent')
    })

    it('can be moved and taken away, and the content changed', async () => {
      const { id } = await made(whole({ scheduled_at: in1h() }))
      const later = new Date(drafting.clock.now() + 2 * 60 * minuteMs).toISOString()
      expect((await change(id, { scheduled_at: later, text: 'changed' })).body).toMatchObject({
        status: 'scheduled',
        scheduled_at: later,
      })
      const other = await made(whole({ scheduled_at: in1h() }))
      expect((await change(other.id, { scheduled_at: null })).body).toMatchObject({
        status: 'draft',
        scheduled_at: null,
      })
      drafting.clock.jump(90 * minuteMs)
      await drafting.looked()
      expect([(await read(id)).status, (await read(other.id)).status]).toEqual(['scheduled', 'draft'])
      drafting.clock.jump(31 * minuteMs)
      await settled(id).toBe('sent')
      const [sent, ...more] = await outbox()
      expect([sent.preview, more]).toEqual(['changed', []])
    })

    it('means nothing once it was deleted or sent by hand', async () => {
      const deleted = await made(whole({ scheduled_at: in1h() }))
      const sent = await made(whole({ scheduled_at: in1h() }))
      await call('DELETE', `/drafts/${deleted.id}`)
      expect((await send(sent.id)).status).toBe(200)
      drafting.clock.jump(61 * minuteMs)
      await drafting.looked()
      expect(await outbox()).toHaveLength(1)
      expect(await drafting.jobs('drafts')).toEqual([])
    })

    it('fails with the reason where it cannot be sent, and can be mended', async () => {
      const { id } = await made({ scheduled_at: in1h(), text: 'to whom?' })
      drafting.clock.jump(61 * minuteMs)
      await settled(id).toBe('failed')
      expect(await read(id)).toMatchObject({
        error: { code: 'draft_incomplete', message: expect.stringContaining('to has nobody') },
      })
      expect((await events(id)).at(-1)).toMatchObject({ type: 'draft.updated', data: { status: 'failed' } })
      expect((await change(id, { to: ['bo@example.com'] })).body).toMatchObject({
        status: 'draft',
        scheduled_at: null,
        error: null,
      })
      expect((await send(id)).status).toBe(200)
    })

    it('fires once although its job was not put away', async () => {
      const { id } = await made(whole({ scheduled_at: in1h() }))
      const [job] = await drafting.jobs('drafts')
      drafting.clock.jump(61 * minuteMs)
      await settled(id).toBe('sent')
      await drafting.restart(async ({ db }) => {
        await db.insertInto('jobs').values(job!).execute()
        await db
          .updateTable('drafts')
          .set({ job_id: job!.id, status: 'scheduled' })
          .where('id', '=', id)
          .execute()
      })
      await drafting.looked()
      await goingOn(() => drafting.jobs('drafts')).toEqual([])
      expect(await outbox()).toHaveLength(1)
    })
  })

  it('fires once where two services look at once', async () => {
    const second = await drafting.beside()
    if (!second) return
    const ids: string[] = []
    for (let i = 0; i < 20; i++) ids.push((await made(whole({ scheduled_at: in1h() }))).id)
    drafting.clock.jump(61 * minuteMs)
    for (const id of ids) await settled(id).toBe('sent')
    await goingOn(() => drafting.jobs('drafts')).toEqual([])
    await second.close()
    expect(await outbox()).toHaveLength(20)
  })
})
