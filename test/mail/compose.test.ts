import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ComposeDraft, composeMail, isCustomHeader } from '../../src/mail/compose'
import { leavesOf } from '../../src/mail/mime/mime-part'
import { readPartTree } from '../../src/mail/mime/part-tree'
import { parseMail, readAttachments } from '../../src/mail/parse'
import { bytesOf } from '../support/timing'

const draft = (changes: Partial<ComposeDraft> = {}): ComposeDraft => ({
  from: { address: 'agent@example.org', name: 'Agent' },
  to: [{ address: 'ann@example.com', name: null }],
  subject: 'Hello',
  text: 'Hi Ann',
  messageId: '<1@example.org>',
  date: new Date('2026-01-02T03:04:05Z'),
  ...changes,
})
const compose = async (changes: Partial<ComposeDraft> = {}) => {
  const raw = await composeMail(draft(changes))
  return { raw, text: new TextDecoder().decode(raw), parsed: await parseMail(raw) }
}
const names = (text: string) =>
  (text.split('\r\n\r\n')[0] ?? '')
    .split('\r\n')
    .filter((line) => !/^[ \t]/.test(line))
    .map((line) => line.split(':')[0])

/** The fields in the headers of the parts. */
const partFields = (text: string) =>
  text
    .split(/\r\n--[^\r\n]+\r\n/)
    .slice(1)
    .flatMap(names)
    .filter((name) => name !== '')

