import { textOf } from './part-content'
import { findParts } from './part-tree'

const MAX_DEPTH = 10
const MAX_BYTES = 16 * 1024
const METHOD = /^method[;:][^\n]{0,100}?\b(?:reply|counter|declinecounter|refresh)\s*$/im

/**
 * Whether a mail holds what a calendar sends by itself where somebody accepts or declines an invitation (RFC 5546 §3.2.3).
 * With words beside it, it is somebody's answer.
 */
export const isCalendarReply = (raw: Uint8Array): boolean =>
  findParts(raw, MAX_DEPTH).some(
    (part) => part.type === 'text/calendar' && METHOD.test(textOf(part, MAX_BYTES)),
  )
