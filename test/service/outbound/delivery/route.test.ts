import { expect, test } from 'vitest'
import { domainOf, groupByDomain, wireAddress } from '../../../../src/service/outbound/delivery/route'

test.each([
  ['a@Example.COM', 'example.com'],
  ['a@example.com.', 'example.com'],
  ['"a@b"@example.com', 'example.com'],
  ['a@b\u00fccher.example', 'xn--bcher-kva.example'],
  ['a@XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['a@[192.0.2.1]', '[192.0.2.1]'],
  ['a@[IPv6:2001:DB8::1]', '[ipv6:2001:db8::1]'],
  ['nobody', ''],
  ['a@', ''],
])('the domain of %s is %s', (address, domain) => {
  expect(domainOf(address)).toBe(domain)
})

test('recipients are grouped by where they go, in their order', () => {
  const recipients = [
    'a@b\u00fccher.example',
    'b@other.test',
    'c@xn--bcher-kva.example',
    'nobody',
    'd@OTHER.test',
  ]
  expect([...groupByDomain(recipients)]).toEqual([
    ['xn--bcher-kva.example', ['a@b\u00fccher.example', 'c@xn--bcher-kva.example']],
    ['other.test', ['b@other.test', 'd@OTHER.test']],
    ['', ['nobody']],
  ])
})

test('only the domain is put into ASCII', () => {
  expect(wireAddress('J\u00f6rg@b\u00fccher.example')).toBe('J\u00f6rg@xn--bcher-kva.example')
  expect(wireAddress('Box@Example.COM')).toBe('Box@Example.COM')
})
