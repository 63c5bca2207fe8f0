import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
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
  vi.restoreAllMocks()
  await Promise.all(open.splice(0).map((parser) => parser.close()))
})

const taskMs = 12_345

/** A parser with one thread that hangs in a task. The time of tasks passes only by `timeOut`. */
async function startHanging() {
  const tasks: AbortController[] = []
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: taskMs * 1_000, system: 0 })
  const isRunning = new Promise<void>((resolve) => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      if (ms !== taskMs) return timeout(ms)
      const task = new AbortController()
      tasks.push(task)
      resolve()
      return task.signal
    })
  })
  const parser = start({ workerFile: hostileWorker, threads: 1, timeoutMs: taskMs })
  const hung = parser.htmlText('hang').catch((error: Error) => error)
  await isRunning
  return { parser, hung, timeOut: () => tasks.forEach((task) => void task.abort()) }
}

const mailText = bytesOf(
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
    const raw = new Uint8Array(mailText)
    expect(await start().parse(raw)).toEqual(await parseMail(mailText))
    expect(raw).toEqual(mailText)
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
    const raw = Buffer.concat([Buffer.from('before'), mailText]).subarray(6)
    const parser = start()
    const [attachment] = await parser.attachments(raw, [0])
    expect(attachment).toMatchObject({ filename: 'a.csv', contentType: 'text/csv' })
    expect(new TextDecoder().decode(attachment?.content)).toBe('a,b')
    expect(await parser.attachments(raw, [1])).toEqual([null])
    expect(raw.toString()).toContain('YSxi')
  })

  it('turns Markdown into HTML and HTML into text, and rejects it where the thread hangs or the parser was closed', async () => {
    const parser = start()
    expect(await parser.htmlText('<p>ä<p hidden>b')).toBe('ä')
    expect(await parser.markdown('**ä**')).toEqual({ html: '<p><strong>ä</strong></p>\n', text: 'ä' })
    const hanging = start({ workerFile: hostileWorker, threads: 1, timeoutMs: 500 })
    await expect(hanging.markdown('hang')).rejects.toMatchObject({ name: 'AbortError' })
    await expect(hanging.htmlText('hang')).rejects.toMatchObject({ name: 'AbortError' })
    await hanging.close()
    await expect(hanging.htmlText('x')).rejects.toBeInstanceOf(ParserUnavailable)
    await expect(hanging.markdown('x')).rejects.toBeInstanceOf(ParserUnavailable)
  })

  it('reads the mail that a provider posted, or says what it lacks', async () => {
    const parser = start()
    const json = Buffer.from(
      JSON.stringify({ From: 'A <a@b.example>', OriginalRecipient: 'c@d', RawEmail: 'x' }),
    )
    expect(await parser.posted('postmark', json, '')).toMatchObject({ from: 'a@b.example', to: ['c@d'] })
    expect(await parser.posted('postmark', Buffer.from('{'), '')).toBe('the body is not JSON')
    const form = 'application/x-www-form-urlencoded'
    const mail = await parser.posted('mailgun', Buffer.from('recipient=c%40d.example&body-mime=%41'), form)
    expect(mail).toEqual({ from: '', to: ['c@d.example'], raw: new Uint8Array([65]) })
    expect(await parser.posted('mailgun', Buffer.from('recipient=c'), form)).toMatch(/^there is no body-mime/)
  })

  it('gives a task its time again while the machine gives the process no processor time', async () => {
    const timeouts: AbortController[] = []
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      if (ms !== taskMs) return timeout(ms)
      timeouts.push(new AbortController())
      return timeouts.at(-1)!.signal
    })
    const usage = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 })
    const parser = start({ workerFile: hostileWorker, threads: 1, timeoutMs: taskMs })
    const hung = parser.htmlText('hang').catch((error: Error) => error.name)
    for (let times = 0; times < 3; times++) {
      await vi.waitFor(() => expect(timeouts).toHaveLength(times + 1))
      timeouts[times]!.abort()
    }
    await vi.waitFor(() => expect(timeouts).toHaveLength(4))
    usage.mockReturnValue({ user: taskMs * 1_000, system: 0 })
    timeouts[3]!.abort()
    expect(await hung).toBe('AbortError')
  })

  it('loses only the body of the mail that hangs, crashes or eats memory', async () => {
    const parser = start({ workerFile: hostileWorker, threads: 1, timeoutMs: 5_000, maxMemoryMb: 32 })
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

  it('finds codes and links, and none where the thread hangs', async () => {
    const mail = {
      subject: 'Your code',
      text: 'Your code is 482913.',
      html: null,
      senderDomain: 'example.com',
    }
    expect(await start().findings(mail)).toMatchObject({ codes: [{ code: '482913' }], links: [] })
    const hanging = start({ workerFile: hostileWorker, threads: 1, quickTimeoutMs: 500 })
    expect(await hanging.findings({ ...mail, subject: 'hang' })).toEqual({ codes: [], links: [] })
  })

  it('runs the time of a task from when a thread is free for it', async () => {
    const { parser, hung, timeOut } = await startHanging()
    const large = bytesOf(`Subject: large\r\n\r\n${'x'.repeat(64 * 1024)}`)
    const waiting = Promise.allSettled([
      parser.htmlText('html'),
      parser.posted('postmark', bytesOf('post'), ''),
      parser.parse(large),
    ])
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    timeOut()
    expect(await hung).toMatchObject({ name: 'AbortError' })
    expect(await waiting).toMatchObject([
      { value: 'html' },
      { value: 'post' },
      { value: { text: 'parsed', flaws: [] } },
    ])
  })

  it('copies a post only once a thread is free for it', async () => {
    const { parser, timeOut } = await startHanging()
    const body = bytesOf('before')
    const posted = parser.posted('postmark', body, '')
    await setImmediate()
    body.set(bytesOf('later!'))
    timeOut()
    expect(await posted).toBe('later!')
  })

  it('blames no task for the end of the threads', async () => {
    const { parser, hung } = await startHanging()
    const waiting = parser.htmlText('html').catch((error: Error) => error)
    await parser.close()
    expect(await hung).toBeInstanceOf(ParserUnavailable)
    expect(await waiting).toBeInstanceOf(ParserUnavailable)
  })

  it('reads nothing of a mail whose header hangs, too, and reads on', async () => {
    const options = { workerFile: hostileWorker, threads: 1, timeoutMs: 500, quickTimeoutMs: 500 }
    const parser = start(options)
    const [hostile, next] = await Promise.all([
      parser.parse(bytesOf('From: ann@example.com\r\nSubject: hang, unreadable\r\n\r\nbody')),
      parser.parse(bytesOf('Subject: fine\r\n\r\nbody')),
    ])
    expect(hostile).toMatchObject({
      from: null,
      subject: '',
      headers: [],
      flaws: ['parser-timeout', 'unread'],
    })
    expect(next).toMatchObject({ text: 'parsed' })
  })

  it('finishes what was asked before it closes', async () => {
    const parser = start()
    const asked = parser.parse(mailText)
    await parser.close()
    expect((await asked).replyText).toBe('Hello')
    await expect(parser.parse(mailText)).rejects.toThrow(ParserUnavailable)
    await expect(parser.attachments(mailText, [0])).rejects.toThrow(ParserUnavailable)
    expect(await parser.canRead()).toBe(false)
  })

  it('does not take the want of a thread for a flaw of the mail, and reads again once there is one', async () => {
    const workerFile = join(await temporaryFolder(), 'worker.mjs')
    const parser = start({ workerFile, threads: 2 })
    const failed = await Promise.allSettled([1, 2, 3].map(() => parser.parse(mailText)))
    for (const one of failed) expect(one).toMatchObject({ reason: { code: 'PARSER_UNAVAILABLE' } })
    await expect(parser.attachments(mailText, [0])).rejects.toThrow(ParserUnavailable)
    expect(await parser.canRead()).toBe(false)
    await copyFile(hostileWorker, workerFile)
    expect(await parser.canRead()).toBe(true)
    expect(await parser.parse(mailText)).toMatchObject({ text: 'parsed' })
  })
})
