import { generateKeyPairSync } from 'node:crypto'
import { dkimSign, sealMessage } from 'mailauth'
import { describe, expect, it } from 'vitest'
import type { Resolver } from '../../../src/service/ports'
import { createSenderCheck } from '../../../src/service/smtp/sender-check'
import { createFakeResolver } from '../../support/fake-resolver'

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
    // Its types ask for the same once more.
  } as never)
  return `${signatures}${text}`
}
const bankServer = { mailFrom: 'info@bank.com', remoteAddress: '203.0.113.7', heloName: 'mx.bank.com' }
const stranger = { mailFrom: 'x@evil.com', remoteAddress: '203.0.113.9', heloName: 'mx.evil.com' }
const judge = (text: string, envelope = bankServer, resolver: Resolver = createFakeResolver(names)) =>
  createSenderCheck({ resolver, hostname: 'mx.test', timeoutMs: 20_000 })(envelope, Buffer.from(text))

describe('who sent a mail', () => {
  it('is proven by a signature, or by the address that sent it', async () => {
    expect(await judge(await sign(mail()), stranger)).toEqual({
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      arc: 'none',
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
      resolver: { mx: never, txt: never, addresses: never },
      hostname: 'mx.test',
      timeoutMs: 20,
    })
    expect(await check(bankServer, Buffer.from(mail()))).toEqual({
      spf: 'temperror',
      dkim: 'temperror',
      dmarc: 'temperror',
      arc: 'temperror',
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
