import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { createService } from 'restante/service'
import { expect, onTestFinished, test } from 'vitest'
import { createSelfSigned } from '../../../../src/service/inbound/smtp/certificate'
import { openSession } from '../../../support/smtp-dialog'

/** Files of a certificate and its key, which the test may write again. */
async function certificateFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'restante-certificate-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const files = { smtpCertificate: join(folder, 'fullchain.pem'), smtpKey: join(folder, 'privkey.pem') }
  const renew = async () => {
    const { cert, key } = createSelfSigned('mx.example.com')
    await writeFile(files.smtpCertificate, cert)
    await writeFile(files.smtpKey, key)
    return new X509Certificate(cert).fingerprint256
  }
  return { files, renew }
}

const settings = { http: '127.0.0.1:0', smtp: '127.0.0.1:0', log: 'silent' } as const

test('a service shows the certificate of its files at SMTP, and a renewed one without a restart', async () => {
  const { files, renew } = await certificateFiles()
  const first = await renew()
  await using service = await createService({ ...settings, ...files })
  const port = Number((await service.listen()).smtp.split(':')[1])
  const shown = async () => {
    const dialog = await openSession(port)
    await dialog.startTls()
    return (dialog.socket as TLSSocket).getPeerCertificate().fingerprint256
  }
  expect(await shown()).toBe(first)
  const renewed = await renew()
  await service.reloadCertificate()
  await expect.poll(shown).toBe(renewed)
  await writeFile(files.smtpKey, createSelfSigned('mx.example.com').key)
  await expect(service.reloadCertificate()).rejects.toMatchObject({
    code: 'invalid_settings',
    message: expect.stringContaining('privkey.pem are no PEM pair'),
  })
  expect(await shown()).toBe(renewed)
})

test('files that cannot be used keep a service from listening, with their names', async () => {
  const { files, renew } = await certificateFiles()
  await using service = await createService({ ...settings, ...files })
  await expect(service.listen()).rejects.toMatchObject({
    code: 'invalid_settings',
    message: expect.stringContaining('fullchain.pem cannot be read (ENOENT)'),
  })
  await renew()
  await writeFile(files.smtpCertificate, 'no certificate')
  await using other = await createService({ ...settings, ...files })
  await expect(other.listen()).rejects.toMatchObject({
    code: 'invalid_settings',
    message: expect.stringContaining('are no PEM pair'),
  })
})

test('a certificate without its key is refused', async () => {
  await expect(createService({ ...settings, smtpCertificate: 'fullchain.pem' })).rejects.toMatchObject({
    code: 'invalid_settings',
    message: expect.stringContaining('is given together with smtpKey'),
  })
})
