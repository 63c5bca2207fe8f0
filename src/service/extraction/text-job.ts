import { isServiceError } from '../../protocol/errors/error'
import { finishJob, insertJobs, type Job, queueTopic } from '../jobs/jobs'
import type { JobPorts } from '../jobs/ports'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { readOriginal } from '../messages/originals'
import type { ExtractionPorts } from '../messages/ports'
import type { AttachmentRow } from '../messages/records'
import { keepStatuses, type ReadAttachment } from './kept-texts'
import { createOcrBudget } from './ocr'
import { withoutText } from './parts/extracted'
import { readOnce } from './read-once'

/** Files of a message that may time out. The others then count as timed out: other messages wait, too. */
const maxTimeouts = 2
/** Files of one message that its job reads; others are read when somebody asks for their text. */
const maxFiles = 100
/** Bytes of files that a job holds at once. Each group parses the message again. */
const maxHeldBytes = 8 * 1024 * 1024

/** Data of a job that reads the files of a message. */
interface TextJob {
  messageId: string
}

/** Lets a job read the files of messages that were just received. */
export async function requestTexts(
  ports: Pick<JobPorts, 'clock'>,
  change: ChangeContext,
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length === 0) return
  const data = messageIds.map((messageId): TextJob => ({ messageId }))
  await insertJobs(ports, change.tx, change.account.tenant_id, 'texts', data)
  change.wake(queueTopic('texts'))
}

/** Returns the first files of a message that nobody has read. */
const unreadFiles = (ports: ExtractionPorts, tenantId: string, messageId: string): Promise<AttachmentRow[]> =>
  ports.store.db
    .selectFrom('attachments')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('message_id', '=', messageId)
    .where('parent_id', 'is', null)
    .where('position', '<', maxFiles)
    .where('text_status', 'is', null)
    .orderBy('position')
    .execute()

/** Returns the result of some work; rejects once it is aborted. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Divides files into groups that fit into memory together; a larger file is a group of its own. */
function groupsOf(rows: readonly AttachmentRow[]): AttachmentRow[][] {
  const groups: AttachmentRow[][] = []
  let left = 0
  for (const row of rows) {
    if (groups.length === 0 || row.size > left) {
      groups.push([])
      left = maxHeldBytes
    }
    groups.at(-1)!.push(row)
    left -= row.size
  }
  return groups
}

/** Yields the contents of files, with one group of them in memory. */
async function* contentsOf(ports: ExtractionPorts, raw: Uint8Array, rows: readonly AttachmentRow[]) {
  for (const group of groupsOf(rows)) {
    const positions = group.map((row) => row.position)
    const contents = await ports.parser.attachments(raw, positions)
    for (const [i, row] of group.entries()) yield { row, content: contents[i]?.content }
  }
}

async function readFiles(
  ports: ExtractionPorts,
  tenantId: string,
  messageId: string,
  signal: AbortSignal,
): Promise<ReadAttachment[]> {
  const rows = await unreadFiles(ports, tenantId, messageId)
  if (rows.length === 0) return []
  const raw = await readOriginal(ports, tenantId, messageId)
  const read: ReadAttachment[] = []
  const budget = createOcrBudget()
  let timeouts = 0
  for await (const { row, content } of contentsOf(ports, raw, rows)) {
    const status = content ? 'timed_out' : 'unreadable'
    const file =
      content && timeouts < maxTimeouts
        ? await untilAborted(readOnce(ports, row, content, budget), signal)
        : { id: row.id, hash: null, extraction: withoutText(status) }
    if (file.extraction.status === 'timed_out') timeouts += 1
    read.push(file)
  }
  return read
}

/** Reads the files of a message one after the other, and stores their texts: the work of the queue `texts`. */
export async function readTextsByJob(ports: ExtractionPorts, job: Job, signal: AbortSignal): Promise<void> {
  const { messageId } = JSON.parse(job.data) as TextJob
  const read = await readFiles(ports, job.tenant_id, messageId, signal).catch((error: unknown) => {
    // The message was erased meanwhile, or its original is lost.
    if (isServiceError(error)) return []
    throw error
  })
  await changeAccount(ports, job.tenant_id, async (change) => {
    if (await finishJob(change.tx, job)) await keepStatuses(change, messageId, read)
  }).catch((error: unknown) => {
    // The account was erased meanwhile, with its jobs.
    if (!isServiceError(error, 'account_not_found')) throw error
  })
}
