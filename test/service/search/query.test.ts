import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readOperator } from '../../../src/service/search/operators'
import { readQuery } from '../../../src/service/search/query'
import { atOnce } from '../../../src/service/search/segments/pauses'
import { documentTerms } from '../../../src/service/search/terms/document-terms'
import { fold } from '../../../src/service/search/terms/fold'
import { isForeign } from '../../../src/service/search/terms/language'
import { soughtTokens, tokensOf } from '../../../src/service/search/terms/tokens'

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
  const texts = {
    ...{ subject: 'Invoices', sender: 'Ana', recipients: '', files: '', body: 'They were running.' },
    ...{ senders: ['ana@sub.example.com'], addressees: [], direction: 'inbound', hasAttachment: false },
  }
  const { terms } = atOnce(documentTerms(texts))
  for (const term of ['invoic', 'run', '/~/running', '/s/invoices', '/F/@example.com', '/is/inbound'])
    expect(terms.has(term), term).toBe(true)
})

it('a long mail is taken apart in steps, between which other mail has its turn', () => {
  const texts = {
    ...{
      subject: 'Long',
      sender: 'Ana',
      recipients: '',
      files: '',
      body: 'They were running. '.repeat(5_000),
    },
    ...{ senders: [], addressees: [], direction: 'inbound', hasAttachment: false },
  }
  expect([...documentTerms(texts)].length).toBeGreaterThan(25)
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
  for (const text of ['in:spam', 'in:trash', 'label:Trash', 'is:spam', 'in:anywhere'])
    expect(read(text).include, text).toBe('all')
  for (const text of ['-in:spam', 'in:archive', 'label:own']) expect(read(text).include, text).toBeUndefined()
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

it('signs deny and demand words, phrases, addresses and operators', () => {
  const clauses = (text: string) =>
    read(text).demanded.map(([one]) => `${one!.isDenied ? '-' : '+'}${one!.leaf.kind}`)
  for (const [text, clause] of [
    ['late -draft', '-words'],
    ["late -don't", '-words'],
    ['late -entw*', '-words'],
    ['late -注', '-words'],
    ['late -Ana.Maria', '-words'],
    ['late -ana99@example.com', '-words'],
    ['late -"mno-split-addresses"', '-words'],
    ['late -"22"', '-words'],
    ['late -from:ana@example.com', '-address'],
    ['late -is:unread', '-label'],
    ['late +draft', '+words'],
    ['late +INV-2026-17', '+words'],
    ['late +"4711"', '+words'],
    ['late +from:ana@example.com', '+address'],
  ] as const) {
    expect(clauses(text), text).toEqual([clause])
    expect(read(text).warnings, text).toEqual([])
  }
})

it('of text that was pasted nothing is denied and nothing demanded, and signs that mean nothing are warned of', () => {
  for (const [text, column] of [
    ['add -mno-split-addresses to CFLAGS', 5],
    ['run spamc with -t by hand', 16],
    ['npm install --save-exact left-pad', 13],
    ['gcc -O2 fails', 5],
    ['java -Xmx512m is killed', 6],
    ['tar -C /usr/local', 5],
    ['mount -o=ro /dev/sda1', 7],
    ['it returned -22 at boot', 13],
    ['call +49 30 1234567', 6],
    ['java -XX:+UseG1GC', 6],
    ['late -before:soon', 6],
    ['chmod +x install', 7],
    ['late -follow-up', 6],
    ['a monitor of 19" that is broken', undefined],
    ['rpm -i "late invoice', 5],
    ['<a href="late invoice">pay</a>', 9],
    ['{"error":"late invoice"}', 2],
    ['fatal:"late invoice" was thrown', 1],
    ['/usr/lib/libc.so:12: undefined reference', undefined],
    ['C:\\Users\\ana\\late.txt', undefined],
    ['https://example.com:8080/a?from=ana&q=-late', undefined],
    ['Ana <ana+late@example.com>', undefined],
    ['TypeError: cannot read properties of undefined', undefined],
    ['- late - invoice -- soon', undefined],
  ] as const) {
    const { demanded, warnings, text: words } = read(text)
    expect(demanded, text).toEqual([])
    expect(warnings[0]?.column, text).toBe(column)
    expect(tokensOf(words), text).toEqual(expect.arrayContaining(tokensOf(text)))
  }
})

it('in a long text an operator needs its value right behind it, and signs and OR before words mean nothing', () => {
  const prose = 'how did the board of the society decide in spring what we are to do'
  for (const pasted of ['note to: everyone', 'WORK OR PLAY', 'in the -draft of it', 'from: ana'])
    expect(read(`${prose} ${pasted}`).demanded, pasted).toEqual([])
  for (const meant of [
    'to:everyone',
    '"work" OR "play"',
    '-"draft"',
    '-from:ana',
    'from:ana OR to:ana',
    '+late',
  ])
    expect(read(`${prose} ${meant}`).demanded, meant).toHaveLength(1)
})

const word = fc.stringMatching(/^[a-z]{2,9}$/)
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `/${words.join('/')}`)
const pasted = fc.oneof(
  fc.stringMatching(/^-[A-Za-z]$/),
  fc.stringMatching(/^-[A-Za-z]\d{1,3}$/),
  fc.stringMatching(/^-[1-9]\d{0,4}$/),
  fc.stringMatching(/^\+\d{1,4}$/),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `--${words.join('-')}`),
  fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => `-${words.join('-')}`),
  fc.tuple(word, word).map(([name, value]) => `-${name}=${value}`),
  fc.tuple(word, path).map(([name, value]) => `-${name}${value}`),
  fc.tuple(word, word).map(([name, host]) => `${name}+${name}@${host}.example`),
  fc.tuple(path, fc.nat(999)).map(([file, line]) => `${file}.c:${line}:`),
  fc
    .tuple(fc.constantFrom('http', 'https', 'ftp'), word, path)
    .map(([how, host, at]) => `${how}://${host}.example:8080${at}?q=-x`),
  fc.tuple(word, word).map(([name, value]) => `x${name}:"${value} ${value}"`),
  fc.tuple(word, word).map(([name, value]) => `${name}="${value} ${value}"`),
)

it('options, numbers, paths, addresses and code are words among others, however they follow each other', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(pasted, word), { minLength: 1, maxLength: 25 }), (pieces) => {
      const text = pieces.join(' ')
      const { demanded, ranked, warnings } = read(text)
      expect(demanded).toEqual([])
      expect(new Set(ranked.flatMap(({ words }) => words))).toEqual(new Set(soughtTokens(text)))
      for (const { column } of warnings) expect(column).toBeLessThanOrEqual(Array.from(text).length)
      const short = pieces.slice(0, 5).join(' ')
      expect(read(`${short} -draft`).demanded).toMatchObject([[{ isDenied: true }]])
    }),
  )
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

it('docs/mailbox.md names each operator', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/mailbox.md'), 'utf8')
  const unknown = readOperator('near', 'x', nowMs, false)
  const names = /There are (.*)\.$/.exec(String(unknown))![1]!.split(', ')
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !page.includes(`\`${name}:`))).toEqual([])
})
