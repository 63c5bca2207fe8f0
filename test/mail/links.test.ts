import { describe, expect, it } from 'vitest'
import { findLinks } from '../../src/mail/links'
import { quickly } from '../support/timing'

const inHtml = (html: string, sender = 'shop.example.com') => findLinks('', html, sender)

describe('links that do something', () => {
  it.each([
    ['<a href="https://example.com/a?t=1">Confirm your address</a>', 'confirm'],
    ['<a href="https://example.com/verify?t=1">Click here</a>', 'confirm'],
    ['<a href="https://example.com/a">Reset your password</a>', 'reset'],
    ['<a href="https://example.com/a"><img alt="Log in"></a>', 'sign-in'],
    ['<a href="https://example.com/a">Accept the invitation</a>', 'invite'],
    ['<a href="https://example.com/a">Unsubscribe</a>', 'unsubscribe'],
    ['<a href="https://example.com/a">E-Mail-Adresse bestätigen</a>', 'confirm'],
    ['<a href="https://example.com/a">Подтвердить</a>', 'confirm'],
    ['<a href="https://example.com/a">メールアドレスを確認</a>', 'confirm'],
  ])('are found in: %s', (html, kind) => {
    expect(inHtml(html)).toMatchObject([{ kind, domain: 'example.com', from_sender: true, warnings: [] }])
  })

  it('are found in text, with where they stand', () => {
    const text = 'Hello,\nto confirm your account open\nhttps://example.com/c/abc?x=1&y=2.\nBye'
    const [link] = findLinks(text, null, 'mail.example.com')
    expect(link).toMatchObject({
      kind: 'confirm',
      url: 'https://example.com/c/abc?x=1&y=2',
      from_sender: true,
    })
    expect(text.slice(link!.offset!)).toMatch(/^https:\/\/example\.com\/c\/abc/)
  })

  it('are no other links, and none that nobody sees', () => {
    expect(inHtml('<a href="https://example.com/news">News</a>')).toEqual([])
    expect(
      inHtml('<a href="mailto:confirm@example.com">Confirm</a><a href="javascript:x">Confirm</a>'),
    ).toEqual([])
    for (const style of ['display:none', 'max-height:0', 'opacity: 0'])
      expect(
        inHtml(`<div style="${style}"><a href="https://evil.example/c">Confirm</a></div>`),
        style,
      ).toEqual([])
  })

  it.each([
    ['https://evil.example/c', 'Confirm at https://example.com', 'shows-other-domain'],
    ['https://examp1e.com/c', 'Confirm', 'looks-like-sender'],
    ['https://example.com.evil.org/c', 'Confirm', 'looks-like-sender'],
    ['https://exampel.com/c', 'Confirm', 'looks-like-sender'],
    ['https://example-login.com/c', 'Confirm', 'looks-like-sender'],
    ['https://xn--exmple-cua.com/c', 'Confirm', 'international-domain'],
    ['https://exämple.com/c', 'Confirm', 'international-domain'],
    ['https://example.com@evil.org/c', 'Confirm', 'name-before-host'],
    ['http://203.0.113.7/c', 'Confirm', 'no-domain'],
  ])('are given with a warning where the link is %s', (href, text, warning) => {
    const [link] = inHtml(`<a href="${href}">${text}</a>`)
    expect(link?.warnings).toContain(warning)
    expect(link?.from_sender).toBe(false)
  })

  it("are the sender's by the public suffix list", () => {
    const at = (host: string, sender: string) =>
      inHtml(`<a href="https://${host}/c">Confirm</a>`, sender)[0]?.from_sender
    expect(at('app.example.co.uk', 'mail.example.co.uk')).toBe(true)
    expect(at('one.co.uk', 'two.co.uk')).toBe(false)
    expect(at('one.github.io', 'two.github.io')).toBe(false)
  })

  it.each([
    ['anchors', '<a href="https://example.com/confirm">x</a>'],
    ['open anchors', '<a href="https://example.com/confirm">'],
    ['quotes', `<a href="`],
    ['hidden', '<div style="display:none">'],
    ['addresses', 'https://a.b.c.d.e.f.g/h '],
    ['dots', 'a.'],
  ])('are looked for in little time among many %s', async (_, word) => {
    const many = word.repeat(60_000)
    const result = await quickly(1500, () => findLinks(many, many, 'example.com'))
    expect(result.length).toBeLessThanOrEqual(10)
  })
})
