import { describe, expect, it } from 'vitest'
import { parseMail } from '../../src/mail/parse'

/** Returns the start of a picture in PNG, GIF, JPEG or WebP. */
const pictures = {
  png: (width: number, height: number) => {
    const bytes = Buffer.alloc(40)
    bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    return bytes
  },
  gif: (width: number, height: number) => {
    const bytes = Buffer.alloc(40)
    bytes.write('GIF89a')
    bytes.writeUInt16LE(width, 6)
    bytes.writeUInt16LE(height, 8)
    return bytes
  },
  jpeg: (width: number, height: number) => {
    const profile = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 22]), Buffer.alloc(20)])
    const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255])
    return Buffer.concat([Buffer.from([0xff, 0xd8]), profile, frame, Buffer.alloc(20)])
  },
  webp: (width: number, height: number) => {
    const bytes = Buffer.alloc(40)
    bytes.write('RIFF....WEBPVP8 ')
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
    return bytes
  },
}

interface Picture {
  id: string
  bytes: Buffer
  type?: string
}

/** Returns the names of the pictures of a message that count. */
async function counted(html: string, files: Picture[], head: string[] = []): Promise<string[]> {
  const parts = files.map(({ id, bytes, type = 'image/png' }) =>
    [
      `--b\r\nContent-Type: ${type}; name="${id}"`,
      'Content-Transfer-Encoding: base64',
      `Content-ID: <${id}>`,
      'Content-Disposition: inline',
      `\r\n${bytes.toString('base64')}`,
    ].join('\r\n'),
  )
  const fields = ['From: Ann Lee <ann@people.example>', 'Subject: Pears', ...head, 'MIME-Version: 1.0']
  const top = `${fields.join('\r\n')}\r\nContent-Type: multipart/related; boundary=b\r\n\r\n`
  const body = `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`
  const { attachments } = await parseMail(Buffer.from(`${top}${body}${parts.join('\r\n')}\r\n--b--`))
  expect(attachments).toHaveLength(files.length)
  return attachments.filter(({ decorative }) => !decorative).map(({ filename }) => filename!)
}

const { png, gif, jpeg, webp } = pictures
const one = (bytes: Buffer, type?: string): Picture[] => [{ id: 'x', bytes, ...(type && { type }) }]

describe('a picture of the layout', () => {
  it.each([
    ['icon in PNG', png(32, 32)],
    ['line in GIF', gif(600, 2)],
    ['icon in JPEG', jpeg(64, 20)],
    ['counter in WebP', webp(1, 1)],
  ])('is a tiny one that the HTML names: %s', async (_, bytes) => {
    expect(await counted('<p>Hello <img src="cid:x"></p>', one(bytes))).toEqual([])
    expect(await counted('<p>Hello</p>', one(bytes))).toEqual(['x'])
  })

  it('is one in a signature or in a quote, unless it also stands in the written text', async () => {
    const logo = one(png(300, 90))
    const signed = '<p>Here it is.</p><div class="gmail_signature"><p>Ann Lee<br><img src="CID:x"></p></div>'
    const onlyPicture = '<p>Here it is.</p><div class="gmail_signature"><img src="cid:x"></div>'
    const quote = '<div>On 1 May 2026 Bo wrote:</div><blockquote type="cite"><img src="cid:x"></blockquote>'
    const answer = ['In-Reply-To: <1@shop.example>']
    expect(await counted(signed, logo)).toEqual([])
    expect(await counted(onlyPicture, logo)).toEqual([])
    expect(await counted(`<p>Yes</p>${quote}`, one(jpeg(3000, 2000)), answer)).toEqual([])
    expect(await counted(`<p>See <img src="cid:x"></p>${signed}`, logo)).toEqual(['x'])
    expect(await counted('<p>See <img src="cid:x"> there</p>', logo)).toEqual(['x'])
  })

  it('is no photo of a phone, also below a signature, and no other file', async () => {
    const phone = ['X-Mailer: iPhone Mail (22A3354)']
    const photo = one(jpeg(3024, 4032), 'image/jpeg')
    const below = '<p>The pears</p><p>Sent from my iPhone</p><p><img src="cid:x"></p>'
    expect(await counted(below, photo, phone)).toEqual(['x'])
    expect(await counted('<div><img src="cid:x"></div><div>Sent from my iPhone</div>', photo, phone)).toEqual(
      ['x'],
    )
    const signed = '<p>Hello</p><div class="gmail_signature"><p>Ann<br><img src="cid:x"></p></div>'
    expect(await counted(signed, one(Buffer.from('%PDF-1.4 an order that calls itself a picture')))).toEqual([
      'x',
    ])
    expect(
      await counted('<p>Fwd</p><p style="display:none"><img src="cid:x"></p>', one(png(300, 90))),
    ).toEqual(['x'])
  })

  it('is no file that only begins as one', async () => {
    const html = '<p>See the invoice <img src="cid:x"> and <img src="cid:invoice.pdf"></p>'
    const both = Buffer.concat([gif(1, 1), Buffer.from('%PDF-1.7')])
    const files = [
      { id: 'x', bytes: both, type: 'application/pdf' },
      { id: 'invoice.pdf', bytes: both, type: 'image/gif' },
    ]
    expect(await counted(html, files)).toEqual(['x', 'invoice.pdf'])
  })
})
