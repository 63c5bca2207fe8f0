import type { MessageSummary, SentBy } from '../../protocol/records/message'
import { durationText } from './times'

const maxShown = 300

/** Characters that break a line or control a terminal. */
const controls = /[\p{Cc}\u2028\u2029]+/gu
/** Characters that change the text direction or are invisible, except the variation selectors of emoji. */
const deceiving = /(?![\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Returns a line from outside in a safe form: one line, no hidden or reordering characters, bounded length.
 * Senders choose subjects, names and file names, and can make them look like others.
 */
export function shownLine(text: string): string {
  const line = text
    .slice(0, 4 * maxShown)
    .replace(controls, ' ')
    .replace(deceiving, '')
    .trim()
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line
}

/** Returns the sender's own name if there is one, else the address. */
export const senderOf = ({ from_name, from_addr }: { from_name: string | null; from_addr: string }): string =>
  shownLine(from_name ?? '') || from_addr

/** Returns the name of an operator, key or consumer. */
export const nameOf = ({ kind, name, id }: SentBy): string =>
  shownLine(name ?? (kind === 'consumer' ? (id ?? '') : '')) ||
  (kind === 'operator' ? 'An operator' : 'The agent')

/**
 * Returns who sent a message, who approved it, and what is known of the run: `Sent by billing-bot, approved by
 * Dana, read 3 messages, 4.2 s`. Null if the account did not send it.
 */
export function doneBy({ sent_by, approved_by, run }: MessageSummary): string | null {
  if (!sent_by) return null
  const { messages_read: read = null, duration_ms = null } = run ?? {}
  const facts = [
    `Sent by ${nameOf(sent_by)}`,
    // An operator who changed a suggestion is both.
    approved_by && approved_by.id !== sent_by.id && `approved by ${nameOf(approved_by)}`,
    read !== null && `read ${read} ${read === 1 ? 'message' : 'messages'}`,
    duration_ms !== null && durationText(duration_ms),
  ]
  return facts.filter(Boolean).join(', ')
}

export const subjectOf = ({ subject }: { subject: string }): string => shownLine(subject) || '(no subject)'

/** Characters that reorder or hide text; joiners that some scripts need are not among them. */
const turning = /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu

/** Returns a text for approval, with reordering and hidden characters written as code points. */
export const shownWhole = (text: string): string =>
  text.replace(turning, (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
