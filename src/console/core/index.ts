/** What every page stands on: the address, asking the service, who is signed in, what is said. */

export { call, download, Refused, readAll, sign } from './ask'
export { base, followLinks, go, hrefOf, interfaceUrl, isCaptured, path, query, setQuery } from './location'
export { hush, notice, tell, tellError } from './notices'
export { online } from './online'
export { save } from './save'
export { claimToken, forgetClaim, opened, takeSecrets } from './secrets'
export {
  account,
  accounts,
  begin,
  failure,
  leave,
  operator,
  readAccounts,
  rememberAccount,
} from './session'
export { senderOf, shownLine, shownWhole, subjectOf } from './shown'
export { fullTime, shortTime, sizeText } from './times'
export { readUnread, unread } from './unread'
export { readWaiting, waitingCount, waitingIn } from './waiting'
