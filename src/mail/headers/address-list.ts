import { addressParser } from 'postal-mime'
import { singleLine } from '../text'
import { addrSpec, type MailAddress } from './address'

/** Most addresses that `parseAddressList` takes of one header: a stranger may write 100,000. */
export const MAX_ADDRESSES = 1000
const MAX_LIST_LENGTH = 128 * 1024
/**
 * Reads the mailboxes of an address header (RFC 5322 §3.4), names decoded (RFC 2047), groups flattened, entries
 * without an address left out. Reads at most 128 Ki characters and gives at most 1,000. Never throws.
 */
export function parseAddressList(value: string): MailAddress[] {
  const found: MailAddress[] = []
  for (const { address, name } of mailboxesIn(bounded(value))) {
    if (found.length === MAX_ADDRESSES) break
    if (address?.includes('@')) found.push({ address: addrSpec(address), name: singleLine(name) || null })
  }
  return found
}

/** Reads the first mailbox of an address header or of what a person typed; null when there is none. */
export function parseAddress(value: string): MailAddress | null {
  return parseAddressList(value)[0] ?? null
}

/** A mailbox without a name, as programs write it. */
const PLAIN = /^\s*(<?)([\w.+=-]+@[\w.-]+)(>?)\s*$/

function mailboxesIn(value: string) {
  const plain = PLAIN.exec(value)
  if (plain && Boolean(plain[1]) === Boolean(plain[3])) return [{ name: '', address: plain[2]! }]
  try {
    return addressParser(value, { flatten: true })
  } catch {
    return []
  }
}

// Cut between two addresses, so that the last one is not a torn one.
function bounded(value: string): string {
  if (value.length <= MAX_LIST_LENGTH) return value
  const start = value.slice(0, MAX_LIST_LENGTH)
  return start.slice(0, Math.max(start.lastIndexOf(','), 0))
}
