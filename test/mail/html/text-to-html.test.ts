import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToText } from '../../../src/mail/html/html-to-text'
import { textToHtml } from '../../../src/mail/html/text-to-html'
import { quickly } from '../../support/timing'

/** Without the line breaks between tags. */
const html = (text: string) => textToHtml(text).replace(/(?<=>)\n|\n(?=<)/g, '')

describe('lists of plain text', () => {
  it.each([
    [
      'bullets',
      'Bring:\n- tea\n- milk\nThanks',
      '<p>Bring:</p><ul><li>tea</li><li>milk</li></ul><p>Thanks</p>',
    ],
    ['stars', '* a\n* b', '<ul><li>a</li><li>b</li></ul>'],
    ['numbers', '1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['numbers that go on', '3) a\n4) b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['empty lines between items', '1. a\n\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['a broken line', '- a long\n  item\n- b', '<ul><li>a long<br>item</li><li>b</li></ul>'],
    [
      'lists in lists',
      '1. a\n   - b\n   - c\n2. d\n   * e',
      '<ol><li>a<ul><li>b</li><li>c</li></ul></li><li>d<ul><li>e</li></ul></li></ol>',
    ],
    [
      'links and markup',
      '- https://x.y/\n- <b>',
      '<ul><li><a href="https://x.y/">https://x.y/</a></li><li>&lt;b&gt;</li></ul>',
    ],
  ])('are kept in HTML: %s', (_, text, expected) => expect(html(text)).toBe(expected))

  it.each([
    ['a remark', 'Yes\n- Ann', '<p>Yes<br>- Ann</p>'],
    ['a year', '1984. That was long ago.\n1986. Later.', '<p>1984. That was long ago.<br>1986. Later.</p>'],
    ['numbers in no order', '1. a\n5. b', '<p>1. a<br>5. b</p>'],
    ['a signature', 'Yes\n\n-- \nAnn', '<p>Yes</p><p>-- <br>Ann</p>'],
    ['quotes', '> - a\n> - b', '<p>&gt; - a<br>&gt; - b</p>'],
    ['sums', '-5\n-6', '<p>-5<br>-6</p>'],
  ])('are not made of %s', (_, text, expected) => expect(html(text)).toBe(expected))

  it('come back as they were from their HTML', () => {
    const text = 'Bring:\n\n- tea\n  - green\n- milk\n\nThen:\n\n7. a\n8. b\n9. c'
    expect(htmlToText(textToHtml(text))).toBe(text)
  })

  it('hold in HTML every word once, and no markup of the text', () => {
    const mark = fc.constantFrom('- ', '* ', '1. ', '2. ', '3) ', '  - ', '    1. ', '\t* ', '', '  ', '\n')
    const line = fc
      .tuple(mark, fc.constantFrom('<b>word', 'word & c', 'https://x.y/word', 'word'))
      .map((both) => both.join(''))
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const written = textToHtml(lines.join('\n'))
        const shown = written.replace(/href="[^"]*"/g, '')
        expect(shown.match(/word/g) ?? []).toHaveLength(lines.length)
        const tags = written.match(/<\/?[a-z]+/g) ?? []
        expect(tags.every((tag) => /^<\/?(?:p|br|ul|ol|li|a)$/.test(tag))).toBe(true)
        for (const name of ['ul', 'ol', 'li', 'p'])
          expect(tags.filter((tag) => tag === `<${name}`)).toHaveLength(
            tags.filter((tag) => tag === `</${name}`).length,
          )
      }),
    )
  })

  it.each([
    ['items', '- a\n'.repeat(300_000)],
    ['deeper and deeper', Array.from({ length: 100_000 }, (_, i) => `${' '.repeat(i % 13)}- a`).join('\n')],
    ['numbers', Array.from({ length: 200_000 }, (_, i) => `${i % 1000}. a`).join('\n')],
    ['empty lines', '- a\n\n\n'.repeat(200_000)],
    ['blanks', `- ${' '.repeat(1_000_000)}`],
  ])('take little time for many %s', async (_, text) => {
    await quickly(2000, () => textToHtml(text))
  })
})
