import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { parseMail } from '../../../src/mail/parse'
import {
  createMailParser,
  type MailParserOptions,
  ParserUnavailable,
} from '../../../src/service/inbound/mail-parser'
import type { MailParser } from '../../../src/service/ports'
import { temporaryFolder } from '../../support/temporary-folder'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const hostileWorker = fileURLToPath(new URL('../../mail/hostile-worker.mjs', import.meta.url))
const open: MailParser[] = []

const start = (options?: MailParserOptions) => {
  const parser = createMailParser(options)
  open.push(parser)
  return parser
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((parser) => parser.close()))
})

const MAIL = bytesOf(
  [
    'From: ann@example.com',
    'Subject: Hi',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Hello',
    '--b',
    'Content-Type: text/csv; name=a.csv',
    'Content-Transfer-Encoding: base64',
    '',
    'YSxi',
    '--b--',
  ].join('\r\n'),
)

describe('createMailParser', () => {
  it.each([
    ['windows-1252', '\x93Preis\x94: 5 \x80\x85', '“Preis”: 5 €…'],
    ['iso-8859-15', 'Preis: 5 \xa4', 'Preis: 5 €'],
    ['ks_c_5601-1987', '\xb0\xa1\x81A', '가갂'],
    ['big5', '\xa4\xa4\x87@', '中䏰'],
  ])('reads a mail in %s as it was written', async (charset, octets, text) => {
    const head = `From: ann@example.com\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`
    const mail = await start().parse(new Uint8Array(Buffer.from(head + octets, 'latin1')))
    expect(mail.text.trim()).toBe(text)
  })

  it('reads as parseMail does, and leaves the mail to the caller', async () => {
    const raw = new Uint8Array(MAIL)
    expect(await start().parse(raw)).toEqual(await parseMail(MAIL))
    expect(raw).toEqual(MAIL)
  })

  it('tells by the envelope sender of each that a program wrote it', async () => {
    const parser = start()
    const raw = bytesOf('Subject: Gone\r\nIn-Reply-To: <1@agent.example>\r\n\r\nx')
    const mails = await Promise.all([
      parser.parse(raw, ''),
      parser.parse(raw, 'ann@example.com'),
      parser.parse(raw),
    ])
    expect(mails.map(({ autoReason }) => autoReason)).toEqual(['auto-reply', null, null])
  })

  it('reads many mails at once, each its own', async () => {
    const parser = start({ threads: 2 })
    const mails = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        parser.parse(bytesOf(`Subject: ${index}\r\n\r\nbody ${index}`)),
      ),
    )
    expect(mails.map((mail) => mail.subject)).toEqual(mails.map((_, index) => `${index}`))
    expect(mails.map((mail) => mail.replyText)).toEqual(mails.map((_, index) => `body ${index}`))
  })

  it('reads attachments, also out of a slice of a larger buffer', async () => {
    const raw = Buffer.concat([Buffer.from('before'), MAIL]).subarray(6)
    const parser = start()
    const [attachment] = await parser.attachments(raw, [0])
    expect(attachment).toMatchObject({ filename: 'a.csv', contentType: 'text/csv' })
    expect(new TextDecoder().decode(attachment?.content)).toBe('a,b')
    expect(await parser.attachments(raw, [1])).toEqual([null])
    expect(raw.toString()).toContain('YSxi')
  })

  it('turns Markdown into HTML, and rejects it where the thread hangs or the parser was closed', async () => {
    const parser = start()
    expect(await parser.markdownToHtml('**ä**')).toBe('<p><strong>ä</strong></p>\n')
    const hanging = start({ workerFile: hostileWorker, threads: 1, timeoutMs: 500 })
    await expect(hanging.markdownToHtml('hang')).rejects.toMatchObject({ name: 'AbortError' })
    await hanging.close()
    await expect(hanging.markdownToHtml('x')).rejects.toBeInstanceOf(ParserUnavailable)
  })

  it('loses only the body of the mail that hangs, crashes or eats memory', async () => {
    const parser = start({ workerFile: hostileWorker, threads: 1, timeoutMs: 1500, maxMemoryMb: 32 })
    const words = ['fine', 'hang', 'fine', 'exit', 'throw', 'memory', 'fine']
    const mails = await Promise.all(
      words.map((word) => parser.parse(bytesOf(`Subject: ${word}\r\n\r\nbody`))),
    )
    const crashed = { subject: expect.any(String), text: '', flaws: ['parser-crashed'] }
    expect(mails[1]).toMatchObject({ subject: 'hang', text: '', flaws: ['parser-timeout'] })
    for (const index of [3, 4, 5]) expect(mails[index]).toMatchObject(crashed)
    for (const index of [0, 2, 6]) expect(mails[index]).toMatchObject({ text: 'parsed' })
    expect(await parser.attachments(bytesOf('hang'), [0])).toEqual([null])
  })

  it('finishes what was asked before it closes', async () => {
    const parser = start()
    const asked = parser.parse(MAIL)
    await parser.close()
    expect((await asked).replyText).toBe('Hello')
    await expect(parser.parse(MAIL)).rejects.toThrow(ParserUnavailable)
    await expect(parser.attachments(MAIL, [0])).rejects.toThrow(ParserUnavailable)
    expect(await parser.canRead()).toBe(false)
  })

  it('does not take the want of a thread for a flaw of the mail, and reads again once there is one', async () => {
    const workerFile = join(await temporaryFolder(), 'worker.mjs')
    const parser = start({ workerFile, threads: 2 })
    const failed = await Promise.allSettled([1, 2, 3].map(() => parser.parse(MAIL)))
    for (const one of failed) expect(one).toMatchObject({ reason: { code: 'PARSER_UNAVAILABLE' } })
    await expect(parser.attachments(MAIL, [0])).rejects.toThrow(ParserUnavailable)
    expect(await parser.canRead()).toBe(false)
    await copyFile(hostileWorker, workerFile)
    expect(await parser.canRead()).toBe(true)
    expect(await parser.parse(MAIL)).toMatchObject({ text: 'parsed' })
  })
})
