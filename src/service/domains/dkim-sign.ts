import { createHash, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { foldedSignature, relaxedField, signedParts, unsignedField } from '../../mail/dkim'

/** Signs in a separate thread: a signature takes 2 ms. */
const signInThread = promisify(sign)

/** Domain and key that sign a message. */
export interface DkimSigner {
  domain: string
  selector: string
  privateKey: KeyObject
}

/**
 * Prepends a DKIM signature to a message (RFC 6376). Nodemailer and mailauth are not used: neither can sign a
 * field once more than it occurs, and both sign in the main thread.
 */
export async function signMail(
  raw: Uint8Array,
  { domain, selector, privateKey }: DkimSigner,
  nowMs: number,
): Promise<Uint8Array> {
  const { names, fields, body } = signedParts(
    Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString('latin1'),
  )
  const bodyHash = createHash('sha256').update(body, 'latin1').digest('base64')
  const field = unsignedField({ domain, selector, signedAt: Math.floor(nowMs / 1_000), names, bodyHash })
  const content = Buffer.from(`${[...fields, relaxedField(field)].join('\r\n')}`, 'latin1')
  const signature = await signInThread('sha256', content, privateKey)
  return Buffer.concat([Buffer.from(`${field}${foldedSignature(signature.toString('base64'))}\r\n`), raw])
}
