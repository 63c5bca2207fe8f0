import { randomBytes } from 'node:crypto'

/** A mail as other programs write it, and what an agent is to see of it. */
export interface SampleMail {
  raw: Buffer
  from?: string
  fromName?: string | null
  subject: string
  /** The body as an agent reads it, trimmed. */
  body: string | RegExp
  /** The new text of the person; the body where it is left out. */
  text?: string
  html?: RegExp
  attachments?: { filename: string | null; contentType: string; content: Buffer; inline?: boolean }[]
}

/** Lines with CRLF; `bytes` at the end go as they are. */
const mail = (lines: readonly string[], bytes: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), bytes])

const folded = (bytes: Buffer) => bytes.toString('base64').replace(/.{76}/g, '$&\r\n')
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Every byte, and line ends and dots that a careless hand would change. */
const binary = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
  Buffer.from('\r\n.\r\n..\r\n\n\r'),
  randomBytes(50_000),
])
const head = (subject: string, ...more: string[]) => [
  'Date: Fri, 20 Nov 2026 10:00:00 +0100',
  'From: Ana <ana@example.com>',
  'To: agent@restante.localhost',
  `Message-ID: <${randomBytes(8).toString('hex')}@example.com>`,
  `Subject: ${subject}`,
  'MIME-Version: 1.0',
  ...more,
]
const latin = (text: string) => Buffer.from(text, 'latin1')
const type = (charset: string, encoding: string) => [
  `Content-Type: text/plain; charset=${charset}`,
  `Content-Transfer-Encoding: ${encoding}`,
  '',
]

