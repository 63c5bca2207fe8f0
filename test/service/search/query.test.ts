import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readQuery } from '../../../src/service/search/query'
import { documentTerms, fold, isForeign, soughtTokens, tokensOf } from '../../../src/service/search/terms'

const nowMs = Date.parse('2026-03-01T00:00:00Z')
const read = (text: string) => readQuery(text, nowMs)
const ranked = (text: string) =>
  read(text).ranked.map(({ words, isPrefix }) => words.join('_') + (isPrefix ? '*' : ''))

it('words are the same with and without case, accents and signs', () => {
  expect(tokensOf('Grüße, CAFÉ! ana.maria@example.com №5')).toEqual([
    ...['grusse', 'cafe', 'ana', 'maria', 'example', 'com', 'no5'],
  ])
  for (const [one, other] of [
    ['GRÖSSE', 'Größe'],
    ['ΟΔΟΣ', 'οδος'],
    ['İstanbul', 'istanbul'],
    ['Łódź', 'lodz'],
    ['ﬁne', 'fine'],
    ['Ｆｕｌｌ', 'full'],
  ] as const)
    expect(fold(one), one).toBe(fold(other))
  expect(fold('が')).not.toBe(fold('か'))
})

it('scripts without spaces are pairs of characters on both sides', () => {
  expect(tokensOf('Order注文書 2件')).toEqual(['order', '注文', '文書', '書', '2', '件'])
  expect(soughtTokens('注文書')).toEqual(['注文', '文書'])
  expect(soughtTokens('注')).toEqual(['注'])
  expect(tokensOf('안녕하세요')).toEqual(['안녕', '녕하', '하세', '세요', '요'])
  expect(tokensOf('𠀀𠀁').every((token) => /^[\ue000a-z0-9]+$/.test(token))).toBe(true)
})

it('a language is another than English only where its commonest words say so', () => {
  expect(isForeign(tokensOf('Meeting notes'))).toBe(false)
  expect(isForeign(tokensOf('Could you please send the invoice to us on Monday?'))).toBe(false)
  expect(isForeign(tokensOf('Bitte senden Sie uns die Rechnung, wir haben sie noch nicht.'))).toBe(true)
  expect(isForeign(tokensOf('Nous vous envoyons la facture avec les documents.'))).toBe(true)
  expect(isForeign(tokensOf('Пожалуйста, пришлите нам счёт'))).toBe(true)
  const terms = documentTerms({
    ...{ subject: 'Invoices', sender: 'Ana', recipients: '', files: '', body: 'They were running.' },
    ...{ senders: ['ana@sub.example.com'], addressees: [], direction: 'inbound', hasAttachment: false },
  }).terms
  for (const term of ['invoic', 'run', '/~/running', '/s/invoices', '/F/@example.com', '/is/inbound'])
    expect(terms.has(term), term).toBe(true)
})

it('words are ranked one by one, those of one piece as a phrase too', () => {
  expect(ranked('late invoi* 4711-B')).toEqual(['late', 'invoi*', '4711', 'b', '4711_b'])
  expect(read('late "in voice"').demanded).toHaveLength(1)
  expect(ranked('a*')).toEqual(['a'])
  expect(read('a*').warnings).toHaveLength(1)
})

it('quotes in a long text are no demand, and a sign makes them one', () => {
  const prose = 'how did the board of the society decide in spring what we are to do about'
  expect(ranked(`${prose} "late invoices"`).slice(-3)).toEqual(['late', 'invoices', 'late_invoices'])
  expect(read(`${prose} "late invoices"`)).toMatchObject({ demanded: [], warnings: [{ column: 75 }] })
  expect(read(`${prose} +"late invoices" -"in voice"`).demanded).toHaveLength(2)
  expect(read(`${prose} subject:"late invoices"`).demanded).toHaveLength(1)
})

it('operators are read in all the ways in which they are written', () => {
  const kinds = (text: string) => read(text).demanded.flatMap((clause) => clause.map(({ leaf }) => leaf.kind))
  for (const [text, kind] of [
    ['from:ana@example.com', 'address'],
    ['FROM:Example.com', 'address'],
    ['from:<ana@example.com>', 'address'],
    ['to: Ana', 'words'],
    ['subject:"late invoice"', 'words'],
    ['label:"to do"', 'label'],
    ['in:spam', 'label'],
    ['is:unanswered', 'unanswered'],
    ['has:attachment', 'attachment'],
    ['before:2026/01/31', 'until'],
    ['after:1767225600', 'since'],
    ['newer_than:7d', 'since'],
    ['rfc822msgid:<a@b.example>', 'message-id'],
    ['from:me', 'direction'],
  ] as const) {
    expect(kinds(text), text).toEqual([kind])
    expect(read(text).warnings, text).toEqual([])
  }
  expect(read('in:spam').includesSpam).toBe(true)
  expect(read('-in:spam').includesSpam).toBe(false)
  expect(read('newer_than:2d').demanded[0]![0]!.leaf).toEqual({
    kind: 'since',
    time: '2026-02-27T00:00:00.000Z',
  })
})

it('what cannot be read as an operator is words, and warned of by its column', () => {
  for (const text of [
    'before:soon',
    'is:great',
    'frm:ana',
    'newer_than:week',
    'from:',
    'before:2026-02-31',
  ]) {
    const { ranked, warnings } = read(`日𠀀 ${text}`)
    expect(ranked.length, text).toBeGreaterThan(1)
    expect(
      warnings.map(({ column }) => column),
      text,
    ).toEqual([4])
  }
  for (const text of ['http://example.com/a', 'at 10:30', 'Re: hello', 'a:b', '(note) [x]'])
    expect(read(text).warnings, text).toEqual([])
})

it('nothing that somebody writes fails', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      ...['"', '-', '+', 'OR', 'from:', 'in:', '*', ':', 'is:x', 'a*', '“', '”', '\u0000', '𠀀', '--', '"*'],
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom('', ' '), (pieces, between) => {
      const text = pieces.join(between)
      const { warnings } = read(text)
      for (const { column } of warnings) expect(column).toBeLessThanOrEqual(Array.from(text).length)
    }),
  )
})
