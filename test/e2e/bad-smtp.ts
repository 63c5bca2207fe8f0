import type { BadConversation } from './bad-sockets'

const mebibyte = 1024 * 1024
const line = `${'x'.repeat(1_022)}\r\n`
const envelope = (to: string, size = '') =>
  `EHLO bad.example.com\r\nMAIL FROM:<bad@example.com>${size}\r\nRCPT TO:<${to}>\r\n`

/** Conversations that must be refused where they are wrong. */
export const badSmtp = (to: string): BadConversation[] => [
  {
    what: 'commands out of order',
    write: [
      `RCPT TO:<${to}>\r\nDATA\r\nMAIL FROM:<a@example.com>\r\nEHLO x\r\nDATA\r\nRCPT TO:<${to}>\r\nQUIT\r\n`,
    ],
    answer:
      /^220 .*\r\n503 5\.5\.1 .*\r\n503 5\.5\.1 .*\r\n503 5\.5\.1 .*\r\n(250-.*\r\n)*250 .*\r\n503 5\.5\.1 .*\r\n503 5\.5\.1 .*\r\n221 /,
  },
  {
    what: 'an unknown recipient',
    write: [`${envelope('nobody@restante.localhost')}DATA\r\nQUIT\r\n`],
    answer: /\r\n550 5\.1\.1 .*\r\n503 5\.5\.1 .*\r\n221 /,
  },
  {
    what: 'somebody else’s recipient',
    write: [`${envelope('a@elsewhere.example')}QUIT\r\n`],
    answer: /\r\n550 5\.[17]\.1 .*\r\n221 /,
  },
  {
    what: 'a size that is too large, declared',
    write: [`EHLO x\r\nMAIL FROM:<a@example.com> SIZE=${26 * mebibyte}\r\nQUIT\r\n`],
    answer: /\r\n552 5\.3\.4 .*\r\n221 /,
  },
  {
    what: 'a size that is too large, not declared',
    write: [
      `${envelope(to)}DATA\r\n`,
      `Message-ID: <refused-size@example.com>\r\n\r\n${line.repeat(26 * 1024)}.\r\nQUIT\r\n`,
    ],
    answer: /\r\n354 .*\r\n552 5\.3\.4 .*\r\n221 /,
  },
  {
    what: 'a size that was a lie',
    write: [
      `${envelope(to, ' SIZE=10')}DATA\r\n`,
      `Message-ID: <refused-lie@example.com>\r\n\r\n${line.repeat(26 * 1024)}.\r\nQUIT\r\n`,
    ],
    answer: /\r\n354 .*\r\n552 5\.3\.4 .*\r\n221 /,
  },
  {
    what: 'a mail whose sender goes away',
    write: [`${envelope(to)}DATA\r\n`, 'Message-ID: <refused-half@example.com>\r\n\r\nhalf a ma'],
    answer: /\r\n354 [^\r]*\r\n$/,
  },
  {
    what: 'TLS that is none',
    write: ['EHLO x\r\nSTARTTLS\r\n', Buffer.from('this is no handshake at all\r\n'.repeat(10))],
    answer: /\r\n220 /,
  },
]

const deep = (depth: number) => {
  const opened = Array.from(
    { length: depth },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
  )
  return `From: deep@example.com\r\nSubject: deep\r\n${opened.join('')}\r\nx\r\n`
}

/** Mail that nobody should write, and that must be taken and kept all the same. */
export const brokenMails = (): Buffer[] =>
  [
    '',
    '\r\n',
    'no header, no body',
    'Content-Type: multipart/mixed; boundary=\r\n\r\n--\r\n--\r\n',
    'From: a@example.com\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n',
    'From: a@example.com\r\nContent-Type: text/plain; charset=utf-99\r\nContent-Transfer-Encoding: nonsense\r\n\r\n\xff\xfe\0\x01',
    'From: a@example.com\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!not base64!!!',
    'From: =?utf-8?B?////?= <\0@\0>\r\nSubject: =?x?Q?=FF?=\r\nDate: never\r\nMessage-ID: <\r\nReferences: <<>><a\r\n\r\n\0',
    `From: ${'a@example.com, '.repeat(20_000)}\r\nSubject: many\r\n\r\nx`,
    `Subject: ${'x'.repeat(200_000)}\r\n\r\nx`,
    deep(300),
    `From: a@example.com\r\nContent-Type: text/html\r\n\r\n${'<div><b>'.repeat(5_000)}`,
  ].map((text) => Buffer.from(text, 'latin1'))

/** Mails that begin and never go on. */
export const halfMails = (to: string): string[] => [
  '',
  'EHL',
  'EHLO x\r\nMAIL FROM:<a@example.com>\r\n',
  'EHLO x\r\nSTARTTLS\r\n',
  `${envelope(to)}DATA\r\nMessage-ID: <hanging-1@example.com>\r\n\r\n${line.repeat(1_000)}`,
  `${envelope(to)}DATA\r\nMessage-ID: <hanging-2@example.com>\r\n\r\nalmost\r\n.`,
]
