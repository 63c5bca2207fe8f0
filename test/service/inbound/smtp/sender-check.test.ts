import { createHash, createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { dkimSign, sealMessage } from 'mailauth'
import { describe, expect, it } from 'vitest'
import { verifySignatures } from '../../../../src/service/inbound/authentication/verify-signatures'
import { createSenderCheck } from '../../../../src/service/inbound/smtp/sender-check'
import type { Resolver } from '../../../../src/service/ports'
import { createFakeResolver, type FakeName } from '../../../support/fake-resolver'
import { type SignatureTags, signMail } from '../../../support/sign-mail'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const keyRecord = `v=DKIM1; p=${publicKey.replace(/-----[^-]+-----|\s/g, '')}`
const names = {
  'bank.com': { txt: [['v=spf1 ip4:203.0.113.7 -all']] },
  's1._domainkey.bank.com': { txt: [[keyRecord]] },
  '_dmarc.bank.com': { txt: [['v=DMARC1; p=reject']] },
  'evil.com': { txt: [['v=spf1 +all']] },
}
const mail = (from = 'Bank <info@bank.com>') => `From: ${from}\r\nTo: a@b.com\r\nSubject: Hi\r\n\r\nHello\r\n`
const sign = async (text: string) => {
  const { signatures } = await dkimSign(text, {
    signatureData: [{ signingDomain: 'bank.com', selector: 's1', privateKey }],
    // Left out, what is signed and what is written may be of two seconds.
    signTime: new Date(),
    // Its types ask for the same once more.
  } as never)
  return `${signatures}${text}`
}
const bankServer = { mailFrom: 'info@bank.com', remoteAddress: '203.0.113.7', heloName: 'mx.bank.com' }
const stranger = { mailFrom: 'x@evil.com', remoteAddress: '203.0.113.9', heloName: 'mx.evil.com' }
const verdictOn = (text: string, envelope = bankServer, resolver: Resolver = createFakeResolver(names)) =>
  createSenderCheck({ resolver, verifier: { verifySignatures }, timeoutMs: 20_000 })(
    envelope,
    Buffer.from(text),
  )
const judge = async (...asked: Parameters<typeof verdictOn>) => (await verdictOn(...asked)).authentication

describe('who sent a mail', () => {
  it('is proven by a signature, or by the address that sent it', async () => {
    expect(await judge(await sign(mail()), stranger)).toEqual({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      arc: 'none',
      dkim_aligned: true,
      from_verified: true,
    })
    expect(await judge(mail())).toMatchObject({
      spf: 'pass',
      dkim: 'none',
      dmarc: 'pass',
      from_verified: true,
    })
  })

  it.each([
    ['somebody else in its name', mail()],
    ['a name that looks like it', mail('"info@bank.com" <info@evil.com>')],
    ['two addresses', mail('info@evil.com, info@bank.com')],
    ['two fields', `From: x@evil.com\r\n${mail()}`],
    ['none', 'Subject: Hi\r\n\r\nHello'],
    ['a field too long to read', mail(`${'a@bank.com, '.repeat(10_000)}info@bank.com`)],
    ['a header without end', `${'X-A: b\r\n'.repeat(50_000)}${mail()}`],
    ['signatures without end', `${'DKIM-Signature: v=1; d=bank.com; s=s1\r\n'.repeat(50)}${mail()}`],
  ])('is not proven for %s', async (_, text) => {
    expect((await judge(text, stranger))?.from_verified).toBe(false)
  })

  it('is not proven once the mail was changed', async () => {
    const changed = (await sign(mail())).replace('Hello', 'Pay!!')
    expect(await judge(changed, stranger)).toMatchObject({ dmarc: 'fail', from_verified: false })
  })

  it('is judged by SPF, DKIM and DMARC each for itself', async () => {
    const forged = { ...bankServer, remoteAddress: '203.0.113.9' }
    expect(await judge(mail(), forged)).toMatchObject({ spf: 'fail', dkim: 'none', dmarc: 'fail' })
    expect(await judge(await sign(mail()), forged)).toMatchObject({
      ...{ spf: 'fail', dkim: 'pass', dmarc: 'pass', from_verified: true },
    })
    expect(await judge(mail('Eve <x@evil.com>'), stranger)).toMatchObject({
      ...{ spf: 'pass', dmarc: 'none', from_verified: false },
    })
  })

  it('is told of a chain of forwarders (ARC), which alone proves nothing', async () => {
    const passedOn = mail('Ann <ann@bank.com>')
    const seal = await sealMessage(Buffer.from(passedOn), {
      ...{ signingDomain: 'bank.com', selector: 's1', privateKey, cv: 'none' },
      authResults: 'mx.bank.com; dmarc=pass header.from=bank.com',
    } as never)
    const sealed = `${seal}${passedOn}`
    expect(await judge(sealed, stranger)).toMatchObject({ arc: 'pass', dmarc: 'fail', from_verified: false })
    expect(await judge(sealed.replace('Hello', 'Pay!!'), stranger)).toMatchObject({ arc: 'fail' })
  })

  it('is not known while DNS does not answer', async () => {
    const never = () => new Promise<never>(() => {})
    const check = createSenderCheck({
      resolver: { mx: never, txt: never, addresses: never, ptr: never },
      verifier: { verifySignatures },
      timeoutMs: 20,
    })
    expect((await check(bankServer, Buffer.from(mail()))).authentication).toEqual({
      spf: 'temperror',
      dkim: 'temperror',
      dmarc: 'temperror',
      arc: 'temperror',
      dkim_aligned: false,
      from_verified: false,
    })
  })

  it('is not asked of DNS for names of this machine', async () => {
    const resolver = createFakeResolver({})
    const here = { mailFrom: 'a@dev.localhost', remoteAddress: '127.0.0.1', heloName: 'localhost' }
    expect(await judge(mail('a@dev.localhost'), here, resolver)).toBeNull()
    expect(resolver.asked).toEqual([])
  })
})

const signer = createPrivateKey(privateKey)
const dnsOf = (dmarc: string | null, key = keyRecord): Record<string, FakeName> => ({
  's1._domainkey.bank.com': { txt: [[key]] },
  's1._domainkey.mail.bank.com': { txt: [[key]] },
  'mail.bank.com': { txt: [['v=spf1 ip4:203.0.113.7 -all']] },
  'bank.com': { txt: [['v=spf1 ip4:203.0.113.7 -all']] },
  'evil.com': { txt: [['v=spf1 +all']] },
  ...(dmarc && { '_dmarc.bank.com': { txt: [[dmarc]] } }),
})
const reported = (text: string, dns = dnsOf('v=DMARC1; p=reject'), envelope = stranger) =>
  judge(text, envelope, createFakeResolver(dns))

describe('a signature proves a sender', () => {
  const plain = mail()
  const unproven = { dkim_aligned: false, from_verified: false }

  it('where it is like any other', async () => {
    const proven = { dkim: 'pass', dkim_aligned: true, from_verified: true }
    expect(await reported(signMail(plain, 'bank.com', signer))).toMatchObject(proven)
    expect(await reported(signMail(plain, 'bank.com', signer, { l: '7' }))).toMatchObject(proven)
  })

  it('and the verdict names the fields that it covers, its time and its value', async () => {
    const tags = { h: 'From:to:List-Post:x-a:subject:subject', t: '1700000000' }
    const text = `X-A: 1\r\nX-A: 2\r\n${plain}`
    const signed = signMail(text, 'bank.com', signer, tags)
    const { signatures, spfAligned } = await verdictOn(signed, stranger, createFakeResolver(names))
    const value = /b=([^;\r\n]+)\r\n/.exec(signed)![1]!
    expect(signatures).toEqual([
      {
        domain: 'bank.com',
        fields: ['from', 'to', 'list-post', 'subject'],
        signedAt: 1_700_000_000,
        hash: createHash('sha256').update(Buffer.from(value, 'base64')).digest('hex'),
      },
    ])
    expect(spfAligned).toBe(false)
    const others = signMail(mail('x@evil.com'), 'bank.com', signer)
    expect(await verdictOn(others, stranger, createFakeResolver(names))).toMatchObject({
      signatures: [],
      spfAligned: true,
    })
  })

  it.each<[string, SignatureTags]>([
    ['a part of the body', { l: '5' }],
    ['a mail without its From', { h: 'to:subject' }],
    ['a mail in a version to come', { v: '2' }],
    ['a mail in no version', { v: null }],
    ['a mail for a domain beside it', { i: '@evil.com' }],
    ['what is asked for elsewhere', { q: 'http' }],
  ])('not over %s', async (_what, tags) => {
    expect(await reported(signMail(plain, 'bank.com', signer, tags))).toMatchObject({
      dkim: 'policy',
      ...unproven,
    })
  })

  it.each([
    ['tests', `v=DKIM1; t=y; p=${keyRecord.split('p=')[1]}`],
    ['is for something else', `v=DKIM1; s=tlsrpt; p=${keyRecord.split('p=')[1]}`],
    ['wants other sums', `v=DKIM1; h=sha1; p=${keyRecord.split('p=')[1]}`],
    ['is malformed', `v=DKIM1; p=${keyRecord.split('p=')[1]}; =`],
  ])('not with a key that %s', async (_what, key) => {
    expect(await reported(await sign(plain), dnsOf('v=DMARC1; p=reject', key))).toMatchObject(unproven)
  })

  it('not with a key of the domain alone, for a name below it', async () => {
    const key = `v=DKIM1; t=s; p=${keyRecord.split('p=')[1]}`
    const dns = dnsOf('v=DMARC1; p=reject', key)
    expect(await reported(signMail(plain, 'bank.com', signer, { i: '@x.bank.com' }), dns)).toMatchObject(
      unproven,
    )
    expect(await reported(signMail(plain, 'bank.com', signer), dns)).toMatchObject({ from_verified: true })
  })

  it.each<[string, (signed: string) => string]>([
    ['text was appended', (signed) => `${signed}Pay Eve\r\n`],
    ['another subject was put on top', (signed) => `Subject: Pay Eve\r\n${signed}`],
    [
      'some readers see another body',
      (signed) => signed.replace('\r\nTo:', '\r\nX: a\r\n\r\r\nPay Eve\r\nTo:'),
    ],
    [
      'some readers see another field',
      (signed) => signed.replace('\r\nTo:', '\r\nX: a\r\n\fSubject: Pay\r\nTo:'),
    ],
    ['a line is no field', (signed) => signed.replace('\r\nTo:', '\r\nPay Eve\r\nTo:')],
  ])('not where %s', async (_what, change) => {
    for (const tags of [{}, { l: '7' }] as SignatureTags[])
      expect(await reported(change(signMail(plain, 'bank.com', signer, tags)))).toMatchObject(unproven)
  })

  it.each([
    ['none', 'mail.bank.com', true],
    ['adkim=r', 'mail.bank.com', true],
    ['adkim=s', 'mail.bank.com', false],
    ['ADKIM = S ', 'mail.bank.com', false],
    ['adkim=s; aspf=r', 'bank.com', true],
    ['aspf=s', 'mail.bank.com', true],
  ])('aligned as DMARC wants it: %s for %s', async (tags, domain, isProven) => {
    const dns = dnsOf(`v=DMARC1; p=reject; ${tags === 'none' ? '' : tags}`)
    const wanted = { dmarc: isProven ? 'pass' : 'fail', dkim_aligned: isProven, from_verified: isProven }
    expect(await reported(signMail(plain, domain, signer), dns)).toMatchObject(wanted)
  })

  it('of whom it is known, where the domain has no policy', async () => {
    const wanted = { dmarc: 'none', dkim_aligned: true, from_verified: false }
    expect(await reported(signMail(plain, 'bank.com', signer), dnsOf(null))).toMatchObject(wanted)
    const others = { dmarc: 'none', dkim_aligned: false, from_verified: false }
    expect(await reported(signMail(mail('x@evil.com'), 'bank.com', signer), dnsOf(null))).toMatchObject(
      others,
    )
  })
})

describe('an address proves a sender', () => {
  it.each([
    ['aspf=r', 'x@mail.bank.com', true],
    ['aspf=s', 'x@mail.bank.com', false],
    ['aspf=s', 'x@bank.com', true],
    ['adkim=s', 'x@mail.bank.com', true],
  ])('aligned as DMARC wants it: %s for %s', async (tags, mailFrom, isProven) => {
    const wanted = { spf: 'pass', dmarc: isProven ? 'pass' : 'fail', from_verified: isProven }
    const dns = dnsOf(`v=DMARC1; p=reject; ${tags}`)
    expect(await reported(mail(), dns, { ...bankServer, mailFrom })).toMatchObject(wanted)
  })

  it.each([
    ['two policies', [['v=DMARC1; p=none'], ['v=DMARC1; p=reject']]],
    ['none that anybody knows', [['v=DMARC1; p=maybe']]],
    ['another version', [['v=DMARC10; p=none']]],
  ])('not where the domain has %s', async (_what, txt) => {
    const dns = { ...dnsOf(null), '_dmarc.bank.com': { txt } }
    expect(await reported(mail(), dns, bankServer)).toMatchObject({ dmarc: 'none', from_verified: false })
  })

  it('not where DNS does not tell the policy', async () => {
    const dns = { ...dnsOf(null), '_dmarc.bank.com': { txt: 'ETIMEOUT' } }
    expect(await reported(mail(), dns, bankServer)).toMatchObject({
      dmarc: 'temperror',
      from_verified: false,
    })
  })
})
