import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToText } from '../../src/mail/html/html-to-text'
import { quoteHtml, quoteText } from '../../src/mail/quote'
import { extractReplyText } from '../../src/mail/text/reply-text'

const mail = {
  from: 'Ann Example <ann@example.com>',
  date: '2012-04-03T16:19:00.000Z',
  text: 'Can you come?\r\n\r\n> At eight?\r\n',
}

describe('quoting', () => {
  it('puts the mail that is answered below the answer', () => {
    expect(quoteText({ text: 'Yes.\n' }, mail)).toBe(
      'Yes.\n\nOn 3 Apr 2012 at 16:19 UTC, Ann Example <ann@example.com> wrote:\n> Can you come?\n>\n>> At eight?\n',
    )
    expect(quoteText({ html: '<p>Yes.</p>' }, { ...mail, date: null })).toMatch(
      /^Yes\.\n\nAnn Example <.*> wrote:\n> /,
    )
  })

  it('is cut off again by whoever reads the answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, isDated) => {
        const quoted = { ...mail, text, date: isDated ? mail.date : null }
        expect(extractReplyText(quoteText({ text: 'Yes, at eight.' }, quoted))).toBe('Yes, at eight.')
        expect(extractReplyText(htmlToText(quoteHtml({ text: 'Yes, at eight.' }, quoted)))).toBe(
          'Yes, at eight.',
        )
      }),
    )
  })

  it('lets no markup of a stranger out', () => {
    const html = quoteHtml(
      { html: '<b>Yes</b>' },
      { ...mail, from: '<i>x</i>', text: '</blockquote><script>' },
    )
    expect(html).not.toMatch(/<script|<i>|<\/blockquote><script/)
    expect(html.match(/<\/blockquote>/g)).toHaveLength(1)
  })
})
