import { describe, expect, it } from 'vitest'
import { checkSpf } from '../../../../src/service/inbound/authentication/spf'
import { createFakeResolver, type FakeName } from '../../../support/fake-resolver'
import { quickly } from '../../../support/timing'

const a = (...addresses: string[]) => ({ addresses })
const record = (text: string): FakeName => ({ txt: [[`v=spf1 ${text}`]] })
const many = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => one(i))

/** Names that the records below point at. */
const around: Record<string, FakeName> = {
  'mail.test.example': a('192.0.2.1', '2001:db8::1'),
  'six.test.example': a('2001:db8::1'),
  'other.test.example': a('198.51.100.9'),
  'slow.test.example': { addresses: 'ETIMEOUT', txt: 'ETIMEOUT', mx: 'ETIMEOUT' },
  'mx.test.example': { mx: [{ exchange: 'mail.test.example', priority: 10 }] },
  'null-mx.test.example': { mx: [{ exchange: '', priority: 0 }] },
  'crowd.test.example': {
    mx: many(11, (i) => `h${i}.test.example`).map((exchange) => ({ exchange, priority: 1 })),
  },
  'yes.test.example': record('ip4:192.0.2.0/24 -all'),
  'no.test.example': record('-all'),
  'maybe.test.example': record('?all'),
  'broken.test.example': record('ip4:nonsense'),
  'loop.test.example': record('include:loop.test.example'),
  '1.2.0.192.in-addr._spf.test.example': a('127.0.0.2'),
  'user._at.bar.test.example': a('127.0.0.2'),
  'lp._spf.bar.test.example': a('127.0.0.2'),
  'client.bar.test.example': a('192.0.2.1', '2001:db8::1'),
  '192.0.2.1': { ptr: ['forged.bank.example', 'Client.Bar.test.example.'] },
  'forged.bank.example': a('198.51.100.1'),
}

const judge = async (
  text: string | FakeName,
  { ip = '192.0.2.1', mailFrom = 'user@bar.test.example', heloName = 'helo.example' } = {},
) => {
  const own = typeof text === 'string' ? record(text) : text
  const names = { ...around, 'bar.test.example': { ...a('192.0.2.1'), ...own } }
  return (await checkSpf(createFakeResolver(names), { ip, mailFrom, heloName })).result
}

