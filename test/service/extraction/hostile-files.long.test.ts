import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { createExtractor } from '../../../src/service/extraction/extractor'
import { seed } from '../../support/seed'
import { openService } from '../../support/service'
import { docxOf, pdfOf, xlsxOf, zipOf } from './support/files'
import { msgOf, tnefOf } from './support/outlook'

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const good: readonly Buffer[] = [
  docxOf(paragraph('Hello').repeat(50)),
  pdfOf([[[50, 700, 'Hello']], [[50, 700, 'again']]]),
  xlsxOf({ S: '<row><c><v>1</v></c></row>'.repeat(20) }),
  zipOf({ 'a.txt': 'Hello', 'b.eml': 'From: a@b.example\r\nSubject: Hi\r\n\r\nHello' }),
  msgOf({ subject: 'Hi', body: 'Hello', files: [{ name: 'a.txt', content: Buffer.from('Hello') }] }),
  tnefOf({ subject: 'Hi', body: 'Hello', files: [{ name: 'a.txt', content: Buffer.from('Hello') }] }),
  Buffer.from(`{\\rtf1 {\\b Hello}${'\\par Hello'.repeat(50)}}`),
  gzipSync(Buffer.alloc(2_048)),
]

/** Entities that name each other, so that the last one is a billion times as long. */
const laughs = (levels: number) => {
  const named = Array.from({ length: levels }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`)
  return `<!DOCTYPE d [<!ENTITY e0 "ha">${named.join('')}]><w:d>${paragraph(`&e${levels};`)}</w:d>`
}
const zipInZip = (levels: number): Buffer => {
  let inner = zipOf({ 'a.txt': 'Hello' })
  for (let level = 0; level < levels; level += 1) inner = zipOf({ 'inner.zip': inner })
  return inner
}
const nestedMail = (levels: number): string =>
  `${'Content-Type: message/rfc822\r\nSubject: x\r\n\r\n'.repeat(levels)}Subject: end\r\n\r\nHello`

/** Makes attacks of one kind, each larger than the one before. */
const attacks: readonly ((size: number) => Buffer | string)[] = [
  (size) => zipOf({ 'word/document.xml': Buffer.alloc(size * 16 * 1024 * 1024, 'x') }),
  (size) => gzipSync(Buffer.alloc(size * 24 * 1024 * 1024)),
  (size) => zipOf({ 'word/document.xml': laughs(size * 4) }),
  (size) => pdfOf([[[50, 700, 'Hello']]], Array<string>(size * 25_000).fill('<< >>')),
  (size) => pdfOf([[[50, 700, 'Hello']]], ['['.repeat(size * 50_000)]),
  (size) => xlsxOf({ S: '<row><c><v>1</v></c></row>'.repeat(size * 250_000) }),
  (size) => docxOf('<w:tbl><w:tr><w:tc>'.repeat(size * 20_000) + paragraph('deep')),
  (size) => `{\\rtf1 ${'{\\b '.repeat(size * 100_000)}`,
  (size) => `<html><body>${'<div>'.repeat(size * 50_000)}`,
  (size) => nestedMail(size * 2_000),
  (size) => zipInZip(size * 20),
]

/** Returns a generator of numbers below 1, the same in each run. */
const numbersFrom = (start: number) => {
  let state = start >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Changes some bytes of a file, or cuts it. */
function damaged(file: Buffer, random: () => number): Buffer {
  const bytes = Buffer.from(file)
  for (let change = 0; change < 12; change += 1)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
  return random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes
}

it('200 hostile files do no harm: the service answers meanwhile, and the next file is read', async () => {
  const extractor = createExtractor({ timeoutMs: 1_500 })
  onTestFinished(() => extractor.close())
  await using service = await openService({}, { extractor })
  const random = numbersFrom(seed)
  const sizes = [1, 2, 3, 4]
  const made = attacks.flatMap((attack) => sizes.map((size) => () => Buffer.from(attack(size) as Buffer)))
  const files = [
    ...made,
    ...Array.from({ length: 200 - made.length }, (_, at) => () => damaged(good[at % good.length]!, random)),
  ]
  const hints = { filename: 'mail.eml', contentType: 'application/octet-stream' }
  const statuses = new Set<string>()
  // As many at once as there are processes.
  const read = async () => {
    for (let next = files.shift(); next; next = files.shift()) {
      const reading = extractor.extract(next(), hints)
      expect((await service.call('GET', '/account')).status).toBe(200)
      statuses.add((await reading).status)
    }
  }
  await Promise.all([read(), read()])
  const known = ['ready', 'too_large', 'timed_out', 'unreadable', 'unsupported', 'encrypted', 'needs_ocr']
  expect([...statuses].filter((status) => !known.includes(status))).toEqual([])
  expect(statuses).toContain('ready')
  expect(statuses).toContain('unreadable')
  const after = createExtractor()
  onTestFinished(() => after.close())
  expect(await after.extract(good[1]!, hints)).toMatchObject({ pages: ['Hello', 'again'] })
  await service.mail({ attachments: [{ filename: 'a.docx', content: good[0]! }] })
  const path = '/messages?direction=inbound&limit=1'
  const { attachments } = (await service.call('GET', path)).body.messages[0]
  await expect
    .poll(async () => (await service.call('GET', `/attachments/${attachments[0].id}/text`)).body.text_status)
    .toBe('ready')
}, 90_000)
