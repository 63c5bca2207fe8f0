/** Accounts: signup, claim, keys and scopes, plans, addresses, send counts, operators. */

export {
  accountRecord,
  accountRow,
  isReadable,
  limitsOf,
  type Reach,
  type Room,
  readAccount,
  readReaches,
  refuseUnreadable,
  requireManaging,
  requireReadable,
  requireReader,
  requireRoom,
  requireSending,
  requireWholeAccount,
} from './account'
export {
  createInboxLists,
  defaultAutomaticAnswers,
  type InboxRow,
  inboxRecord,
  patternsOf,
  selectInboxes,
} from './account-inboxes'
export { isReserved, operatorNames, requireReceiving, takeAddress } from './addresses'
export { createKey, type KeyRequest, listKeys, revokeKey } from './api-keys'
export { claimAccount, previewClaim, refreshClaimLink } from './claim'
export { bindHome, findHome, findHostAccount, type Home, isHome, openHome, renameHome } from './host-account'
export { KeyUses } from './key-uses'
export {
  authenticate,
  authenticateById,
  bearerOf,
  type Caller,
  erasedKey,
  type KeyOfProvider,
  noteRefusal,
  requireScope,
  type Scope,
  unauthorized,
} from './keys'
export { KnownRecipients, type ReachedInbox } from './known-recipients'
export {
  listAccounts,
  type Operator,
  operatorCaller,
  operatorSender,
  ownAccount,
  type SignIn,
  verifyOperator,
} from './operators'
export { pauseSending, resumeSending, saveAccount } from './pause'
export { type Plan, type PlanInput, type PlanTable, planOf, readPlans } from './plan'
export type { AccountPorts, AccountSettings, ChangePorts, TotalStorage } from './ports'
export { Revocations } from './revocations'
export {
  type Allowance,
  allowedAt,
  countByDomain,
  countFailures,
  countSent,
  readRates,
  sentToday,
  whenAllowed,
} from './send-counts'
export { erasedSignup, signUp } from './signup'
export { createSignupLimits } from './signup-limits'
export {
  countStorage,
  createTotalStorage,
  requireStorage,
  storageLimitOf,
  takeStorage,
} from './storage'
