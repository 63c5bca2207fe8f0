/** HTML of mail: what a reader sees of it, as text, and what is safe to pass on. */

export { bodyWarnings } from './body-warnings'
export { htmlToText } from './html-to-text'
export { attributesOf, eachToken } from './html-tokens'
export { picturesOf } from './pictures'
export { eachSeen } from './seen-html'
export { type ShownText, shownText, textShown } from './shown-text'
export { escapeHtml, textToHtml } from './text-to-html'
