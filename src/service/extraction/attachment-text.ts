import { estimateTokens, largest } from '../../mail/prompt/token-estimate'
import { truncated } from '../../mail/text/safe-text'
import type { AttachmentText } from '../../protocol/attachments/attachment-text'
import type { TextStatus } from '../../protocol/names/text-status'
import type { Caller } from '../accounts/keys'
import { changeAccount } from '../log/change'
import { attachmentRow, findFile, hintsOf, readAttachmentFile } from '../messages/attachments'
import type { ExtractionPorts } from '../messages/ports'
import { type AttachmentRow, attachmentRecord } from '../messages/records'
import { textRemedies } from '../messages/text-remedies'
import type { Extraction } from '../ports'
import { filesWithin } from './files-within'
import { keepStatuses, readKeptText } from './kept-texts'
import { needsEngine } from './ocr'
import { withoutText } from './parts/extracted'
import { readOnce, shared } from './read-once'

/** Part of a text that a caller asks for. */
export interface WantedText {
  pages?: readonly [first: number, last: number] | undefined
  max_tokens?: number | undefined
}

/** Time for which a request waits for the text. */
const maxWaitMs = 25_000

/** UTF-16 code units that hardly any token exceeds: bounds the text that is estimated. */
const maxTokenLength = 16

/** Cuts a text to a number of tokens, by their estimate. */
function cutToTokens(text: string, maxTokens: number): string {
  if (maxTokens === Number.POSITIVE_INFINITY) return text
  const near = truncated(text, maxTokens * maxTokenLength)
  const length = largest(near.length, maxTokens, (length) => estimateTokens(truncated(near, length)))
  return truncated(near, length ?? 0)
}

/** Extraction, or one that is not done. */
type Readable = Omit<Extraction, 'status'> & { status: TextStatus }

const pending: Readable = withoutText('pending')

/** Returns the wanted pages in the wire format, up to the wanted number of tokens. */
function textOf(found: Readable, wanted: WantedText, files: readonly AttachmentRow[] = []): AttachmentText {
  const { status, format, pages, pageCount, isCut } = found
  const [first, last] = wanted.pages ?? [1, pages.length]
  const shown: { number: number; text: string }[] = []
  let left = wanted.max_tokens ?? Number.POSITIVE_INFINITY
  let isShort = isCut && last >= pages.length
  for (let number = first; number <= Math.min(last, pages.length) && left > 0; number++) {
    const whole = pages[number - 1]!
    const text = cutToTokens(whole, left)
    shown.push({ number, text })
    if (text.length < whole.length) left = 0
    else if (wanted.max_tokens !== undefined) left -= estimateTokens(text)
    isShort ||= left <= 0 && (text.length < whole.length || number < Math.min(last, pages.length))
  }
  const message = textRemedies[status]
  const attachments = files.map(attachmentRecord)
  return {
    ...{ text_status: status, message, format, page_count: pageCount, pages: shown, truncated: isShort },
    attachments,
  }
}

/**
 * Returns the text of an attachment. The first request reads it; the result is stored. A request waits for 25
 * seconds; then the status is `pending`.
 *
 * @throws ServiceError `not_found`, `account_expired`
 */
export async function readAttachmentText(
  ports: ExtractionPorts,
  scope: Caller,
  id: string,
  wanted: WantedText,
): Promise<AttachmentText> {
  const row = await attachmentRow(ports, scope, id)
  const hash = row.content_hash
  const stored =
    hash === null ? undefined : await readKeptText(ports.store, { tenantId: row.tenant_id, hash })
  // An earlier version stored no status.
  const isDone = stored && row.text_status !== null && !needsEngine(ports, row, stored)
  const found = isDone
    ? stored
    : ((await withinWait(
        ports,
        shared(ports, row.id, () => readNow(ports, row)),
      )) ?? pending)
  return textOf(found, wanted, await filesWithin(ports, row, found.files ?? []))
}

/** Finds a file that no job has read, reads it, and stores its text and its status. */
async function readNow(ports: ExtractionPorts, row: AttachmentRow): Promise<Readable> {
  const file = await findFile(ports, row)
  if (!('content' in file)) return withoutText(file.withheld)
  const read = await readOnce(ports, row, file.content)
  if (read.extraction.status !== row.text_status)
    await changeAccount(ports, row.tenant_id, (change) => keepStatuses(change, row.message_id, [read]))
  return read.extraction
}

/** Returns the result of some work, or null if the wait ends before. */
function withinWait<T>({ clock }: ExtractionPorts, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(maxWaitMs, () => resolve(null))
    work.then(resolve, reject).finally(cancel)
  })
}

/**
 * Reads an encrypted file with its password. Neither the password nor the text is stored.
 *
 * @throws ServiceError `not_found`, `account_expired`
 */
export async function readEncryptedText(
  ports: ExtractionPorts,
  scope: Caller,
  id: string,
  { password, ...wanted }: WantedText & { password: string },
): Promise<AttachmentText> {
  const { row, content } = await readAttachmentFile(ports, scope, id)
  return textOf(await ports.extractor.extract(content, { ...hintsOf(row), password }), wanted)
}
