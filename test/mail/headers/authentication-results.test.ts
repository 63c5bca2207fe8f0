import { describe, expect, it } from 'vitest'
import { readAuthenticationResults } from '../../../src/mail/headers/authentication-results'

const judged = (value: string) =>
  readAuthenticationResults(
    [{ name: 'Authentication-Results', value } as Parameters<typeof readAuthenticationResults>[0][number]],
    'mx.example.com',
  )
const read = (value: string) => judged(value)?.authentication ?? null

describe('what the server of a mailbox found out', () => {
  it('is read as servers write it', () => {
    const google =
      'mx.example.com; dkim=pass header.i=@bank.test header.s=s1 header.b="a/b="; spf=pass (mx.example.com: domain of x@bank.test designates (yes) 1.2.3.4) smtp.mailfrom="x=y@bank.test"; dmarc=pass (p=REJECT sp=NONE) header.from=bank.test'
    expect(read(google)).toMatchObject({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      dkim_aligned: true,
      from_verified: true,
    })
    const microsoft =
      'mx.example.com 1; dkim = pass (signature was verified) header.d = bank.test;dmarc=fail action=none header.from=bank.test;compauth=fail reason=100'
    expect(read(microsoft)).toMatchObject({ dkim_aligned: true, dmarc: 'fail', from_verified: false })
    expect(read('other.example.com; dmarc=pass header.from=bank.test')).toBeNull()
  })

  it('is about the domain that it names, and is believed of no other', () => {
    const from = (domain: string) =>
      judged(`mx.example.com; dkim=pass header.d=bank.test; dmarc=pass ${domain}`)
    expect(from('header.from=Bank.Test.')?.judgedDomain).toBe('bank.test')
    expect(from('header.from=evil.test')).toMatchObject({
      judgedDomain: 'evil.test',
      authentication: { dkim_aligned: false },
    })
    for (const none of [
      '',
      'header.from=',
      'header.from=bank.test header.from=evil.test',
      'header.from=a@bank.test',
    ])
      expect(from(none)).toBeNull()
  })

  it.each([
    'mx.example.com; spf=pass smtp.mailfrom="a;dmarc=pass b"@evil.test; dmarc=fail header.from=bank.test',
    'mx.example.com; spf=pass smtp.mailfrom="a\\";dmarc=pass b"@evil.test; dmarc=fail header.from=bank.test',
    'mx.example.com; spf=pass (of (x) ; dmarc=pass ) smtp.mailfrom=evil.test; dmarc=fail header.from=bank.test',
    'mx.example.com; spf=pass (of \\) ; dmarc=pass ) smtp.mailfrom=evil.test; dmarc=fail header.from=bank.test',
    'mx.example.com; dmarc=pass header.from=evil.test; dmarc=fail header.from=bank.test',
    'mx.example.com; dmarc=pass header.from=bank.test; spf=pass smtp.mailfrom="evil.test',
    'mx.example.com; spf=pass (of ; dmarc=pass header.from=bank.test',
  ])('is not what a stranger wrote into it: %s', (value) => {
    expect(read(value)?.from_verified ?? false).toBe(false)
  })

  it.each([
    'mx.example.com; dkim=pass header.d=evil.test header.i="x header.d=bank.test"@evil.test',
    'mx.example.com; dkim=pass header.i="x@bank.test"@evil.test',
    'mx.example.com; dkim=pass header.d=evil.test header.i=@bank.test',
    'mx.example.com; dkim=pass header.d=evil.test header.d=bank.test',
    'mx.example.com; dkim=pass (header.d=bank.test) header.d=evil.test',
    'mx.example.com; dkim=fail header.d=bank.test',
  ])('has no signature of the sender in: %s', (value) => {
    expect(read(`${value}; dmarc=none header.from=bank.test`)).toMatchObject({ dkim_aligned: false })
  })
})
