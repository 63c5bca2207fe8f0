import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asciiDomain,
  baseAddress,
  formatAddress,
  isAddress,
  normalizeAddress,
  parseAddress,
  parseAddressList,
  sameAddress,
  splitAddress,
} from '../../src/mail/address'

describe('addresses', () => {
  it('reads lists, groups and encoded names (RFC 5322, RFC 2047)', () => {
    expect(
      parseAddressList('"B, C" <b@Example.COM>, d@e.f (Dee), =?utf-8?q?=C3=84?= <g@h.i>, T: j@k.l;, x'),
    ).toEqual([
      { address: 'b@example.com', name: 'B, C' },
      { address: 'd@e.f', name: 'Dee' },
      { address: 'g@h.i', name: 'Ä' },
      { address: 'j@k.l', name: null },
    ])
    expect(parseAddress('undisclosed-recipients:;')).toBeNull()
  })

  it('normalises, splits and compares', () => {
    expect(normalizeAddress(' Ann@EXAMPLE.com ')).toBe('Ann@example.com')
    expect(splitAddress('"a@b"@Example.com')).toEqual({ local: '"a@b"', domain: 'example.com' })
    expect(splitAddress('ann')).toBeNull()
    expect(sameAddress('Ann@Example.com', 'ann@example.COM')).toBe(true)
    expect(baseAddress('agent+x+y@Example.com')).toBe('agent@example.com')
    expect(baseAddress('+x@example.com')).toBe('+x@example.com')
    expect(asciiDomain('Bücher.Example')).toBe('xn--bcher-kva.example')
  })

  it('knows which addresses a mail can carry', () => {
    for (const good of ['a@b.c', 'a.b+c@x-y.example', 'jörg@bücher.example', 'a@localhost']) {
      expect(isAddress(good), good).toBe(true)
    }
    for (const bad of [
      '',
      'a',
      '@b',
      'a@',
      'a b@c',
      'a@b c',
      'a@-b',
      'a@b..c',
      'a@b\n',
      'a@[1.2.3.4]',
      '<a@b>',
      'a,b@c',
    ]) {
      expect(isAddress(bad), bad).toBe(false)
    }
  })

  it('formats what it can read again', () => {
    expect(formatAddress({ address: 'a@b.c', name: null })).toBe('a@b.c')
    expect(formatAddress({ address: 'a@b.c', name: 'Ann Ä' })).toBe('Ann Ä <a@b.c>')
    expect(formatAddress({ address: 'a@b.c', name: 'Ann "A", <x>\r\nBcc: d' })).toBe(
      '"Ann \\"A\\", <x> Bcc: d" <a@b.c>',
    )
  })

  it('never lets a name add an address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const written = formatAddress({ address: 'a@b.c', name })
        expect(written).not.toMatch(/[\r\n\0]/)
        expect(parseAddressList(written).map((found) => found.address)).toEqual(['a@b.c'])
      }),
    )
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => parseAddressList(text).length >= 0))
  })
})
