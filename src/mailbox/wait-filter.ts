import { isSpam, type MessageSummary, UsageError, type WaitFilterData } from '../protocol'

/** Both halves of an address, as the service or {@link readSenders} gives it; null where it is none. */
const splitAddress = (address: string) => {
  const at = address.lastIndexOf('@')
  return at < 1 ? null : { local: address.slice(0, at), domain: address.slice(at + 1) }
}

/** The domain as DNS has it. */
const asciiDomain = (domain: string): string => {
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain.toLowerCase()
  }
}

const senderShape = /^(?:[^\s@<>]+@[^\s@<>]+|@?(?:[^\s@<>.]+\.)+[^\s@<>.]+|@?localhost)$/u

/** @throws UsageError `invalid_options` for what is neither an address nor a domain */
export const readSenders = (from: string | readonly string[]): string[] => {
  const senders = [from].flat().map((sender) => sender.trim())
  for (const sender of senders)
    if (sender.length > 400 || !senderShape.test(sender))
      throw new UsageError(
        'invalid_options',
        `from takes addresses and domains, not ${JSON.stringify(sender)}`,
      )
  if (senders.length > 0) return senders
  throw new UsageError('invalid_options', 'from is empty: leave it out to wait for anybody')
}

const isFrom = (address: string, senders: readonly string[]): boolean => {
  const written = splitAddress(address)
  if (!written) return false
  const domain = asciiDomain(written.domain)
  return senders.some((sender) => {
    const wanted = sender.startsWith('@') ? null : splitAddress(sender)
    if (wanted)
      return (
        wanted.local.toLowerCase() === written.local.toLowerCase() && asciiDomain(wanted.domain) === domain
      )
    const wantedDomain = asciiDomain(sender.replace(/^@/, ''))
    return domain === wantedDomain || domain.endsWith(`.${wantedDomain}`)
  })
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)

const hasWords = (subject: string, wanted: string): boolean => {
  const words = new Set(wordsOf(subject))
  return wordsOf(wanted).every((word) => words.has(word))
}

/** Whether a message is what the filter asks for, as far as its summary tells; threads and proof are not looked at. */
export const passesFilter = (record: MessageSummary, filter: WaitFilterData): boolean => {
  if (record.direction !== 'inbound' || (isSpam(record) && !filter.spam)) return false
  if (filter.inbox_id !== undefined && record.inbox_id !== filter.inbox_id) return false
  if (filter.automatic !== undefined && filter.automatic !== (record.auto_submitted !== 'no')) return false
  if (filter.subject !== undefined && !hasWords(record.subject, filter.subject)) return false
  return filter.from === undefined || isFrom(record.from_addr, filter.from)
}

/**
 * Whether the sender that a filter names is the one who wrote. Where nobody judged the mail, it is believed at an
 * inbox that cannot be reached from outside: `.localhost` is nowhere but here (RFC 6761 section 6.3).
 */
export const isProven = (
  { authentication }: MessageSummary,
  inboxAddress: string | undefined,
  filter: WaitFilterData,
): boolean => {
  if (filter.from === undefined || filter.unverified) return true
  if (authentication) return authentication.from_verified
  return /[@.]localhost$/i.test(inboxAddress ?? '')
}
