import { randomBytes } from 'node:crypto'
import { eventDataSchemas } from 'restante/protocol'
import { describe, expect, it } from 'vitest'
import { describeDatabases } from '../../../support/databases'
import { draftCalls } from '../../../support/draft-calls'
import { startDrafting } from '../../../support/drafting'
import { useService } from '../../../support/use-service'

describeDatabases('drafts', (openDatabase) => {
  const { service: drafting } = useService(openDatabase, startDrafting)
  const { call, draft, whole, made, read, content, change, send, outbox, message, in1h, events, arrived } =
    draftCalls(drafting)

  describe('writing', () => {
    it('needs an inbox only, and answers the record of the specification', async () => {
      const { status, body } = await draft()
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.stringMatching(/^drf_/),
        inbox_id: drafting.home.inboxId,
        subject: '',
        status: 'draft',
        scheduled_at: null,
        thread_id: null,
        sent_message_id: null,
        error: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        seq: expect.any(Number),
      })
      expect(await read(body.id)).toEqual(body)
    })

    it('keeps every field, and gives the content where it is asked for', async () => {
      const fields = {
        to: ['Bo <bo@example.com>'],
        cc: ['cy@example.com'],
        bcc: ['di@example.com'],
        subject: 'Grüße',
        text: 'Hallo',
        html: '<p>Hallo</p>',
      }
      const attachments = [
        { filename: 'a.txt', content_type: 'text/plain', content_base64: 'aGk=', content_id: 'pic' },
      ]
      const { id } = await made({ ...fields, attachments })
      expect(await content(id)).toMatchObject({
        ...fields,
        reply_to_message_id: null,
        attachments: [
          { filename: 'a.txt', content_type: 'text/plain', size: 2, inline: true, content_id: 'pic' },
        ],
      })
      expect(await read(id)).not.toHaveProperty('to')
    })

    it('happens once under a client_id, however often it is asked for at once, also after it was sent', async () => {
      const body = whole({ client_id: 'once' })
      const answers = await Promise.all(Array.from({ length: 8 }, () => draft(body)))
      const [{ id }] = answers.map((answer) => answer.body)
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
      expect((await draft({ ...body, text: 'other' })).body.error).toBe('client_id_conflict')
      await send(id)
      expect((await draft(body)).body).toMatchObject({ id, status: 'sent' })
      await call('DELETE', `/drafts/${id}`)
      expect((await draft(body)).body).toMatchObject({ error: 'client_id_conflict' })
      expect(await outbox()).toHaveLength(1)
    })

    it('changes what is named, empties by null, and leaves the rest', async () => {
      const { id, seq, created_at } = await made(whole({ html: '<p>x</p>', cc: ['cy@example.com'] }))
      const { status, body } = await change(id, { subject: 'New', html: null, cc: [] })
      expect([status, body.subject, body.created_at]).toEqual([200, 'New', created_at])
      expect(body.seq).toBeGreaterThan(seq)
      expect(await content(id)).toMatchObject({
        to: ['bo@example.com'],
        cc: [],
        subject: 'New',
        text: 'hello',
        html: null,
      })
      expect((await change(id, {})).body).toEqual(body)
    })

    it('lists by status and inbox, newest first, page by page', async () => {
      const ids: string[] = []
      for (let i = 0; i < 5; i++) ids.unshift((await made({ subject: `${i}` })).id)
      await made({ scheduled_at: in1h() })
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await call('GET', `/drafts?status=draft&limit=2${cursor && `&cursor=${cursor}`}`)
        seen.push(...body.drafts.map((one: { id: string }) => one.id))
        cursor = body.next_cursor
        await made({ scheduled_at: in1h() })
      }
      expect(seen).toEqual(ids)
      expect((await call('GET', `/drafts?inbox_id=${drafting.home.inboxId}`)).body.drafts).toHaveLength(9)
      expect((await call('GET', '/drafts?inbox_id=inb_0')).body.drafts).toEqual([])
      expect((await call('GET', '/drafts?status=open')).status).toBe(400)
    })

    it('deletes, and is gone', async () => {
      const { id } = await made(whole())
      const { status, body } = await call('DELETE', `/drafts/${id}`)
      expect([status, body]).toEqual([204, ''])
      for (const gone of [
        await call('GET', `/drafts/${id}`),
        await send(id),
        await call('DELETE', `/drafts/${id}`),
      ])
        expect(gone).toMatchObject({ status: 404, body: { error: 'not_found' } })
    })

    it('tells the log of everything, each with the record', async () => {
      const first = await made(whole())
      await change(first.id, { subject: 'Two' })
      await send(first.id)
      await call('DELETE', `/drafts/${first.id}`)
      const reported = await events(first.id)
      expect(reported.map((event: { type: string }) => event.type)).toEqual([
        'draft.created',
        'draft.updated',
        'draft.sent',
        'draft.deleted',
      ])
      expect(reported[0].data).toEqual({ ...first, subject: '' })
      expect(reported[2].data).toMatchObject({ status: 'sent', sent_message_id: expect.any(String) })
      for (const event of reported) {
        expect(event.inbox_id).toBe(drafting.home.inboxId)
        expect(eventDataSchemas[event.type as 'draft.sent'].safeParse(event.data).error).toBeUndefined()
      }
    })

    it('refuses what cannot be written, and says why', async () => {
      const cases: [string, object, number, string?][] = [
        ['no inbox', { inbox_id: undefined }, 400, 'invalid_request'],
        ['an inbox that is not there', { inbox_id: 'inb_0' }, 404, 'not_found'],
        ['an unknown field', { bcc_to: [] }, 400, 'invalid_request'],
        ['an address that is none', { to: ['bo'] }, 400, 'invalid_request'],
        [
          'too many recipients',
          {
            to: Array(60).fill('a@b.c'),
            cc: Array(60)
              .fill(0)
              .map((_, i) => `x${i}@b.c`),
          },
          201,
          undefined,
        ],
        [
          'far too many',
          {
            to: Array(90)
              .fill(0)
              .map((_, i) => `y${i}@b.c`),
            cc: Array(60)
              .fill(0)
              .map((_, i) => `x${i}@b.c`),
          },
          400,
          'invalid_request',
        ],
        ['a time that is none', { scheduled_at: 'tomorrow' }, 400, 'invalid_request'],
        ['a message that is not there', { reply_to_message_id: 'msg_0' }, 404, 'not_found'],
        ['reply_all to nothing', { reply_all: true }, 400, 'invalid_request'],
        ['a file without content', { attachments: [{ filename: 'a' }] }, 400, 'invalid_request'],
        ['a file without a name', { attachments: [{ content_base64: 'aGk=' }] }, 400, 'invalid_request'],
        [
          'a file given twice',
          { attachments: [{ filename: 'a', content_base64: 'aGk=', upload_id: 'x' }] },
          400,
          'invalid_request',
        ],
        ['an upload that is not there', { attachments: [{ upload_id: 'upl_0' }] }, 404, 'not_found'],
        ['a NUL', { text: 'a\0b' }, 400, 'invalid_request'],
        ['half of a character', { text: 'a\ud800b' }, 400, 'invalid_request'],
      ]
      for (const [what, body, status, error] of cases) {
        const answer = await draft(body)
        expect([what, answer.status, answer.body.error ?? undefined]).toEqual([what, status, error])
      }
    })
  })

  describe('sending', () => {
    it('is of the state that is expected, or not done', async () => {
      const changed = { status: 409, body: { error: 'draft_changed' } }
      const one = await made(whole())
      const { body: two } = await change(one.id, { text: 'another', expect_seq: one.seq })
      expect(two.seq).toBeGreaterThan(one.seq)
      expect(await change(one.id, { text: 'a third', expect_seq: one.seq })).toMatchObject(changed)
      for (const key of [undefined, drafting.keys.manage])
        expect(await send(one.id, { expect_seq: one.seq }, key)).toMatchObject(changed)
      expect(await content(one.id)).toMatchObject({ status: 'draft', text: 'another', seq: two.seq })
      const sent = await send(one.id, { expect_seq: two.seq })
      expect(sent).toMatchObject({ status: 200, body: { idempotent: false } })
      // What was sent answers its first result: whoever asks again was there before it was sent.
      const again = await send(one.id, { expect_seq: two.seq })
      expect(again).toMatchObject({ status: 200, body: { id: sent.body.id, idempotent: true } })
      const asked = await made(whole(), drafting.keys.manage)
      const pending = await send(asked.id, { expect_seq: asked.seq }, drafting.keys.manage)
      expect(pending).toMatchObject({ status: 202, body: { status: 'pending_approval' } })
    })

    it('is a mail with all that the draft says', async () => {
      const attachments = [{ filename: 'a.bin', content_base64: randomBytes(100_000).toString('base64') }]
      const { id } = await made(whole({ cc: ['cy@example.com'], bcc: ['di@example.com'], attachments }))
      const { status, body } = await send(id)
      expect([status, body]).toEqual([
        200,
        {
          id: expect.stringMatching(/^msg_/),
          thread_id: expect.any(String),
          message_id: expect.stringMatching(/^<.+>$/),
          relay_message_id: body.id,
          idempotent: false,
        },
      ])
      expect(await message(body.id)).toMatchObject({
        to_addrs: ['bo@example.com'],
        cc_addrs: ['cy@example.com'],
        bcc_addrs: ['di@example.com'],
        subject: 'Hi',
        body_text: expect.stringContaining('hello'),
        attachments: [{ filename: 'a.bin', size: 100_000 }],
      })
      expect(await read(id)).toMatchObject({
        status: 'sent',
        sent_message_id: body.id,
        thread_id: body.thread_id,
      })
      expect((await content(id)).attachments).toMatchObject([{ filename: 'a.bin', size: 100_000 }])
    })

    it('carries out 50 sends at once as one, and replays ever after', async () => {
      const { id } = await made(whole())
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => send(id, i % 2 ? { client_id: `c${i}` } : undefined)),
      )
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      expect(answers.filter(({ body }) => !body.idempotent)).toHaveLength(1)
      expect(await outbox()).toHaveLength(1)
      expect((await send(id)).body).toEqual({ ...answers[0]!.body, idempotent: true })
    })

    it('knows its client_id after the draft is gone, and among all sends', async () => {
      const { id } = await made(whole())
      const { body } = await send(id, { client_id: 'one' })
      await call('DELETE', `/drafts/${id}`)
      expect((await send(id, { client_id: 'one' })).body).toEqual({ ...body, idempotent: true })
      const other = await made(whole())
      expect(await send(other.id, { client_id: 'one' })).toMatchObject({
        status: 409,
        body: { error: 'client_id_conflict' },
      })
      const won = await send(other.id, { client_id: 'one', replay: 'first_wins' })
      expect(won.body).toEqual({ ...body, idempotent: true })
      expect(await outbox()).toHaveLength(1)
    })

    it('says what an incomplete draft lacks', async () => {
      const { id } = await made({})
      const { status, body } = await send(id)
      expect([status, body.error]).toEqual([422, 'draft_incomplete'])
      expect(body.details.map((one: { field: string }) => one.field)).toEqual(['to', 'text'])
      await change(id, { to: ['bo@example.com'] })
      expect((await send(id)).body.details.map((one: { field: string }) => one.field)).toEqual(['text'])
      await change(id, { text: 'now' })
      expect((await send(id)).status).toBe(200)
    })

    it('ends the draft: nothing changes it any more', async () => {
      const { id } = await made(whole())
      await send(id)
      expect(await change(id, { text: 'x' })).toMatchObject({ status: 409, body: { error: 'draft_sent' } })
    })

    it('refuses what is too large', async () => {
      const half = Buffer.alloc(13 * 1024 * 1024).toString('base64')
      const attachments = [
        { filename: 'a', content_base64: half },
        { filename: 'b', content_base64: half },
      ]
      expect(await draft({ attachments })).toMatchObject({
        status: 413,
        body: { error: 'message_too_large' },
      })
    })
  })

  describe('a reply', () => {
    it('lands in its thread, with what it answers', async () => {
      const parent = await arrived({
        messageId: '<q1@example.com>',
        references: '<q0@example.com>',
        subject: 'Question',
      })
      const { id, subject, thread_id } = await made({ reply_to_message_id: parent.id, text: 'Yes' })
      expect([subject, thread_id]).toEqual(['Re: Question', parent.thread_id])
      expect(await content(id)).toMatchObject({ to: ['ana@example.com'], reply_to_message_id: parent.id })
      const { body } = await send(id)
      expect(body.thread_id).toBe(parent.thread_id)
      expect(await message(body.id)).toMatchObject({
        to_addrs: ['ana@example.com'],
        in_reply_to: '<q1@example.com>',
        references: ['<q0@example.com>', '<q1@example.com>'],
      })
    })

    it('quotes what it replies to below what is written with it, and leaves the recipients', async () => {
      const { id: reply_to_message_id } = await arrived({ text: 'Shall we meet?' })
      const { id } = await made({ reply_to_message_id, text: 'Yes.', quote: true, to: ['else@example.com'] })
      const quoted = expect.stringMatching(/^Yes\.\n\nOn .+ wrote:\n> Shall we meet\?\n$/)
      expect(await content(id)).toMatchObject({ text: quoted, html: expect.stringContaining('<blockquote') })
      await change(id, { text: 'No.', html: null })
      expect(await content(id)).toMatchObject({ text: 'No.', html: null })
      await change(id, { text: 'Yes.', quote: true })
      expect(await content(id)).toMatchObject({ text: quoted, to: ['else@example.com'] })
      for (const body of [{ quote: true }, { quote: true, text: 'x', reply_to_message_id: null }])
        expect(await change(id, body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    })

    it('goes to all where it is to, also when that is said later', async () => {
      const { home } = drafting
      const parent = await arrived({ to: [home.address, 'bo@example.com'], cc: 'cy@example.com' })
      const { id } = await made({ reply_to_message_id: parent.id, text: 'Yes' })
      await change(id, { reply_all: true })
      expect(await content(id)).toMatchObject({
        to: ['ana@example.com'],
        cc: ['bo@example.com', 'cy@example.com'],
      })
      await change(id, { to: ['else@example.com'], cc: [] })
      expect(await content(id)).toMatchObject({
        to: ['else@example.com'],
        cc: [],
        reply_to_message_id: parent.id,
      })
      const answer = await change(id, { to: ['else@example.com'], reply_all: true })
      expect(answer.status).toBe(400)
    })
  })
})