describe('composeMail', () => {
  it('writes what parseMail reads', async () => {
    const { parsed } = await compose({
      from: { address: 'agent@example.org', name: 'Agent "Ä", of <x>' },
      cc: [{ address: 'bob@example.com', name: 'Bob' }],
      replyTo: [{ address: 'desk@example.org', name: null }],
      subject: 'Grüße aus Köln, und zwar herzliche an alle, die dort noch wohnen und arbeiten',
      inReplyTo: '<0@example.com>',
      references: ['<a@example.com>', '<0@example.com>'],
      headers: [{ name: 'X-Thing', value: 'ä b' }],
      text: 'Schön.\n\nhttps://example.com/?a=1&b=2',
    })
    expect(parsed).toMatchObject({
      messageId: '<1@example.org>',
      inReplyTo: '<0@example.com>',
      references: ['<a@example.com>', '<0@example.com>'],
      from: { address: 'agent@example.org', name: 'Agent "Ä", of <x>' },
      to: [{ address: 'ann@example.com', name: null }],
      cc: [{ address: 'bob@example.com', name: 'Bob' }],
      replyTo: [{ address: 'desk@example.org', name: null }],
      subject: 'Grüße aus Köln, und zwar herzliche an alle, die dort noch wohnen und arbeiten',
      sentAt: '2026-01-02T03:04:05.000Z',
      flaws: [],
    })
    expect(parsed.text.trim()).toBe('Schön.\n\nhttps://example.com/?a=1&b=2')
    expect(parsed.html).toContain('<a href="https://example.com/?a=1&amp;b=2">')
    expect(parsed.headers).toContainEqual({ name: 'X-Thing', value: 'ä b' })
  })

  it.each([
    'Привет, как дела? Это длинная тема письма, которая не помещается в одну строку',
    '你好世界，这是一封很长的主题邮件，需要折叠成多行才能正确显示',
    'שלום עולם',
    'مرحبا بالعالم',
    'สวัสดีชาวโลก'.repeat(20),
    'नमस्ते दुनिया',
    '👩‍👩‍👧‍👦 family 🎉',
    'e\u0301'.repeat(50),
    '𝒜𝓃𝓃𝒶',
    'a'.repeat(500),
    'of =?utf-8?Q?words?= of RFC 2047',
    '=?utf-8?B?eA==?=',
  ])('carries the subject %j', async (subject) => {
    const { parsed, text } = await compose({ subject })
    expect(parsed.subject).toBe(subject)
    expect(text).not.toMatch(/[^\0-\x7f]/)
  })

  it('keeps lists and links of a text in its HTML, and of HTML in its text', async () => {
    const text = 'Bring:\n\n- tea\n- https://example.com/milk'
    const { parsed } = await compose({ text })
    expect(parsed.html).toMatch(/<ul>\s*<li>tea<\/li>\s*<li><a href="https:\/\/example.com\/milk">/)
    expect((await compose({ text: undefined, html: parsed.html! })).parsed.text.trim()).toBe(text)
  })

  it('makes the text from the HTML', async () => {
    const { parsed } = await compose({
      text: undefined,
      html: '<p>Hi <a href="https://example.com">there</a></p>',
    })
    expect(parsed.text.trim()).toBe('Hi there <https://example.com>')
  })

  it('carries attachments byte by byte', async () => {
    const content = Uint8Array.from({ length: 1000 }, (_, index) => index % 256)
    const { raw, parsed } = await compose({
      html: '<img src="cid:logo">',
      attachments: [
        { filename: 'Übersicht.pdf', contentType: 'application/pdf', content },
        { filename: 'logo.png', contentType: 'image/png', content, contentId: 'logo' },
        { filename: 'mail.eml', contentType: 'message/rfc822', content: bytesOf('Subject: in\r\n\r\nx\r\n') },
      ],
    })
    const listed = parsed.attachments.map(({ filename, contentType, inline, contentId }) => [
      filename,
      contentType,
      inline,
      contentId,
    ])
    expect(listed).toContainEqual(['Übersicht.pdf', 'application/pdf', false, null])
    expect(listed).toContainEqual(['logo.png', 'image/png', true, 'logo'])
    expect(listed).toContainEqual(['mail.eml', 'message/rfc822', false, null])
    const index = parsed.attachments.findIndex((attachment) => attachment.contentType === 'application/pdf')
    expect((await readAttachments(raw, [index]))[0]?.content).toEqual(content)
  })

  it('writes CRLF lines of at most 998 bytes, and neither X-Mailer nor Bcc', async () => {
    const long = `${'word '.repeat(1000)}\n${'x'.repeat(5000)}\rlast`
    const references = Array.from({ length: 30 }, (_, index) => `<${'a'.repeat(60)}${index}@example.com>`)
    const { text } = await compose({ text: long, references })
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(text.endsWith('\r\n')).toBe(true)
    expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
    expect(names(text).join()).not.toMatch(/x-mailer|bcc/i)
  })

  it('writes international domains in ASCII', async () => {
    const { text } = await compose({ to: [{ address: 'ann@Bücher.example', name: null }] })
    expect(text).toContain('To: ann@xn--bcher-kva.example\r\n')
  })

  it('does not read files or fetch addresses', async () => {
    const { parsed } = await compose({ html: '<img src="/etc/passwd">', text: 'file:///etc/passwd' })
    expect(parsed.attachments).toEqual([])
  })

  it('refuses addresses, ids and header names that it cannot carry', async () => {
    for (const address of [
      'x',
      'a b@example.com',
      'a@b.c>, <d@e.f',
      'a@b.c\r\nBcc: d@e.f',
      'a@',
      '@b.c',
      'a@b,c',
    ]) {
      await expect(composeMail(draft({ to: [{ address, name: null }] })), address).rejects.toThrow(TypeError)
    }
    await expect(composeMail(draft({ messageId: '<a@b>\r\nBcc: x' }))).rejects.toThrow(TypeError)
    for (const name of [
      'Bcc',
      'from',
      'Content-Type',
      'X A',
      'X:',
      'X\r\nY',
      '',
      'DKIM-Signature',
      'Resent-To',
    ]) {
      expect(isCustomHeader(name), name).toBe(false)
      await expect(composeMail(draft({ headers: [{ name, value: 'x' }] }))).rejects.toThrow(TypeError)
    }
  })

  it('lets no field start another header', async () => {
    const expected = names(
      (await compose({ headers: [{ name: 'X-A', value: 'x' }], replyTo: draft().to })).text,
    )
    const piece = fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      '\0',
      '\u2028',
      'Bcc: a@b.c',
      ' ',
      ',',
      ';',
      '"',
      '<',
      '>',
      '\\',
      'ä',
      'a@b.c',
    )
    const evil = fc
      .array(fc.oneof(piece, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
      .map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(evil, { minLength: 7, maxLength: 7 }), async ([a, b, c, d, e, f, g]) => {
        const { raw, text, parsed } = await compose({
          from: { address: 'agent@example.org', name: a ?? '' },
          to: [{ address: 'ann@example.com', name: b ?? '' }],
          replyTo: [{ address: 'ann@example.com', name: c ?? '' }],
          subject: `x${d}`,
          headers: [{ name: 'X-A', value: `x${e}` }],
          inReplyTo: f,
          references: [f ?? ''],
          attachments: [{ filename: g ?? '', contentType: f, content: bytesOf('x'), contentId: g }],
        })
        const found = names(text).filter((name) => name !== 'In-Reply-To' && name !== 'References')
        expect(found.sort()).toEqual([...expected].sort())
        expect(parsed.to.map((to) => to.address)).toEqual(['ann@example.com'])
        expect(parsed.attachments).toHaveLength(1)
        const parts = leavesOf(readPartTree(raw, 10).root)
        expect(parts.map(({ type }) => type).slice(0, 2)).toEqual(['text/plain', 'text/html'])
        expect(parts).toHaveLength(3)
        expect(partFields(text).filter((name) => !/^content-/i.test(name ?? ''))).toEqual([])
        expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
      }),
      { numRuns: 300 },
    )
  })
})
