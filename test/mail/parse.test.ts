import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageFolders } from '../../bench/corpora.mjs'
import { parseHeadersOnly } from '../../src/mail/head-only'
import { parseMail, readAttachments } from '../../src/mail/parse'
import type { ParsedMail } from '../../src/mail/parsed-mail'
import { bytesOf, quickly } from '../support/timing'
import { corpusFiles, hasCorpora } from './corpora'

const mail = (lines: string[]) => parseMail(bytesOf(lines.join('\r\n')))

const mixed = [
  'From: "Ann, Example" <ann@Example.COM>',
  'To: Team: bob@example.com, Carl <carl@example.com>;, dora@example.com',
  'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
  '  =?utf-8?q?_aus_K=C3=B6ln?=',
  'Message-ID: <1@example.com>',
  'In-Reply-To: <0@example.com>',
  'References: <a@example.com>',
  ' <0@example.com>',
  'Date: Mon, 2 Apr 2012 09:57:58 -0400 (EDT)',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Sch=F6n.',
  '--b',
  'Content-Type: application/pdf; name="../../etc/a b.pdf"',
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: base64',
  '',
  'aGVsbG8=',
  '--b--',
  '',
]

describe('parseMail', () => {
  it('reads headers, body and attachments', async () => {
    const parsed = await mail(mixed)
    expect(parsed).toMatchObject({
      messageId: '<1@example.com>',
      inReplyTo: '<0@example.com>',
      references: ['<a@example.com>', '<0@example.com>'],
      from: { address: 'ann@example.com', name: 'Ann, Example' },
      subject: 'Grüße aus Köln',
      sentAt: '2012-04-02T13:57:58.000Z',
      text: 'Schön.\n',
      html: null,
      replyText: 'Schön.',
      preview: 'Schön.',
      autoSubmitted: 'no',
      flaws: [],
    })
    expect(parsed.to.map((to) => to.address)).toEqual([
      'bob@example.com',
      'carl@example.com',
      'dora@example.com',
    ])
    expect(parsed.attachments).toEqual([
      {
        index: 0,
        filename: 'a b.pdf',
        contentType: 'application/pdf',
        size: 5,
        inline: false,
        contentId: null,
      },
    ])
    expect(parsed.headers[0]).toEqual({ name: 'From', value: '"Ann, Example" <ann@Example.COM>' })
    expect(parsed.headers[2]?.value).toBe('Grüße aus Köln')
  })

  it('reads an attachment by its index', async () => {
    const raw = bytesOf(mixed.join('\r\n'))
    const [attachment] = await readAttachments(raw, [0])
    expect(attachment?.filename).toBe('a b.pdf')
    expect(new TextDecoder().decode(attachment?.content)).toBe('hello')
    expect(await readAttachments(raw, [1, 0, -1])).toEqual([null, attachment, null])
  })

  it('makes text of a mail that has only HTML', async () => {
    const parsed = await mail([
      'Content-Type: text/html',
      '',
      '<p>Hi <b>you</b></p><blockquote>old</blockquote>',
    ])
    expect(parsed.text).toBe('Hi you\n\n> old')
    expect(parsed.replyText).toBe('Hi you')
  })

  it('keeps an answer apart from the flowed quote above it (RFC 3676)', async () => {
    const parsed = await mail([
      'Content-Type: text/plain;',
      '  Format="flowed"; DelSp=yes',
      '',
      'On 2 Apr 2012 at 10:00, Ann wrote:',
      '> a long ',
      '> question ',
      'An ans ',
      'wer',
    ])
    expect(parsed.text).toContain('> a longquestion\nAn answer')
    expect(parsed.replyText).toBe('An answer')
  })

  it('reads plain text that needs no MIME parser just as the MIME parser does', async () => {
    const piece = fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      ' ',
      '\t',
      '.',
      '>',
      '-- ',
      '\f',
      'a',
      'Ann wrote:',
      '=20',
      '\x1b',
    )
    const body = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
    const head = fc.constantFrom('', 'Content-Transfer-Encoding: 7bit\r\n', 'MIME-Version: 1.0\r\n')
    await fc.assert(
      fc.asyncProperty(head, body, async (more, text) => {
        const plain = (parameter: string) =>
          parseMail(bytesOf(`Content-Type: text/plain${parameter}\r\n${more}\r\n${text}`))
        const { headers: _, textStart: at, ...direct } = await plain('; charset=utf-8')
        const { headers: __, textStart: later, ...parsed } = await plain('; charset=utf-8; x=y')
        expect(direct).toEqual(parsed)
        expect(at === null).toBe(later === null)
      }),
    )
  })

  it('decodes bare 8-bit headers by the charset of the body', async () => {
    const text = 'Subject: Gr\xfc\xdfe\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nh\xf6'
    const parsed = await parseMail(Uint8Array.from(text, (character) => character.charCodeAt(0)))
    expect([parsed.subject, parsed.text]).toEqual(['Grüße', 'hö\n'])
  })

  it.each(['gb2312', 'macintosh', 'windows-1251', 'utf-8'])(
    'keeps a bare header in UTF-8 that holds U+FFFD, whatever the body is written in: %s',
    async (charset) => {
      const fields = [
        'From: Jörg <j@x.example>',
        'Subject: \ufffd',
        `Content-Type: text/plain; charset=${charset}`,
      ]
      const { from, subject } = await parseMail(Buffer.from(`${fields.join('\r\n')}\r\n\r\nHi`))
      expect([from?.name, subject]).toEqual(['Jörg', '\ufffd'])
    },
  )

  it('decodes words of RFC 2047 that hold bare letters', async () => {
    const text = 'Subject: =?iso-8859-1?Q?Gr\xfc\xdfe?= =?iso-8859-1?Q?_an_J=FCrgen?=\r\n\r\nx'
    const parsed = await parseMail(Uint8Array.from(text, (character) => character.charCodeAt(0)))
    expect(parsed.subject).toBe('Grüße an Jürgen')
  })

  it('tells what programs wrote', async () => {
    const cases: [string, ParsedMail['autoSubmitted']][] = [
      ['Auto-Submitted: auto-replied (vacation)', 'auto-replied'],
      ['Auto-Submitted: auto-generated', 'auto-generated'],
      ['Auto-Submitted: no', 'no'],
      ['Precedence: bulk', 'auto-generated'],
      ['X-Autoreply: yes', 'auto-replied'],
      ['X-Auto-Response-Suppress: All', 'auto-generated'],
      ['List-Id: <a.example.com>', 'auto-generated'],
      ['Return-Path: <>', 'auto-replied'],
      ['Content-Type: multipart/report; boundary=x', 'auto-replied'],
      ['Return-Path: <a@example.com>', 'no'],
    ]
    for (const [header, expected] of cases)
      expect((await mail([header, '', 'x'])).autoSubmitted, header).toBe(expected)
  })

  it('keeps the first and the last 99 references', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `<${index}@example.com>`)
    const { references } = await mail([`References: ${ids.join('\r\n ')}`, '', 'x'])
    expect([references.length, references[0], references[1]]).toEqual([
      100,
      '<0@example.com>',
      '<201@example.com>',
    ])
  })

  it('replaces NUL and lone surrogates everywhere', async () => {
    const parsed = await mail([
      'Subject: a\0b',
      'X-A: \0',
      'Content-Type: text/html',
      '',
      'x\0y &#0; &#xD800;',
    ])
    expect(JSON.stringify(parsed)).not.toMatch(/\\u0000|\\ud[89a-f]/i)
  })

  it('bounds the bodies', async () => {
    const raw = bytesOf(`Subject: x\r\n\r\n${'ä'.repeat(500)}`)
    const parsed = await parseMail(raw, { maxBodyLength: 100 })
    expect([parsed.text.length, parsed.flaws]).toEqual([100, ['body-truncated']])
  })

  it('gives the header of what it refuses', async () => {
    const raw = bytesOf('Subject: x\r\n\r\na\r\nb\r\nc')
    expect(await parseMail(raw, { maxBytes: 10 })).toMatchObject({
      subject: 'x',
      text: '',
      flaws: ['too-large'],
    })
    expect(await parseMail(raw, { maxLines: 2 })).toMatchObject({ subject: 'x', flaws: ['too-many-lines'] })
    expect(parseHeadersOnly(raw, 'parser-timeout')).toMatchObject({ subject: 'x', flaws: ['parser-timeout'] })
  })

  it('reads the body although the header is too large', async () => {
    const parsed = await mail(['Subject: x', `X-Long: ${'a'.repeat(1_000_000)}`, '', 'hello'])
    expect(parsed).toMatchObject({ subject: 'x', replyText: 'hello', flaws: ['header-too-large'] })
  })

  it('takes any line ends, empty lines above and mbox lines', async () => {
    const parsed = await parseMail(bytesOf('\n\nFrom ann Mon Apr 2\nSubject: x\n\nhello\n'))
    expect(parsed).toMatchObject({ subject: 'x', text: 'hello\n', flaws: [] })
  })
})

