import { expect, it } from 'vitest'
import { parseMail } from '../../src/mail/parse'
import { storedAuthentication } from '../../src/service/base/sender-proof'
import { verifySignatures } from '../../src/service/inbound/authentication/verify-signatures'
import { createSenderCheck } from '../../src/service/inbound/smtp/sender-check'
import type { Resolver } from '../../src/service/ports'
import { seededRandom } from '../../src/testing/virtual-clock'
import { attacker, forgedSenders, victim } from '../support/forged-senders'
import { seed } from '../support/seed'

const messages = 100_000
const missing = async (name: string): Promise<never> => {
  throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
}
/** A DNS in which every domain lets everybody send for it: what is read decides, not who may send. */
const resolver: Resolver = {
  mx: missing,
  addresses: missing,
  ptr: missing,
  txt: async (name) => {
    if (name.startsWith('_dmarc.')) return [['v=DMARC1; p=reject']]
    return name.includes('_domainkey') ? missing(name) : [['v=spf1 +all']]
  },
}
const pieces = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\r\n',
    '\0',
    '\v',
    '\f',
    '\x85',
    '\xc2\x85',
    '\xe2\x80\xa8',
    '\x1b(J',
    ' ',
    '\t',
  ],
  ...[':', ',', ';', '<', '>', '"', '(', ')', '\\', '@', '.', '=?utf-8?q?', '?=', '\xff', '\xef\xbb\xbf'],
  ...['From: ', 'From : ', 'from:', 'From ', 'Sender: ', `From: ${victim}\r\n`, `From: ${attacker}\r\n`],
  ...[
    victim,
    attacker,
    'bank.example',
    'evil.example',
    'X-A: 1\r\n',
    '\r\n\r\n',
    'charset=utf-16',
    '\xc3\xbc',
  ],
]

it(`the domain that is judged is the domain that is shown, in ${messages} messages`, async () => {
  const random = seededRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const check = createSenderCheck({ resolver, verifier: { verifySignatures }, timeoutMs: 60_000 })
  function mutated(raw: string): string {
    const at = below(Math.min(raw.length, 300))
    const kind = below(4)
    const piece = pieces[below(pieces.length)]!
    if (kind === 0) return raw.slice(0, at) + piece + raw.slice(at)
    if (kind === 1) return raw.slice(0, at) + piece + raw.slice(at + 1 + below(8))
    if (kind === 2) return raw.slice(0, at) + raw.slice(at + 1 + below(20))
    const from = below(raw.length)
    return raw.slice(0, at) + raw.slice(from, from + below(60)) + raw.slice(at)
  }
  const differences: string[] = []
  let verified = 0
  for (let count = 0; count < messages; count++) {
    let raw = forgedSenders[below(forgedSenders.length)]!.raw
    for (let changes = below(4); changes > 0; changes--) raw = mutated(raw)
    const mailFrom = below(2) === 0 ? attacker : victim
    const octets = Buffer.from(raw, 'latin1')
    const verdict = await check({ mailFrom, remoteAddress: '203.0.113.9', heloName: 'mx.example' }, octets)
    const mail = await parseMail(octets, {}, mailFrom)
    const stored = storedAuthentication(verdict, mail, mailFrom)
    const { from_verified, dkim_aligned } = verdict.authentication!
    if (!from_verified && !dkim_aligned) continue
    verified++
    const shown = mail.from?.address.replace(/^.*@/s, '').replace(/\.$/, '')
    const isSame = shown !== undefined && new URL(`http://${shown}`).hostname === verdict.judgedDomain
    if (!isSame || !stored?.from_verified) differences.push(JSON.stringify(raw))
  }
  expect(differences).toEqual([])
  // Most mutations break something; a fuzzer that proves nobody would show nothing.
  expect(verified).toBeGreaterThan(messages / 50)
}, 1_800_000)
