import { describe, expect, it } from 'vitest'
import { type ComposeDraft, composeMail } from '../../src/mail/compose'
import { forwardHtml } from '../../src/mail/forward'
import { textToHtml } from '../../src/mail/html/text-to-html'
import { leavesOf } from '../../src/mail/mime/mime-part'
import { readPartTree } from '../../src/mail/mime/part-tree'
import { parseMail, readAttachments } from '../../src/mail/parse'
import { bytesOf } from '../support/timing'

const compose = async (changes: Partial<ComposeDraft>) => {
  const raw = await composeMail({
    from: { address: 'agent@example.org', name: null },
    to: [{ address: 'ann@example.com', name: null }],
    subject: 'Hello',
    text: 'Hi',
    messageId: '<1@example.org>',
    date: new Date('2026-01-02T03:04:05Z'),
    ...changes,
  })
  return { raw, text: new TextDecoder('latin1').decode(raw), parsed: await parseMail(raw) }
}
const longest = (text: string) => Math.max(...text.split('\r\n').map((line) => line.length))
const field = (text: string, name: string) =>
  new RegExp(`^${name}: ((?:[^\\r]|\\r\\n[ \\t])*)`, 'mi').exec(text)?.[1]?.replace(/\r\n(?=[ \t])/g, '')

describe('files of a message', () => {
  const pdf = { filename: 'a.pdf', contentType: 'application/pdf', content: bytesOf('%PDF') }

  it('are attachments unless the HTML names their Content-ID (RFC 2387)', async () => {
    const logo = { filename: 'l.png', contentType: 'image/png', content: bytesOf('png'), contentId: 'logo@x' }
    const { raw, parsed, text } = await compose({
      html: '<img src="cid:logo@x">',
      attachments: [{ ...pdf, contentId: 'f_abc' }, logo],
    })
    const found = parsed.attachments.map(({ filename, inline }) => [filename, inline])
    expect(found).toEqual(
      expect.arrayContaining([
        ['a.pdf', false],
        ['l.png', true],
      ]),
    )
    expect(text).toMatch(/Content-Disposition: attachment; filename=a\.pdf/)
    expect(readPartTree(raw, 10).root.type).toBe('multipart/mixed')
    expect((await compose({ attachments: [{ ...pdf, contentId: 'f_abc' }] })).text).not.toMatch(
      /related|inline/,
    )
  })

  it.each([
    ['with a blank', 'img 1@x', '<img src="cid:img 1@x">'],
    ['percent-encoded', 'img 1@x', '<img src="cid:img%201@x">'],
    ['without quotes', 'a@x', '<img src=cid:a@x width=3>'],
    ['in a style', 'a@x', '<p style="background:url(cid:a@x)">'],
  ])('keep the name under which the HTML shows them: %s', async (_, contentId, html) => {
    const { text, parsed } = await compose({ html, attachments: [{ ...pdf, contentId }] })
    const written = /^Content-Id: <(.*)>/im.exec(text)![1]!
    expect(parsed.attachments).toMatchObject([{ inline: true, contentId: written }])
    expect(parsed.html).toContain(`cid:${written}`)
  })

  it('keep charset and method, and are never a multipart', async () => {
    const typed = async (contentType: string) => {
      const { text } = await compose({ attachments: [{ ...pdf, filename: 'x.bin', contentType }] })
      return text
    }
    expect(await typed('text/calendar; method=REQUEST; charset=UTF-8')).toMatch(
      /Content-Type: text\/calendar; charset=utf-8; method=REQUEST; name=x\.bin/i,
    )
    expect(await typed('text/csv; charset=iso-8859-1; header=present')).toMatch(
      /Content-Type: text\/csv; charset=iso-8859-1; name=x\.bin/,
    )
    expect(await typed('multipart/mixed; boundary=x')).toMatch(/Content-Type: application\/octet-stream/)
  })

  it('get an ending by their type where they have no name', async () => {
    for (const [contentType, name] of [
      ['message/rfc822', 'attachment.eml'],
      ['image/jpeg', 'attachment.jpg'],
      ['text/calendar', 'attachment.ics'],
    ] as const) {
      const { parsed } = await compose({ attachments: [{ ...pdf, filename: '', contentType }] })
      expect(parsed.attachments[0]?.filename).toBe(name)
    }
  })

  it.each([
    ['8-bit text', bytesOf('Subject: x\r\n\r\nGrüße\r\n')],
    ['a NUL', bytesOf('Subject: x\r\n\r\na\0b\r\n')],
    ['a long line', bytesOf(`Subject: x\r\n\r\n${'x'.repeat(1_500)}\r\n`)],
  ])('that are messages leave as bytes in base64 for %s', async (_, content) => {
    for (const contentType of ['message/rfc822', 'message/delivery-status']) {
      const { raw, text, parsed } = await compose({
        attachments: [{ filename: 'm.eml', contentType, content }],
      })
      expect([...raw].every((byte) => byte > 0 && byte < 128)).toBe(true)
      expect(longest(text)).toBeLessThanOrEqual(998)
      expect(parsed.attachments[0]).toMatchObject({
        filename: 'm.eml',
        contentType: 'application/octet-stream',
      })
      expect((await readAttachments(raw, [0]))[0]?.content).toEqual(content)
    }
  })

  it('that are clean messages stay messages', async () => {
    const attached = {
      filename: 'm.eml',
      contentType: 'message/rfc822',
      content: bytesOf('Subject: x\r\n\r\nhi\r\n'),
    }
    const { raw } = await compose({ attachments: [attached] })
    expect(leavesOf(readPartTree(raw, 10).root).map(({ type }) => type)).toContain('message/rfc822')
  })
})

