import { beforeAll, expect, it } from 'vitest'
import { parseHeadersOnly } from '../../../src/mail/head-only'
import { administer } from '../../../src/service/admin/administer'
import { createMailParser } from '../../../src/service/inbound/mail-parser'
import { readSettings } from '../../../src/service/settings'
import { describeDatabases } from '../../support/databases'
import { openService, type QuietService } from '../../support/service'
import { perBlock, useDatabase } from '../../support/use-service'

describeDatabases('mails whose reading failed', (openDatabase) => {
  const database = useDatabase(openDatabase, perBlock)
  let crashes = true
  let service: QuietService
  beforeAll(async () => {
    const parser = createMailParser()
    const failing = {
      ...parser,
      parse: async (raw: Uint8Array, from?: string) =>
        crashes ? parseHeadersOnly(raw, 'parser-crashed') : parser.parse(raw, from),
    }
    service = await database.start((options) => openService(options, { parser: failing }))
  })
  const filler = { filename: 'b.bin', content: Buffer.alloc(70_000) }
  const get = async (path: string) => (await service.call('GET', path)).body
  const post = async (path: string, body: object) => (await service.call('POST', path, { body })).body
  const found = async (word: string) =>
    (await get(`/messages?order=desc&q=${word}`)).messages.map((one: { subject: string }) => one.subject)
  const reparse = (account?: string, onProgress?: (progress: object) => void) =>
    administer(readSettings(database.options), 'reparse', { account }, onProgress)

  it('are read again, told of once, and found, but given to no consumer again', async () => {
    // The thread that takes mail in reads small ones itself.
    const attachments = [{ filename: 'a.txt', content: 'abc' }, filler]
    await service.mail({ subject: 'first', text: 'a zebra\n', attachments })
    const sent = { inbox_id: service.home.inboxId, to: ['bo@example.com'], subject: 'sent', text: 'a zebra' }
    await post('/messages', sent)
    crashes = false
    await service.mail({ subject: 'last', text: 'a zebra too' })
    await post('/consumers', { name: 'bot' })
    const leased = (await post('/consumers/bot/lease', { max: 10 })).deliveries
    await post('/consumers/bot/ack', { leases: leased.map((one: { lease: string }) => one.lease) })
    const before = (await get('/messages')).messages
    const first = before.find((one: { subject: string }) => one.subject === 'first')
    expect(first).toMatchObject({ preview: '', flaws: ['parser-crashed'], attachments: [] })
    expect(await found('zebra')).toEqual(['last'])
    const { head } = await get('/events?after=0&limit=1')

    const progressed: object[] = []
    expect(await reparse(service.home.address, (progress) => progressed.push(progress))).toEqual({
      read: 2,
      unread: 0,
    })
    expect(progressed.at(-1)).toEqual({ read: 2, unread: 0, seen: 3 })

    const message = await get(`/messages/${first.id}`)
    expect(message).toMatchObject({ preview: 'a zebra', flaws: [], created_seq: first.created_seq })
    expect(message.body_text.trim()).toBe('a zebra')
    const [file] = message.attachments
    expect(file).toMatchObject({ filename: 'a.txt' })
    expect((await get(`/attachments/${file.id}`)).content_base64).toBe('YWJj')
    expect((await get(`/threads/${first.thread_id}`)).preview).toBe('a zebra')
    expect(await found('zebra')).toEqual(['last', 'sent', 'first'])
    const { events } = await get(`/events?after=${head}`)
    const reported = events.filter((one: { type: string }) => one.type === 'message.updated')
    const ofSubject = (subject: string) =>
      reported.find((one: { data: { subject: string } }) => one.data.subject === subject)
    expect(ofSubject('first')).toMatchObject({
      data: {
        ...{ id: first.id, preview: 'a zebra', flaws: [] },
        attachments: message.attachments.map(({ id }: { id: string }) => ({ id, text_status: 'pending' })),
      },
    })
    expect(ofSubject('sent')).toMatchObject({ data: { preview: 'a zebra' } })
    // The files are read as those of a new message.
    await expect
      .poll(async () => (await get(`/messages/${first.id}`)).attachments[0].text_status, { timeout: 20_000 })
      .toBe('ready')
    expect((await post('/consumers/bot/lease', { max: 10 })).deliveries).toEqual([])
    expect(leased.length).toBe(2)
    expect(await reparse()).toEqual({ read: 0, unread: 0 })
  })

  it('are answered by no inbox as which they speak, before and after', async () => {
    const { address } = service.home
    crashes = true
    await service.mail({ subject: 'echo', from: address, attachments: [filler] })
    const echo = async () => (await get('/messages?subject=echo')).messages[0]
    expect(await echo()).toMatchObject({ flaws: ['parser-crashed'], unanswerable: 'own_address' })
    crashes = false
    expect(await reparse()).toEqual({ read: 1, unread: 0 })
    expect(await echo()).toMatchObject({ flaws: [], unanswerable: 'own_address' })
  })

  it('stay as they are and are counted where they fail again', async ({ skip }) => {
    skip(
      database.options.databaseUrl !== undefined,
      'there the command has a parser of its own, which does not fail',
    )
    crashes = true
    await service.mail({ subject: 'still', attachments: [filler] })
    expect(await reparse()).toEqual({ read: 0, unread: 1 })
    expect((await get('/messages?subject=still')).messages).toMatchObject([{ flaws: ['parser-crashed'] }])
  })
})