describe('SPF, of RFC 7208', () => {
  it.each([
    // 4.5, which record
    ['a record', 'ip4:192.0.2.1 -all', 'pass'],
    ['no record', { txt: [['other text']] }, 'none'],
    ['no name', { txt: 'ENOTFOUND' }, 'none'],
    ['two records', { txt: [['v=spf1 +all'], ['v=spf1 +all']] }, 'permerror'],
    ['another version', { txt: [['v=spf10 +all']] }, 'none'],
    ['strings that belong together', { txt: [['v=spf1 ip4:192', '.0.2.1 -all']] }, 'pass'],
    ['DNS that fails', { txt: 'ETIMEOUT' }, 'temperror'],
    // 4.6, its syntax, all of it first
    ['a fault behind what matches', '+all ip4:x', 'permerror'],
    ['an unknown mechanism', 'foo -all', 'permerror'],
    ['an unknown modifier', 'foo=%{s}bar +all', 'pass'],
    ['an unknown modifier of nonsense', 'foo=%{ +all', 'permerror'],
    ['a line break', 'ip4:192.0.2.1\n+all', 'permerror'],
    ['a letter of another script', 'a:é.example +all', 'permerror'],
    ['spaces', '  ip4:192.0.2.1   -all ', 'pass'],
    ['capitals', 'IP4:192.0.2.1 -ALL', 'pass'],
    ['nothing that matches', 'ip4:198.51.100.1', 'neutral'],
    ['qualifiers', '~ip4:192.0.2.1 -all', 'softfail'],
    // 5.1 all, 5.2 include
    ['all with more', 'all:x', 'permerror'],
    ['an include that passes', 'include:yes.test.example -all', 'pass'],
    ['an include that fails', 'include:no.test.example ~all', 'softfail'],
    ['an include that is neutral', 'include:maybe.test.example -all', 'fail'],
    ['an include of none', 'include:mail.test.example +all', 'permerror'],
    ['an include of nonsense', 'include:broken.test.example +all', 'permerror'],
    ['an include that does not answer', 'include:slow.test.example +all', 'temperror'],
    ['an include of itself', 'include:loop.test.example +all', 'permerror'],
    ['an include without a name', 'include +all', 'permerror'],
    // 5.3 a, 5.4 mx
    ['its own address', 'a -all', 'pass'],
    ['an address', 'a:mail.test.example -all', 'pass'],
    ['a network', 'a:other.test.example/0 -all', 'pass'],
    ['a network of the other family', 'a:mail.test.example/32//0 -all', 'pass'],
    ['a network too long', 'a:mail.test.example/33 +all', 'permerror'],
    ['a network with a zero before it', 'a/024 +all', 'permerror'],
    ['a name without a domain', 'a:mail +all', 'permerror'],
    ['a port', 'a:mail.test.example:25 +all', 'permerror'],
    ['an address that does not answer', 'a:slow.test.example +all', 'temperror'],
    ['an exchanger', 'mx:mx.test.example -all', 'pass'],
    ['the null exchanger', 'mx:null-mx.test.example -all', 'fail'],
    ['no exchanger', 'mx:mail.test.example -all', 'fail'],
    ['eleven exchangers', 'mx:crowd.test.example +all', 'permerror'],
    // 5.5 ptr
    ['a name of the client', 'ptr -all', 'pass'],
    ['one below it', 'ptr:test.example -all', 'pass'],
    ['one that the name does not confirm', 'ptr:bank.example -all', 'fail'],
    ['one that ends alike', 'ptr:ar.test.example -all', 'fail'],
    ['ptr with a network', 'ptr/24 +all', 'permerror'],
    // 5.6 ip4 and ip6, 5.7 exists
    ['a network of IPv4', 'ip4:192.0.2.0/31 -all', 'pass'],
    ['one beside it', 'ip4:192.0.2.2/31 -all', 'fail'],
    ['a short address', 'ip4:192.0.2 +all', 'permerror'],
    ['IPv6 as IPv4', 'ip4:2001:db8::1 +all', 'permerror'],
    ['IPv6 for a client of IPv4', 'ip6:::/0 -all', 'fail'],
    ['a name that exists', 'exists:mail.test.example -all', 'pass'],
    ['a name of IPv6 alone', 'exists:six.test.example -all', 'fail'],
    // 6, modifiers
    ['a redirect', 'redirect=no.test.example', 'fail'],
    ['a redirect before what matches', 'redirect=no.test.example ip4:192.0.2.1', 'pass'],
    ['a redirect to none', 'redirect=mail.test.example', 'permerror'],
    ['two redirects', 'redirect=no.test.example redirect=no.test.example', 'permerror'],
    ['two explanations', 'exp=a.example exp=b.example +all', 'permerror'],
    ['an explanation that is not there', 'exp=nowhere.example +all', 'pass'],
    // 7, macros
    ['the address backwards', 'exists:%{ir}.%{v}._spf.test.example -all', 'pass'],
    ['the sender', 'exists:%{l}._at.%{o} -all', 'pass'],
    ['the last two parts', 'exists:%{l}._at.bar.%{d2} -all', 'pass'],
    ['the name of the client', 'a:%{p} -all', 'pass'],
    ['no letter', 'exists:%{} +all', 'permerror'],
    ['a letter for explanations', 'exists:%{t}.example +all', 'permerror'],
    ['a lone per cent', 'exists:a%b.example +all', 'permerror'],
    ['none of the parts', 'exists:%{d0}.example +all', 'permerror'],
    // 4.6.4, limits
    ['ten questions', `${many(10, () => 'a:other.test.example').join(' ')} +all`, 'pass'],
    ['eleven', `${many(11, () => 'a:other.test.example').join(' ')} +all`, 'permerror'],
    ['two without an answer', 'a:x.example a:y.example +all', 'pass'],
    ['three', 'a:x.example a:y.example a:z.example +all', 'permerror'],
  ])('%s', async (_what, text, result) => {
    expect(await judge(text)).toBe(result)
  })

  it.each([
    ['a client of IPv6', 'ip6:2001:db8::/32 -all', { ip: '2001:db8::1' }, 'pass'],
    ['its name', 'a:mail.test.example//64 -all', { ip: '2001:db8::2' }, 'pass'],
    ['no sender, so that HELO counts', '-all', { mailFrom: '', heloName: 'yes.test.example' }, 'pass'],
    ['a HELO that is an address', '+all', { mailFrom: '', heloName: '[192.0.2.1]' }, 'none'],
    ['a HELO of one word', '+all', { mailFrom: '', heloName: 'server' }, 'none'],
    ['a name with a label too long', '+all', { mailFrom: `a@${'x'.repeat(64)}.example` }, 'none'],
    ['a name with a label of nothing', '+all', { mailFrom: 'a@x..example' }, 'none'],
    ['an address as a domain', '+all', { mailFrom: 'a@[192.0.2.1]' }, 'none'],
    ['a second @', 'exists:lp._spf.%{o} -all', { mailFrom: '"x@yes.test.example"@bar.test.example' }, 'pass'],
    ['no local part', 'exists:%{l}._at.%{o} -all', { mailFrom: '@bar.test.example' }, 'fail'],
  ])('%s', async (_what, text, envelope, result) => {
    expect(await judge(text, envelope)).toBe(result)
  })

  it('takes no time for hostile records', async () => {
    await quickly(1_000, async () => {
      for (const text of ['a'.repeat(60_000), '%{d'.repeat(20_000), 'a:'.repeat(30_000), '/1'.repeat(30_000)])
        for (const start of ['', 'a:', 'exists:', 'redirect=', 'x=', 'ip4:']) await judge(`${start}${text}`)
    })
  })
})
