import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseMail } from '../../../src/mail/parse'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const piece = fc.constantFrom(
  'word ',
  'x',
  '\r\n',
  '\n',
  '\r',
  'ü',
  '€',
  '\uFFFD',
  '> quoted',
  '-- \r\n',
  '\t',
  '"',
)
const heads = [
  '',
  'Content-Type: text/plain; charset=utf-8\r\n',
  'Content-Type: text/html; charset=utf-8\r\n',
]

describeDatabases('the text of a message', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)

  async function send(raw: Uint8Array<ArrayBuffer>) {
    const recipients = [service.home.address]
    const { queueId } = await service.service.receive(
      { mailFrom: 'ana@example.com', recipients },
      raw.slice(),
    )
    const [listed, whole] = await Promise.all([
      service.call('GET', '/messages?limit=1'),
      service.call('GET', `/messages/${queueId}`),
    ])
    return { listed: listed.body.messages[0], whole: whole.body }
  }

  it('is what the mail says, wherever it is kept', async () => {
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
    let at = 0
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...heads), text, async (head, body) => {
        const raw = new TextEncoder().encode(`Subject: ${++at}\r\n${head}\r\n${body}\r\n`)
        const { listed, whole } = await send(raw)
        const mail = await parseMail(raw)
        expect(whole).toMatchObject({ subject: String(at), body_text: mail.text, reply_text: mail.replyText })
        expect(listed).toMatchObject({ subject: String(at), reply_text: mail.replyText })
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    ['lines', 'some words on a line\r\n'],
    ['empty lines', '\r\n'],
    ['characters of three bytes', '€'],
  ])('is cut in lists after 4 KiB: %s', async (_, part) => {
    const raw = new TextEncoder().encode(
      `Content-Type: text/plain; charset=utf-8\r\n\r\nfirst ${part.repeat(9_000)}last\r\n`,
    )
    const { listed, whole } = await send(raw)
    const lines = `first ${part.repeat(9_000)}last`.replaceAll('\r\n', '\n')
    expect(whole.reply_text.endsWith('last')).toBe(true)
    expect(Buffer.byteLength(listed.reply_text)).toBeLessThanOrEqual(4_096)
    expect(lines.startsWith(listed.reply_text)).toBe(true)
    expect(lines.slice(listed.reply_text.length, listed.reply_text.length + 4_096).trim() === '').toBe(
      part === '\r\n',
    )
  })
})
