import type { SentBy } from '../../protocol/records'

const maxShown = 300

/** Signs that break a line or steer a terminal. */
const controls = /[\p{Cc}\u2028\u2029]+/gu
/** Signs that turn the direction of what follows, or take no room; those that choose the look of an emoji may stay. */
const deceiving = /(?![\ufe00-\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * A line that a stranger wrote, as it may be shown: in its own order, with nothing hidden in it, and of bounded length.
 * Whoever writes a mail chooses its subject, names and files, and may let them look like others.
 */
export function shownLine(text: string): string {
  const line = text
    .slice(0, 4 * maxShown)
    .replace(controls, ' ')
    .replace(deceiving, '')
    .trim()
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line
}

/** The sender of a message, by the name that it gives itself. */
export const senderOf = ({ from_name, from_addr }: { from_name: string | null; from_addr: string }): string =>
  shownLine(from_name ?? '') || from_addr

/** An operator, key or consumer in words. */
export const writerOf = ({ kind, name }: SentBy): string =>
  kind === 'operator' ? shownLine(name ?? '') || 'An operator' : 'The agent'

export const subjectOf = ({ subject }: { subject: string }): string => shownLine(subject) || '(no subject)'

/** Signs that turn or hide what stands beside them; those that join letters of some scripts are none. */
const turning = /[\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** A text as it goes out, on which somebody decides: what would turn or hide a part of it is written out. */
export const shownWhole = (text: string): string =>
  text.replace(turning, (sign) => `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`)
