import { describe, expect, it } from 'vitest'
import { checkDmarc } from '../../../../src/service/inbound/authentication/dmarc'
import { createFakeResolver } from '../../../support/fake-resolver'

const resolverOf = (records: Record<string, string>) =>
  createFakeResolver(
    Object.fromEntries(Object.entries(records).map(([name, text]) => [`_dmarc.${name}`, { txt: [[text]] }])),
  )

const check = (records: Record<string, string>, domain: string, ...dkimDomains: string[]) =>
  checkDmarc({ resolver: resolverOf(records), domain, spfDomain: null, dkimDomains })

const policy = 'v=DMARC1; p=reject'

describe('DMARC by RFC 9989', () => {
  it.each<[string, Record<string, string>, string, string, 'pass' | 'fail' | 'none']>([
    ['itself', { 'bank.com': policy }, 'bank.com', 'bank.com', 'pass'],
    ['the organization', { 'bank.com': policy }, 'x.bank.com', 'y.bank.com', 'pass'],
    ['another domain', { 'bank.com': policy }, 'bank.com', 'evil.com', 'fail'],
    [
      'a domain beside an organization of its own',
      { 'dept.example.com': `${policy}; psd=n` },
      'x.dept.example.com',
      'other.example.com',
      'fail',
    ],
    [
      'the organization above one of its own',
      { 'dept.example.com': `${policy}; psd=n`, 'example.com': policy },
      'x.dept.example.com',
      'example.com',
      'fail',
    ],
    [
      'a domain below an organization of its own',
      { 'dept.example.com': `${policy}; psd=n` },
      'x.dept.example.com',
      'y.dept.example.com',
      'pass',
    ],
    [
      'an organization of its own below the sender',
      { 'example.com': policy, 'dept.example.com': `${policy}; psd=n` },
      'example.com',
      'dept.example.com',
      'fail',
    ],
    [
      'a sibling below a public suffix of DNS',
      { 'bank.example.com': `${policy}; psd=y` },
      'giant.bank.example.com',
      'mega.bank.example.com',
      'fail',
    ],
    [
      'the domain right below a public suffix of DNS',
      { 'bank.example.com': `${policy}; psd=y` },
      'giant.bank.example.com',
      'mail.giant.bank.example.com',
      'pass',
    ],
    // DNS alone would call both one organization.
    ['a sibling below a suffix of the list', { 'co.uk': policy }, 'bank.co.uk', 'evil.co.uk', 'fail'],
    [
      'a domain that wants itself only',
      { 'bank.com': `${policy}; adkim=s` },
      'bank.com',
      'x.bank.com',
      'fail',
    ],
    ['a domain without a policy', {}, 'x.bank.com', 'y.bank.com', 'none'],
    ['a record without a policy', { 'bank.com': 'v=DMARC1' }, 'bank.com', 'bank.com', 'pass'],
    ['an unknown policy', { 'bank.com': 'v=DMARC1; p=maybe' }, 'bank.com', 'bank.com', 'none'],
    ['an unknown np', { 'bank.com': `${policy}; np=maybe` }, 'bank.com', 'bank.com', 'none'],
    [
      'an unknown policy with an address for reports',
      { 'bank.com': 'v=DMARC1; p=maybe; rua=mailto:a@bank.com' },
      'bank.com',
      'bank.com',
      'pass',
    ],
  ])('judges a signature of %s', async (_what, records, domain, signer, result) => {
    const verdict = await check(records, domain, signer)
    expect(verdict.result).toBe(result)
    // Without a record, the Public Suffix List alone says what is aligned.
    expect(verdict.aligned).toEqual(result === 'fail' ? [] : [signer])
  })

  it('asks at most eight names of a long one, from seven labels on', async () => {
    const resolver = resolverOf({})
    const domain = 'a.b.c.d.e.f.g.h.i.j.mail.example.com'
    await checkDmarc({ resolver, domain, spfDomain: 'example.com', dkimDomains: [] })
    expect(resolver.asked).toEqual(
      [domain, 'g.h.i.j.mail.example.com', 'h.i.j.mail.example.com', 'i.j.mail.example.com']
        .concat(['j.mail.example.com', 'mail.example.com', 'example.com', 'com'])
        .map((name) => `txt _dmarc.${name}`),
    )
  })

  it('asks one name if the domain has a record and signs by itself', async () => {
    const resolver = resolverOf({ 'bank.com': policy })
    await checkDmarc({ resolver, domain: 'bank.com', spfDomain: 'bank.com', dkimDomains: ['bank.com'] })
    expect(resolver.asked).toEqual(['txt _dmarc.bank.com'])
  })
})
