import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { parseMail } from '../../src/mail/parse'
import { storedAuthentication } from '../../src/service/base/sender-proof'
import { verifySignatures } from '../../src/service/inbound/authentication/verify-signatures'
import { createSenderCheck } from '../../src/service/inbound/smtp/sender-check'
import type { Resolver } from '../../src/service/ports'
import { seededRandom } from '../../src/testing/virtual-clock'
import { startScriptedMailbox } from '../service/connections/support/scripted-mailbox'
import { attacker, forgedSenders, victim } from '../support/forged-senders'
import { seed } from '../support/seed'
import { openService, type QuietService } from '../support/service'
import { signMail } from '../support/sign-mail'

const messages = 100_000
/** As many are also stored by a service, and as many are in each of two connected mailboxes. */
const [storedMessages, connectedMessages] = [5_000, 1_000]

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const missing = async (name: string): Promise<never> => {
  throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
}
/** A DNS in which every domain lets everybody send for it, and only the attacker's has a key. */
const resolver: Resolver = {
  mx: missing,
  addresses: missing,
  ptr: missing,
  txt: async (name) => {
    if (name.startsWith('_dmarc.')) return [['v=DMARC1; p=reject']]
    if (name === 's1._domainkey.evil.example') return [[`v=DKIM1; k=rsa; p=${p}`]]
    return name.includes('_domainkey') ? missing(name) : [['v=spf1 +all']]
  },
}
const check = createSenderCheck({ resolver, verifier: { verifySignatures }, timeoutMs: 60_000 })

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

/** A mutated message, and how it comes. */
interface Mutant {
  /** One character is one byte. */
  raw: string
  mailFrom: string
  /** Null for a message that only its signature can prove: the attacker's, since no other domain has a key. */
  remoteAddress: string | null
}

const octetsOf = ({ raw }: Mutant): Buffer<ArrayBuffer> => Buffer.from(raw, 'latin1')

/** Draws messages: half are signed by the attacker, before or after they are mutated. */
function createMutants(random: () => number): () => Mutant {
  const below = (count: number) => Math.floor(random() * count)
  function mutated(raw: string, within: number): string {
    const at = below(Math.min(raw.length, within))
    const kind = below(4)
    const piece = pieces[below(pieces.length)]!
    if (kind === 0) return raw.slice(0, at) + piece + raw.slice(at)
    if (kind === 1) return raw.slice(0, at) + piece + raw.slice(at + 1 + below(8))
    if (kind === 2) return raw.slice(0, at) + raw.slice(at + 1 + below(20))
    const from = below(raw.length)
    return raw.slice(0, at) + raw.slice(from, from + below(60)) + raw.slice(at)
  }
  const signed = (raw: string) => {
    const h = ['from', 'from:from', 'from:to:subject:message-id'][below(3)]!
    return raw.includes('\r\n\r\n') ? signMail(raw, 'evil.example', privateKey, { h }, 'latin1') : raw
  }
  let count = 0
  return () => {
    const signs = (['never', 'never', 'before', 'after'] as const)[below(4)]
    const { raw: forged } = forgedSenders[below(forgedSenders.length)]!
    // A Message-ID of its own: a connection takes each only once.
    let raw = `${forged.replace('<n@', `<n${count}@`)}#${count++}\r\n`
    if (signs === 'before') raw = signed(raw)
    for (let changes = below(4); changes > 0; changes--) raw = mutated(raw, signs === 'before' ? 700 : 300)
    if (signs === 'after') raw = signed(raw)
    const remoteAddress = signs !== 'never' && below(4) > 0 ? null : '203.0.113.9'
    return { raw, mailFrom: below(2) === 0 ? attacker : victim, remoteAddress }
  }
}

const judged = (mutant: Mutant) =>
  check(
    { mailFrom: mutant.mailFrom, remoteAddress: mutant.remoteAddress, heloName: 'mx.example' },
    octetsOf(mutant),
  )

/** The attacker's domain, or one within it. */
const own = /(?:^|\.)evil\.example$/

