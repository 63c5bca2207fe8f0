import { describe, expect, it } from 'vitest'
import { parseAddressList } from '../../src/mail/headers/address-list'
import { parseMail } from '../../src/mail/parse'
import { quickly } from '../support/timing'
import { oddMails } from './odd-mails'

const octets = (raw: string) => new TextEncoder().encode(raw)

describe('mail against the rules', () => {
  for (const [name, mails] of Object.entries(oddMails))
    it(`is read as it was meant: ${name}`, async () => {
      for (const { raw, read, wanted } of mails)
        expect(read(await parseMail(octets(raw))), raw).toEqual(wanted)
    })

  it('ends no line with a bare CR', async () => {
    const read = await parseMail(
      octets('Subject: x\rFrom: a@b.example\r\rone\r\nTo: c@d.example\r\n\r\ntwo\r\n'),
    )
    expect(read).toMatchObject({
      ...{ from: null, to: [{ address: 'c@d.example' }], text: 'two\n' },
      ...{ subject: 'x From: a@b.example one', flaws: ['header-malformed'] },
    })
    expect((await parseMail(octets('Subject: x\r\r\n\r\r\none\r\n'))).subject).toBe('x')
    expect((await parseMail(octets('Subject: x\r\n\r\none\rtwo\0\r\n'))).flaws).toEqual([])
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
