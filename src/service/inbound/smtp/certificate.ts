import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { UsageError } from '../../../protocol/errors/error'

/** Private key and its certificate, both PEM. */
export interface KeyAndCertificate {
  key: string
  cert: string
}

const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  utf8String: 0x0c,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  version: 0xa0,
  extensions: 0xa3,
} as const

const oids = {
  commonName: Buffer.from('0603550403', 'hex'),
  subjectAltName: Buffer.from('0603551d11', 'hex'),
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
} as const

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size])
  if (size < 0x100) return Buffer.from([0x81, size])
  return Buffer.from([0x82, size >> 8, size & 0xff])
}

function der(tag: keyof typeof tags, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)))
  return Buffer.concat([Buffer.from([tags[tag]]), lengthOf(content.length), content])
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`

/** Returns a positive, nonzero serial number, as RFC 5280 section 4.1.2.2 requires. */
const serialNumber = (): Buffer => Buffer.concat([Buffer.from([0x40]), randomBytes(15)])

function toBeSigned(hostname: string, publicKey: Buffer): Buffer {
  const name = der(
    'sequence',
    der('set', der('sequence', oids.commonName, der('utf8String', hostname.slice(0, 64)))),
  )
  const names = der('octetString', der('sequence', der('dnsName', hostname)))
  return der(
    'sequence',
    der('version', der('integer', Buffer.from([2]))),
    der('integer', serialNumber()),
    der('sequence', oids.ecdsaWithSha256),
    name,
    // RFC 5280 section 4.1.2.5: this end means "no well-defined expiration".
    der('sequence', der('utcTime', '200101000000Z'), der('time', '99991231235959Z')),
    name,
    publicKey,
    der('extensions', der('sequence', der('sequence', oids.subjectAltName, names))),
  )
}

/**
 * Makes a key and a self-signed certificate for opportunistic TLS between mail servers, which do not check
 * the name (RFC 7435), in about a millisecond. Node cannot make certificates; packages for it bring 20 others
 * and 130 ms of loading.
 */
export function createSelfSigned(hostname: string): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = toBeSigned(hostname, publicKey.export({ type: 'spki', format: 'der' }))
  const signature = sign('sha256', body, privateKey)
  const certificate = der(
    'sequence',
    body,
    der('sequence', oids.ecdsaWithSha256),
    der('bitString', Buffer.from([0]), signature),
  )
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', certificate),
  }
}

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
