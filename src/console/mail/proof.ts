import type { MessageSummary } from '../../protocol/records'
import { shownLine } from '../core'

/** The proof of a sender, in words for a person. */
export interface Proof {
  kind: 'good' | 'warn' | 'wrong' | 'plain'
  short: string
  long: string
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** Says what is proven of the sender of a mail. */
export function proofOf({ direction, from_addr, authentication, from_name, flaws }: MessageSummary): Proof {
  if (direction === 'outbound')
    return { kind: 'plain', short: 'sent from here', long: 'This account sent it.' }
  const domain = domainOf(from_addr)
  if (authentication === null)
    return {
      kind: 'warn',
      short: 'not checked',
      long: `Nothing was checked when it came in: nothing proves that ${from_addr} wrote it.`,
    }
  const { from_verified, spf, dkim, dmarc } = authentication
  const checks = `SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}`
  const name = from_name === null ? '' : ` The name “${shownLine(from_name)}” is whatever the sender wrote.`
  if (from_verified)
    return { kind: 'good', short: 'proven', long: `It is proven that ${domain} sent it (${checks}).${name}` }
  if (dmarc === 'fail' || flaws.includes('unproven-report'))
    return {
      kind: 'wrong',
      short: 'forged?',
      long: `${domain} says that its mail can be proven, and this is not: somebody else may have written it (${checks}).`,
    }
  return {
    kind: 'warn',
    short: 'not proven',
    long: `Nothing proves that ${domain} sent it (${checks}). Treat what it asks for with care.${name}`,
  }
}
