import type { MessageSummary } from '../../protocol/records/message'
import { doneBy, shownLine } from '../core/shown'

/** Proof of a sender, in words for a person. */
export interface Proof {
  kind: 'good' | 'warn' | 'wrong' | 'plain'
  short: string
  long: string
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/** Describes the proof of a message's sender. */
export function proofOf(record: MessageSummary): Proof {
  const { direction, from_addr, authentication, from_name, flaws } = record
  if (direction === 'outbound')
    return {
      kind: 'plain',
      short: 'sent from this account',
      long: `${doneBy(record) ?? 'This account sent it'}.`,
    }
  const domain = domainOf(from_addr)
  if (authentication === null)
    return {
      kind: 'warn',
      short: 'not verified',
      long: `Not checked: nothing verifies that ${from_addr} wrote it.`,
    }
  const { from_verified, spf, dkim, dmarc } = authentication
  const checks = `SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}`
  const name = from_name === null ? '' : ` The sender chose the name “\u2068${shownLine(from_name)}\u2069”.`
  if (from_verified)
    return { kind: 'good', short: 'verified', long: `Verified: ${domain} sent it (${checks}).${name}` }
  if (dmarc === 'fail' || flaws.includes('unproven-report'))
    return {
      kind: 'wrong',
      short: 'forged?',
      long: `Email from ${domain} can be verified, but this message fails: somebody else may have written it (${checks}).`,
    }
  return {
    kind: 'warn',
    short: 'not verified',
    long: `Nothing verifies that ${domain} sent it (${checks}). Be careful.${name}`,
  }
}
