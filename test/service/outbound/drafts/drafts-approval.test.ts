import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../../support/databases'
import { draftCalls } from '../../../support/draft-calls'
import { startDrafting } from '../../../support/drafting'
import { useService } from '../../../support/use-service'

const minuteMs = 60_000

describeDatabases('approval of drafts', (openDatabase) => {
  const { service: drafting } = useService(openDatabase, startDrafting)
  const { call, whole, made, read, change, send, outbox, in1h, settled } = draftCalls(drafting)

  describe('approval', () => {
    const pending = async (body: object = {}) => {
      const { id } = await made(whole(body), drafting.keys.manage)
      const answer = await send(id, undefined, drafting.keys.manage)
      expect(answer).toMatchObject({ status: 202, body: { id, status: 'pending_approval' } })
      return answer.body
    }
    const decision = ({ id, seq }: { id: string; seq: number }) => ({
      tenantId: drafting.home.tenantId,
      id,
      seq,
    })

    it('is asked for where the key may not send, once', async () => {
      const asked = await pending()
      expect((await send(asked.id, undefined, drafting.keys.manage)).body).toEqual(asked)
      expect(await outbox()).toEqual([])
      const sent = await drafting.service.approvals.approve(decision(asked))
      expect(sent).toMatchObject({ idempotent: false })
      expect(await read(asked.id)).toMatchObject({ status: 'sent', sent_message_id: sent.id })
      expect(await drafting.service.approvals.approve(decision(asked))).toEqual({ ...sent, idempotent: true })
      expect(await outbox()).toHaveLength(1)
    })

    it('is given by no key, whatever it may do', async () => {
      const asked = await pending()
      expect(await send(asked.id)).toMatchObject({ status: 409, body: { error: 'approval_pending' } })
    })

    it('holds for exactly what was shown', async () => {
      const asked = await pending()
      expect((await change(asked.id, { text: 'other' }, drafting.keys.manage)).body.status).toBe('draft')
      const approving = drafting.service.approvals.approve(decision(asked))
      await expect(approving).rejects.toMatchObject({ code: 'draft_changed' })
      const again = (await send(asked.id, undefined, drafting.keys.manage)).body
      await expect(drafting.service.approvals.approve(decision(asked))).rejects.toMatchObject({
        code: 'draft_changed',
      })
      await drafting.service.approvals.approve(decision(again))
      expect((await outbox())[0].preview).toBe('other')
    })

    it('is asked for at once where such a key gives a time, and the time holds', async () => {
      const asked = await made(whole({ scheduled_at: in1h() }), drafting.keys.manage)
      expect(asked.status).toBe('pending_approval')
      drafting.clock.jump(10 * minuteMs)
      expect(await drafting.service.approvals.approve(decision(asked))).toMatchObject({ status: 'scheduled' })
      drafting.clock.jump(51 * minuteMs)
      await settled(asked.id).toBe('sent')
    })

    it('stands where the key asks again while the draft waits for its time', async () => {
      const asked = await made(whole({ scheduled_at: in1h() }), drafting.keys.manage)
      const approved = await drafting.service.approvals.approve(decision(asked))
      for (const body of [undefined, { expect_seq: asked.seq }])
        expect(await send(asked.id, body, drafting.keys.manage)).toMatchObject({
          status: 202,
          body: { ...approved, message: expect.stringContaining('it will be sent at') },
        })
      expect(await read(asked.id)).toEqual(approved)
      drafting.clock.jump(61 * minuteMs)
      await settled(asked.id).toBe('sent')
      expect(await outbox()).toHaveLength(1)
    })

    it('is not asked for where another key has scheduled the draft', async () => {
      const scheduled = await made(whole({ scheduled_at: in1h() }))
      const { status, body } = await send(scheduled.id, undefined, drafting.keys.manage)
      expect([status, body]).toEqual([202, { ...scheduled, message: expect.any(String) }])
      drafting.clock.jump(61 * minuteMs)
      await settled(scheduled.id).toBe('sent')
    })

    it('given twice is given once, until the draft is changed', async () => {
      const asked = await made(whole({ scheduled_at: in1h() }), drafting.keys.manage)
      const approve = (one = asked) => drafting.service.approvals.approve(decision(one))
      const approved = await approve()
      expect(await approve()).toEqual(approved)
      await expect(approve(approved)).rejects.toMatchObject({ code: 'draft_changed' })
      for (const key of [drafting.keys.manage, drafting.home.apiKey]) {
        await change(asked.id, { text: 'other' }, key)
        await expect(approve()).rejects.toMatchObject({ code: 'draft_changed' })
      }
    })

    it('is asked for once there is a whole mail, which goes out at the time it was given', async () => {
      const { id, status, scheduled_at } = await made({ scheduled_at: in1h() }, drafting.keys.manage)
      expect(status).toBe('draft')
      const steps = [
        [{ to: ['bo@example.com'] }, 'draft'],
        [{ attachments: [{ filename: 'a', content_base64: 'aGk=' }] }, 'pending_approval'],
        [{ subject: 'Hi' }, 'pending_approval'],
        [{ attachments: [] }, 'draft'],
        [{ text: 'hello' }, 'pending_approval'],
      ] as const
      for (const [body, became] of steps)
        expect((await change(id, body, drafting.keys.manage)).body).toMatchObject({
          status: became,
          scheduled_at,
        })
      await drafting.service.approvals.approve(decision(await read(id)))
      drafting.clock.jump(61 * minuteMs)
      await settled(id).toBe('sent')
    })

    it('is refused for a time to come where sending is, and the draft goes on waiting', async () => {
      const asked = await made(whole({ scheduled_at: in1h() }), drafting.keys.manage)
      const refusedAs = (code: string) =>
        expect(drafting.service.approvals.approve(decision(asked))).rejects.toMatchObject({ code })
      await drafting.service.admin.pause(drafting.home.tenantId)
      await refusedAs('sending_paused')
      await drafting.service.admin.resume(drafting.home.tenantId)
      await call('POST', '/suppressions', { body: { address: 'bo@example.com' } })
      await refusedAs('recipient_suppressed')
      expect(await read(asked.id)).toEqual(asked)
    })

    it('is asked for anew where such a key changes what was scheduled', async () => {
      const { id } = await made(whole({ scheduled_at: in1h() }))
      expect((await change(id, { text: 'mine' }, drafting.keys.manage)).body.status).toBe('pending_approval')
      drafting.clock.jump(61 * minuteMs)
      await drafting.looked()
      expect(await outbox()).toEqual([])
    })

    it('can be refused, until the draft is changed', async () => {
      const asked = await pending()
      const rejected = await drafting.service.approvals.reject({ ...decision(asked), reason: 'Too blunt.' })
      expect(rejected).toMatchObject({ status: 'rejected', error: { message: 'Too blunt.' } })
      for (const key of [drafting.keys.manage, drafting.home.apiKey])
        expect(await send(asked.id, undefined, key)).toMatchObject({
          status: 409,
          body: { error: 'draft_rejected' },
        })
      expect((await change(asked.id, { text: 'Kindly' })).body).toMatchObject({
        status: 'draft',
        error: null,
      })
      expect((await send(asked.id)).status).toBe(200)
    })

    it('needs a whole draft', async () => {
      const { id } = await made({}, drafting.keys.manage)
      expect((await send(id, undefined, drafting.keys.manage)).body.error).toBe('draft_incomplete')
    })
  })
})
