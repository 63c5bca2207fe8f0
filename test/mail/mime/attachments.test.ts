import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMail, readAttachments } from '../../../src/mail/parse'
import { quickly } from '../../support/timing'

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('latin1')
const toAttach = 'Content-Disposition: attachment; filename=f'
const bodyText = '--b\r\nContent-Type: text/plain\r\n\r\nSee the file\r\n'

interface Written {
  type?: string
  encoding?: string
  disposition?: string
  body: string
}

const partOf = ({ type = 'text/x-file', encoding = '8bit', disposition = toAttach, body }: Written): string =>
  `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n${disposition}\r\n\r\n${body}\r\n`

const mixed = (...parts: string[]) =>
  `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${bodyText}${parts.join('')}--b--\r\n`

/** The attachments of a mail; checks that the size it declares is that of the content. */
async function attachmentsOf(mail: string, possibleFlaws: readonly string[] = []): Promise<string[]> {
  const raw = latin(mail)
  const { attachments, flaws } = await parseMail(raw)
  expect(flaws.filter((flaw) => !possibleFlaws.includes(flaw))).toEqual([])
  return Promise.all(
    attachments.map(async ({ index, size }) => {
      const content = (await readAttachments(raw, [index]))[0]?.content
      expect(content?.length).toBe(size)
      return text(content)
    }),
  )
}

