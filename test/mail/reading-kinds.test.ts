import { describe, expect, it } from 'vitest'
import { findCodes } from '../../src/mail/codes'
import { findLinks } from '../../src/mail/links'
import { parseMail } from '../../src/mail/parse'

const bytes = (text: string) => new Uint8Array(Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1'))
const head = 'From: Ann Lee <ann@people.example>\nTo: agent@agents.example\n'
const read = (fields: string, body: string) => parseMail(bytes(`${head}${fields}\n\n${body}\n`))

describe('charsets', () => {
  it.each([
    ['Content-Type: text/plain', '\x1b$BF|K\\\x1b(B', '日本'],
    ['Content-Type: text/plain; charset=hz-gb-2312', 'Hi ~{<:Ky~}!', 'Hi 己所!'],
    ['Content-Type: text/plain; charset=iso-2022-jp', '\xe6\x97\xa5\xe6\x9c\xac', '日本'],
    ['Content-Type: text/plain; charset=cp437', '\x9b 5 \xe1', '¢ 5 ß'],
    ['Content-Type: text/plain; charset=windows-1250', 'caf\xc3\xa9', 'café'],
    ['Content-Type: text/plain; charset=windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['Content-Type: text/plain; charset=cp737', '\x80\x81', 'ΑΒ'],
    ['Content-Type: text/plain; charset=cp775', '\xd0', 'ą'],
    ['Content-Type: text/plain; charset=ibm855', '\xa1', 'А'],
    ['Content-Type: text/plain; charset=cp860', '\x84', 'ã'],
    ['Content-Type: text/plain; charset=cp861', '\x95', 'þ'],
    ['Content-Type: text/plain; charset=cp862', '\x80', 'א'],
    ['Content-Type: text/plain; charset=cp863', '\x86', '¶'],
    ['Content-Type: text/plain; charset=win1251', '\xcf\xf0', 'Пр'],
    ['Content-Type: text/plain; charset=iso-8859-15', 'a\x85', 'a…'],
    ['Content-Type: text/plain; charset=iso-8859-2', '\x84a\x94', '„a”'],
    ['Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64', '/v8AaABpAAo=', 'hi'],
  ])('are told apart: %s', async (field, body, text) => {
    expect((await read(field, body)).text).toBe(`${text}\n`)
  })

  it('are guessed with a flaw', async () => {
    expect((await read('Content-Type: text/plain; charset=gb2312', 'a \xe2\x80\x93 b')).flaws).toEqual([
      'charset-guessed',
    ])
    expect((await read('Content-Type: text/plain; charset=gb2312', '\xa8\xa6')).text).toBe('é\n')
  })

  it.each([
    ['Subject: caf\xe9', 'café'],
    ['Subject: \x1b$BF|K\\\x1b(B', '日本'],
    ['Subject: ~{<:Ky2;SP~}', '己所不有'],
    ['Subject: =?unknown-8bit?Q?caf=C3=A9?=', 'café'],
    ['Subject: =?x-nothing?Q?caf=C3=A9?=', 'café'],
    [
      'Subject: =?windows-1251?Q?caf=C3=A9s_=C3=A0_la_carte_=C3=A9t=C3=A9_d=C3=A9j=C3=A0?=',
      'cafés à la carte été déjà',
    ],
  ])('are guessed in a header field with a flaw: %s', async (field, subject) => {
    const mail = await read(field, 'Hi')
    expect([mail.subject, mail.flaws]).toEqual([subject, ['header-charset-guessed']])
  })

  it.each([
    ['Subject: caf\xc3\xa9', 'café'],
    ['Subject: =?iso-8859-1?Q?caf=E9?=', 'café'],
    ['Subject: =?hz-gb-2312?Q?~{<:Ky~}?=', '己所'],
    ['Content-Type: text/plain; charset=iso-8859-1\nSubject: caf\xe9', 'café'],
  ])('are known in a header field: %s', async (field, subject) => {
    const mail = await read(field, 'Hi')
    expect([mail.subject, mail.flaws]).toEqual([subject, []])
  })

  it('find HZ without a label where nothing else writes such bytes', async () => {
    const mail = await read('Subject: x', 'Confucius: ~{<:Ky2;S{#,NpJ)l6HK!#~}Bye.')
    expect([mail.text, mail.flaws]).toEqual(['Confucius: 己所不欲，勿施於人。Bye.\n', ['charset-guessed']])
  })

  it.each([
    '(format t "~{~a~^, ~}" all)',
    '(format t "~{[~a]~}" all)',
    'Dear ~{FIRSTNAME~}',
    'cd ~/{a,b} ~{x',
  ])('leave text that has the marks of HZ: %s', async (text) => {
    const mail = await read('Subject: x', text)
    expect([mail.text, mail.flaws]).toEqual([`${text}\n`, []])
  })

  it('give no address out of UTF-7', async () => {
    const { replyTo } = await read('Reply-To: =?utf-7?Q?+ADw-evil+AEA-x.example+AD4-?=', 'Hi')
    expect(replyTo).toEqual([])
  })
})

describe('structure', () => {
  const parts =
    '--b\nContent-Type: text/plain\n\nHello\n--b\nContent-Type: text/csv; name=x.csv\n\na,b\n--b--'

  it.each([
    ['Content-Type: multipart/mixed;\nboundary="b"', []],
    ['Content-Type: multipart/mixed', ['boundary-guessed']],
    ['Content-Type: multipart/mixed; boundary=other', ['boundary-guessed']],
  ])('is found with %s', async (field, flaws) => {
    const mail = await read(field, parts)
    expect([mail.text, mail.attachments.map((one) => one.filename), mail.flaws]).toEqual([
      'Hello\n',
      ['x.csv'],
      flaws,
    ])
  })

  it('keeps the fields below a line that is none', async () => {
    const mail = await parseMail(bytes(`${head}a line of words\nSubject: Hi\n\nText\n`))
    expect([mail.subject, mail.text, mail.flaws]).toEqual(['Hi', 'Text\n', []])
  })

  it.each([
    ['The door of hall 3 is open\nTime: 10:00', 'The door of hall 3 is open\nTime: 10:00\n'],
    ['   \nHello', 'Hello\n'],
    ['\t\nHello\n\nBye', 'Hello\n\nBye\n'],
  ])('finds the text below a header without an empty line: %j', async (below, text) => {
    const mail = await parseMail(bytes(`${head}Subject: Alarm\n${below}\n`))
    expect([mail.subject, mail.text]).toEqual(['Alarm', text])
  })

  it.each([
    'Content-Type: boundary="b"',
    'Content-Type: multipart/mixed; x-id=1 boundary=b',
    "Content-Type: multipart/mixed; boundary='b'",
  ])('is found with the field %s', async (field) => {
    const mail = await read(field, parts)
    expect([mail.text, mail.attachments.length]).toEqual(['Hello\n', 1])
  })

  it.each([
    ["name='A.pdf'", 'A.pdf'],
    ['name=A.pdf x-id=12', 'A.pdf'],
  ])('gives the name of a file: %s', async (parameter, name) => {
    const part = `--b\n\nHi\n--b\nContent-Type: application/pdf; ${parameter}\n\nx\n--b--`
    const mail = await read('Content-Type: multipart/mixed; boundary=b', part)
    expect(mail.attachments[0]?.filename).toBe(name)
  })

  const page =
    '<p>Hello Ann,</p><p>Your verification code is <b>482913</b>. It is valid for ten minutes. If you did not ask for it, ignore this email.</p><p>Your team at Shop</p>'
  const both = (text: string, html: string) =>
    read(
      'Content-Type: multipart/alternative; boundary=b',
      `--b\nContent-Type: text/plain; charset=utf-8\n\n${text}\n--b\nContent-Type: text/html; charset=utf-8\n\n${html}\n--b--`,
    )

  it.each([
    'Your email client does not support HTML.',
    'This is an HTML message',
    'View this email in your browser: https://shop.example/v/1',
    'Click here to view online version',
    'Votre messagerie ne peut pas afficher ce message.',
    'Tu cliente no puede mostrar este mensaje',
    'Deze e-mail kan niet worden weergegeven',
    'null',
    'TODO',
    '-',
    '%PLAINTEXT%',
  ])('shows the page beside a text that says nothing: %s', async (text) => {
    expect((await both(text, page)).text).toContain('482913')
  })

  it.each([
    ['Yes', '<p>Yes</p><p><img src="x"></p>'],
    [
      'Invoice 12 is paid. Thank you.',
      '<p>The invoice number 12 has been paid, and we thank you very much for it, dear Sir.</p>',
    ],
  ])('keeps a short text of its own: %s', async (text, html) => {
    expect((await both(text, html)).text).toBe(`${text}\n`)
  })

  it('puts the address behind a button that the text writes in capitals', async () => {
    const html = '<p>Hi</p><a href="https://shop.example/d/8">Download your data</a>'
    expect((await both('Hi\n\nDOWNLOAD YOUR DATA', html)).text).toContain(
      'DOWNLOAD YOUR DATA <https://shop.example/d/8>',
    )
  })

  it('leaves a sentence that begins as a file does', async () => {
    const text = 'begin 644 times\nand then stop\nend\n'
    expect((await read('Subject: x', text.trimEnd())).text).toBe(text)
  })
})

describe('a reply', () => {
  const answer = (body: string) => read('Subject: Re: x\nIn-Reply-To: <a@b.example>', body)

  it('leaves out an introduction in pieces', async () => {
    const body =
      'Yes.\n\nOn Mon, 2 Nov 2026 at 10:00 Desk Agent\n\n<\nmailto:agent@agents.example\n> wrote:\n\n> Can you come?'
    expect((await answer(body)).replyText).toBe('Yes.')
  })

  it('keeps the name of its author behind a dash apart, and no other', async () => {
    expect((await answer('Fine.\n\n-Ann Lee')).replyText).toBe('Fine.')
    expect((await answer('Fine.\n\n-Maria Lopez')).replyText).toBe('Fine.\n\n-Maria Lopez')
    expect((await answer('Fine.\n\n\xe2\x80\x94 Ann Lee')).replyText).toBe('Fine.')
    expect((await answer('Who?\n\n\xe2\x80\x94 Maria Lopez')).replyText).toBe('Who?\n\n— Maria Lopez')
  })
})

describe('codes', () => {
  it.each([
    ['Shop', 'Use 482913 as your password for Shop', ['482913']],
    ['Shop', '482913 is your password for Shop.', ['482913']],
    ['Sign in to Shop', 'Hello,\n\n482913\n\nValid for 5 minutes.', ['482913']],
    ['Your order', 'Hello,\n\n482913\n\nDelivery in 5 days.', []],
    ['Shop', 'Verification code: EXPIRED', []],
    ['Shop', 'Your access code is READY', []],
    ['Shop', 'Please enter the code BELOW', []],
    ['Shop', 'Promo code: QGMDZE', []],
    ['Shop', 'Your login code:\n\n4\n8\n2\n9\n1\n3\n', ['482913']],
  ])('of %s: %s', (subject, text, codes) => {
    expect(findCodes(subject, text).map(({ code }) => code)).toEqual(codes)
  })
})

describe('links', () => {
  it.each([
    'We do not tolerate bad manners; acceptable behavior: https://a.example/rules',
    'Message not accepted for policy reasons. See https://a.example/p',
    'Reverse DNS validation failed: See https://a.example/p',
    '"SigningCertURL" : "https://a.example/sns.pem"',
  ])('are none in: %s', (text) => {
    expect(findLinks(text, null, 'a.example')).toEqual([])
  })
})
