/** The text that a person wrote: replies without quotes and signatures. */

export { createHeldTexts, type HeldTexts, splitQuote } from './held-quotes'
export { type LatePattern, latePattern } from './late-pattern'
export { extractReplyText } from './reply-text'
export { previewOf, singleLine, truncated, wellFormed, withLineFeeds } from './safe-text'
export { decodeUtf7 } from './utf7'
export { verbatimText } from './verbatim-text'
export { visibleText } from './visible-text'
