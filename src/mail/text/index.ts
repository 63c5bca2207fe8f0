/** The text that a person wrote: replies without quotes and signatures. */

export { createHeldTexts, type HeldTexts, splitQuote } from './held-quotes'
export { type LatePattern, latePattern } from './late-pattern'
export { forwardedFrom } from './quote-lines'
export { extractReplyText } from './reply-text'
export {
  previewOf,
  singleLine,
  truncated,
  wellFormed,
  withLineFeeds,
  withoutEnd,
  withoutEnds,
} from './safe-text'
export { verbatimText } from './verbatim-text'
export { visibleText } from './visible-text'
