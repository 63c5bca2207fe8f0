import { describe, expect, it } from 'vitest'
import { bodyWarnings } from '../../../src/mail/html/body-warnings'

const of = (text: string | null, html: string | null) => bodyWarnings({ text, html }).join(' ')

describe('bodyWarnings', () => {
  it.each([
    ['Thank you.', null],
    [null, '<p>Thank you.</p>'],
    [
      'Thank you, Ana.\n\nSee https://shop.example/a.',
      '<p>Thank <b>you</b>, Ana.</p><p>See <a href="https://shop.example/a">https://shop.example/a</a>.</p>',
    ],
    ['- one\n- two\n\n> quoted', '<ul><li>one</li><li>two</li></ul><blockquote>quoted</blockquote>'],
    ['شكرا جزيلا', '<p dir="rtl">شكرا جزيلا</p>'],
    ['Write to bo@example.com', '<p>Write to <a href="mailto:bo@example.com">bo@example.com</a></p>'],
  ])('says nothing of %j and %j', (text, html) => expect(of(text, html)).toBe(''))

  it('names words that only one body has, and words in another order', () => {
    const asks = of('Thank you.', '<p>Thank you. Send us your card number.</p>')
    expect(asks).toContain('Only the HTML has these words: “send”, “us”, “your”, “card”, “number”')
    expect(of('Thank you. It is final.', '<p>Thank you.</p>')).toContain(
      'Only the plain text has these words: “it”',
    )
    expect(of('do not pay, wait', '<p>wait not, do pay</p>')).toContain('in another order')
    expect(of('pay once', '<p>pay pay once</p>')).toContain('Only the HTML has these words: “pay”')
  })

  it('quotes pieces that cannot end their quotation', () => {
    const shown = of('See', '<p>See <a href="https://x.example/a”_b“c">this</a></p>')
    expect(shown).toContain('“https://x.example/a"_b"c”')
  })

  it('names links that only one body has, also behind the same words', () => {
    const shown = of('See our page', '<p>See our <a href="https://evil.example/login">page</a></p>')
    expect(shown).toContain('Only the HTML has these links: “https://evil.example/login”')
    expect(of('See https://a.example/x', '<p>See</p>')).toContain(
      'Only the plain text has these links: “https://a.example/x”',
    )
  })

  it.each([
    ['<form action="https://evil.example"><input name="card"></form>', '2 form elements'],
    ['<script>steal()</script>', '1 script'],
    ['<a href="javascript:x()">hello</a>', '1 script'],
    ['<p onclick="x()">hello</p>', '1 script'],
    ['<img src="https://track.example/a.png">', 'pictures from track.example'],
    ['<img src="//track.example/a.png">', 'pictures from track.example'],
    ['<table background="http://track.example/b.png"></table>', 'pictures from track.example'],
    ['<p style="background:url(https://track.example/c.png)">hello</p>', 'pictures from track.example'],
    ['<style>p { background: url("https://track.example/d.png") }</style>', 'pictures from track.example'],
    ['<link rel="stylesheet" href="https://sheet.example/a.css">', '1 style sheet'],
    ['<style>@import url(//sheet.example/a.css)</style>', '1 style sheet'],
    ['<!--[if mso]><p>Pay now</p><![endif]-->', '1 part that only Outlook shows'],
    ['<iframe src="https://evil.example"></iframe>', 'embeds 1 document'],
  ])('names what a safe preview leaves out: %s', (html, part) => expect(of(null, html)).toContain(part))

  it('names text that styles hide', () => {
    expect(of('hello', '<p>hello</p><p style="display:none">the secret plan</p>')).toContain(
      'hides this text: “the secret plan”',
    )
  })

  it('stays short, whatever is compared', () => {
    const words = Array.from({ length: 100_000 }, (_, at) => `w${at}`).join(' ')
    expect(of('', `<p>${words}</p>`).length).toBeLessThan(2_000)
    expect(of('x', `<p>${'x'.repeat(3_000_000)}</p>`)).toContain('longer than what was compared')
  })
})
