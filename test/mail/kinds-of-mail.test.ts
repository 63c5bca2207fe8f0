import { describe, expect, it } from 'vitest'
import { parseMail, readAttachments } from '../../src/mail/parse'
import { bytesOf } from '../support/timing'

const parts = (type: string, ...all: string[][]) => [
  `Content-Type: ${type}; boundary=b`,
  '',
  ...all.flatMap((part) => ['--b', ...part]),
  '--b--',
]
const base64 = (bytes: string) => ['Content-Transfer-Encoding: base64', '', btoa(bytes)]

async function read(...lines: string[]) {
  const raw = bytesOf(lines.join('\r\n'))
  const { text, html, attachments, replyText } = await parseMail(raw)
  const contents = await readAttachments(raw, [...attachments.keys()])
  const files = attachments.map(({ filename, contentType, inline, contentId }, at) => {
    const content = String.fromCharCode(...(contents[at]?.content ?? []))
    return { filename, contentType, inline, contentId, content }
  })
  return { text, html, replyText, files }
}

const file = (
  filename: string | null,
  contentType: string,
  content: string,
  contentId: string | null = null,
) => ({
  ...{ filename, contentType, inline: contentId !== null, contentId, content },
})
const words = ['Content-Type: text/plain', '', 'See the file']

describe('parseMail opens', () => {
  // `report.txt`, as in a message that somebody reported.
  const tnef = Buffer.from(
    'eJ8+IgEAAQaQCAAEAAAAAAABAAEAAQeQBgAIAAAA5AQAAAAAAADoAAICkAYADgAAAAEA/////wAAAAAAAAAA/QMCEIABAAsAAAByZXBvcnQudHh0ACoEAg+ABgASAAAARmlndXJlcyBvZiBPY3RvYmVyuAY=',
    'base64',
  ).toString('latin1')

  it.each(['application/ms-tnef', 'application/octet-stream'])('winmail.dat of type %s', async (type) => {
    const head = [`Content-Type: ${type}; name="winmail.dat"`, ...base64(tnef)]
    const other = ['Content-Type: application/pdf; name="a.pdf"', ...base64('%PDF')]
    expect(await read(...parts('multipart/mixed', words, head, other))).toMatchObject({
      text: 'See the file\n',
      files: [
        file('winmail.dat', type, tnef),
        file('a.pdf', 'application/pdf', '%PDF'),
        file('report.txt', 'text/plain', 'Figures of October'),
      ],
    })
  })
})

describe('parseMail leaves whole', () => {
  it('a damaged winmail.dat of Outlook', async () => {
    const tnef = '\x78\x9f\x3e\x22\x00\xff'
    const head = ['Content-Type: application/ms-tnef; name="winmail.dat"', ...base64(tnef)]
    expect(await read(...parts('multipart/mixed', words, head))).toMatchObject({
      text: 'See the file\n',
      files: [file('winmail.dat', 'application/ms-tnef', tnef)],
    })
  })

  it('S/MIME, sealed', async () => {
    const type = 'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"'
    expect(await read(`Content-Type: ${type}`, ...base64('\x30\x80\x00'))).toMatchObject({
      text: '',
      files: [file('smime.p7m', 'application/pkcs7-mime', '\x30\x80\x00')],
    })
  })

  it('S/MIME, signed: the text, and the signature as a file', async () => {
    const type = 'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256'
    const signature = ['Content-Type: application/pkcs7-signature; name=smime.p7s', ...base64('\x30\x80')]
    expect(await read(...parts(type, words, signature))).toMatchObject({
      text: 'See the file\n',
      files: [file('smime.p7s', 'application/pkcs7-signature', '\x30\x80')],
    })
  })

  it('PGP/MIME, sealed (RFC 3156)', async () => {
    const type = 'multipart/encrypted; protocol="application/pgp-encrypted"'
    const control = ['Content-Type: application/pgp-encrypted', '', 'Version: 1']
    const sealed = '-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n-----END PGP MESSAGE-----'
    const data = ['Content-Type: application/octet-stream; name="encrypted.asc"', '', sealed]
    expect((await read(...parts(type, control, data))).files).toEqual([
      file(null, 'application/pgp-encrypted', 'Version: 1'),
      file('encrypted.asc', 'application/octet-stream', sealed),
    ])
  })

  it('PGP in the text', async () => {
    const lines = ['-----BEGIN PGP SIGNED MESSAGE-----', 'Hash: SHA256', '', 'Yes.', '']
    const signature = ['-----BEGIN PGP SIGNATURE-----', '', 'iQEz', '-----END PGP SIGNATURE-----']
    const { text, replyText } = await read('Content-Type: text/plain', '', ...lines, ...signature)
    expect(text.trim()).toBe([...lines, ...signature].join('\n'))
    expect(replyText).toContain('Yes.')
  })

  it('a calendar, as a file beside the words', async () => {
    const calendar = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR'
    const invitation = ['Content-Type: text/calendar; method=REQUEST; name=invite.ics', '', calendar]
    expect(await read(...parts('multipart/alternative', words, invitation))).toMatchObject({
      text: 'See the file\n',
      files: [file('invite.ics', 'text/calendar', calendar)],
    })
  })
})

it('an image that the HTML shows has its Content-ID', async () => {
  const page = ['Content-Type: text/html', '', '<p>Look</p><img src="cid:logo@x">']
  const image = ['Content-Type: image/png; name=logo.png', 'Content-ID: <logo@x>', ...base64('PNG')]
  const mail = await read(...parts('multipart/related', page, image))
  expect(mail).toMatchObject({ replyText: 'Look', files: [file('logo.png', 'image/png', 'PNG', 'logo@x')] })
  expect(mail.html).toContain('cid:logo@x')
})