describe('attachments', () => {
  const cases: Record<string, [Written, string]> = {
    'CSV in quoted-printable': [
      { type: 'text/csv', encoding: 'Quoted-Printable', body: 'a,b\r\n1,=\r\n2=E9 \t\r\n' },
      'a,b\r\n1,2\xe9\r\n',
    ],
    'a blank that is meant, and escapes that are none': [
      { encoding: 'quoted-printable', body: 'a=20\r\n=zz =3d==  \r\n= ' },
      'a \r\n=zz ==',
    ],
    'a patch': [
      { type: 'text/x-diff', encoding: '7bit', body: '-- \n+a\r\n--b-\r\n--bb' },
      '-- \n+a\r\n--b-\r\n--bb',
    ],
    'a PDF in 8bit': [
      { type: 'application/pdf', body: '%PDF\r\n%\xe2\xe3\r\r\n\n\0\r' },
      '%PDF\r\n%\xe2\xe3\r\r\n\n\0\r',
    ],
    'binary with an unknown name': [{ encoding: 'x-any', body: 'a \r\nb' }, 'a \r\nb'],
    nothing: [{ body: '' }, ''],
    'one line end': [{ body: '\r\n' }, '\r\n'],
    'a calendar': [
      { type: 'text/calendar; charset=iso-8859-1; method=REQUEST', body: 'BEGIN\r\nN:\xe9\r\n\r\n' },
      'BEGIN\r\nN:\xe9\r\n\r\n',
    ],
    'a calendar in base64': [
      {
        type: 'text/calendar',
        encoding: 'base64',
        disposition: 'X: y',
        body: 'QkVH\r\nSU4NCg0K\r\n\r\n',
      },
      'BEGIN\r\n\r\n',
    ],
    'a forwarded mail': [
      {
        type: 'message/rfc822',
        body: `Content-Type: text/plain; format=flowed\r\n\r\n${mixed('')}`.replaceAll('--b', '--c'),
      },
      `Content-Type: text/plain; format=flowed\r\n\r\n${mixed('')}`.replaceAll('--b', '--c'),
    ],
    'a text that is shown elsewhere': [
      { type: 'text/csv', disposition: 'Content-Disposition: inline', body: 'a\r\nb' },
      'a\r\nb',
    ],
    'text by its name, with brackets': [
      {
        type: 'application/x-a; name=Invoice (1).txt',
        disposition: 'X: y',
        body: 'a\r\nb',
      },
      'a\r\nb',
    ],
  }
  for (const [name, [written, meant]] of Object.entries(cases))
    it(`are byte for byte: ${name}`, async () => {
      expect(await attachmentsOf(mixed(partOf(written), partOf({ body: 'last' })))).toEqual([meant, 'last'])
      const { text: body, attachments } = await parseMail(latin(mixed(partOf(written))))
      expect([body, attachments.length]).toEqual(['See the file\n', 1])
    })

  it('are byte for byte when they are the whole mail, or its end is missing', async () => {
    expect(await attachmentsOf('Content-Type: text/csv\r\n\r\na\r\nb\r\n')).toEqual(['a\r\nb\r\n'])
    const cut = mixed(partOf({ body: 'a\r\nb' })).replace('--b--\r\n', '')
    expect(await attachmentsOf(cut)).toEqual(['a\r\nb\r\n'])
  })

  it('keep LF where the mail has LF', async () => {
    const mail = mixed(partOf({ body: 'a\r\nb\r\n' })).replaceAll('\r\n', '\n')
    expect(await attachmentsOf(mail)).toEqual(['a\nb\n'])
  })

  it('are found in inner multiparts, also where an outer boundary ends them', async () => {
    const inner = `--b\r\nContent-Type: multipart/mixed; boundary="b b"\r\n\r\n--b b\r\n${partOf({ body: 'in\r\n' }).slice(5)}`
    const ended = `${inner}--b b-- \t\r\nepilogue\r\n`
    expect(await attachmentsOf(mixed(inner, partOf({ body: 'out\r\n' })))).toEqual(['in\r\n', 'out\r\n'])
    expect(await attachmentsOf(mixed(ended, partOf({ body: 'out\r\n' })))).toEqual(['in\r\n', 'out\r\n'])
  })

  it('are whole messages, whether or not they say that they are shown', async () => {
    const message = mixed(partOf({ body: 'a\r\nb' }))
      .replaceAll('--b', '--c')
      .replace('=b', '=c')
    const nested = partOf({ type: 'message/rfc822', disposition: 'X: y', body: message })
    expect(await attachmentsOf(mixed(nested))).toEqual([message])
    const report = partOf({ type: 'message/delivery-status', disposition: 'X: y', body: 'Status: 5' })
    expect(await attachmentsOf(mixed(report, nested))).toEqual(['Status: 5', message])
    const inDigest = mixed(`--b\r\n\r\n${message}\r\n`).replace('multipart/mixed', 'multipart/digest')
    expect(await attachmentsOf(inDigest)).toEqual([message])
  })

  it('are read where their header is odd', async () => {
    const odd = partOf({ type: 'text/x-file (odd)', disposition: 'X: y', body: 'a' })
    expect(await attachmentsOf(mixed(odd, partOf({ body: 'b' })))).toEqual(['a', 'b'])
  })

  it('are what uuencode wrote', async () => {
    const body = 'begin 644 cat.txt\r\n#0V%T\r\n`\r\nend'
    expect(await attachmentsOf(mixed(partOf({ encoding: 'x-uuencode', body })))).toEqual(['Cat'])
  })

  it('are texts with a name that do not come first; those without one are the body', async () => {
    const named = partOf({
      type: 'text/plain; name=notes.txt',
      encoding: '7bit',
      disposition: 'X: y',
      body: 'notes',
    })
    const footer = partOf({ type: 'text/plain', encoding: '7bit', disposition: 'X: y', body: 'footer' })
    const raw = latin(mixed(named, footer))
    const mail = await parseMail(raw)
    expect(mail.text).toBe('See the file\nfooter\n')
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['notes.txt'])
  })

  it('have the names that RFC 2231, RFC 2047 and habit give them', async () => {
    const names: [string, string][] = [
      ['attachment; filename="a \\"b\\".txt"', 'a "b".txt'],
      ["attachment; filename*=utf-8'de'Gr%C3%BC%C3%9Fe.txt; filename=x.txt", 'Grüße.txt'],
      [
        'attachment; filename*0*=iso-8859-1\'\'Gr%FC; filename*1="%DFe"; filename*2*=.txt',
        'Gr\u00fc%DFe.txt',
      ],
      ['attachment; filename*0="long "; filename*1="name.txt"', 'long name.txt'],
      ['attachment; filename==?utf-8?B?R3LDvMOfZS50eHQ=?=', 'Grüße.txt'],
      ['attachment; filename="=?utf-8?Q?a_b?= =?utf-8?Q?_c=2Etxt?="', 'a b c.txt'],
      ['attachment; filename=Invoice 1; 2 (draft).txt', 'Invoice 1'],
      ['attachment; filename="C:\\dir\\file.txt"', 'file.txt'],
      ['attachment; filename="unclosed.txt', 'unclosed.txt'],
      ['attachment (kept); filename=a.txt (kept)', 'a.txt'],
    ]
    for (const [field, name] of names) {
      const disposition = `Content-Disposition: ${field}`
      const { attachments } = await parseMail(latin(mixed(partOf({ disposition, body: 'x' }))))
      expect(
        attachments.map(({ filename }) => filename),
        field,
      ).toEqual([name])
    }
  })

  it('are exact whatever they hold, and the body stays', async () => {
    const octets = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map(text),
      fc
        .array(fc.constantFrom('\r', '\n', '\r\n', ' ', '\t', '=', '=0D', '-', '--b', '--', 'é', '\0', 'a'))
        .map((pieces) => pieces.join('')),
    )
    const content = octets.filter((value) => !/(?:^|\n)--b(?:--)?[\t ]*(?:[\r\n]|$)/.test(value))
    const type = fc.constantFrom(
      'text/plain',
      'text/html',
      'text/csv',
      'text/calendar',
      'a/b',
      'message/rfc822',
    )
    const written = fc.record({ type, content, encoding: fc.constantFrom('qp', 'base64', '8bit', 'binary') })
    await fc.assert(
      fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 5 }), fc.gen(), async (parts, any) => {
        const encoded = parts.map(({ type, content, encoding }) =>
          partOf(encodedAs(encoding, type, content, any)),
        )
        expect(await attachmentsOf(mixed(...encoded))).toEqual(parts.map(({ content }) => content))
        expect((await parseMail(latin(mixed(...encoded)))).text).toBe('See the file\n')
      }),
      { numRuns: 300 },
    )
  })

  it('never make the parser throw, wherever the structure is cut', async () => {
    const mail = mixed(
      partOf({ type: 'multipart/mixed; boundary=b', body: `x\r\n${partOf({ body: 'a' })}--b--` }),
      partOf({ type: 'message/rfc822', disposition: 'X: y', body: 'Content-Type: a/b\r\n\r\nx' }),
      partOf({ encoding: 'quoted-printable', body: 'a=\r\n' }),
    )
    const cut = fc.tuple(fc.nat(mail.length), fc.nat(30))
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { maxLength: 4 }), async (cuts) => {
        const left = cuts.reduce((rest, [at, length]) => rest.slice(0, at) + rest.slice(at + length), mail)
        const { text: body } = await parseMail(latin(left))
        // A cut may leave a CR without its LF in the header, a line in it that is no field, or another boundary.
        await attachmentsOf(left, ['header-malformed', 'header-unended', 'boundary-guessed'])
        expect(body).not.toMatch(/[\da-f]{32}x\d/)
      }),
      { numRuns: 500 },
    )
  })
})

