import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { createSelfSigned } from '../../../../src/service/inbound/smtp/certificate'
import { openSession } from '../../../support/smtp-dialog'
import { startReceiver } from './start-receiver'

test('STARTTLS works without a certificate, forgets what was said before, and is offered once', async () => {
  const { port, mails } = await startReceiver()
  const dialog = await openSession(port)
  await dialog.say('MAIL FROM:<a@b.test>', 250)
  await dialog.startTls()
  await dialog.say('MAIL FROM:<a@b.test>', 503)
  expect((await dialog.say('EHLO again.example.com', 250)).lines).not.toContain('STARTTLS')
  expect((await dialog.say('STARTTLS', 503)).text).toMatch(/^5\.5\.1 /)
  await dialog.mail('secret')
  expect(mails[0]?.envelope).toMatchObject({ tls: true, heloName: 'again.example.com' })
  const { subject } = (dialog.socket as TLSSocket).getPeerCertificate()
  expect(subject.CN).toBe('mx.test')
})

test('commands that come in clear behind STARTTLS are not carried out (CVE-2011-0411)', async () => {
  const { port, mails } = await startReceiver()
  const dialog = await openSession(port)
  dialog.write(
    'STARTTLS\r\nEHLO evil.test\r\nMAIL FROM:<evil@b.test>\r\nRCPT TO:<box@mx.test>\r\nDATA\r\nevil\r\n.\r\n',
  )
  await dialog.expect(220)
  dialog.end()
  await dialog.closed
  expect(mails).toEqual([])
})

test('the certificate that is given is the one shown', async () => {
  const tls = createSelfSigned('other.test')
  const { port } = await startReceiver({ tls })
  const dialog = await openSession(port)
  await dialog.startTls()
  const { raw } = (dialog.socket as TLSSocket).getPeerCertificate()
  expect(raw).toEqual(new X509Certificate(tls.cert).raw)
})

test('a handshake that fails ends its own connection only', async () => {
  const { port, complaints } = await startReceiver()
  const dialog = await openSession(port)
  await dialog.say('STARTTLS', 220)
  dialog.write('this is no handshake\r\n')
  await dialog.closed
  await (await openSession(port)).mail('text')
  expect(complaints).toEqual([])
})

test('a self-signed certificate is of its name, its key, and its own signature', () => {
  const { key, cert } = createSelfSigned('mx.example.com')
  const certificate = new X509Certificate(cert)
  expect(certificate.checkHost('mx.example.com')).toBe('mx.example.com')
  expect(certificate.checkHost('example.com')).toBeUndefined()
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.validTo).toContain('9999')
})

test.each([1, 62, 63, 64, 65, 120, 253])(
  'a self-signed certificate for a name of %d letters can be read',
  (length) => {
    const name = 'x'.repeat(length)
    expect(new X509Certificate(createSelfSigned(name).cert).subjectAltName).toBe(`DNS:${name}`)
  },
)
