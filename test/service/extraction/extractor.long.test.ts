import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createExtractor, type ExtractorOptions } from '../../../src/service/extraction/extractor'
import { docxOf, pdfOf, xlsxOf, zipOf } from './support/files'
import { msgOf, tnefOf } from './support/outlook'

const start = (options?: ExtractorOptions) => {
  const extractor = createExtractor(options)
  onTestFinished(() => extractor.close())
  return (bytes: string | Buffer, filename = 'file') =>
    extractor.extract(Buffer.from(bytes as Buffer), { filename, contentType: 'application/octet-stream' })
}

describe('a process that reads files', () => {
  const processFile = join(import.meta.dirname, 'support/odd-process.mjs')
  const odd = (options?: ExtractorOptions) => start({ processFile, ...options })

  it('is killed after its time, and the next file is read', async () => {
    const read = odd({ timeoutMs: 1_500 })
    expect(await Promise.all([read('', 'hang'), read('a', 'echo')])).toMatchObject([
      { status: 'timed_out', pages: [] },
      { status: 'ready', pages: ['a'] },
    ])
  })

  it.runIf(process.platform === 'linux')('is killed when it takes too much memory', async () => {
    const read = odd({ maxResidentMb: 200 })
    expect(await read('', 'grow')).toMatchObject({ status: 'too_large' })
    expect(await read('b', 'echo')).toMatchObject({ pages: ['b'] })
  })

  it('is killed when it answers too much; one that ends without an answer has read nothing', async () => {
    const read = odd()
    expect(await read('', 'flood')).toMatchObject({ status: 'too_large' })
    expect(await read('', 'crash')).toMatchObject({ status: 'unreadable' })
    expect(await read('c', 'echo')).toMatchObject({ pages: ['c'] })
  })

  it('opens messages of Outlook, and takes files out of messages and archives', async () => {
    const extractor = createExtractor()
    onTestFinished(() => extractor.close())
    const hints = { filename: 'file', contentType: 'application/octet-stream' }
    const content = Buffer.from('one\ntwo\n')
    for (const make of [msgOf, tnefOf]) {
      const mail = make({ subject: 'Pears', body: 'Hello', files: [{ name: 'a.txt', content }] })
      expect(await extractor.open(mail, hints)).toMatchObject({
        mail: { subject: 'Pears', replyText: 'Hello' },
      })
      const found = await extractor.fileWithin(mail, hints, 0)
      expect(found).toEqual({ status: 'ready', contentType: 'text/plain', content })
      expect(await extractor.fileWithin(mail, hints, 1)).toEqual({ status: 'unreadable' })
    }
    expect(await extractor.open(content, hints)).toEqual({ status: 'unsupported' })
    expect(await extractor.fileWithin(zipOf({ b: content }), hints, 0)).toMatchObject({ content })
    const bomb = zipOf({ b: Buffer.alloc(40 * 1024 * 1024) })
    expect(await extractor.fileWithin(bomb, hints, 0)).toEqual({ status: 'too_large' })
    const odd = createExtractor({ processFile })
    onTestFinished(() => odd.close())
    expect(await odd.fileWithin(content, { ...hints, filename: 'crash' }, 0)).toEqual({
      status: 'unreadable',
    })
    expect(await odd.open(content, { ...hints, filename: 'crash' })).toEqual({ status: 'unreadable' })
  })

  it('reads no other file, starts no program or thread, and knows no setting', async () => {
    const denied = 'ERR_ACCESS_DENIED'
    expect(await odd()('', 'spy')).toMatchObject({ pages: [`${denied} ${denied} ${denied} 0`] })
  })
})

describe('hostile files', () => {
  it('are read as far as the limits allow, and the next file is read', async () => {
    const read = start()
    const paragraphs = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
    const bomb = zipOf({ 'word/document.xml': Buffer.alloc(300 * 1024 * 1024, 'x') })
    expect((await start({ timeoutMs: 5_000 })(bomb)).status).toMatch(/^(?:too_large|timed_out)$/)
    const entities = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>`
    const named = zipOf({ 'word/document.xml': `${entities}<w:d>${paragraphs('see &b;&f;')}</w:d>` })
    expect((await read(named)).pages.join()).not.toContain('haha')
    const million = xlsxOf({ S: '<row><c><v>1</v></c></row>'.repeat(1_000_000) })
    expect(await read(million)).toMatchObject({ status: 'ready', isCut: true })
    const objects = pdfOf([[[50, 700, 'Hello']]], Array<string>(100_000).fill('<< >>'))
    expect(await read(objects)).toMatchObject({ status: 'ready', pages: ['Hello'] })
    const nested = docxOf('<w:x>'.repeat(200_000) + paragraphs('deep'))
    expect((await read(nested)).status).toMatch(/ready|too_large|timed_out|unreadable/)
    expect(await read(docxOf(paragraphs('still here')))).toMatchObject({ pages: ['still here'] })
  }, 90_000)
})
