/** Mailboxes at other servers that are inboxes here: receiving from and sending through them. */

export {
  createConnection,
  deleteConnection,
  joinConnections,
  listConnections,
  readConnection,
  retryConnection,
} from './connections'
export type { ConnectionPorts } from './ports'
export { createConnectedTransport } from './transport'
export { createTrialLimits } from './trial-limits'
export { createConnectionWorker } from './worker'
