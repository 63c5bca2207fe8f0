import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToText } from '../../../src/mail/html/html-to-text'
import { textToHtml } from '../../../src/mail/html/text-to-html'
import { quickly } from '../../support/timing'

describe('htmlToText', () => {
  const cases: [string, string, string][] = [
    ['paragraphs', '<p>a</p><p>b<br>c</p>', 'a\n\nb\nc'],
    ['white space', '<div> a\n  b <b> c</b>d </div>', 'a b cd'],
    [
      'lists',
      '<ul><li>a<li>b<ol><li>c</li></ol></ul><ol><li>d</li><li>e</li></ol>',
      '- a\n- b\n  1. c\n\n1. d\n2. e',
    ],
    ['links', '<a href="https://x.y/z?a&amp;b">here</a>', 'here <https://x.y/z?a&b>'],
    [
      'links that show themselves',
      '<a href="https://x.y/">x.y</a> <a href="mailto:a@b.c">a@b.c</a>',
      'x.y a@b.c',
    ],
    ['unsafe links', '<a href="javascript:alert(1)">x</a>', 'x'],
    ['mail addresses', '<a href="mailto:a@b.c?subject=x">Ann</a>', 'Ann <a@b.c>'],
    ['quotes', 'a<blockquote>b<br><br>c<blockquote>d</blockquote></blockquote>e', 'a\n> b\n>\n> c\n> > d\ne'],
    ['indents', 'a<blockquote style="margin:0 0 0 40px;border:none">b</blockquote>', 'a\nb'],
    ['references', '&lt;b&gt; &amp;amp; &uuml;&#8364;&#x20AC; &nope;', '<b> &amp; ü€€ &nope;'],
    ['what is not shown', '<style>a{}</style><script>b</script><!-- c -->d<title>e</title>', 'd'],
    ['what is hidden', 'a<div style="display: none">b<div>c</div>d</div>e', 'ae'],
    ['Word', '<p class=MsoNormal>a</p><p class=MsoNormal>&nbsp;</p><p class=MsoNormal>b</p>', 'a\n\nb'],
    ['preformatted text', '<pre>a\n  b</pre>c', 'a\n  b\n\nc'],
    ['tables', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['images', '<img alt="Logo" src="x">', 'Logo'],
    ['stray signs', 'a < b > c & d <', 'a < b > c & d <'],
    ['stray quotes', "<p class=x title=it's>a</p><a href='b\">'>c</a>", 'a\n\nc'],
  ]
  for (const [name, html, text] of cases) {
    it(`renders ${name}`, () => expect(htmlToText(html)).toBe(text))
  }

  it('cuts at its length', () => {
    expect(htmlToText('<p>abc</p>'.repeat(100), 50)).toHaveLength(50)
  })

  const hostile: Record<string, string> = {
    'nested elements': '<div>'.repeat(100_000),
    'closing tags of others': '<div>'.repeat(50_000) + '</p>'.repeat(50_000),
    'nested quotes': `${'<blockquote>'.repeat(100_000)}${'x<br>'.repeat(100_000)}`,
    'nested lists': '<ul><li>x'.repeat(100_000),
    'open tags': '<a href="'.repeat(500_000),
    'open comments': '<!--'.repeat(1_000_000),
    'open styles': '<style>'.repeat(500_000),
    signs: '<'.repeat(2_000_000),
    references: '&amp'.repeat(500_000),
    attributes: `<a ${'x=y '.repeat(1_000_000)}>k</a>`,
    'hidden elements': '<p style="display:none">'.repeat(200_000),
    'five megabytes': '<p>Hello <a href="https://x.y/z">there</a></p>'.repeat(110_000),
    spaces: `<p class${' '.repeat(5_000_000)}`,
  }
  for (const [name, html] of Object.entries(hostile)) {
    it(`takes linear time for ${name}`, async () => {
      const result = await quickly(2000, () => htmlToText(html))
      expect(result.length).toBeLessThanOrEqual(2 * 1024 * 1024)
    })
  }

  it('never throws, whatever the HTML', () => {
    const piece = fc.constantFrom(
      '<p>',
      '</p>',
      '<a href="http://x">',
      '</a>',
      '<blockquote>',
      '</blockquote>',
      '<li>',
      '<pre>',
      '<',
      '"',
    )
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string())),
        (pieces) => typeof htmlToText(pieces.join('')) === 'string',
      ),
    )
  })
})

describe('textToHtml', () => {
  it('makes paragraphs, line breaks and links', () => {
    expect(textToHtml('a <b>\nc\n\nSee https://x.y/?a=1&b=(2).')).toBe(
      '<p>a &lt;b&gt;<br>\nc</p>\n<p>See <a href="https://x.y/?a=1&amp;b=(2)">https://x.y/?a=1&amp;b=(2)</a>.</p>',
    )
    expect(textToHtml('')).toBe('')
  })

  it('lets no markup of the text through', () => {
    const piece = fc.constantFrom('<script>', '"', "'", '>', 'http://x/"onload=', 'javascript:', '&', '\n\n')
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const rest = textToHtml(pieces.join('')).replace(
          /<(?:p|\/p|br|\/a|a href="https?:\/\/[^"<>]*")>/gi,
          '',
        )
        expect(rest).not.toMatch(/[<>"']/)
      }),
    )
  })
})
