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
  type MailAddress,
  sameAddress,
  splitAddress,
} from './address'
export { MAX_ADDRESSES, parseAddress, parseAddressList } from './address-list'
export { readAuthenticationResults } from './authentication-results'
export { hasUtf8Header, withoutTrace } from './header-bytes'
export {
  decodeHeader,
  headerValue,
  headerValues,
  type MailHeader,
  type RawHeaders,
  readHeaders,
} from './header-reader'
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
export { type Answerable, type ReplyTo, replyRecipients } from './reply-recipients'
export { baseSubject, forwardSubject, isForward, isReply, replySubject } from './subject'
