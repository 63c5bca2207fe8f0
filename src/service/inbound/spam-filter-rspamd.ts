import { request } from 'undici'
import * as z from 'zod'
import type { SpamFilter, SuspectMail } from '../ports'

/** The relevant part of rspamd's answer. A custom `action` is not among the known ones. */
const answer = z.looseObject({
  is_skipped: z.boolean().optional(),
  score: z.number().optional(),
  action: z.string(),
  symbols: z.record(z.string(), z.looseObject({ score: z.number().optional() })).optional(),
})
type Answer = z.infer<typeof answer>

/** `greylist` and `soft reject` ask the sender to retry, which says nothing about the message. */
const spamActions: ReadonlySet<string> = new Set(['add header', 'rewrite subject', 'reject'])
const maxReasons = 20

/** Returns the octets of UTF-8, as rspamd reads them, without characters not allowed in header fields. */
const fieldOf = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[^\x20-\x7e\x80-\xff]/g, '')

const fieldsOf = ({ mailFrom, recipients, remoteAddress, heloName }: SuspectMail) => ({
  'content-type': 'message/rfc822',
  from: fieldOf(mailFrom),
  rcpt: recipients.map(fieldOf),
  ...(remoteAddress !== null && { ip: remoteAddress }),
  ...(heloName !== null && { helo: fieldOf(heloName) }),
})

const reasonsIn = ({ symbols = {} }: Answer): string[] =>
  Object.entries(symbols)
    .filter(([, { score = 0 }]) => score > 0)
    .sort(([, one], [, other]) => (other.score ?? 0) - (one.score ?? 0))
    .slice(0, maxReasons)
    .map(([name]) => name)

/**
 * Makes a filter that asks rspamd, by the HTTP protocol of its normal worker
 * (https://rspamd.com/doc/developers/protocol.html). Messages that rspamd would mark or reject are spam.
 */
export function createRspamd(url: string): SpamFilter {
  return {
    async judge(mail, signal) {
      const options = { method: 'POST', headers: fieldsOf(mail), body: mail.raw, signal } as const
      const { statusCode, body } = await request(`${url}/checkv2`, options)
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`rspamd answered ${statusCode}: ${text.slice(0, 200)}`)
      const result = answer.parse(JSON.parse(text))
      const spam = result.is_skipped !== true && spamActions.has(result.action)
      return { spam, ...(result.score !== undefined && { score: result.score }), reasons: reasonsIn(result) }
    },
  }
}
