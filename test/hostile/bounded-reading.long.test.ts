import { describe, expect, it } from 'vitest'
import { withoutTrace } from '../../src/mail/headers/header-bytes'
import { readHeaders } from '../../src/mail/headers/header-reader'
import { htmlToText } from '../../src/mail/html/html-to-text'
import { textToHtml } from '../../src/mail/html/text-to-html'
import { parseMail } from '../../src/mail/parse'
import { bytesOf, quickly } from '../support/timing'
import { fieldCases, functionCases, messageCases } from './growing-inputs'
import { readerCases } from './growing-readers'
import { grown } from './growing-runs'

const length = 48 * 1024

/** Cases by the field, function or message that they are of. */
const byKind = new Map<string, (() => unknown)[]>()
for (const [name, work] of [...fieldCases, ...functionCases, ...readerCases, ...messageCases]) {
  const kind = name.split(':')[0]!
  byKind.set(kind, [...(byKind.get(kind) ?? []), () => work(length)])
}

describe('48 KB of hostile characters cost a bounded time', () => {
  it('in more than 40 fields and functions', () => {
    expect(byKind.size).toBeGreaterThan(40)
  })

  it.each([...byKind])('in %s', async (kind, works) => {
    for (const work of works) await quickly(700, work, kind)
  })
})

describe('messages that once stopped the service', () => {
  it('are read: a Message-ID that is 250,000 closing brackets', async () => {
    const raw = bytesOf(`From: a@example.com\r\nMessage-ID: x${'>'.repeat(250_000)}b\r\n\r\nhello`)
    const mail = await quickly(1_000, () => parseMail(raw))
    expect(mail).toMatchObject({ messageId: null, preview: 'hello', flaws: ['header-too-large'] })
  })

  it('are read: a thousand pages with style rules, which share the steps of one', async () => {
    const page = `<style>${'b b b b b{color:red}'.repeat(40)}</style>${'<b>x'.repeat(250)}`
    const parts = `--b\r\nContent-Type: text/html\r\n\r\n${page}\r\n`.repeat(1_000)
    const head = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n'
    const mail = await quickly(3_000, () => parseMail(bytesOf(`${head}${parts}--b--`)))
    expect(mail.text).toMatch(/^hello/)
  })

  it('are read: escapes in a selector that could each be read in two ways', async () => {
    const escapes = '\\a'.repeat(40)
    const page = `<style>${escapes}!|x{color:red}[${escapes}!{color:red}</style><p>shown</p>`
    expect(await quickly(500, () => htmlToText(page))).toBe('shown')
  })

  it.each([
    'Am 12.05.2024 um 10:00 Uhr schrieb',
    'Le 12/05/2024 10:00, a écrit',
    'On 12 May 2024 at 10:00 wrote',
  ])(
    'are read: an introduction with commas that could each be read in two ways: %s',
    async (introduction) => {
      const text = `Thanks.\n\n${introduction}${',A'.repeat(60)} b:\n\nquoted\n`
      await quickly(500, () => parseMail(bytesOf(`From: a@example.com\r\n\r\n${text}`)))
    },
  )

  it('are read: 200,000 empty lines', async () => {
    const text = `a\n${grown('\n', 200_000)}b`
    expect(await quickly(1_500, () => textToHtml(text))).toBe('<p>a</p>\n<p>b</p>')
    const parts = `--b\r\n\r\n${text}\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>a</p>\r\n--b--`
    const raw = bytesOf(`Content-Type: multipart/alternative; boundary=b\r\n\r\n${parts}`)
    expect((await quickly(3_000, () => parseMail(raw))).flaws).toEqual([])
  })
})

describe('headers without an end', () => {
  const size = 24 * 1024 * 1024

  it.each([
    ['lines', 'x\n'],
    ['lines with CR', 'x\r\n'],
    ['words', 'a b\n'],
    ['blank lines', ' \n'],
  ])('are read up to a bound: 24 MB of %s', async (_what, unit) => {
    const raw = bytesOf(grown(unit, size, 'From: a@example.com\r\nSubject: s\r\n'))
    const { fields } = await quickly(400, () => readHeaders(raw, 256 * 1024))
    expect(fields[0]).toMatchObject({ name: 'From', value: 'a@example.com' })
    const leading = bytesOf(grown('\n', size, '', 'From: a@example.com\r\n\r\nHi'))
    expect((await quickly(400, () => readHeaders(leading, 256 * 1024))).fields).toEqual([])
    const traced = bytesOf(grown(unit, size, 'received: a\n'))
    await quickly(400, () => withoutTrace(traced))
  })

  it('end at the bound, and the rest is the text', async () => {
    const raw = bytesOf(`${grown('x\n', 600 * 1024, 'From: a@example.com\r\n')}Bcc: b@example.com\r\n\r\nHi`)
    const mail = await parseMail(raw)
    expect(mail.flaws).toEqual(expect.arrayContaining(['header-unended']))
    expect(mail.text).toContain('Hi')
  })
})

describe('fields that are too long', () => {
  const kb = 1024
  const withField = (name: string, bytes: number) =>
    parseMail(bytesOf(`From: a@example.com\r\n${name}: ${'x'.repeat(bytes)}\r\nSubject: s\r\n\r\nhello`))

  it('are cut at 100 KB, and the message says so', async () => {
    const mail = await withField('X-Long', 101 * kb)
    expect(mail.headers.find(({ name }) => name === 'X-Long')?.value).toHaveLength(100 * kb)
    expect(mail).toMatchObject({ subject: 's', preview: 'hello', flaws: ['header-too-large'] })
    expect((await withField('X-Long', 99 * kb)).flaws).toEqual([])
  })

  it.each(['DKIM-Signature', 'ARC-Seal', 'ARC-Message-Signature', 'ARC-Authentication-Results'])(
    'are left out without a flaw: %s above 8 KB',
    async (field) => {
      const mail = await withField(field, 9 * kb)
      expect(mail.headers.map(({ name }) => name)).toEqual(['From', 'Subject'])
      expect(mail.flaws).toEqual([])
      expect((await withField(field, 7 * kb)).headers).toHaveLength(3)
    },
  )

  it('are cut at 4 KB: From', async () => {
    const raw = bytesOf(`From: "${'x'.repeat(5 * kb)}" <a@example.com>\r\n\r\nhello`)
    expect((await parseMail(raw)).flaws).toEqual(['header-too-large'])
  })

  it('give no torn address', async () => {
    const addresses = Array.from({ length: 9_000 }, (_, at) => `someone${at}@long.example`)
    const { to, flaws } = await parseMail(bytesOf(`To: ${addresses.join(', ')}\r\n\r\nx`))
    expect(flaws).toEqual(['header-too-large'])
    expect(addresses).toEqual(expect.arrayContaining(to.map(({ address }) => address)))
  })
})
