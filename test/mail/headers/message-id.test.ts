import { describe, expect, it } from 'vitest'
import {
  extractMessageIds,
  makeMessageId,
  ownMessageId,
  referencesForReply,
  referredIds,
} from '../../../src/mail/headers/message-id'
import { quickly } from '../../support/timing'

const mail = { own: '<1@x.example>', isAddressee: (address: string) => address === 'ann@example.com' }

const ids = (count: number) => Array.from({ length: count }, (_, index) => `<${index}@example.com>`)

describe('message ids', () => {
  it('are found in what programs write', () => {
    expect(extractMessageIds('<a@b> <c@d>,<e@f>')).toEqual(['<a@b>', '<c@d>', '<e@f>'])
    expect(extractMessageIds('Your mail of "Mon" <a@b> (was: <x')).toEqual(['<a@b>'])
    expect(extractMessageIds('<long\r\n id@b>')).toEqual(['<longid@b>'])
    expect(extractMessageIds('a@b, c@d')).toEqual(['<a@b>', '<c@d>'])
    expect(extractMessageIds('<a@b> <a@b> <> <<x@y>')).toEqual(['<a@b>', '<x@y>'])
    expect(extractMessageIds('<a\0@b>')).toEqual([])
  })

  it.each([
    ['yes', '<yes>'],
    ['y', 'y'],
    ['[PATCH v2]', '[PATCH v2]'],
    ['none', '<none>'],
    ['12345', '<12345>'],
    ['an address of the mail', '<Ann@example.com>'],
    ['an address and its owner', 'Ann <ann@other.example> of Monday'],
    ['a message from somebody', 'message from Linus T <torvalds@x.example> of Mon, 3 Jan 2000 10:00:00 EST'],
    ['a mail from somebody', "Mail from 'Ann <ann@x.example>' dated: Monday"],
    ['whose message', '<ann@x.example>\'s message of "Mon, 3 Jan 2000"'],
    ['whose bare message', 'ann@x.example (Ann)\'s message of "Mon, 3 Jan 2000"'],
    ['a bare address', 'ann@x.example'],
    ['a bare address with a few digits', 'ann.lee_2026@x.example'],
    ['a bare address of the mail', 'Ann@example.com'],
    ['a word', 'unknown'],
    ['prose', 'The message of ann@x.example about <bob@x.example>'],
  ])('are not %s', (_, value) => {
    expect(referredIds(value, mail)).toEqual([])
  })

  it.each([
    ['Your message of "Mon, 3 Jan 2000 10:00:00 EST." <a.fsf@x>', '<a.fsf@x>'],
    ['Message from Ann <ann@x> of "Mon, 3 Jan 2000." <200001031500.KAA12@x>', '<200001031500.KAA12@x>'],
    ['<m3abc.fsf@x> (Ann <ann@x>\'s message of "Mon")', '<m3abc.fsf@x>'],
    ['<Pine.1@x>; from ann@y.example on Mon, Jan 03, 2000 at 10:00AM', '<Pine.1@x>'],
    ['<id@x> from "Ann" at Jan 3, 2000', '<id@x>'],
    ['<a@b>(sfid 1)\r\n <c@d>', '<a@b> <c@d>'],
    ['20260102030405.12345@x.example', '<20260102030405.12345@x.example>'],
    ['<20260102030405.GA1234>', '<20260102030405.GA1234>'],
    ['20260102.abc', '<20260102.abc>'],
    ['<20260102.abc', '<20260102.abc>'],
    ['1234.abc@x.example (message from Ann)', '<1234.abc@x.example>'],
    ['m2k3abc-de@x.example', '<m2k3abc-de@x.example>'],
  ])('are found in %s', (value, wanted) => {
    expect(referredIds(value, mail).join(' ')).toBe(wanted)
  })

  it('are odd where those of the mail itself are', () => {
    expect(referredIds('<parent>', { ...mail, own: '<own>' })).toEqual(['<parent>'])
    expect(referredIds('a@b, c@d', { ...mail, own: 'e@f' })).toEqual(['<a@b>', '<c@d>'])
    expect(ownMessageId('abc.1@x')).toBe('<abc.1@x>')
    expect(ownMessageId('20260102 or so')).toBeNull()
    expect(ownMessageId('<20260102.abc')).toBe('<20260102.abc>')
    expect(ownMessageId('20260102.abc (made here)')).toBe('<20260102.abc>')
  })

  it('are bounded in number as references', () => {
    const stored = referredIds(ids(300).join(' '), mail)
    expect([stored.length, stored[0], stored.at(-1)]).toEqual([100, '<0@example.com>', '<299@example.com>'])
    const reply = referencesForReply({ rfc822MessageId: '<own@x>', references: ids(300) })
    expect([reply.length, reply[0], reply[1], reply.at(-1)]).toEqual([
      30,
      '<0@example.com>',
      '<272@example.com>',
      '<own@x>',
    ])
  })

  it("of a reply's references have the parent last, once", () => {
    expect(referencesForReply({ rfc822MessageId: '<b@x>', references: ['<b@x>', '<a@x>'] })).toEqual([
      '<a@x>',
      '<b@x>',
    ])
    expect(referencesForReply({ rfc822MessageId: null, references: [] })).toEqual([])
  })

  it('are made of a random part and a domain', () => {
    expect(makeMessageId('abc-1', 'example.com')).toBe('<abc-1@example.com>')
    expect(() => makeMessageId('a>', 'b')).toThrow(TypeError)
  })

  it('are read in linear time', async () => {
    for (const text of [
      '<'.repeat(1_000_000),
      '<a@b>'.repeat(200_000),
      `<${' '.repeat(1_000_000)}>`,
      'a@'.repeat(500_000),
      'from '.repeat(200_000),
      '<a@b> from ('.repeat(80_000),
    ]) {
      await quickly(1000, () => {
        extractMessageIds(text)
        referredIds(text, mail)
        ownMessageId(text)
      })
    }
  })
})
