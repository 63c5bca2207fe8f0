import { describe, expect, it } from 'vitest'
import { findCodes } from '../../src/mail/codes'
import { quickly } from '../support/timing'
import { withCode, withoutCode } from './code-mails'

const codesIn = (text: string, subject = '') => findCodes(subject, text).map(({ code }) => code)

describe('one-time codes', () => {
  it.each([
    ['Your verification code is 482913.', '482913'],
    ['482913 is your Example login code.', '482913'],
    ['G-482913 is your Google verification code.', '482913'],
    ['You did not sign in with it yet: your code is 482913.', '482913'],
    ['Your security code:\n\n  482 913\n\nIt expires in 10 minutes.', '482913'],
    ['Enter this code to sign in\n\n*7KX2P9*\n\nDid not ask? Ignore.', '7KX2P9'],
    ['Use the one-time password 4829 to continue.', '4829'],
    ['Use 493021 to finish your sign up', '493021'],
    ['Enter 493021 to complete your registration.', '493021'],
    ['Confirmation code: ABC-12D', 'ABC-12D'],
    ['Ihr Bestätigungscode lautet 482913.', '482913'],
    ['Votre code de vérification est : 482913', '482913'],
    ['Su código de verificación es 482913', '482913'],
    ['Il tuo codice di verifica è 482913', '482913'],
    ['Ваш код подтверждения: 482913', '482913'],
    ['您的验证码是：482913，请勿泄露。', '482913'],
    ['认证：您的验证码为:572946,5分钟内有效,请勿泄露给他人。', '572946'],
    ['für Ihr Kundenkonto 20014478 wurde ein Einmalpasswort angefordert:\n\nk9Lm42Xz', 'k9Lm42Xz'],
    ['認証コード：482913', '482913'],
    ['인증번호 [482913]를 입력하세요', '482913'],
  ])('are found in: %s', (text, code) => {
    expect(codesIn(text)[0]).toBe(code)
  })

  it.each([
    'Thanks for your order 482913 of 2026-11-02, total 4829.13 EUR.',
    'Use promo code SAVE2026 before Friday.',
    'Your zip code 94107 was changed.',
    'Call +49 30 482913 if the code does not compile in 2026.',
    'The error code 500123 means nothing.',
    'Enter the code of the meeting, whose number is 884 2231 992.',
    'See https://example.com/code/482913 for the code.',
    'Meet me at 1830 tomorrow.',
    'You can change your PIN at every cash machine. A PIN has four digits; do not choose 1234 or your birthday.',
    'A code is easy to guess where it is a row, such as 1234.',
    'für Ihr Kundenkonto 20014478 wurde ein Einmalpasswort angefordert.',
    'Never share a verification code. How it is made is told in RFC 6238, and how it is kept in ISO 27001.',
    'Please have a look at the code in pull request 4821. I changed 1204 lines, most of them generated.',
  ])('are not found in: %s', (text) => {
    expect(codesIn(text)).toEqual([])
  })

  it('are found where they stand alone and the subject says what they are', () => {
    expect(codesIn('Hello,\n\n482913\n\nBye', 'Your sign-in code')).toEqual(['482913'])
  })

  it('are found with where they stand', () => {
    const text = 'Hello Bob,\nyour code is 482 913. Keep it secret.'
    const [found] = findCodes('', text)
    expect(text.slice(found!.offset, found!.offset + found!.length)).toBe('482 913')
    expect(findCodes('482913 is your code', '')).toEqual([
      { code: '482913', in: 'subject', offset: 0, length: 6 },
    ])
  })

  it('are found as programs of many countries write them, and nothing else', () => {
    for (const [text, code, subject] of withCode) expect(codesIn(text, subject), text).toEqual([code])
  })

  it('are not found in what has other numbers and words', () => {
    for (const text of withoutCode) expect(codesIn(text), text).toEqual([])
  })

  it('are told with where they stand in other digits', () => {
    const text = 'رمز التحقق: ٤٨٢٩١٣'
    expect(findCodes('', text)).toEqual([{ code: '482913', in: 'text', offset: 12, length: 6 }])
  })

  it('are the nearest of several numbers', () => {
    const text = 'Ticket 100200 of 2026.\nYour verification code is 482913.\nCustomer 700800'
    expect(codesIn(text)[0]).toBe('482913')
  })

  it.each([
    'password: ',
    '//:',
    'meeting id 1 ',
    '码1234',
    'line: 1234 ',
    'code ',
    '1234 ',
    'code 1234 ',
    'A1-',
    '12 34 56 ',
    'verification ',
    'your code is abcd-efgh-',
    'password: aB3$',
    '1234 56 ',
  ])('are looked for in little time among many %j', async (word) => {
    const result = await quickly(1000, () => findCodes(word.repeat(1000), word.repeat(200_000)))
    expect(result.length).toBeLessThanOrEqual(3)
  })
})
