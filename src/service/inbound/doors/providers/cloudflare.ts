import { minuteMs } from '../../../base'
import { BadSignature, hmac, isSame, type Provider, requireYoung } from './provider'

/** A worker signs each request anew. */
const maxAgeMs = 5 * minuteMs

/**
 * The worker of `deploy/cloudflare-worker.js`: the body is the mail, the query its envelope, both signed with the API
 * key: HMAC-SHA256 of `timestamp.query.` and the body, in hex.
 */
export const cloudflare: Provider<'cloudflare'> = {
  async read({ body, headers, query, nowMs }, { apiKey }) {
    const timestamp = headers.get('restante-timestamp') ?? ''
    const signature = Buffer.from(headers.get('restante-signature') ?? '', 'hex')
    if (apiKey === null || !isSame(signature, hmac(apiKey, `${timestamp}.${query}.`, body)))
      throw new BadSignature('the signature does not fit: look at RESTANTE_KEY of the worker')
    requireYoung(Number(timestamp) * 1_000, nowMs, maxAgeMs)
    return [{ from: query.get('from') ?? '', to: query.getAll('to'), raw: body }]
  },
}
