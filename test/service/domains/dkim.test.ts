import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { describe, expect, it } from 'vitest'
import { createSecrets } from '../../../src/service/base/secrets'
import { signMail } from '../../../src/service/domains/dkim-sign'
import { findProgram, isMissing, run } from '../../support/program'
import { temporaryFolder } from '../../support/temporary-folder'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const published = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
const signer = { domain: 'example.com', selector: 's1', privateKey }
const nowMs = Date.parse('2026-11-21T12:00:00Z')

const sign = async (mail: string) => Buffer.from(await signMail(Buffer.from(mail, 'latin1'), signer, nowMs))
const verdict = async (mail: Buffer) => {
  const { results } = await dkimVerify(mail, {
    resolver: async () => [[published]],
    curTime: new Date(nowMs),
  })
  return results.map(({ status }) => status.result)
}

const header = [
  'From: Ana <ana@example.com>',
  'To: bo@example.org,',
  '\tcy@example.org',
  'Subject:  =?utf-8?q?Gr=C3=BC=C3=9Fe?=  and\t more ',
  'Date: Sat, 21 Nov 2026 12:00:00 +0000',
  'Message-ID: <x@example.com>',
  'List-Unsubscribe: <https://example.com/u>',
  'X-Other: not signed',
].join('\r\n')

const bodies: Record<string, string> = {
  plain: 'hi\r\n',
  empty: '',
  'empty lines only': '\r\n\r\n',
  'empty lines at the end': 'hi\r\n\r\n\r\n',
  'white space at line ends': 'a \t\r\n  b\t c  \r\n \r\n\t\r\nd\r\n \r\n',
  'no line end at the end': 'hi',
  '8-bit text': 'Gr\xc3\xbc\xc3\x9fe\r\n',
}
const mails = Object.entries(bodies).map(([name, body]) => [name, `${header}\r\n\r\n${body}`] as const)

describe('a DKIM signature', () => {
  it.each(mails)('is right in the eyes of mailauth: %s', async (_name, mail) => {
    const signed = await sign(mail)
    expect(signed.toString('latin1').endsWith(mail)).toBe(true)
    expect(await verdict(signed)).toEqual(['pass'])
  })

  it('is right for any body', async () => {
    const body = fc.string({ unit: fc.constantFrom(' ', '\t', '\r\n', 'a', '.', '\xe4'), maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        expect(await verdict(await sign(`${header}\r\n\r\n${text}\r\n`))).toEqual(['pass'])
      }),
      { numRuns: 100 },
    )
  })

  it.skipIf(isMissing('opendkim', ['/usr/sbin']))('is right in the eyes of OpenDKIM', async () => {
    const folder = await temporaryFolder()
    const file = (name: string) => join(folder, name)
    await writeFile(file('dns'), `s1._domainkey.example.com ${published}\n`)
    await writeFile(file('conf'), `Mode v\nTestDNSData file:${file('dns')}\n`)
    const program = findProgram('opendkim', ['/usr/sbin'])!
    const ask = async (mail: Buffer) => {
      await writeFile(file('mail'), mail)
      return (await run(program, ['-x', file('conf'), '-t', file('mail')])).output
    }
    for (const [name, mail] of mails.filter(([name]) => name !== 'no line end at the end'))
      expect(await ask(await sign(mail)), name).toMatch(/2048-bit key\) succeeded/)
    const forged = (await sign(mails[0]![1])).toString('latin1').replace('hi\r\n', 'ho\r\n')
    expect(await ask(Buffer.from(forged, 'latin1'))).toMatch(/failed/)
  })

  it.each([
    'From: eve@example.net',
    'To: eve@example.net',
    'Cc: eve@example.net',
    'Subject: other',
    'Reply-To: eve@example.net',
    'Date: Sun, 22 Nov 2026 12:00:00 +0000',
    'Content-Type: text/html',
    'References: <y@example.com>',
  ])('breaks where somebody adds %s', async (field) => {
    const signed = (await sign(mails[0]![1])).toString('latin1')
    expect(await verdict(Buffer.from(`${field}\r\n${signed}`, 'latin1'))).toEqual(['fail'])
    expect(await verdict(Buffer.from(signed.replace('\r\n\r\n', `\r\n${field}\r\n\r\n`), 'latin1'))).toEqual([
      'fail',
    ])
  })

  it('lives on where a host on the way adds a trace, a list its own fields', async () => {
    const added = [
      'Received: from a by b; now',
      'List-Id: <l.example.org>',
      'X-Spam: no',
      'Sender: l@example.org',
    ]
    const signed = await sign(mails[0]![1])
    expect(await verdict(Buffer.concat([Buffer.from(`${added.join('\r\n')}\r\n`), signed]))).toEqual(['pass'])
  })

  it('has no line over 78 characters, and takes little time for 25 MB', async () => {
    // A regular expression that was used before is compiled, and has another stack then.
    for (let i = 0; i < 3; i++) await sign(mails[i % mails.length]![1])
    const huge = await sign(`${header}\r\n\r\n${' \t'.repeat(6_000_000)}\r\n${'\r\n'.repeat(6_500_000)}`)
    const [field] = huge.subarray(0, 4_000).toString('latin1').split('\r\nFrom:')
    for (const line of field!.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
  })
})

describe('a sealed secret', () => {
  const content = Buffer.from('a private key')
  const old = createSecrets('the old secret of the server')
  const both = createSecrets('the new secret of the server,the old secret of the server')

  it('opens under the secret that it was sealed with, also when there is a newer one', () => {
    const sealed = old.seal('key', 'a/b', content)
    expect(sealed).not.toContain(content.toString('base64url'))
    expect([old.open('key', 'a/b', sealed), both.open('key', 'a/b', sealed)]).toEqual([content, content])
    expect([old.isFresh(sealed), both.isFresh(sealed)]).toEqual([true, false])
    expect(old.open('key', 'a/b', both.seal('key', 'a/b', content))).toBeNull()
  })

  it('opens for no other purpose or context, and not when it was changed', () => {
    const sealed = old.seal('key', 'a/b', content)
    expect(old.open('key', 'a/c', sealed)).toBeNull()
    expect(old.open('other', 'a/b', sealed)).toBeNull()
    for (const broken of ['', 'x', `${sealed.slice(0, -4)}AAAA`, sealed.slice(0, 20)])
      expect(old.open('key', 'a/b', broken)).toBeNull()
  })
})
