/** The tables and the types of their columns. */

export type {
  AccountTable,
  AddressTable,
  ApiKeyTable,
  ClaimTokenTable,
  InboxTable,
  ListTable,
  SignupTable,
} from './account-tables'
export type { ConnectionFolderTable, ConnectionTable } from './connection-tables'
export type { ConsumerLeaseTable, ConsumerTable } from './consumer-tables'
export type { DkimKeyTable, DomainHostTable, DomainTable } from './domain-tables'
export type { EventTable, JobTable } from './log-tables'
export type {
  AttachmentTable,
  LabelTable,
  MessageTable,
  SearchModelTable,
  SearchSegmentTable,
  ThreadTable,
  UploadTable,
} from './mail-tables'
export type { Database, Dialect } from './schema'
export type { DraftFileTable, DraftTable, SuppressionTable } from './send-tables'
export { deleteTenantRows, type TenantTable, tenantTables } from './tenant-tables'
export type { WebhookAttemptTable, WebhookDispatchTable, WebhookTable } from './webhook-tables'
