import { normalized } from '../../mail/text/normalized'
import { UsageError } from '../../protocol/errors/error'
import { provenView } from '../../protocol/proven-view'
import { hasAnyLabel, leftOutOf } from '../../protocol/records/label-names'
import type { MessageSummary } from '../../protocol/records/message'
import type { WaitFilterData } from '../../protocol/records/wait-token'

/** Splits an address of the service or of {@link readSenders}; null if it is not an address. */
const splitAddress = (address: string) => {
  const at = address.lastIndexOf('@')
  return at < 1 ? null : { local: address.slice(0, at), domain: address.slice(at + 1) }
}

/** Returns the domain in its ASCII form (punycode). */
const asciiDomain = (domain: string): string => {
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain.toLowerCase()
  }
}

const senderShape = /^(?:[^\s@<>]+@[^\s@<>]+|@?(?:[^\s@<>.]+\.)+[^\s@<>.]+|@?localhost)$/u

/** @throws UsageError `invalid_options` for a value that is neither an address nor a domain */
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
  normalized(text, 'NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)

const hasWords = (subject: string, wanted: string): boolean => {
  const words = new Set(wordsOf(subject))
  return wordsOf(wanted).every((word) => words.has(word))
}

/**
 * Returns whether the summary of a message fits the filter; thread and proof are not checked. In a verified
 * message, an unsigned Subject has no words.
 */
export const passesFilter = (record: MessageSummary, filter: WaitFilterData): boolean => {
  if (record.direction !== 'inbound') return false
  if (hasAnyLabel(record, leftOutOf(filter.spam ? { include: 'spam' } : {}))) return false
  if (filter.inbox_id !== undefined && record.inbox_id !== filter.inbox_id) return false
  if (filter.automatic !== undefined && filter.automatic !== (record.auto_submitted !== 'no')) return false
  if (filter.subject !== undefined && !hasWords(provenView(record).subject, filter.subject)) return false
  return filter.from === undefined || isFrom(record.from_addr, filter.from)
}

/**
 * Returns whether the sender of a message is proven. A message that was not judged is trusted at an inbox of
 * `.localhost`, which nobody outside can reach (RFC 6761 section 6.3).
 *
 * @param inboxAddress address of the inbox that received it
 * @example
 * ```ts
 * const { address } = mailbox.inboxes.find(({ id }) => id === message.inboxId) ?? {}
 * if (!isSenderProven(message.record, address)) await message.label('unproven')
 * ```
 */
export const isSenderProven = (
  { authentication }: Pick<MessageSummary, 'authentication'>,
  inboxAddress: string | undefined,
): boolean => authentication?.from_verified ?? /[@.]localhost$/i.test(inboxAddress ?? '')

/** Returns whether a message is a replay whose place in its thread rests on an unsigned field. */
const isReplayedInto = (record: MessageSummary): boolean => {
  if (!record.authentication?.replayed) return false
  const { in_reply_to, references } = provenView(record)
  return in_reply_to === null && references.length === 0
}

/** Returns whether the message is proven to be from a sender of the filter, and in its thread. */
export const isProven = (
  record: MessageSummary,
  inboxAddress: string | undefined,
  filter: WaitFilterData,
): boolean => {
  if (filter.from === undefined || filter.unverified) return true
  const isInThread = filter.thread_id !== undefined || filter.reply_to !== undefined
  if (isInThread && isReplayedInto(record)) return false
  return (
    Boolean(filter.dkim_aligned && record.authentication?.dkim_aligned) ||
    isSenderProven(record, inboxAddress)
  )
}