describe('header fields of a caller', () => {
  it.each([
    ['List-Id', '"Weekly news" <news.people.example>', null],
    ['List-Unsubscribe', '<https://people.example/u?a="b">, <mailto:u@people.example>', null],
    ['X-SMTPAPI', '{"category": ["a", "b"], "unique_args": {"k": "v"}}', null],
    ['List-Id', 'Größe <news.people.example>', /^=\?utf-8\?B\?\S+\?= <news\.people\.example>$/],
    [
      'List-Help',
      '<https://people.example> (für alle)',
      /^<https:\/\/people\.example> \(=\?utf-8\?B\?\S+\?=\)$/,
    ],
    ['Keywords', 'sales, Grüße', /^sales, =\?utf-8\?B\?\S+\?=$/],
  ])(
    'stay as given where they are ASCII, encoded only where RFC 2047 allows: %s: %s',
    async (name, value, expected) => {
      const { text } = await compose({ headers: [{ name, value }] })
      const written = field(text, name)
      if (expected) expect(written).toMatch(expected)
      else expect(written).toBe(value)
    },
  )

  it('keep every line under 998 octets', async () => {
    const word = 'a'.repeat(998)
    const { text, parsed } = await compose({
      subject: 'b'.repeat(1_990),
      from: { address: 'agent@example.org', name: 'n'.repeat(2_000) },
      headers: [{ name: 'X-Long', value: word }],
    })
    expect(longest(text)).toBeLessThanOrEqual(998)
    expect(parsed.subject).toBe('b'.repeat(1_990))
    expect(parsed.headers).toContainEqual({ name: 'X-Long', value: word })
  })
})

describe('HTML made from text', () => {
  it('keeps indentation and columns', () => {
    const nbsp = '&nbsp;'
    expect(textToHtml('def f(x):\n    if x:')).toBe(`<p>def f(x):<br>\n${nbsp.repeat(4)}if x:</p>`)
    expect(textToHtml('a   b\nlong b')).toBe(`<p>a${nbsp.repeat(2)} b<br>\nlong b</p>`)
    expect(textToHtml('a\tb')).toBe(`<p>a${nbsp.repeat(6)} b</p>`)
    expect(textToHtml('01. first\n02. second')).toBe('<p>01. first<br>\n02. second</p>')
  })
})

describe('forwarded HTML', () => {
  const forward = (html: string) =>
    forwardHtml(
      { text: 'FYI' },
      { from: 'Ann <ann@x.example>', to: [], cc: [], subject: 's', date: null, text: 't', html },
    )

  it('takes the style sheets of the head and the style of the body along', () => {
    const html = forward(
      '<html><head><style media="all">.h{display:none}</style></head><body style="color:red" onload="x()"><p class=h>hidden</p></body></html>',
    )
    expect(html).toContain('<style media="all">.h{display:none}</style>\n<div style="color:red"><p class=h>')
    expect(html).not.toContain('onload')
  })

  it.each([
    ['a body in a comment', '<!-- <body> --><body><p>a</p></body>', '<div><p>a</p></div>'],
    [
      'a > in an attribute',
      '<body style="background:url(x>y)"><p>a</p></body>',
      '<div style="background:url(x&gt;y)"><p>a</p></div>',
    ],
    ['no body', '<p>a</p>', '<div><p>a</p></div>'],
  ])('finds the body beside %s', (_, html, expected) => {
    expect(forward(html)).toContain(expected)
    expect(forward(html)).not.toMatch(/-->|(?<!&gt;)y\)">/)
  })
})
