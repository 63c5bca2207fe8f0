/** States of the text of an attachment. */
export const textStatuses = [
  'ready',
  'pending',
  'needs_ocr',
  'too_large',
  'timed_out',
  'encrypted',
  'unsupported',
  'unreadable',
] as const
/** State of the text of an attachment: `ready`, or the reason why there is none. */
export type TextStatus = (typeof textStatuses)[number]
