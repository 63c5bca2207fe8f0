/** The work of the host of a service: backup, retention, metrics, readiness, the admin channel. */

export { type Admin, createAdmin } from './admin'
export { openAdminChannel } from './admin-channel'
export {
  accountCommands,
  administer,
  administerAccounts,
  administerReindex,
  administerReparse,
  administerWaiting,
  backupCommands,
  reindexCommands,
  reparseCommands,
  type WaitingOrder,
  waitingCommands,
} from './administer'
export {
  type Approvals,
  administerApproval,
  administerDraft,
  administerRejection,
  administerWaitingDrafts,
  approvalCommands,
  createApprovals,
} from './approvals'
export { backUp } from './backup'
export { Housekeeper } from './housekeeping'
export { administerInboundKey, inboundKeyCommands } from './inbound-keys'
export { joinRooms } from './join-rooms'
export { createMetricsServer } from './metrics-server'
export type { HostPorts } from './ports'
export { readReadiness } from './readiness'
export { restore } from './restore'
export { findSecret } from './secret-file'
export { watchStorage } from './storage'
