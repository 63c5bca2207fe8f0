import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addrSpec,
  asciiDomain,
  baseAddress,
  formatAddress,
  isAddress,
  normalizeAddress,
  sameAddress,
  splitAddress,
} from '../../../src/mail/headers/address'
import { parseAddress, parseAddressList, readMailboxes } from '../../../src/mail/headers/address-list'

describe('addresses', () => {
  it('are read from lists, groups and encoded names (RFC 5322, RFC 2047)', () => {
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

  it('are normalised, split and compared', () => {
    expect(normalizeAddress(' Ann@EXAMPLE.com ')).toBe('Ann@example.com')
    expect(splitAddress('"a@b"@Example.com')).toEqual({ local: '"a@b"', domain: 'example.com' })
    expect(splitAddress('ann')).toBeNull()
    expect(sameAddress('Ann@Example.com', 'ann@example.COM')).toBe(true)
    expect(baseAddress('agent+x+y@Example.com')).toBe('agent@example.com')
    expect(baseAddress('+x@example.com')).toBe('+x@example.com')
    expect(asciiDomain('Bücher.Example')).toBe('xn--bcher-kva.example')
  })

  it.each([
    ['"ceo@bank.example"@evil.example', '"ceo@bank.example"@evil.example'],
    ['X <"ceo@bank.example"@Evil.example>', '"ceo@bank.example"@evil.example'],
    ['X <ceo@bank.example@evil.example>', '"ceo@bank.example"@evil.example'],
    ['"ceo@bank.example" @evil.example', '"ceo@bank.example"@evil.example'],
    ['X <@bank.example:joe@evil.example>', 'joe@evil.example'],
    ['"a b"@c.example', '"a b"@c.example'],
    ['X <"a\\"b\\\\"@c.example>', '"a\\"b\\\\"@c.example'],
    ['"plain"@c.example', 'plain@c.example'],
    ['X <"plain.one"@c.example>', 'plain.one@c.example'],
    ['jörg+x@c.example', 'jörg+x@c.example'],
  ])('are written as RFC 5322 does: %s', (written, address) => {
    expect(parseAddress(written)?.address).toBe(address)
    expect(addrSpec(address)).toBe(address)
    expect(parseAddress(formatAddress({ address, name: 'X' }))?.address).toBe(address)
  })

  it.each([
    'X <mailto:ann@c.example?subject=Hi>',
    'X <SMTP:ann@c.example>',
    '[ann@c.example]',
    '<"ann@c.example">',
    '“ann@c.example”',
    "X <'ann@c.example'>",
    '<ann@c.example;>',
    'ann@c.example>',
    'ann@c.example.',
    '<ann@c.example\u200b>',
    'Ann &lt;ann@c.example&gt;',
  ])('are read without what is around them: %s', (written) => {
    expect(readMailboxes(written)).toMatchObject({ found: [{ address: 'ann@c.example' }], isMended: true })
  })

  it.each([
    ["'ann'@c.example", true],
    ['_ann_@c.example', true],
    ['"plain"@c.example', true],
    ['ann@[192.0.2.1]', false],
    ['"a@b"@c.example', false],
    ['ann@c..example', false],
    ['ann@c.example:', false],
  ])('stay as they are written: %s', (written, isUsable) => {
    expect(readMailboxes(written)).toMatchObject({ isMended: false, isUsable })
  })

  it('have no second @ outside of quotes', () => {
    const piece = fc.constantFrom('@', '"', '\\', '<', '>', ' ', ':', ',', ';', '(', ')', 'a', 'b.c', 'd.e')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        for (const { address } of parseAddressList(pieces.join('')))
          expect(address.replace(/^"(?:[^"\\]|\\.)*"/, '').split('@').length, address).toBeLessThanOrEqual(2)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are told by whether a mail can carry them', () => {
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

  it('are formatted so that they can be read again', () => {
    expect(formatAddress({ address: 'a@b.c', name: null })).toBe('a@b.c')
    expect(formatAddress({ address: 'a@b.c', name: 'Ann Ä' })).toBe('Ann Ä <a@b.c>')
    expect(formatAddress({ address: 'a@b.c', name: 'Ann "A", <x>\r\nBcc: d' })).toBe(
      '"Ann \\"A\\", <x> Bcc: d" <a@b.c>',
    )
  })

  it('are never added by a name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const written = formatAddress({ address: 'a@b.c', name })
        expect(written).not.toMatch(/[\r\n\0]/)
        expect(parseAddressList(written).map((found) => found.address)).toEqual(['a@b.c'])
      }),
    )
  })

  it('are read without throwing, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => parseAddressList(text).length >= 0))
  })
})
