import { createHash, createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { verifySignatures } from '../../../../src/service/inbound/authentication/verify-signatures'
import { createMailParser } from '../../../../src/service/inbound/mail-parser'
import { createSenderCheck } from '../../../../src/service/inbound/smtp/sender-check'
import type { SignatureTask } from '../../../../src/service/ports'
import { createFakeResolver, type FakeName } from '../../../support/fake-resolver'
import { signMail } from '../../../support/sign-mail'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const key = createPrivateKey(privateKey)
const record = `v=DKIM1; p=${publicKey.toString('base64')}`
const text = 'From: Bank <info@bank.com>\r\nTo: a@b.com\r\nSubject: Hi\r\n\r\nHello\r\n'
const dns: Record<string, FakeName> = {
  's1._domainkey.bank.com': { txt: [[record]] },
  's1._domainkey.evil.com': { txt: [[record]] },
  '_dmarc.bank.com': { txt: [['v=DMARC1; p=reject']] },
}

/** Judges a message, and tells what was asked to be verified. */
async function judge(message: string, names = dns) {
  const tasks: SignatureTask[] = []
  const verifier = {
    verifySignatures(raw: Uint8Array, task: SignatureTask) {
      tasks.push(task)
      return verifySignatures(raw, task)
    },
  }
  const check = createSenderCheck({ resolver: createFakeResolver(names), verifier, timeoutMs: 20_000 })
  const sender = { mailFrom: 'x@evil.com', remoteAddress: '203.0.113.9', heloName: 'mx.evil.com' }
  const verdict = await check(sender, Buffer.from(message))
  return { ...verdict, tasks }
}

afterEach(() => vi.restoreAllMocks())

describe('the signatures of a message', () => {
  it('cost no thread if there are none', async () => {
    expect((await judge(text)).tasks).toEqual([])
  })

  it('count up to five, those of the sender first', async () => {
    const signed = signMail(text, 'bank.com', key)
    const junk = Array.from({ length: 30 }, (_, at) => {
      const tags = `v=1; a=rsa-sha256; d=evil.com; s=s1; h=from; l=${at}; bh=x; b=x`
      return `DKIM-Signature: ${tags}\r\n`
    }).join('')
    const { authentication, tasks } = await judge(junk + signed)
    const asked = tasks[0]!.signatures.map(({ text }) => /d=([^;]*)(?:.*l=(\d+))?/.exec(text)?.slice(1))
    expect(asked).toEqual([
      ['bank.com', undefined],
      ...['0', '1', '2', '3'].map((length) => ['evil.com', length]),
    ])
    expect(authentication).toMatchObject({ dkim: 'pass', dmarc: 'pass', from_verified: true })
  })

  it('hash the body twice at most, whatever they ask for', async () => {
    const digest = vi.spyOn(createHash('sha256').constructor.prototype, 'digest')
    const fields = ['simple', 'relaxed', 'simple', 'relaxed', 'simple'].map((form, at) => {
      const tags = `v=1; a=rsa-sha256; c=relaxed/${form}; d=bank.com; s=s1; h=from; l=${at}; bh=x; b=x`
      return `DKIM-Signature: ${tags}\r\n`
    })
    const { authentication } = await judge(fields.join('') + text)
    expect(authentication).toMatchObject({ dkim: 'policy', from_verified: false })
    const bodies = digest.mock.calls.filter(([encoding]) => encoding === 'base64')
    expect(bodies).toHaveLength(2)
  })

  it('are skipped if they are longer than 8 KB, and the others still count', async () => {
    const long = `DKIM-Signature: v=1; d=bank.com; s=s1; z=${'x'.repeat(9_000)}\r\n`
    const { authentication, tasks } = await judge(long + signMail(text, 'bank.com', key))
    expect(tasks[0]!.signatures.map(({ text }) => /z=x/.test(text))).toEqual([false])
    expect(authentication).toMatchObject({ dkim: 'pass', from_verified: true })
  })

  it('print nothing', async () => {
    const write = vi.spyOn(process.stdout, 'write')
    const log = vi.spyOn(console, 'log')
    await judge(signMail(text, 'bank.com', key, { l: '5' }))
    await judge(signMail(text, 'bank.com', key, { l: '500' }))
    expect(log).not.toHaveBeenCalled()
    expect(write).not.toHaveBeenCalled()
  })

  it.each(['bank.com/.evil.com', 'bank.com?.evil.com', 'bank.com#.evil.com', 'bank.com\\.evil.com'])(
    'prove no domain that DNS and the list of suffixes read differently: %s',
    async (domain) => {
      const names = { ...dns, [`s1._domainkey.${domain}`]: { txt: [[record]] } }
      const { authentication, signatures } = await judge(signMail(text, domain, key), names)
      expect(signatures).toEqual([])
      expect(authentication).toMatchObject({ dmarc: 'fail', dkim_aligned: false, from_verified: false })
    },
  )

  it('end a thread that hangs on them, and honest mail that waited for it is verified', async () => {
    const workerFile = fileURLToPath(new URL('../../../mail/hostile-worker.mjs', import.meta.url))
    await using verifier = Object.assign(createMailParser({ workerFile, threads: 1, verifyTimeoutMs: 500 }), {
      [Symbol.asyncDispose]: () => verifier.close(),
    })
    const check = createSenderCheck({ resolver: createFakeResolver(dns), verifier, timeoutMs: 60_000 })
    const sender = { mailFrom: 'x@evil.com', remoteAddress: '203.0.113.9', heloName: 'mx.evil.com' }
    const bodies = ['hang', 'honest', 'hang', 'honest']
    const verdicts = await Promise.all(
      bodies.map((body) => check(sender, Buffer.from(signMail(`${text}${body}\r\n`, 'bank.com', key)))),
    )
    expect(
      verdicts.map(({ authentication }) => [authentication?.dkim, authentication?.from_verified]),
    ).toEqual([
      ['temperror', false],
      ['pass', true],
      ['temperror', false],
      ['pass', true],
    ])
  })

  it('are unknown if no thread verifies them in time, and prove nothing', async () => {
    const verifier = { verifySignatures: () => Promise.reject(new Error('too late')) }
    const check = createSenderCheck({ resolver: createFakeResolver(dns), verifier })
    const sender = { mailFrom: 'x@evil.com', remoteAddress: '203.0.113.9', heloName: 'mx.evil.com' }
    const { authentication } = await check(sender, Buffer.from(signMail(text, 'bank.com', key)))
    expect(authentication).toMatchObject({ dkim: 'temperror', dkim_aligned: false, from_verified: false })
  })
})
