/** Pure functions on mail, without I/O and without a clock: parsing, composing, forwarding, codes and links. */

export { findCodes } from './codes'
export { type ComposeAttachment, composeMail } from './compose'
export { foldedSignature, relaxedField, signedParts, unsignedField } from './dkim'
export { type ForwardedMail, forwardHtml, forwardText } from './forward'
export { parseHeadersOnly, unreadMail } from './head-only'
export { bodyWarnings, htmlToText, picturesOf, textToHtml } from './html'
export { findLinks } from './links'
export {
  type AttachmentContent,
  parseMail,
  readAttachments,
} from './parse'
export type { ParsedMail } from './parsed-mail'
export { quoteHtml, quoteText, type WrittenContent } from './quote'
