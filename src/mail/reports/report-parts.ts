import { headerValue, type MailHeader, readHeaders } from '../headers/header-reader'
import { htmlToText } from '../html/html-to-text'
import { leavesOf, type MimePart } from '../mime/mime-part'
import { contentOf, textOf } from '../mime/part-content'
import { readPartTree } from '../mime/part-tree'
import { returnedBelow } from './machine-phrases'

const maxDepth = 10
const maxTextBytes = 256 * 1024
const maxTextLength = 64 * 1024
const maxLineLength = 1000
const maxGroups = 500
const maxHeaderBytes = 256 * 1024
const statusTypes = new Set<string>(['message/delivery-status', 'message/global-delivery-status'])
const feedbackTypes = new Set<string>(['message/feedback-report'])
const returnedTypes = new Set<string>([
  'message/rfc822',
  'message/global',
  'message/global-headers',
  'message/rfc822-headers',
  'text/rfc822-headers',
  'text/rfc822-header',
  'text/rfc822',
])
const mailField =
  /^(?:>\s?)?(received|return-path|message-id|mime-version|date|from|to|subject|dkim-signature|content-type|delivered-to|reply-to|x-[\w-]{1,60}) ?:/i
const tellingField = /^(?:received|return-path|message-id|mime-version|dkim-signature)$/
const lookAhead = 40
const encoder = new TextEncoder()

/** Parts of a program's report about a message (RFC 6522). */
export interface ReportParts {
  /** Lines of its text above the returned message; at most 64 Ki characters. */
  lines: string[]
  /** Field groups of its delivery status (RFC 3464 §2.1); empty for none. */
  status: MailHeader[][]
  /** Fields of its feedback (RFC 5965 §3); null for none. */
  feedback: MailHeader[] | null
  /** Header of the returned message; null if missing. */
  returned: MailHeader[] | null
  /** True if the feedback is in a `multipart/report`, as required; false in a forwarded report. */
  isFormal: boolean
  /** True if all this was in an attached message. */
  isEnclosed: boolean
}

/**
 * Splits a report, in the standard form or as a text with the returned message below. Linear time; never
 * throws.
 *
 * @param text visible text of the message
 */
export function readReportParts(raw: Uint8Array, root: MimePart, text: string): ReportParts {
  const outer = readParts(raw, root, text)
  if (outer.status.length > 0 || outer.feedback || !outer.message) return { ...outer, isEnclosed: false }
  const type = outer.returned && headerValue(outer.returned, 'content-type')
  if (!type || !/^multipart\/report/i.test(type)) return { ...outer, isEnclosed: false }
  const { root: enclosed } = readPartTree(outer.message, maxDepth)
  return { ...readParts(outer.message, enclosed), isEnclosed: true }
}

type ReadParts = Omit<ReportParts, 'isEnclosed'> & { message: Uint8Array | null }

function readParts(raw: Uint8Array, root: MimePart, seen?: string): ReadParts {
  const parts = leavesOf(root)
  const first = (types: Set<string>) => parts.find(({ type, body }) => types.has(type) && body)
  const { lines, returned } = cutReturned(wordsOf(parts, seen) || wholeText(raw))
  const status = first(statusTypes)
  const feedback = first(feedbackTypes)
  const about = first(returnedTypes)
  return {
    message: about?.type === 'message/rfc822' && about.encoding === 'identity' ? about.body : null,
    lines,
    status: status ? groupsOf(decoded(status)) : groupsIn(lines),
    feedback: feedback ? headerOf(decoded(feedback)) : null,
    isFormal: holdsReport(root),
    returned: about ? headerOf(contentOf(about, maxTextBytes)) : (returned ?? headerIn(parts)),
  }
}

const holdsReport = ({ type, parts }: MimePart): boolean =>
  (type === 'multipart/report' && parts.some((part) => feedbackTypes.has(part.type))) ||
  parts.some(holdsReport)

/** Splits a delivery status into field groups, separated by empty lines. */
function groupsOf(text: string): MailHeader[][] {
  return text
    .split(/\r?\n[\t ]*\r?\n/, maxGroups)
    .map((group) => headerOf(group))
    .filter((fields) => fields.length > 0)
}

/** Returns the fields of a delivery status inside the text. */
const groupsIn = (lines: readonly string[]): MailHeader[][] =>
  lines.some((line) => /^(?:final|original)-recipient:/i.test(line)) ? groupsOf(lines.join('\n')) : []

/** Returns the header of the returned message, from a part declared as plain text. */
function headerIn(parts: readonly MimePart[]): MailHeader[] | null {
  for (const part of parts.slice(1, 10)) {
    if (part.type !== 'text/plain' || !part.body) continue
    const text = decoded(part)
    if (isHeaderAt(text.slice(0, 8192).split(/\r?\n/), 0)) return headerOf(text)
  }
  return null
}

function wordsOf(parts: readonly MimePart[], seen: string | undefined): string {
  const ofType = (type: string) => parts.find((part) => part.type === type && part.body)
  const plain = ofType('text/plain')
  const text = plain ? decoded(plain) : ''
  if (text.trim()) return text.slice(0, maxTextLength)
  const html = ofType('text/html')
  if (!html) return ''
  return seen?.trim() ? seen.slice(0, maxTextLength) : htmlToText(decoded(html), maxTextLength)
}

/** Returns the raw body, for a message whose parts cannot be separated. */
function wholeText(raw: Uint8Array): string {
  const { bodyStart } = readHeaders(raw, 0)
  return new TextDecoder().decode(raw.subarray(bodyStart, bodyStart + maxTextLength))
}

/** Splits a text at the message that it returns. */
function cutReturned(text: string): Pick<ReportParts, 'lines' | 'returned'> {
  const lines = text.split(/\r?\n/).map((line) => line.slice(0, maxLineLength))
  const mayBeField = (line: string) => line.includes(':') && mailField.test(line)
  const header = lines.findIndex((line, at) => mayBeField(line) && isHeaderAt(lines, at))
  const above = header < 0 ? lines : lines.slice(0, header)
  const marker = above.findIndex((line, at) => at > 0 && returnedBelow.test(line.slice(0, 200)))
  const end = marker < 0 ? above.length : marker
  if (header < 0) return { lines: lines.slice(0, end), returned: null }
  const below = lines.slice(header, header + 2000).map((line) => line.replace(/^>\s?/, ''))
  return { lines: lines.slice(0, end), returned: headerOf(below.join('\n')) }
}

/**
 * Returns whether the header of a message starts here: several consecutive fields, at least one of which
 * letters never have.
 */
function isHeaderAt(lines: readonly string[], at: number): boolean {
  const names = new Set<string>()
  for (let i = at; i < Math.min(lines.length, at + lookAhead); i++) {
    const line = lines[i] as string
    const name = mailField.exec(line)?.[1]?.toLowerCase()
    if (name) names.add(name)
    else if (!/^(?:>\s?)?(?:[\t ]+\S|[\w-]{1,60}:)/.test(line)) break
  }
  return names.size >= 3 && [...names].some((name) => tellingField.test(name))
}

const headerOf = (source: string | Uint8Array): MailHeader[] =>
  readHeaders(typeof source === 'string' ? encoder.encode(source) : source, maxHeaderBytes).fields

const decoded = (part: MimePart): string => textOf(part, maxTextBytes)