/** The domain of an address as a browser reads it, and not as the judge does. */
function domainShown(address: string): string {
  const url = `http://${address.slice(address.lastIndexOf('@') + 1).replace(/\.$/, '')}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** Returns whether an address of a record has the domain that the judge read, and that can be proven at all. */
const isSame = ({ remoteAddress }: Mutant, address: string | undefined, domain: string | null) =>
  domain !== null &&
  address !== undefined &&
  domainShown(address) === domain &&
  (remoteAddress !== null || own.test(domain))

it(`the domain that is judged is the domain that is shown, in ${messages} messages`, async () => {
  const next = createMutants(seededRandom(seed))
  const differences: string[] = []
  let [verified, signed] = [0, 0]
  for (let count = 0; count < messages; count++) {
    const mutant = next()
    const verdict = await judged(mutant)
    const mail = await parseMail(octetsOf(mutant), {}, mutant.mailFrom)
    const stored = storedAuthentication(verdict, mail, mutant.mailFrom)
    const { from_verified, dkim_aligned } = verdict.authentication!
    if (!from_verified && !dkim_aligned) continue
    verified++
    if (dkim_aligned) signed++
    const isShown = isSame(mutant, mail.from?.address, verdict.judgedDomain)
    if (!isShown || !stored?.from_verified) differences.push(JSON.stringify(mutant))
  }
  expect(differences).toEqual([])
  // Most mutations break something; a fuzzer that proves nobody would show nothing.
  expect(verified).toBeGreaterThan(messages / 50)
  expect(signed).toBeGreaterThan(messages / 50)
}, 1_800_000)

interface Shown {
  from_addr: string
  authentication: { from_verified: boolean; dkim_aligned?: boolean }
}

const shown = async (service: QuietService, id: string): Promise<Shown> =>
  (await service.call('GET', `/messages/${id}`)).body

const isProven = ({ authentication }: Shown) =>
  authentication.from_verified || authentication.dkim_aligned === true

it(`and the domain of the stored record, in ${storedMessages} messages`, async () => {
  await using service = await openService({ checkSenders: true }, { resolver })
  const { api_key } = await service.service.keys.create({
    ...{ account_id: service.home.tenantId, name: 'in', scopes: ['inbound'], trusted: true },
  })
  const next = createMutants(seededRandom(seed + 1))
  const differences: string[] = []
  let [verified, signed] = [0, 0]
  for (let count = 0; count < storedMessages; count++) {
    const mutant = next()
    const query = new URLSearchParams({ from: mutant.mailFrom, to: service.home.address })
    if (mutant.remoteAddress !== null) query.set('client_ip', mutant.remoteAddress)
    const answer = await service.service.fetch(
      new Request(`http://restante.test/v1/inbound?${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'message/rfc822' },
        body: octetsOf(mutant),
      }),
    )
    expect(answer.status, JSON.stringify(mutant)).toBe(200)
    const record = await shown(service, (await answer.json()).messages[0].id)
    if (!isProven(record)) continue
    verified++
    if (record.authentication.dkim_aligned) signed++
    const { judgedDomain } = await judged(mutant)
    if (!isSame(mutant, record.from_addr, judgedDomain)) differences.push(JSON.stringify(mutant))
  }
  expect(differences).toEqual([])
  expect(verified).toBeGreaterThan(storedMessages / 50)
  expect(signed).toBeGreaterThan(storedMessages / 50)
}, 1_800_000)

const results =
  'Authentication-Results: mx.company.test; spf=pass smtp.mailfrom=evil.example; dkim=pass header.d=evil.example; dmarc=pass header.from=evil.example\r\n'

it.each([
  ['by our own check', {}, ''],
  ['by the results of its server', { authserv_id: 'mx.company.test' }, results],
])(
  `and the same in ${connectedMessages} messages of a connected mailbox, %s`,
  async (_, options, above) => {
    await using service = await openService({ checkSenders: true }, { resolver })
    await using mailbox = await startScriptedMailbox()
    const next = createMutants(seededRandom(seed + 2))
    const mutants = Array.from({ length: connectedMessages }, next)
    for (const mutant of mutants) mailbox.imap.append(Buffer.from(above + mutant.raw, 'latin1'))
    const body = mailbox.body({ since: 'all', ...options })
    const { id, inbox_id } = (await service.call('POST', '/connections', { body })).body
    const state = async () => (await service.call('GET', `/connections/${id}`)).body.state
    await expect.poll(state, { interval: 100, timeout: 300_000 }).toBe('live')
    const differences: string[] = []
    let [found, verified] = [0, 0]
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = `/messages?inbox_id=${inbox_id}&limit=100&include=all${cursor && `&cursor=${cursor}`}`
      const { body: list } = await service.call('GET', page)
      for (const record of list.messages as (Shown & { id: string })[]) {
        found++
        if (!isProven(record)) continue
        verified++
        // Only the attacker's domain has a key, and only that one is in the results of the server.
        if (!own.test(domainShown(record.from_addr))) differences.push(JSON.stringify(record))
      }
      cursor = list.next_cursor
    }
    expect(differences).toEqual([])
    expect(found).toBeGreaterThan(connectedMessages * 0.99 - 1)
    expect(verified).toBeGreaterThan(connectedMessages / 50)
  },
  900_000,
)
