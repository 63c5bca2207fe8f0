import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  classifyError,
  classifyReply,
  printable,
  type SmtpError,
} from '../../../../src/service/outbound/delivery/outcome'

const error = (fields: Partial<SmtpError>): SmtpError =>
  Object.assign(new Error(fields.message ?? 'failed'), fields)

describe('a reply', () => {
  test.each([
    ['250 2.0.0 Ok: queued as 1', 'sent', 250, '2.0.0'],
    ['250 fine', 'sent', 250, null],
    ['450 4.2.1 greylisted', 'deferred', 450, '4.2.1'],
    ['421 4.3.2 later', 'deferred', 421, '4.3.2'],
    ['550 5.1.1 nobody', 'bounced', 550, '5.1.1'],
    ['550-5.7.1 long\n550 5.7.1 story', 'bounced', 550, '5.7.1'],
    ['550', 'bounced', 550, null],
    ['550 4.1.1 contradicts itself', 'bounced', 550, null],
    ['550 5.1.1.1 no status', 'bounced', 550, null],
    ['354 unexpected', 'deferred', 354, null],
    ['999 nonsense', 'deferred', null, null],
    ['', 'deferred', null, null],
  ])('%j is %s', (reply, outcome, code, enhanced) => {
    expect(classifyReply(reply, 'mx')).toMatchObject({ outcome, code, enhanced, remote: 'mx' })
  })

  test('of several lines becomes one', () => {
    expect(classifyReply('550-5.1.1 No such\r\n550 5.1.1 user', null).detail).toBe('550-5.1.1 No such user')
  })

  test('is bounded and printable whatever it is', () => {
    expect(printable(`a\u0000b\u001b[31mc\u202ed${'x'.repeat(9999)}`)).toMatch(/^a b \[31mc dx{489}$/)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const line = printable(text)
        expect(line.length).toBeLessThanOrEqual(500)
        expect(line).toMatch(/^[^\p{Cc}\p{Cs}]*$/u)
      }),
    )
  })
})

describe('an error', () => {
  test.each([
    [{ command: 'RCPT TO', response: '550 5.1.1 nobody' }, 'bounced', '5.1.1'],
    [{ command: 'RCPT TO', response: '450 4.2.0 greylisted' }, 'deferred', '4.2.0'],
    [{ command: 'RCPT TO', response: '552 Too many recipients' }, 'deferred', null],
    [{ command: 'RCPT TO', response: '554 5.5.3 too many' }, 'deferred', '5.5.3'],
    [{ command: 'RCPT TO', response: '550 Too many recipients' }, 'deferred', null],
    [{ command: 'RCPT TO', response: '552 5.2.2 mailbox full' }, 'bounced', '5.2.2'],
    [{ command: 'MAIL FROM', response: '553 5.1.8 your domain' }, 'bounced', '5.1.8'],
    [{ command: 'DATA', response: '554 5.7.1 spam' }, 'bounced', '5.7.1'],
    [{ command: 'DATA', response: '250 too early' }, 'deferred', null],
    [{ command: 'CONN', response: '554 5.7.1 go away' }, 'deferred', '5.7.1'],
    [{ command: 'EHLO', response: '550 bad name' }, 'deferred', null],
    [{ command: 'AUTH PLAIN', code: 'EAUTH', response: '535 5.7.8 wrong' }, 'deferred', '5.7.8'],
    [{ code: 'ETIMEDOUT' }, 'deferred', '4.4.1'],
    [{ code: 'ESOCKET' }, 'deferred', '4.4.1'],
    [{ code: 'ECONNECTION' }, 'deferred', '4.4.2'],
    [{ code: 'ETLS' }, 'deferred', '4.7.5'],
    [{ code: 'EDNS' }, 'deferred', '4.4.3'],
    [{ code: 'ESOMETHINGNEW' }, 'deferred', '4.4.0'],
    [{ code: 'EMESSAGE', message: 'Message size larger than allowed 100' }, 'bounced', '5.3.4'],
    [{ code: 'EENVELOPE', message: 'Invalid sender' }, 'bounced', '5.1.3'],
  ])('%j is %s', (fields, outcome, enhanced) => {
    expect(classifyError(error(fields), null)).toMatchObject({ outcome, enhanced })
  })
})