/** Mail of all kinds, by what is special about it. */
export const sampleMails: Record<string, SampleMail> = {
  'UTF-8, 8bit': {
    raw: mail([...head('=?UTF-8?Q?Zam=C3=B3wienie?='), ...type('utf-8', '8bit'), 'Zażółć gęślą jaźń 🚀']),
    subject: 'Zamówienie',
    body: 'Zażółć gęślą jaźń 🚀',
  },
  'UTF-8, quoted-printable with soft breaks': {
    raw: mail([
      ...head('Caf=C3=A9'),
      ...type('utf-8', 'quoted-printable'),
      'Un caf=C3=A9, s=',
      "'il vous pla=C3=AEt: 1+1=3D2 =",
      '.',
      '.a line with a dot',
    ]),
    subject: 'Caf=C3=A9',
    body: "Un café, s'il vous plaît: 1+1=2 .\n.a line with a dot",
  },
  'UTF-8, base64': {
    raw: mail([
      ...head('base64'),
      ...type('UTF-8', 'base64'),
      folded(Buffer.from('שלום\nעולם\n'.repeat(30))),
    ]),
    subject: 'base64',
    body: 'שלום\nעולם\n'.repeat(30).trim(),
  },
  'windows-1251, 8bit': {
    raw: mail(
      [...head('=?windows-1251?B?wu7v8O7xIO/uIOfg6uDn8w==?='), ...type('windows-1251', '8bit')],
      Buffer.from('cff0e8e2e5f22c20eae0ea20e4e5ebe03f0d0ad1efe0f1e8e1ee20e7e020e7e0eae0e72e0d0a', 'hex'),
    ),
    subject: 'Вопрос по заказу',
    body: 'Привет, как дела?\nСпасибо за заказ.',
  },
  'ISO-2022-JP, 7bit': {
    raw: mail(
      [...head('=?ISO-2022-JP?B?GyRCQ21KOCRON28bKEI=?='), ...type('ISO-2022-JP', '7bit')],
      Buffer.from(
        'GyRCJDMkcyRLJEEkTyEiQ21KOCRPJEkkMyRHJDkkKyEjGyhCDQobJEIkaCRtJDckLyQqNGokJCQ3JF4kOSEjGyhCDQo=',
        'base64',
      ),
    ),
    subject: '注文の件',
    body: 'こんにちは、注文はどこですか。\nよろしくお願いします。',
  },
  'Shift_JIS, base64': {
    raw: mail([
      ...head('=?Shift_JIS?B?jKmQz4Lggug=?='),
      ...type('Shift_JIS', 'base64'),
      'jKmQz4LgguiC8JGXgsGCxIKtgr6Cs4KigUINCg==',
    ]),
    subject: '見積もり',
    body: '見積もりを送ってください。',
  },
  'HTML only': {
    raw: mail([
      ...head('HTML', 'Content-Type: text/html; charset=utf-8', ''),
      '<html><head><style>p{color:red}</style></head><body><p>Guten Tag,</p><p>1 &lt; 2 &amp; fünf</p></body></html>',
    ]),
    subject: 'HTML',
    body: 'Guten Tag,\n\n1 < 2 & fünf',
    html: /<p>Guten Tag,<\/p>/,
  },
  'format=flowed': {
    raw: mail([
      ...head('flowed', 'Content-Type: text/plain; charset=us-ascii; format=flowed', ''),
      'This is one paragraph that was \r\nbroken by the mail program.',
      '',
      '-- ',
      'Ana',
    ]),
    subject: 'flowed',
    body: /^This is one paragraph that was broken by the mail program\.\n\n-- \nAna$/,
    text: 'This is one paragraph that was broken by the mail program.',
  },
  'a reply above what it quotes': {
    raw: mail([
      ...head('Re: Offer', 'Content-Type: text/plain; charset=utf-8', ''),
      'Yes, please.',
      '',
      'On Thu, 19 Nov 2026 at 09:00, Agent <agent@restante.localhost> wrote:',
      '> Shall I book it?',
    ]),
    subject: 'Re: Offer',
    body: /Shall I book it/,
    text: 'Yes, please.',
  },
  'text, HTML and an inline image, with attachments': {
    raw: mail([
      ...head('Files', 'Content-Type: multipart/mixed; boundary=outer', ''),
      'This is for programs without MIME.',
      '--outer',
      'Content-Type: multipart/related; boundary="in ner"; type="multipart/alternative"',
      '',
      '--in ner',
      'Content-Type: multipart/alternative; boundary=alt',
      '',
      '--alt',
      ...type('utf-8', '8bit'),
      'See the files — all three.',
      '--alt',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>See the <b>files</b> — all three.</p><img src="cid:dot@example.com">',
      '--alt--',
      '--in ner',
      'Content-Type: image/png; name=dot.png',
      'Content-Transfer-Encoding: base64',
      'Content-ID: <dot@example.com>',
      'Content-Disposition: inline; filename=dot.png',
      '',
      folded(png),
      '--in ner--',
      '--outer',
      'Content-Type: application/octet-stream',
      'Content-Transfer-Encoding: base64',
      "Content-Disposition: attachment; filename*=UTF-8''r%C3%A9sum%C3%A9%20%E2%82%AC.bin",
      '',
      folded(binary),
      '--outer',
      'Content-Type: text/csv; charset=windows-1252; name="=?UTF-8?B?5rOo5paH?=.csv"',
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment',
      '',
      latin('a,b\r\n1,\x80').toString('base64'),
      '--outer--',
    ]),
    subject: 'Files',
    body: 'See the files — all three.',
    html: /<img src="cid:dot@example\.com">/,
    attachments: [
      { filename: 'dot.png', contentType: 'image/png', content: png, inline: true },
      { filename: 'résumé €.bin', contentType: 'application/octet-stream', content: binary },
      { filename: '注文.csv', contentType: 'text/csv', content: latin('a,b\r\n1,\x80') },
    ],
  },
  'lines that end with a bare LF': {
    raw: Buffer.from(
      `${head('bare LF', ...type('utf-8', '8bit')).join('\n')}\none\ntwo\n.\n.three\nMAIL FROM:<x@example.com>\r\n`,
    ),
    subject: 'bare LF',
    body: 'one\ntwo\n.\n.three\nMAIL FROM:<x@example.com>',
  },
  'UTF-8 in the header, undeclared': {
    raw: mail(['From: Zoë <zoe@example.com>', 'Subject: Grüße aus Köln', '', 'Hallo']),
    from: 'zoe@example.com',
    fromName: 'Zoë',
    subject: 'Grüße aus Köln',
    body: 'Hallo',
  },
  'neither Message-ID nor Date nor To': {
    raw: mail(['From: ana@example.com', 'Subject: bare', '', 'Hello']),
    from: 'ana@example.com',
    fromName: null,
    subject: 'bare',
    body: 'Hello',
  },
  'no header at all': {
    raw: mail(['', 'Only a body.']),
    from: 'flood@example.com',
    fromName: null,
    subject: '',
    body: 'Only a body.',
  },
}

/** Attachments that are not in base64, as they are written and as they are meant (RFC 2046 section 5.1.1). */
export const unencodedAttachments: { encoding: string; written: string; meant: string }[] = [
  { encoding: 'quoted-printable', written: 'a=0D=0Ab', meant: 'a\r\nb' },
  { encoding: 'quoted-printable', written: 'a,b\r\n1,2\r\n', meant: 'a,b\r\n1,2\r\n' },
  { encoding: '7bit', written: 'no line end', meant: 'no line end' },
  { encoding: '7bit', written: 'diff --git\r\n+a\r\n', meant: 'diff --git\r\n+a\r\n' },
  { encoding: '8bit', written: 'caf\xe9\r\n\r\n', meant: 'caf\xe9\r\n\r\n' },
]

export const mailWithAttachments = (parts: readonly { encoding: string; written: string }[]): Buffer =>
  mail(
    head('Unencoded', 'Content-Type: multipart/mixed; boundary=part', '', '--part', '', 'See the files'),
    latin(
      [
        ...parts.map(
          ({ encoding, written }, i) =>
            `--part\r\nContent-Type: text/x-file\r\nContent-Transfer-Encoding: ${encoding}\r\nContent-Disposition: attachment; filename=${i}.txt\r\n\r\n${written}\r\n`,
        ),
        '--part--\r\n',
      ].join(''),
    ),
  )
