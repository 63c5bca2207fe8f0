import type { Selectable } from 'kysely'
import { attachmentTypeOf, filenameOf } from '../../mail/mime/attachment'
import type { Upload } from '../../protocol/records/upload'
import { accountRow, requireManaging } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import { requireStorage, takeStorage } from '../accounts/storage'
import { newId } from '../base/ids'
import { notFound } from '../base/refuse'
import { dayMs, now, timeOf } from '../base/time'
import { finishJob, insertJobs, type Job } from '../jobs/jobs'
import { changeAccount } from '../log/change'
import type { UploadTable } from '../store/tables/mail-tables'
import { condemnBlobs, erasedTopic, storeOriginal } from './originals'
import type { MessagePorts } from './ports'

type UploadRow = Selectable<UploadTable>

const keptForMs = dayMs

/** File to upload. */
interface UploadRequest {
  filename: string
  /** Media type; parameters are left out. */
  contentType: string
  /** Reads the bytes, once the upload is known to be allowed. */
  content(): Promise<Uint8Array>
}

const uploadRecord = (row: UploadRow): Upload => ({
  id: row.id,
  filename: row.filename,
  content_type: row.content_type,
  size: row.size,
  created_at: row.created_at,
  expires_at: row.expires_at,
})

/**
 * Stores a file for 24 hours, to attach it to any message until then.
 *
 * @throws ServiceError `claim_required`, `account_expired`, `account_suspended`, `storage_limit_reached`
 */
export async function createUpload(
  ports: MessagePorts,
  scope: Scope,
  request: UploadRequest,
): Promise<Upload> {
  const account = await accountRow(ports, scope.tenantId)
  requireManaging(account, now(ports))
  requireStorage(ports, account, 0)
  const content = await request.content()
  const stored = await storeOriginal(ports, content)
  return changeAccount(ports, scope.tenantId, async (change) => {
    await takeStorage(ports, change, content.byteLength)
    const row: UploadRow = {
      tenant_id: scope.tenantId,
      id: newId('upl', ports.clock.now()),
      inbox_id: scope.inboxId,
      filename: filenameOf(request.filename) ?? 'attachment',
      content_type: attachmentTypeOf(request.contentType),
      size: content.byteLength,
      created_at: change.now,
      expires_at: timeOf(Date.parse(change.now) + keptForMs),
      ...stored,
    }
    await change.tx.insertInto('uploads').values(row).execute()
    await insertJobs(ports, change.tx, scope.tenantId, 'uploads', [{ uploadId: row.id }], row.expires_at)
    return uploadRecord(row)
  })
}

/** Returns the unexpired upload row that the key reaches. @throws ServiceError `not_found` */
export async function uploadRow(ports: MessagePorts, scope: Scope, id: string): Promise<UploadRow> {
  const row = await ports.store.db
    .selectFrom('uploads')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('expires_at', '>', now(ports))
    .executeTakeFirst()
  if (!row || (scope.inboxId && scope.inboxId !== row.inbox_id)) throw notFound('upload', id)
  return row
}

/** Removes an expired upload: the work of the queue `uploads`. */
export async function expireUpload(ports: MessagePorts, job: Job): Promise<void> {
  const { uploadId } = JSON.parse(job.data) as { uploadId: string }
  // Locks the account before the upload, as every other change does, since its count of bytes changes too.
  await changeAccount(ports, job.tenant_id, async ({ tx }) => {
    if (!(await finishJob(tx, job))) return
    const removed = await tx
      .deleteFrom('uploads')
      .where('tenant_id', '=', job.tenant_id)
      .where('id', '=', uploadId)
      .returning('blob_hash')
      .execute()
    const hashes = removed.map((row) => row.blob_hash)
    await condemnBlobs(tx, hashes, now(ports))
  })
  ports.signals.publish(erasedTopic)
}
