import { describe, expect, it } from 'vitest'
import { parseAddressList } from '../../src/mail/headers'
import { parseMail, readAttachments } from '../../src/mail/parse'
import { quickly } from '../support/timing'
import { oddMails } from './odd-mails'

const octets = (raw: string) => new TextEncoder().encode(raw)

describe('mail against the rules', () => {
  for (const [name, mails] of Object.entries(oddMails))
    it(`is read as it was meant: ${name}`, async () => {
      for (const { raw, read, wanted } of mails)
        expect(read(await parseMail(octets(raw))), raw).toEqual(wanted)
    })

  it('gives attachments of lines that end with a bare CR, and no offset of its text', async () => {
    const raw = octets(oddMails['lines that end with a bare CR']![0]!.raw)
    const [file] = await readAttachments(raw, [0])
    expect(new TextDecoder().decode(file?.content)).toBe('PDF')
    expect((await parseMail(octets('Subject: x\r\rone\rtwo\r'))).textStart).toBeNull()
    expect((await parseMail(octets('Subject: x\r\r\n\r\r\none\r\n'))).subject).toBe('x')
  })

  it.each([
    ['comments without end', '('.repeat(100_000)],
    ['comments in comments', `${'(a'.repeat(30_000)}${')'.repeat(30_000)}@x`],
    ['spaces before signs', ' @'.repeat(60_000)],
    ['spaces', `${' '.repeat(100_000)}@`],
    ['escapes', '(\\'.repeat(60_000)],
    ['comments', '(a) @'.repeat(25_000)],
  ])('takes little time for addresses of %s', async (_, value) => {
    await quickly(1000, () => parseAddressList(value))
  })

  it('takes little time for bare carriage returns', async () => {
    for (const raw of ['\r'.repeat(2_000_000), `a: b\r${'x\r'.repeat(900_000)}\n`, 'a\r\r\n'.repeat(300_000)])
      await quickly(3000, () => parseMail(octets(raw)))
  })
})
