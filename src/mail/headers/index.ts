/** Addresses, dates, subjects, Message-IDs and the fields of a header (RFC 5322). */

export {
  addressKey,
  addrSpec,
  asciiDomain,
  baseAddress,
  formatAddress,
  hasUtf8Local,
  isAddress,
  isOddAddress,
  looksElsewhere,
  type MailAddress,
  sameAddress,
  senderDomain,
  splitAddress,
} from './address'
export {
  MAX_ADDRESSES,
  oneSender,
  parseAddress,
  parseAddressList,
  type ReadMailboxes,
  readAddressList,
  readMailboxes,
} from './address-list'
export {
  type PassedResults,
  readAuthenticationResults,
  readPassedResults,
} from './authentication-results'
export { hasUtf8Header, withoutTrace } from './header-bytes'
export {
  decodeHeader,
  headerValue,
  headerValues,
  type MailHeader,
  malformedHeader,
  type RawHeaders,
  readHeaders,
} from './header-reader'
export { hasStrayControl, headerBlockOf, lineAt, withPlainHeader } from './line-reader'
export { type MailList, readList } from './list'
export { parseMailDate } from './mail-date'
export { MailHead } from './mail-head'
export {
  extractMessageIds,
  makeMessageId,
  ownMessageId,
  referencesForReply,
  referredIds,
} from './message-id'
export { type FieldProof, fieldProof, ignoredFields, provenView } from './proven-view'
export { type Answerable, type ReplyTo, replyRecipients } from './reply-recipients'
export { baseSubject, forwardSubject, isForward, isReply, replySubject } from './subject'
