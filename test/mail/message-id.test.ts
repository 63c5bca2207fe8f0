import { describe, expect, it } from 'vitest'
import {
  extractMessageIds,
  extractReferences,
  makeMessageId,
  referencesForReply,
} from '../../src/mail/headers/message-id'
import { quickly } from './timing'

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

  it('are bounded in number as references', () => {
    const stored = extractReferences(ids(300).join(' '))
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
    ]) {
      await quickly(1000, () => extractMessageIds(text))
    }
  })
})
