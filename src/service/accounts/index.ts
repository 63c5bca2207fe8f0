/** Accounts: signup, claim, keys and scopes, plans, addresses, counts of sending, operators. */

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
export { createInboxLists, type InboxRow, inboxRecord, selectInboxes } from './account-inboxes'
export { isReserved, operatorNames, requireReceiving, takeAddress } from './addresses'
export { createKey, type KeyRequest, listKeys, revokeKey } from './api-keys'
export { claimAccount, previewClaim } from './claim'
export { refreshClaimLink } from './claim-link'
export { bindHome, findHome, findHostAccount, type Home, isHome, openHome } from './host-account'
export { KeyUses } from './key-uses'
export {
  authenticate,
  authenticateById,
  bearerOf,
  type Caller,
  type KeyOfProvider,
  noteRefusal,
  requireScope,
  type Scope,
  unauthorized,
} from './keys'
export { KnownRecipients, type ReachedInbox } from './known-recipients'
export { listAccounts, type Operator, operatorCaller, ownAccount, type SignIn } from './operators'
export { pauseSending, resumeSending, saveAccount } from './pause'
export { type Plan, type PlanInput, type PlanTable, planOf, readPlans } from './plan'
export type { AccountPorts, AccountSettings, ChangePorts } from './ports'
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
export { signUp } from './signup'
export { createSignupLimits } from './signup-limits'
