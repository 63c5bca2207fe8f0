import type { SendMailOptions } from 'nodemailer'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import type { OcrFile, SuspectMail } from '../../../src/service/ports'
import { describeDatabases } from '../../support/databases'
import { openBeside } from '../../support/open-beside'
import { photo } from '../../support/photo'
import { extractor as inThisThread, openService } from '../../support/service'
import { useService } from '../../support/use-service'
import { lockedPdfOf, pdfOf, zipOf } from './support/files'

const threePages = pdfOf([[[50, 700, 'one']], [[50, 700, 'two and more']], [[50, 700, 'three']]])

describeDatabases('text of attachments:', (openDatabase) => {
  const reads: string[] = []
  const engineSaw: string[] = []
  let engineFails = true
  let engineSeesNothing = false
  const { service: context, database } = useService(openDatabase, async (options) => {
    const { extractFile } = await import('../../../src/service/extraction/extract')
    const extractor = {
      ...inThisThread,
      extract: async (...[bytes, hints]: Parameters<typeof extractFile>) => {
        reads.push(hints.password ?? 'none')
        return extractFile(bytes, hints)
      },
    }
    const spamFilter = {
      judge: async ({ raw }: SuspectMail) => ({ spam: /^subject: spam/im.test(Buffer.from(raw).toString()) }),
    }
    const ocr = async ({ bytes, contentType, pages }: OcrFile) => {
      engineSaw.push(`${contentType} ${pages}`)
      if (engineFails) throw new Error('the engine is out')
      if (engineSeesNothing) return []
      return bytes.length > 0 ? pages.map((page) => `seen on ${page}`) : []
    }
    return openService(options, { extractor, spamFilter, ocr })
  })
  afterEach(() => {
    engineFails = true
    engineSeesNothing = false
  })
  const received = async (attachments: SendMailOptions['attachments']) => {
    await context.mail({ attachments })
    return (await context.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
  }

  it('is read once for each content, by page, up to a number of tokens', async () => {
    const file = { filename: 'a.pdf', content: threePages }
    reads.length = 0
    const [first, second] = [await received([file]), await received([{ ...file, filename: 'b.pdf' }])]
    const read = async (message: typeof first, query = '') =>
      (await context.call('GET', `/attachments/${message.attachments[0].id}/text${query}`)).body
    expect(await read(first)).toEqual({
      ...{
        text_status: 'ready',
        message: expect.any(String),
        format: 'pdf',
        page_count: 3,
        truncated: false,
        attachments: [],
      },
      pages: [
        { number: 1, text: 'one' },
        { number: 2, text: 'two and more' },
        { number: 3, text: 'three' },
      ],
    })
    expect(await read(second, '?pages=2')).toMatchObject({ pages: [{ number: 2 }], truncated: false })
    expect(await read(first, '?pages=2-9&max_tokens=2')).toMatchObject({
      pages: [{ number: 2, text: expect.stringMatching(/^t/) }],
      truncated: true,
    })
    expect(reads).toEqual(['none'])
    for (const query of ['?pages=3-2', '?pages=0', '?pages=x', '?max_tokens=0', '?page=1'])
      expect(await read(first, query)).toMatchObject({ error: 'invalid_request' })
  })

  it('is Markdown for those who ask for it, and JSON where there is no text', async () => {
    const scan = { filename: 'scan.pdf', content: pdfOf([null]) }
    const { attachments } = await received([{ filename: 'a.pdf', content: threePages }, scan])
    const read = (at: number, accept: string, query = '') =>
      context.call('GET', `/attachments/${attachments[at].id}/text${query}`, { headers: { accept } })
    const { status, headers, body } = await read(0, 'text/markdown, application/json;q=0.5', '?pages=2-3')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(body).toBe('[Page 2 of 3]\ntwo and more\n\n[Page 3 of 3]\nthree')
    expect((await read(0, 'application/json, text/markdown')).body).toMatchObject({ text_status: 'ready' })
    expect((await read(1, 'text/markdown')).body).toMatchObject({ text_status: 'needs_ocr' })
  })

  it('is read by the OCR engine of the installation, and tried again if the engine failed', async () => {
    const { attachments } = await received([
      { filename: 'scan.pdf', content: pdfOf([null, null]) },
      { filename: 'photo.png', content: photo },
    ])
    const read = async (at: number) =>
      (await context.call('GET', `/attachments/${attachments[at].id}/text`)).body
    expect(await read(0)).toMatchObject({ text_status: 'needs_ocr' })
    engineFails = false
    // A read shares the work of one that began before the engine was repaired.
    await expect
      .poll(() => read(0))
      .toMatchObject({
        ...{ text_status: 'ready', format: 'pdf', page_count: 2 },
        pages: [{ text: 'seen on 1' }, { text: 'seen on 2' }],
      })
    await expect.poll(() => read(1)).toMatchObject({ pages: [{ text: 'seen on 1' }] })
    expect(engineSaw).toEqual(expect.arrayContaining(['application/pdf 1,2', 'image/png 1']))
    const count = engineSaw.length
    expect(await read(0)).toMatchObject({ text_status: 'ready' })
    expect(engineSaw).toHaveLength(count)
    engineFails = true
  })

  it('is asked of the engine once if it finds none', async () => {
    const { attachments } = await received([{ filename: 'scan.pdf', content: pdfOf([null, null, null]) }])
    engineFails = false
    engineSeesNothing = true
    const read = async () => (await context.call('GET', `/attachments/${attachments[0].id}/text`)).body
    // A read shares the work of one that began before the engine was repaired.
    const calls = () => engineSaw.filter((call) => call === 'application/pdf 1,2,3').length
    const before = calls()
    for (let time = 0; time < 4; time++) expect(await read()).toMatchObject({ text_status: 'needs_ocr' })
    expect(calls() - before).toBeLessThanOrEqual(1)
  })

  it('that is stored is read while somebody else changes the account', async () => {
    const { attachments } = await received([{ filename: 'a.zip', content: zipOf({ 'a.txt': 'pears' }) }])
    const read = async () => (await context.call('GET', `/attachments/${attachments[0].id}/text`)).body
    const first = await read()
    expect(first).toMatchObject({ text_status: 'ready', attachments: [{ filename: 'a.txt' }] })
    const beside = await openBeside(database.options)
    onTestFinished(() => beside.destroy())
    await beside.transaction().execute(async (tx) => {
      await tx.updateTable('accounts').set({ name: 'locked' }).execute()
      expect(await read()).toEqual(first)
    })
  })

  it('of an earlier version is read again', async () => {
    const { attachments } = await received([{ filename: 'b.zip', content: zipOf({ 'b.txt': 'plums' }) }])
    const path = `/attachments/${attachments[0].id}/text`
    await context.call('GET', path)
    const old = { status: 'ready', format: 'zip', pages: ['old'], pageCount: 1, isCut: false }
    const beside = await openBeside(database.options)
    onTestFinished(() => beside.destroy())
    await beside.updateTable('attachment_texts').set('result', JSON.stringify(old)).execute()
    expect((await context.call('GET', path)).body).toMatchObject({
      pages: [{ text: expect.stringContaining('b.txt') }],
      attachments: [{ filename: 'b.txt' }],
    })
  })

  it('is read without a request, and the message tells its state with an event, but not of spam', async () => {
    const { body: start } = await context.call('GET', '/events?after=now')
    await context.mail({ subject: 'spam', attachments: [{ filename: 'a.txt', content: 'never read' }] })
    await context.mail({
      attachments: [
        { filename: 'a.pdf', content: threePages },
        { filename: 'scan.pdf', content: pdfOf([null]) },
      ],
    })
    const events: { type: string; data: { id: string; seq: number; attachments: object[] } }[] = []
    let cursor = start.to
    while (!events.some(({ type }) => type === 'message.updated')) {
      const { body } = await context.call('GET', `/events?after=${cursor}&wait_ms=20000`)
      events.push(...body.events)
      cursor = body.to
    }
    const ofType = (type: string) => events.filter((event) => event.type === type)
    const [changed] = ofType('message.updated')
    expect(ofType('message.received').at(-1)).toMatchObject({
      data: { id: changed!.data.id, attachments: [{ text_status: 'pending' }, { text_status: 'pending' }] },
    })
    expect(changed!.data.attachments).toEqual([
      expect.objectContaining({
        text_status: 'ready',
        text_message: expect.any(String),
        page_count: 3,
        text_tokens: 8,
      }),
      expect.objectContaining({ text_status: 'needs_ocr', text_message: expect.stringContaining('scan') }),
    ])
    const path = `/messages/${changed!.data.id}`
    expect((await context.call('GET', path)).body).toMatchObject({ seq: changed!.data.seq })
    expect(ofType('message.updated')).toHaveLength(1)
    const [spam] = ofType('message.received')
    const read = await context.call('GET', `/messages/${spam!.data.id}`)
    expect(read.body.attachments).toMatchObject([{ text_status: 'pending' }])
  })

  it('is erased with the last message that has the file', async () => {
    const content = pdfOf([[[50, 700, 'a secret of one account']]])
    const messages = [
      await received([{ filename: 'a.pdf', content }]),
      await received([{ filename: 'b.pdf', content }]),
    ]
    const read = (at: number) => context.call('GET', `/attachments/${messages[at].attachments[0].id}/text`)
    for (const at of [0, 1]) expect((await read(at)).body).toMatchObject({ text_status: 'ready' })
    reads.length = 0
    await context.call('DELETE', `/messages/${messages[0].id}`)
    expect((await read(0)).status).toBe(404)
    expect((await read(1)).body).toMatchObject({ text_status: 'ready' })
    expect(reads).toEqual([])
    await context.call('DELETE', `/messages/${messages[1].id}`)
    const third = await received([{ filename: 'c.pdf', content }])
    await context.call('GET', `/attachments/${third.attachments[0].id}/text`)
    expect(reads).toEqual(['none'])
  })

  it('of an encrypted PDF is read by its password, and stays encrypted', async () => {
    const content = lockedPdfOf('Salary 4711', 'pear')
    const message = await received([{ filename: 'salary.pdf', content }])
    const path = `/attachments/${message.attachments[0].id}/text`
    expect((await context.call('GET', path)).body).toMatchObject({ text_status: 'encrypted', pages: [] })
    const read = async (password: string) => (await context.call('POST', path, { body: { password } })).body
    expect(await read('apple')).toMatchObject({ text_status: 'encrypted', pages: [] })
    expect(await read('pear')).toMatchObject({ text_status: 'ready', pages: [{ text: 'Salary 4711' }] })
    expect((await context.call('GET', path)).body).toMatchObject({ text_status: 'encrypted', pages: [] })
  })

  it('says what to do about a file without text, and stores nothing that a password opens', async () => {
    const message = await received([{ filename: 'scan.pdf', content: pdfOf([null]) }])
    const path = `/attachments/${message.attachments[0].id}/text`
    expect((await context.call('GET', path)).body).toMatchObject({
      ...{ text_status: 'needs_ocr', message: expect.stringContaining('scan'), pages: [], truncated: false },
    })
    reads.length = 0
    for (let time = 0; time < 2; time++)
      expect((await context.call('POST', path, { body: { password: 'pw' } })).status).toBe(200)
    expect(reads).toEqual(['pw', 'pw'])
  })
})
