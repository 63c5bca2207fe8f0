import type { SentBy } from '../../protocol/records/message'

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

/** Returns the name of the operator, or a phrase for the agent. */
export const writerOf = ({ kind, name }: SentBy): string =>
  kind === 'operator' ? shownLine(name ?? '') || 'An operator' : 'The agent'

export const subjectOf = ({ subject }: { subject: string }): string => shownLine(subject) || '(no subject)'

/** Characters that reorder or hide text; joiners that some scripts need are not among them. */
const turning = /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu

/** Returns a text for approval, with reordering and hidden characters written as code points. */
export const shownWhole = (text: string): string =>
  text.replace(turning, (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
