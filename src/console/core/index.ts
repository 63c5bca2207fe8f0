/** What every page stands on: the address, asking the service, who is signed in, what is said. */

export { call, download, Refused, readAll, sign } from './ask'
export { base, followLinks, go, hrefOf, interfaceUrl, path, query, setQuery } from './location'
export { hush, notice, tell, tellError } from './notices'
export { online } from './online'
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
export { fullTime, shortTime, sizeText } from './times'
export { readWaitingCount, waitingCount } from './waiting'