describe('parseMail on hostile mail', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `u${index}@example.com`).join(', ')
  const levels = Array.from(
    { length: 300 },
    (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
  )
  const part = '--b\r\nContent-Type: image/png\r\n\r\nx\r\n'
  const cases: Record<string, string> = {
    '100,000 addresses': `To: ${many}\r\n\r\nhi`,
    'groups in groups': `To: ${'a:'.repeat(300_000)}\r\n\r\nhi`,
    '1.8 MB of flowed quotes': `Content-Type: text/plain; format=flowed\r\n\r\n${`> ${'ab '.repeat(24)}\r\n`.repeat(24_000)}`,
    'flowed everywhere': `Subject: x\r\n\r\n${'content-type:=flowed\n'.repeat(50_000)}`,
    '2,000 nested elements': `Content-Type: text/html\r\n\r\n${'<div><b>'.repeat(2000)}x`,
    'deep nesting': levels.join(''),
    '10,000 parts': `Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(10_000)}--b--`,
    'no boundary': 'Content-Type: multipart/mixed\r\n\r\n--b\r\n\r\nx',
    'no end': 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx',
    'a header line of 1 MB': `Subject: ${'a'.repeat(1_000_000)}\r\n\r\nhi`,
    'encoded words': `Subject: ${'=?utf-8?q?a?= '.repeat(60_000)}\r\n\r\nhi`,
    'folded lines': `Subject: x${'\r\n '.repeat(300_000)}\r\n\r\nhi`,
    references: `References: ${'<a@b> <'.repeat(150_000)}\r\n\r\nhi`,
    'boundaries alike': `${levels
      .slice(0, 20)
      .join('')
      .replaceAll('=b', `=${'-'.repeat(50)}`)}${`${'-'.repeat(60)}\r\n`.repeat(20_000)}`,
    nothing: '',
  }
  for (const [name, text] of Object.entries(cases)) {
    it(`survives ${name}`, async () => {
      const result = await quickly(5000, () => parseMail(bytesOf(text)))
      expect(result.to.length).toBeLessThanOrEqual(1000)
      expect(result.attachments.length).toBeLessThanOrEqual(1000)
    })
  }

  it('says in flaws why it gave up', async () => {
    expect((await parseMail(bytesOf(cases['deep nesting'] ?? ''))).flaws).toEqual(['too-deep'])
    expect((await parseMail(bytesOf(cases['10,000 parts'] ?? ''))).flaws).toEqual(['too-many-attachments'])
  })

  it('never throws on random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (raw) => {
        expect((await parseMail(raw)).headers).toBeInstanceOf(Array)
      }),
    )
  })

  it('never throws on random headers', async () => {
    const name = fc.constantFrom(
      'From',
      'To',
      'Subject',
      'Date',
      'References',
      'Content-Type',
      'Content-Disposition',
    )
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[<>"@:;,=?()\\ a-b*'%]*$/))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, value)), async (fields) => {
        const text = fields.map((field) => field.join(': ')).join('\r\n')
        expect((await parseMail(bytesOf(`${text}\r\n\r\nx`))).subject).not.toMatch(/[\r\n\0]/)
      }),
    )
  })
})

