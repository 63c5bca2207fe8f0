import * as z from 'zod'

/**
 * Fields that a message may set beside `X-` fields: mailing lists (RFC 2369, 2919, 8058), programs (RFC
 * 3834), importance.
 */
const namedFields: ReadonlySet<string> = new Set(
  'list-id list-help list-unsubscribe list-unsubscribe-post list-subscribe list-post list-owner list-archive precedence auto-submitted feedback-id importance priority keywords organization'.split(
    ' ',
  ),
)

const maxFields = 50

/** Returns whether a message may set this header field. `X-Restante-` is reserved for the service. */
function isAllowedHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return namedFields.has(lower) || (/^x-[a-z0-9-]{1,70}$/.test(lower) && !lower.startsWith('x-restante-'))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
const beyondAscii = /[^\x00-\x7f]/
const urlFields = /^list-(?:help|unsubscribe|subscribe|post|owner|archive)$/i
const maxWordLength = 900

/**
 * Returns the problem of a mailing list field; null if there is none. Its URLs and its id must be ASCII (RFC
 * 2369, RFC 2919). No encoding can divide a long word of it (RFC 2047 section 5).
 */
function listProblemOf(name: string, value: string): string | null {
  const isUrl = urlFields.test(name)
  const fixed = isUrl
    ? value.replace(/\([^()]*\)/g, '')
    : /^list-id$/i.test(name)
      ? (value.match(/<[^<>]*>/g) ?? []).join()
      : ''
  if (beyondAscii.test(fixed))
    return isUrl
      ? 'has a URL with characters beyond ASCII: write them percent-encoded, and its domain as xn--…'
      : 'has an id with characters beyond ASCII: only the name before it may have them'
  const isLong =
    /^(?:list-|keywords$)/i.test(name) && value.split(' ').some((word) => word.length > maxWordLength)
  return isLong ? `has a word of more than ${maxWordLength} characters: shorten it` : null
}

/** Returns the problem of a field; null if there is none. */
function problemOf(name: string, value: string): string | null {
  if (!isAllowedHeader(name))
    return `is no header that can be set: use X- (letters, digits, hyphens; not X-Restante-), ${[...namedFields].join(', ')}`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line end would begin another header
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u.test(value))
    return 'has a line break or another control character: write it on one line'
  return value.trim() === '' ? 'is empty: leave it out' : listProblemOf(name, value)
}

/** Header fields beside those that every message has, by name. */
export const customHeaders = z
  .record(z.string(), z.string().max(998))
  .superRefine((fields, { addIssue }) => {
    const names = Object.keys(fields)
    if (names.length > maxFields)
      addIssue({ code: 'custom', message: `has ${names.length} fields; ${maxFields} are the most` })
    const seen = new Set<string>()
    for (const name of names) {
      const problem = seen.has(name.toLowerCase()) ? 'is there twice' : problemOf(name, fields[name]!)
      if (problem) addIssue({ code: 'custom', path: [name.slice(0, 80)], message: problem })
      seen.add(name.toLowerCase())
    }
  })
  .meta({
    description:
      'Header fields by name, such as `X-Ticket` or `List-Unsubscribe`. Any `X-` field but `X-Restante-`, and `List-*`, `Precedence`, `Auto-Submitted`, `Feedback-ID`, `Importance`, `Priority`, `Keywords`, `Organization`.',
  })
export type CustomHeaders = z.output<typeof customHeaders>
