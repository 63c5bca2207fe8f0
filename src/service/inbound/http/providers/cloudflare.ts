import { maxMailBytes } from '../../../../protocol/records/upload-limit'
import { minuteMs } from '../../../base/time'
import { sha256InTurns } from '../../../base/turns'
import { BadSignature, hmac, isSame, type Provider, requireYoung } from './provider'

/** Maximum age in ms of a signature; the worker signs every request. */
const maxAgeMs = 5 * minuteMs

/**
 * Worker of `deploy/cloudflare-worker.js`: the body is the message, the query its envelope. The signature
 * covers time, envelope and hash of the message, so it is checked before the body is read: HMAC-SHA256 of
 * `timestamp.query.hash` with the API key, in hex.
 */
export const cloudflare: Provider<'cloudflare'> = {
  // Only the first part of a message above the limit is kept.
  maxBytes: 2 * maxMailBytes,
  admit({ headers, query, nowMs }, { apiKey }) {
    const header = (name: string) => headers.get(`restante-${name}`) ?? ''
    const timestamp = header('timestamp')
    const signed = `${timestamp}.${query}.${header('content-sha256')}`
    if (apiKey === null || !isSame(Buffer.from(header('signature'), 'hex'), hmac(apiKey, signed)))
      throw new BadSignature(
        'the signature does not fit: look at RESTANTE_KEY of the worker, and deploy the worker of this version',
      )
    requireYoung(Number(timestamp) * 1_000, nowMs, maxAgeMs)
    return true
  },
  async read({ body, headers, query }) {
    if ((await sha256InTurns(body)) !== headers.get('restante-content-sha256'))
      throw new BadSignature('the mail is not the one that was signed')
    return [{ from: query.get('from') ?? '', to: query.getAll('to'), raw: body }]
  },
}
