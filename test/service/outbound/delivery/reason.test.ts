import { describe, expect, test } from 'vitest'
import { classifyReply, type Stage } from '../../../../src/service/outbound/delivery/outcome'
import { isHardBounce, reasonOf } from '../../../../src/service/outbound/delivery/reason'

const read = (reply: string, stage: Stage = 'recipient') => ({ ...classifyReply(reply, null), stage })

describe('why a mail is not there', () => {
  test.each<[string, string | null, boolean, Stage?]>([
    ['250 2.0.0 fine', null, false],
    ['550 5.1.1 <bo@there.test>: Recipient address rejected: User unknown', 'unknown_address', true],
    ['550 no such user here', 'unknown_address', true],
    ['550 Requested action not taken: mailbox unavailable', 'unknown_address', true],
    ['550 5.2.1 The email account that you tried to reach is disabled', 'unknown_address', true],
    ['450 4.2.1 The user you are trying to contact is receiving mail too quickly', 'other', false],
    ['556 5.1.10 null MX', 'unknown_domain', true],
    ['552 5.2.2 The email account is over quota', 'mailbox_full', false],
    ['452 4.2.2 mailbox full', 'mailbox_full', false],
    ['552 storage exceeded', 'mailbox_full', false, 'content'],
    ['550 5.0.0 Mailbox is full', 'mailbox_full', false],
    ['451 4.7.1 Greylisting in action, please come back later', 'greylisted', false],
    ['450 4.2.0 <bo@there.test>: Recipient address rejected: Greylisted', 'greylisted', false],
    ['450 try later', 'greylisted', false],
    ['421 4.7.28 our system has detected an unusual rate', 'throttled', false],
    ['421 Too many connections', 'throttled', false, 'connect'],
    ['550 5.7.1 Message rejected as spam', 'policy', false, 'content'],
    ['554 5.7.26 unauthenticated mail is prohibited', 'policy', false, 'content'],
    ['554 Service unavailable; client host blocked using zen', 'policy', false],
    ['552 5.3.4 Message size exceeds fixed limit', 'too_large', false, 'mail'],
    ['550 5.6.0 cannot read this', 'content', false, 'content'],
    ['553 5.6.7 no SMTPUTF8', 'unsupported', false],
    ['454 4.7.5 certificate', 'tls_failure', false, 'connect'],
    ['550 no valid PTR record for 192.0.2.9', 'policy', false],
    ['550 relay not permitted', 'policy', false],
    ['550 rejected: DNSBL listed', 'policy', false],
    ['553 sorry, your envelope sender is in my badmailfrom list', 'policy', false],
    ['550 Administrative prohibition', 'policy', false],
    ['550 Sender verify failed', 'policy', false],
    ['550 Sender verify failed: no such user here', 'policy', false],
    ['530 Authentication required', 'policy', false],
    ['501 Syntax error', 'other', false],
    ['503 Bad sequence of commands', 'other', false],
    ['521 Host does not accept mail', 'other', false],
    ['551 User not local; please try another path', 'other', false],
    ['550 Something that nobody has read before', 'other', false],
    ['550', 'unknown_address', false],
    [
      '550 <bo@there.test>: Recipient address rejected: User unknown in relay recipient table',
      'unknown_address',
      true,
    ],
    ['nonsense', 'other', false, 'mail'],
  ])('%s: %s', (reply, reason, isHard, stage) => {
    const refused = read(reply, stage)
    expect([reasonOf(refused), isHardBounce(refused)]).toEqual([reason, isHard])
  })

  test('is the way that failed where there was no answer', () => {
    const silent = { ...classifyReply('', null), detail: 'connect ECONNREFUSED' }
    expect(reasonOf({ ...silent, stage: 'connect' })).toBe('unreachable')
    expect(reasonOf({ ...silent, stage: 'route' })).toBe('dns_failure')
  })
})
