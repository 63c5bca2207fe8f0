import { describe, expect, it } from 'vitest'
import { htmlToText } from '../../src/mail/html/html-to-text'
import { markdownToHtml } from '../../src/mail/markdown'
import { quickly } from '../support/timing'

const written = `# Your order

Dear **Ana**,
it is on its way: [follow it](https://shop.example/t?a=1&b=2), or see https://shop.example/a_b_c.

1. a *bell*
2. a ~~lamp~~ \`lock\`

| item | price |
|---|---|
| bell | 9 € |

Best regards,
Bo`

describe('markdownToHtml', () => {
  it('writes headings, marks, links, lists and tables, and keeps the lines', () => {
    expect(markdownToHtml(written)).toBe(`<h1>Your order</h1>
<p>Dear <strong>Ana</strong>,<br>
it is on its way: <a href="https://shop.example/t?a=1&amp;b=2">follow it</a>, or see <a href="https://shop.example/a_b_c">https://shop.example/a_b_c</a>.</p>
<ol>
<li>a <em>bell</em></li>
<li>a <s>lamp</s> <code>lock</code></li>
</ol>
<table>
<thead>
<tr>
<th>item</th>
<th>price</th>
</tr>
</thead>
<tbody>
<tr>
<td>bell</td>
<td>9 €</td>
</tr>
</tbody>
</table>
<p>Best regards,<br>
Bo</p>
`)
  })

  it('reads as plain text without a mark of it', () => {
    expect(htmlToText(markdownToHtml(written)).trim()).toBe(`Your order

Dear Ana,
it is on its way: follow it <https://shop.example/t?a=1&b=2>, or see https://shop.example/a_b_c.

1. a bell
2. a lamp lock

item price
bell 9 €

Best regards,
Bo`)
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x()">b</b> <!-- c -->',
    '[a](javascript:alert(1)) [b](JaVa\tScript:x) [c](data:text/html,x) [d](//evil.example) [e](/x) [f](cid:1)',
    '<javascript:alert(1)> [g][r]\n\n[r]: vbscript:x',
    '![spy](https://evil.example/p.png "t") [![spy](https://evil.example/p.png)](https://a.example)',
    '[x](https://a.example/"onmouseover="x) [y](<https://a.example/ "> "\\"><script>")',
    '```"><script>\nx\n```\n\n    <i>\n',
    '| <u> |\n|---|\n| <iframe src=x> |',
    '&lt;script&gt; &#60;script&#62; \u0000 \ud800',
  ])('lets nothing through but its own marks: %j', (text) => {
    const tags = markdownToHtml(text).match(/<[^>]*>/g) ?? []
    for (const tag of tags)
      expect(tag).toMatch(
        /^<\/?(?:p|br|a|pre|code|table|thead|tbody|tr|th|td)(?: (?:class="language-[^"<]*"|href="https:\/\/a\.example[^"<]*"|title="[^"<]*"))*>$/,
      )
  })

  it('leaves the description of a picture', () => {
    expect(markdownToHtml('See ![our *new* <shop>](https://x.example/a.png).')).toBe(
      '<p>See our new &lt;shop&gt;.</p>\n',
    )
  })

  it('takes no long time for anything', async () => {
    const length = 20_000
    for (const part of ['[', '*a **', '>', '![[', '- ', '`', '|a', 'http://', '&#', '<a ', '[a](', '\\']) {
      const text = part.repeat(length / part.length)
      await quickly(800, () => markdownToHtml(text), `${length} characters of ${part}`)
    }
  })
})
