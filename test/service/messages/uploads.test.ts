import { randomBytes } from 'node:crypto'
import { createClient } from 'restante'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { draftCalls } from '../../support/draft-calls'
import { startDrafting } from '../../support/drafting'
import { useService } from '../../support/use-service'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

describeDatabases('attachments:', (openDatabase) => {
  const { service: drafting } = useService(openDatabase, startDrafting)
  const { call, draft, whole, made, send, message, goingOn, arrived } = draftCalls(drafting)

  describe('uploads', () => {
    const upload = async (content: Uint8Array | string, query = '', key = drafting.home.apiKey) => {
      const answer = await drafting.service.fetch(
        new Request(`http://restante.test/v1/uploads${query}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png; x=y' },
          body: content as Uint8Array<ArrayBuffer>,
        }),
      )
      return { status: answer.status, body: await answer.json() }
    }

    it('go along with drafts, sends and replies, small and large', async () => {
      for (const bytes of [Buffer.alloc(0), Buffer.from('small'), randomBytes(300_000)]) {
        const { status, body } = await upload(bytes, '?filename=Bild%201.png')
        expect([status, body]).toEqual([
          201,
          {
            id: expect.stringMatching(/^upl_/),
            filename: 'Bild 1.png',
            content_type: 'image/png',
            size: bytes.length,
            created_at: expect.any(String),
            expires_at: new Date(Date.parse(body.created_at) + dayMs).toISOString(),
          },
        ])
        const attachments = [{ upload_id: body.id }]
        const drafted = await made(whole({ attachments }))
        const sends = [
          await send(drafted.id),
          await call('POST', '/messages', { body: whole({ attachments }) }),
          await call('POST', `/messages/${(await arrived()).id}/reply`, { body: { text: 'x', attachments } }),
        ]
        for (const sent of sends) {
          const [info] = (await message(sent.body.id)).attachments
          expect(info).toMatchObject({
            filename: 'Bild 1.png',
            content_type: 'image/png',
            size: bytes.length,
          })
          const file = (await call('GET', `/attachments/${info.id}`)).body
          expect(Buffer.from(file.content_base64, 'base64').equals(bytes)).toBe(true)
        }
      }
    })

    it('are kept for a day, and longer by what has them', async () => {
      const { body } = await upload(randomBytes(100_000))
      const { id } = await made(whole({ attachments: [{ upload_id: body.id, filename: 'other.bin' }] }))
      expect(await drafting.jobs('uploads')).toHaveLength(1)
      drafting.clock.jump(dayMs)
      await goingOn(() => drafting.jobs('uploads')).toEqual([])
      expect((await draft({ attachments: [{ upload_id: body.id }] })).status).toBe(404)
      const sent = await send(id)
      expect((await message(sent.body.id)).attachments).toMatchObject([
        { filename: 'other.bin', size: 100_000 },
      ])
    })

    it('go through the client, as drafts do', async () => {
      const { service, home } = drafting
      const fetch = (url: string | URL | Request, init?: RequestInit) => service.fetch(new Request(url, init))
      const client = createClient({ url: 'http://restante.test', apiKey: home.apiKey, fetch })
      const content = randomBytes(1_000)
      const { id: upload_id, size } = await client.uploads.create({
        content,
        content_type: 'application/pdf',
        filename: 'x.pdf',
      })
      expect(size).toBe(1_000)
      const { id } = await client.drafts.create({ inbox_id: home.inboxId, attachments: [{ upload_id }] })
      await client.drafts.update({ id, to: ['bo@example.com'] })
      const sent = await client.drafts.send({ id })
      expect(await client.drafts.get({ id, include: 'content' })).toMatchObject({
        sent_message_id: sent.id,
        attachments: [{ filename: 'x.pdf', content_type: 'application/pdf' }],
      })
      expect(await client.drafts.delete({ id })).toBeUndefined()
    })

    it('have a limit, and are for the accounts that may', async () => {
      expect((await upload(new Uint8Array(25 * 1024 * 1024 + 1))).body.error).toBe('payload_too_large')
      expect((await upload('x', '', drafting.keys.unclaimed)).body.error).toBe('claim_required')
      expect((await upload('x', '', drafting.keys.read)).body.error).toBe('insufficient_scope')
      expect((await upload('x', '', 'rst_wrong')).status).toBe(401)
    })

    it('are seen by their own account only', async () => {
      const { body } = await upload('mine')
      const never = await draft({ attachments: [{ upload_id: 'upl_0' }] }, drafting.keys.other)
      const theirs = await call('POST', '/drafts', {
        key: drafting.keys.other,
        body: { inbox_id: drafting.otherInboxId, attachments: [{ upload_id: body.id }] },
      })
      expect([never.status, theirs.status]).toEqual([404, 404])
      expect(theirs.body.error).toBe('not_found')
    })
  })
})
