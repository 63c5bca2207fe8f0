import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { UsageError } from '../../../protocol/errors'
import type { KeyAndCertificate } from './self-signed'

const unusable = (why: string, cause: unknown) =>
  new UsageError('invalid_settings', `The certificate for SMTP cannot be used: ${why}.`, { cause })

const readPem = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unusable(`${path} cannot be read (${error.code ?? error.message})`, error)
  })

/**
 * Reads a certificate with its chain, and its private key. Both files are PEM.
 *
 * @throws UsageError `invalid_settings` if a file cannot be read, is not PEM, or the key does not belong to
 * the certificate
 */
export async function readCertificate(certificate: string, key: string): Promise<KeyAndCertificate> {
  const pair = { cert: await readPem(certificate), key: await readPem(key) }
  try {
    createSecureContext(pair)
    return pair
  } catch (error) {
    throw unusable(`${certificate} and ${key} are no PEM pair (${(error as Error).message})`, error)
  }
}
