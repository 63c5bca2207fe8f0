/** Operation of a service: backup, retention, metrics, readiness, administrator channel. */

export { type Admin, createAdmin } from './admin'
export { openAdminChannel } from './admin-channel'
export {
  accountCommands,
  administer,
  administerAccounts,
  administerMove,
  administerOperator,
  administerReindex,
  administerReparse,
  administerWaiting,
  backupCommands,
  moveCommands,
  operatorCommands,
  readConsoleLink,
  reindexCommands,
  reparseCommands,
  type WaitingOrder,
  waitingCommands,
} from './administer'
export {
  type Approvals,
  administerApproval,
  administerDraft,
  administerDraftFile,
  administerRejection,
  administerWaitingDrafts,
  approvalCommands,
  createApprovals,
} from './approvals'
export { backUp } from './backup'
export { restore } from './backups'
export { Housekeeper } from './housekeeping'
export { joinRooms } from './join-rooms'
export {
  administerInboundKey,
  administerKeys,
  administerNewKey,
  administerRevokedKey,
  inboundKeyCommands,
  keyCommands,
} from './keys'
export { createMetricsServer } from './metrics-server'
export type { HostPorts } from './ports'
export { createReadiness } from './readiness'
export { findSecret } from './secret-file'
export { watchStorage } from './storage'
