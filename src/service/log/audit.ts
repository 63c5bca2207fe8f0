import type { Transaction } from 'kysely'
import type { AuditAction } from '../../protocol/records/desk/audit-entry'
import { newId } from '../base/ids'
import { type StoredSender, senderColumn } from '../base/sender'
import { timeOf } from '../base/time'
import type { Database } from '../store/tables/schema'
import type { LogPorts } from './ports'
import type { ChangeContext } from './registry'

/** An action to write into the audit log. */
export interface Audited {
  action: AuditAction
  /** Who did it; null for the service itself. */
  by: StoredSender | null
  /** Id of the changed record. */
  target: string | null
  /** Facts, without content of messages. */
  details?: object
}

/** Writes an action into the audit log of an account, in the transaction of the action. */
export async function auditIn(
  tx: Transaction<Database>,
  tenant_id: string,
  created_at: string,
  { action, by, target, details = {} }: Audited,
): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({
      ...{ tenant_id, id: newId('aud', Date.parse(created_at)), action, target, created_at },
      ...{ actor: senderColumn(by), actor_id: by?.id ?? null, details: JSON.stringify(details) },
    })
    .execute()
}

/** Writes an action into the audit log, in the change that does it. */
export const audit = ({ tx, account, now }: ChangeContext, audited: Audited): Promise<void> =>
  auditIn(tx, account.tenant_id, now, audited)

/** Deletes the entries whose retention is over. @param keepMs Retention in ms; null keeps all. */
export async function dropOldAudit(
  { store, clock }: Pick<LogPorts, 'store' | 'clock'>,
  keepMs: number | null,
): Promise<void> {
  if (keepMs === null) return
  const before = timeOf(clock.now() - keepMs)
  await store.write((tx) => tx.deleteFrom('audit_entries').where('created_at', '<', before).execute())
}
