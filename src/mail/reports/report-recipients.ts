const addressText = "[\\p{L}\\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}@[\\p{L}\\p{N}.-]{1,200}[\\p{L}\\p{N}]"
const any = new RegExp(addressText, 'gu')
const leadingPattern = new RegExp(
  `^[\\s>|*•-]*(?:"[^"<>@]{0,100}"\\s{0,3})?[<"'\\[(]{0,2}(${addressText})[>"'\\])]{0,2}(.*)$`,
  'u',
)
const generated = new RegExp(
  `(?:expanded from|generated from|originally addressed to|original recipient)[:\\s]{0,3}<?(${addressText})`,
  'iu',
)
const notMeant = new RegExp(
  `(?:\\b(?:mail ?from|from|sender|contact|mailto|by|see|envelope-sender|sender(?:['’]s)? address|hello|hallo)\\b:?|f=)[\\s:<[(]{0,4}${addressText}`,
  'giu',
)
const telling =
  /unknown|invalid|not|no such|full|fail|reject|quota|error|denied|disabled|exist|because|wrong|full|on \w{3},/i
const role = /^(?:postmaster|mailer-daemon|mail-daemon|abuse|hostmaster)@/i
/** Help contacts in reports, unless the report says that they failed. */
const helpers = /^(?:support|help|help-?desk|service-?desk|it-?support|it-?help|servicedesk)@/i
/** Maximum number of recipients of a report. */
export const maxRecipients = 200

/** An address that a report names as not reached. */
export interface NamedRecipient {
  address: string
  /** Line of the text that names it; -1 for none. */
  line: number
}

/**
 * Finds the recipients that the text of a report names as not reached. Takes addresses at the start of lines,
 * as nearly all programs write them, else all addresses that may be meant.
 *
 * @param others addresses that are not meant, in lower case, such as the sender's
 * @param sentTo recipients of the message, in lower case: even a postmaster among them is meant
 */
export function findNamedRecipients(
  lines: readonly string[],
  others: ReadonlySet<string>,
  sentTo: ReadonlySet<string> = new Set(),
): NamedRecipient[] {
  const isMeant = (key: string) => sentTo.has(key) || !(others.has(key) || role.test(key))
  const leading = withoutHelpers(collect(lines, isMeant, leadingAddresses), lines, sentTo)
  return leading.length > 0 ? leading : withoutHelpers(collect(lines, isMeant, meantAddresses), lines, sentTo)
}

/** Removes help contacts, unless nobody else is named or the report says that the message went there. */
function withoutHelpers(
  named: readonly NamedRecipient[],
  lines: readonly string[],
  sentTo: ReadonlySet<string>,
): NamedRecipient[] {
  const isHelper = ({ address }: NamedRecipient) =>
    helpers.test(address) && !sentTo.has(address.toLowerCase())
  const isFailed = ({ address, line }: NamedRecipient) => {
    const behind = lines[line]?.split(address)[1] ?? ''
    return /^\S{0,3}\s*(?:[:(]|\.{3}|-)/.test(behind) || telling.test(behind)
  }
  const sure = named.filter((one) => !isHelper(one) || isFailed(one))
  return sure.length > 0 ? sure : [...named]
}

/** Returns the addresses in X-Failed-Recipients fields. */
export function failedRecipients(values: readonly string[]): string[] {
  return values.flatMap((value) => value.slice(0, 16_384).match(any) ?? []).slice(0, maxRecipients)
}

/** Returns the text from the line that names a recipient to the next recipient: the reason of the failure. */
export function reasonAt(lines: readonly string[], named: readonly NamedRecipient[], line: number): string {
  const next = named.map((one) => one.line).filter((at) => at > line)
  const end = Math.min(line + 8, next.length > 0 ? Math.min(...next) : lines.length)
  const words: string[] = []
  for (const text of lines.slice(Math.max(line, 0), end)) {
    if (!text.trim() && words.length > 1) break
    if (ofSender.test(text)) continue
    words.push(text.trim())
  }
  return words.join(' ').trim()
}

/** A line that only names the sender of the message. */
const ofSender = /^[\s>]{0,12}sender(?:['’]s)? address\s{0,3}:/i

/** Returns the line that names an address; -1 for none. */
export const lineOf = (lines: readonly string[], address: string): number =>
  lines.findIndex((line) => line.toLowerCase().includes(address.toLowerCase()))

type Finder = (line: string) => string[]

function collect(
  lines: readonly string[],
  isMeant: (key: string) => boolean,
  find: Finder,
): NamedRecipient[] {
  const found = new Map<string, NamedRecipient>()
  let last: string | undefined
  const replaced = new Set<string>()
  for (const [line, text] of lines.entries()) {
    if (found.size >= maxRecipients) break
    // The original address counts, not the one that it was forwarded to.
    const original = generated.exec(text)?.[1]
    if (original) {
      if (last !== undefined && last !== original.toLowerCase()) {
        found.delete(last)
        replaced.add(last)
      }
      found.set(original.toLowerCase(), { address: original, line })
      continue
    }
    for (const address of find(text)) {
      const key = address.toLowerCase()
      if (!isMeant(key) || replaced.has(key)) continue
      if (!found.has(key)) found.set(key, { address, line })
      last = key
    }
  }
  return [...found.values()]
}

function leadingAddresses(line: string): string[] {
  const [, address, rest = ''] = leadingPattern.exec(line) ?? []
  if (!address) return []
  if (/^\s*[,;]\s*\S+@/.test(rest)) return line.match(any) ?? []
  const isNamed = rest.trim() === '' || !/^\s*[\p{L}\p{N}]/u.test(rest) || telling.test(rest)
  return isNamed ? [address] : []
}

function meantAddresses(line: string): string[] {
  if (/^\s*(?:to|cc|from|subject|sent|date)\s*:/i.test(line)) return []
  // A gateway quotes the reply of the server behind it, which may name any address.
  const own = line.replace(/\b[45]\d\d[ -]'[^']{0,300}'/g, ' ')
  const found = own.replace(notMeant, ' ').match(any) ?? []
  // In quotes, or in the form of X.400.
  return found.map((address) => address.replace(/^(?:smtp[=:]|['`])+/i, ''))
}
