import { isRule } from './quote-lines'
import { SENT_FROM, SENT_FROM_END } from './quote-phrases'

const MAX_SIGNATURE_LINES = 15
const MAX_SENT_FROM_LENGTH = 90
const NAME_AFTER_DASH = /^[-–—]\p{Lu}[\p{L}.'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){0,3}$/u

/**
 * Finds where the signature at the end of a reply begins: below `-- ` (RFC 3676 §4.3), a rule with the footer of a
 * mailing list, "Sent from my iPhone" in many languages, `-Name`.
 *
 * @param lines without quoted mail
 * @returns the index of its first line; `lines.length` when there is none
 */
export function startOfSignature(lines: readonly string[]): number {
  let end = withoutEmpty(lines, lines.length)
  const delimiter = delimiterBefore(lines, end)
  if (delimiter !== null) end = withoutEmpty(lines, delimiter)
  while (end > 0 && isClosingLine(lines, end - 1)) end = withoutEmpty(lines, end - 1)
  return end === withoutEmpty(lines, lines.length) ? lines.length : end
}

function delimiterBefore(lines: readonly string[], end: number): number | null {
  let written = 0
  for (let at = end - 1; at >= 0 && written <= MAX_SIGNATURE_LINES; at--) {
    const line = lines[at] ?? ''
    if (isDelimiter(line)) return at
    if (line.trim()) written++
  }
  return null
}

function isDelimiter(line: string): boolean {
  return /^(?:--|—|–)\s{0,5}$/.test(line) || (/^\s{0,3}_{10,}/.test(line) && isRule(line))
}

function isClosingLine(lines: readonly string[], at: number): boolean {
  const line = (lines[at] ?? '').trim()
  return isSentFrom(line) || (NAME_AFTER_DASH.test(line) && !lines[at - 1]?.trim())
}

// A sentence may begin with the same words: "Sent from my desk, is much easier than my phone."
function isSentFrom(line: string): boolean {
  if (line.length > MAX_SENT_FROM_LENGTH) return false
  const text = line
    .replace(/^[-–—*_[(\s]+|[\])*_\s]+$/g, '')
    .replace(/[<(]\s?https?:[^\s>)]*\s?[>)]/g, '')
    .trim()
    .toLowerCase()
  if (/[,;!?]/.test(text) || text.split(/\s+/).length > 9) return false
  if (SENT_FROM_END.some((end) => text.endsWith(end)))
    return text.length < 50 && /iphone|ipad|android|mobil|outlook|smartphone/.test(text)
  return SENT_FROM.some((start) => text.startsWith(start)) && (!text.endsWith('.') || text.length < 50)
}

function withoutEmpty(lines: readonly string[], end: number): number {
  let at = end
  while (at > 0 && !lines[at - 1]?.trim()) at--
  return at
}
