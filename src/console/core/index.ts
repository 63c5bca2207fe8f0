/** Shared base of all pages: address, calls to the service, session, notices. */

export { call, clearAll, download, onSignedOut, Refused, readAll, sign } from './ask'
export {
  base,
  followLinks,
  go,
  hrefOf,
  interfaceUrl,
  isCaptured,
  path,
  query,
  setQuery,
  signUpByLink,
} from './location'
export { hush, notice, tell, tellError } from './notices'
export { online } from './online'
export { save } from './save'
export { claimToken, forgetClaim, opened, takeSecrets } from './secrets'
export {
  account,
  accounts,
  begin,
  editPrefix,
  enter,
  failure,
  leave,
  operator,
  readAccounts,
  rememberAccount,
} from './session'
export { senderOf, shownLine, shownWhole, subjectOf, writerOf } from './shown'
export { fullTime, shortTime, sizeText } from './times'
export { readUnread, unread } from './unread'
export { draftsVersion, readWaiting, waitingCount, waitingIn } from './waiting'
