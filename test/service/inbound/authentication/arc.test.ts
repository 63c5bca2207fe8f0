import { expect, it } from 'vitest'
import { isChainWellFormed } from '../../../../src/service/inbound/authentication/arc'

const seal = 'i=1; a=rsa-sha256; t=12345; cv=none; d=a.example; s=s1; b=abc DEF+/=='
const signature = 'i=1; a=rsa-sha256; c=relaxed/relaxed; d=a.example; s=s1; h=from:to; bh=abc=; b=abc='
const isFine = (name: string, value: string) => isChainWellFormed([{ name, value }])

it.each([
  ['ARC-Seal', seal],
  ['arc-seal', `${seal};`],
  ['ARC-Seal', seal.replaceAll('; ', ' ; ')],
  ['ARC-Message-Signature', signature],
  ['X-Other', 'anything'],
])('a chain with %s: %s is well-formed', (name, value) => {
  expect(isFine(name, value)).toBe(true)
})

it.each([
  ['a tag twice', `${seal}; t=12345`],
  ['a tag in capitals', seal.replace('a=', 'A=')],
  ['a tag of nothing', seal.replace('; ', ';; ')],
  ['a tag that is none', `${seal}; &=1`],
  ['signed fields', `${seal}; h=from`],
  ['no verdict', seal.replace('cv=none; ', '')],
  ['a strange verdict', seal.replace('none', 'perhaps')],
  ['no domain', seal.replace('d=a.example', 'd=')],
  ['another algorithm', seal.replace('sha256', 'sha1')],
  ['a number too high', seal.replace('i=1', 'i=51')],
  ['a number with a zero', seal.replace('i=1', 'i=01')],
  ['a sum that is none', seal.replace('b=abc', 'b=a*c')],
])('a seal with %s is not well-formed', (_what, value) => {
  expect(isFine('ARC-Seal', value)).toBe(false)
})

it.each([
  ['no hash', signature.replace('bh=abc=; ', '')],
  ['seals among what it signs', signature.replace('from', 'arc-seal:from')],
])('a signature with %s is not well-formed', (_what, value) => {
  expect(isFine('ARC-Message-Signature', value)).toBe(false)
})
