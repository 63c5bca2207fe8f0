import type { Scope } from '../../accounts/keys'
import { takeStorage } from '../../accounts/storage'
import { refuse } from '../../base/refuse'
import { senderColumn, storedSender } from '../../base/sender'
import { erase } from '../../erasure/erase'
import { cancelJob, insertJobs, queueTopic } from '../../jobs/jobs'
import type { ChangeContext } from '../../log/registry'
import { condemnBlobs, erasedTopic } from '../../messages/originals'
import type { OutboundPorts } from '../delivery/ports'
import type { StoredFile } from '../submit/attached-files'
import { type DraftRow, draftRecord } from '../submit/draft-records'
import { senderIn } from '../submit/sends'
import type { DraftContext } from './context'

/**
 * Returns the status of a written draft. With a time, it sends itself; if the key may not send, it waits for
 * approval once it is complete.
 *
 *     draft ⇄ scheduled ──at its time──▶ sent, or failed
 *       │ send                              ▲
 *       ├── key may send ───────────────────┤
 *       └── key may not ─▶ pending_approval ┴─▶ rejected
 *
 * Any change leads back to the left; `sent` is final.
 */
export const statusFor = (scope: Scope, scheduledAt: string | null, isWhole: boolean): string => {
  if (scheduledAt === null) return 'draft'
  if (scope.scopes.includes('send')) return 'scheduled'
  return isWhole ? 'pending_approval' : 'draft'
}

/**
 * Returns the sender of a draft that is changed or asked to be sent. A key without a consumer keeps the
 * consumer that wrote it.
 */
export function draftSender(
  scope: Scope,
  consumer: string | undefined,
  before: string | null,
): string | null {
  const sender = senderIn(scope, consumer)
  const author = storedSender(before)
  // What is known of its run stays.
  if (author && sender?.kind === author.kind && sender.id === author.id) return before
  return sender?.kind === 'key' && author?.kind === 'consumer' ? before : senderColumn(sender)
}

/** Data of a draft's job. */
export interface DraftJob {
  draftId: string
  /** `seq` at which an operator approved the draft: any change replaces this job. */
  approvedSeq?: number
}

/** Replaces the job that sends a draft at its time. */
export async function reschedule(
  ports: Pick<OutboundPorts, 'clock'>,
  change: ChangeContext,
  row: Pick<DraftRow, 'id' | 'job_id'>,
  at: string | null,
  approvedSeq?: number,
): Promise<string | null> {
  const { tenant_id } = change.account
  if (row.job_id !== null) await cancelJob(change.tx, tenant_id, row.job_id)
  if (at === null) return null
  const work: DraftJob = { draftId: row.id, ...(approvedSeq !== undefined && { approvedSeq }) }
  const [jobId] = await insertJobs(ports, change.tx, tenant_id, 'drafts', [work], at)
  change.wake(queueTopic('drafts'))
  return jobId!
}

/** Stores changes to a draft, with its event. */
export async function saveDraft(
  change: ChangeContext,
  row: DraftRow,
  values: Partial<DraftRow>,
  event: 'draft.updated' | 'draft.sent' = 'draft.updated',
): Promise<DraftRow> {
  const changed = { ...row, ...values, updated_at: change.now }
  const seq = change.append(event, row.inbox_id, draftRecord(changed))
  await change.tx
    .updateTable('drafts')
    .set({ ...values, updated_at: change.now, seq })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute()
  return { ...changed, seq }
}

/** Stores the context of a draft, which is not part of the message: its `seq` stays. */
export async function saveContext(
  change: ChangeContext,
  row: DraftRow,
  context: DraftContext,
): Promise<DraftRow> {
  await change.tx
    .updateTable('drafts')
    .set(context)
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute()
  return { ...row, ...context }
}

type DraftKey = Pick<DraftRow, 'tenant_id' | 'id'>

/** Marks the large files of a draft for removal, unless something else refers to them. */
async function condemnFiles(change: ChangeContext, { tenant_id, id }: DraftKey): Promise<void> {
  const files = await change.tx
    .selectFrom('draft_files')
    .select('blob_hash')
    .where('tenant_id', '=', tenant_id)
    .where('draft_id', '=', id)
    .where('blob_hash', 'is not', null)
    .execute()
  if (files.length === 0) return
  const hashes = files.map((file) => file.blob_hash)
  await condemnBlobs(change.tx, hashes, change.now)
  change.wake(erasedTopic)
}

async function removeFiles(change: ChangeContext, row: DraftKey): Promise<void> {
  await condemnFiles(change, row)
  await change.tx
    .deleteFrom('draft_files')
    .where('tenant_id', '=', row.tenant_id)
    .where('draft_id', '=', row.id)
    .execute()
}

/** Deletes the content of the files once the message has it; their names stay. */
export async function emptyFiles(change: ChangeContext, row: DraftKey): Promise<void> {
  await condemnFiles(change, row)
  await change.tx
    .updateTable('draft_files')
    .set({ raw: null, blob_hash: null })
    .where('tenant_id', '=', row.tenant_id)
    .where('draft_id', '=', row.id)
    .execute()
}

/** Replaces the files of a draft. @throws ServiceError `storage_limit_reached` */
export async function replaceFiles(
  ports: Pick<OutboundPorts, 'settings' | 'totalStorage'>,
  change: ChangeContext,
  row: DraftKey,
  files: readonly StoredFile[],
): Promise<void> {
  await removeFiles(change, row)
  await takeStorage(
    ports,
    change,
    files.reduce((sum, file) => sum + file.size, 0),
  )
  const rows = files.map((file, position) => ({
    tenant_id: row.tenant_id,
    draft_id: row.id,
    position,
    ...file,
  }))
  if (rows.length > 0) await change.tx.insertInto('draft_files').values(rows).execute()
}

/** Deletes a draft with all that belongs to it, and its content in the log. */
export async function removeDraft(ports: OutboundPorts, change: ChangeContext, row: DraftRow): Promise<void> {
  await reschedule(ports, change, row, null)
  await removeFiles(change, row)
  await change.tx
    .deleteFrom('drafts')
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute()
  const { id, inbox_id, created_seq } = row
  await erase(ports, change, { of: 'draft', id, inboxId: inbox_id, after: created_seq - 1 })
  change.append('draft.deleted', inbox_id, draftRecord({ ...row, subject: '', error: null }))
}

export const draftSent = (row: DraftRow) =>
  refuse(
    'draft_sent',
    `The draft was sent as ${row.sent_message_id}: create a new draft for another message.`,
  )

export const draftChanged = (row: DraftRow) =>
  refuse('draft_changed', `The draft ${row.id} was changed meanwhile. Read it, then decide again.`)

/** @throws ServiceError `draft_changed` if the caller saw another state of the draft */
export function requireUnchanged(row: DraftRow, expectSeq: number | undefined): void {
  if (expectSeq !== undefined && row.seq !== expectSeq) throw draftChanged(row)
}