describe.skipIf(!hasCorpora)('parseMail on the corpora', () => {
  /** Messages that contradict themselves: nothing of them is lost, and a flaw says what was guessed. */
  const guessed: Record<string, string[]> = {
    'mime/legacy/052.eml': ['header-charset-guessed'],
    'mime/malformed/004.eml': ['boundary-guessed'],
    'mime/mime4j/mimetools-testmsgs-hdr-fakeout.msg': ['header-unended'],
    'mime/mime4j/testmsgs-basic-plain-with-bad-header-separator.msg': ['header-unended'],
    'bounces/sisimai/lhost-ezweb-03.eml': ['charset-guessed'],
    'bounces/sisimai/rhost-franceptt-07.eml': ['boundary-guessed'],
  }
  for (const folder of messageFolders) {
    it(`reads ${folder}`, async () => {
      for (const { name, raw } of corpusFiles(folder)) {
        const result = await quickly(1000, () => parseMail(raw), name)
        expect(result.flaws, name).toEqual(guessed[`${folder}/${name}`] ?? [])
      }
    })
  }

  it('never throws on mutated mails', async () => {
    const files = corpusFiles('mime/rfc').concat(corpusFiles('mime/mime4j').slice(0, 20))
    const mutation = fc.record({ at: fc.nat(), length: fc.nat(40), bytes: fc.uint8Array({ maxLength: 20 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(mutation, { maxLength: 5 }),
        async ({ raw }, mutations) => {
          let bytes = [...raw]
          for (const { at, length, bytes: put } of mutations) {
            const start = at % (bytes.length + 1)
            bytes = [...bytes.slice(0, start), ...put, ...bytes.slice(start + length)]
          }
          expect((await parseMail(Uint8Array.from(bytes))).text).toBeTypeOf('string')
        },
      ),
    )
  })
})