function encodedAs(encoding: string, type: string, content: string, any: fc.GeneratorValue): Written {
  if (encoding === 'base64')
    return { type, encoding, body: Buffer.from(content, 'latin1').toString('base64') }
  if (encoding !== 'qp') return { type, encoding, body: content }
  const quoted = content.replace(/[\s\S]/g, (octet) => {
    const isPlain = /[!-<>-~]/.test(octet) && any(fc.boolean)
    const hex = octet.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()
    const soft = any(() => fc.constantFrom('', '', '', '=\r\n', '= \t\n'))
    return `${isPlain && octet !== '-' ? octet : `=${hex}`}${soft}`
  })
  return { type, encoding: 'quoted-printable', body: quoted }
}

describe('hostile attachments', () => {
  const head = 'Content-Type: multipart/mixed; boundary='
  const part = `--b\r\nContent-Type: image/png\r\n\r\nx\r\n`
  const prefixes = Array.from(
    { length: 28 },
    (_, i) => `${head}${'b'.repeat(i + 1)}\r\n\r\n--${'b'.repeat(i + 1)}\r\n`,
  )
  const messages = 'Content-Type: message/rfc822\r\n\r\n'.repeat(30)
  const line = `${'é'.repeat(70)}\r\n`
  const cases: Record<string, [string, number]> = {
    '10,000 parts': [`${head}b\r\n\r\n${part.repeat(10_000)}--b--`, 2000],
    '10,000 parts without an end': [`${head}b\r\n\r\n${part.repeat(10_000)}`, 2000],
    'prefixes of boundaries': [`${prefixes.join('')}${`--${'b'.repeat(29)}\r\n`.repeat(50_000)}`, 2000],
    'messages in messages': [`${messages}${head}b\r\n\r\n${part.repeat(1000)}`, 2000],
    '25 MiB in 8bit': [mixed(partOf({ body: line.repeat(364_000) })), 2000],
    '25 MiB in quoted-printable': [
      mixed(partOf({ encoding: 'quoted-printable', body: `${'=E9'.repeat(25)}=\r\n`.repeat(340_000) })),
      2000,
    ],
    'blanks in quoted-printable': [
      mixed(partOf({ encoding: 'quoted-printable', body: `${' '.repeat(1_000_000)}x=`.repeat(5) })),
      2000,
    ],
    'a header of blanks': [
      mixed(partOf({ type: `a/b;${' '.repeat(100_000)}x${';'.repeat(100_000)}`, body: 'x' })),
      2000,
    ],
    'a boundary of parameters': [`${head}b;${' a=b;'.repeat(390)}\r\n\r\n${part.repeat(1000)}`, 2000],
    'blanks after a boundary': [mixed(`--b${' '.repeat(1_000_000)}x\r\n`.repeat(5)), 2000],
  }
  for (const [name, [mail, limit]] of Object.entries(cases))
    it(`cost little: ${name}`, async () => {
      const raw = latin(mail)
      await quickly(limit, () => parseMail(raw))
    })
})
