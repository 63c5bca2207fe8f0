import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { charsetOfHtml, decodeText } from '../../../src/mail/charsets/charset'
import encodings from '../../fixtures/encodings.json'
import { quickly } from '../../support/timing'

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

describe('decodeText', () => {
  it('knows charsets by the names that mail programs give them', () => {
    const cases: [string | null, string, string][] = [
      ['ISO-8859-1', 'Gr\xfc\xdfe', 'Grüße'],
      ['cp932', '\x93\xfa\x96{', '日本'],
      ['x-sjis', '\x93\xfa\x96{', '日本'],
      ['windows-949', '\xc7\xd1', '한'],
      ['x-windows-1251', '\xcf\xf0', 'Пр'],
      ['koi8_r', '\xf0\xd2', 'Пр'],
      ['gb2312', '\xd6\xd0', '中'],
      ['iso8859-15', '\xa4', '€'],
      ['8859-1', '\xfc', 'ü'],
      ['utf-7', 'Gr+APw-+AN8-e +- 1', 'Grüße + 1'],
      ['unicode-1-1-utf-7', '+ZeVnLA-', '日本'],
      ['us-ascii', 'Gr\xc3\xbc', 'Grü'],
      ['us-ascii', 'Gr\xfc', 'Grü'],
      [null, 'Gr\xfc', 'Grü'],
      ['unknown-8bit', 'Gr\xc3\xbc', 'Grü'],
      ['no such charset', 'Gr\xfc', 'Grü'],
      ['utf-8', '\xef\xbb\xbfa', 'a'],
    ]
    for (const [charset, octets, text] of cases)
      expect(decodeText(latin(octets), charset), String(charset)).toBe(text)
  })

  it('takes the octets for UTF-8, or for what is not, where the name cannot be right', () => {
    const utf8 = (text: string) => new Uint8Array(Buffer.from(text))
    for (const [charset, text] of [
      ['iso-8859-1', 'Grüße aus Köln'],
      ['windows-1252', 'déjà vu – “oui”'],
      ['iso-8859-2', 'Příliš žluťoučký'],
      ['koi8-r', 'Привет'],
      ['windows-1251', 'Привет, мир'],
      ['gb2312', '你好，世界，今天天气'],
      ['shift_jis', 'こんにちは、元気ですか'],
      ['euc-kr', '안녕하세요 여러분'],
      ['big5', '你好，世界'],
      ['windows-1254', 'Günaydın, nasılsınız'],
      ['iso-8859-15', 'für 5 €'],
    ] as const)
      expect(decodeText(utf8(text), charset), charset).toBe(text)
    expect(decodeText(latin('Gr\xfc\xdfe'), 'utf-8')).toBe('Grüße')
    expect(decodeText(latin('\xc4\xe3\xba\xc3'), 'gbk')).toBe('你好')
    expect(decodeText(latin('\xd0\xd2'), 'koi8-r')).toBe('пр')
    expect(decodeText(latin('Gr\xc3\xbc\xff'), 'utf-8')).toBe('Grü\ufffd')
  })

  it('never throws, whatever the name and the octets', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom('utf-7', 'utf-16', 'hz', 'iso-2022-kr', 'replacement'))
    fc.assert(
      fc.property(name, fc.uint8Array(), (charset, octets) => {
        expect(decodeText(octets, charset)).toBeTypeOf('string')
      }),
    )
  })

  it('takes linear time for UTF-7', async () => {
    await quickly(2000, () => decodeText(latin('+AAA'.repeat(500_000)), 'utf-7'))
  })
})

/*
 * The fixture was made of the indexes of the Encoding Standard (github.com/whatwg/encoding): of a single-byte encoding the
 * characters of 80 to FF, of one with two bytes the hash of what all pairs stand for, each in a line.
 */
describe('the Encoding Standard', () => {
  const ascii = String.fromCharCode(...Array.from({ length: 128 }, (_, byte) => byte))
  const single = Object.values(encodings.singleByte).flatMap(({ labels, upper }) =>
    labels.map((label) => [label, upper] as const),
  )

  it('has as many labels of single-byte encodings as there are', () => {
    expect(Object.keys(encodings.singleByte)).toHaveLength(28)
    expect(single).toHaveLength(168)
  })

  it.each(single)('is how all 256 bytes are read by the label %s', (label, upper) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(decodeText(bytes, label)).toBe(ascii + upper)
    expect(decodeText(bytes, label.toUpperCase())).toBe(ascii + upper)
  })

  it('is how windows-1252 is read where no charset is named', () => {
    expect(decodeText(latin('\x80 \x93a\x94 \x96 b\x85'), null)).toBe('€ “a” – b…')
  })

  it.each(Object.entries(encodings.twoBytes))('is how all pairs of bytes are read by %s', (label, hash) => {
    const lines: string[] = []
    for (let lead = 0x81; lead < 0xff; lead++)
      for (let trail = 0x40; trail < 0xff; trail++) {
        // One byte stands for a character here.
        if (label === 'shift_jis' && (lead === 0xa0 || (lead > 0xa0 && lead < 0xe0) || lead > 0xfc)) continue
        const name = ((lead << 8) | trail).toString(16)
        lines.push(`${name} ${decodeText(Uint8Array.of(lead, trail), label)}`)
      }
    expect(createHash('sha256').update(lines.join('\n')).digest('hex')).toBe(hash)
  })
})

it('charsetOfHtml finds the charset that a page declares', () => {
  expect(charsetOfHtml(latin('<html><META http-equiv=x content="text/html; charset=Big5">'))).toBe('Big5')
  expect(charsetOfHtml(latin('<meta charset=utf-8>'))).toBe('utf-8')
  expect(charsetOfHtml(latin('<p>charset=x</p>'))).toBeNull()
})
