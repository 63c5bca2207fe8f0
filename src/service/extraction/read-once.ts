import { sha256InTurns } from '../base/turns'
import { hintsOf } from '../messages/attachments'
import type { ExtractionPorts } from '../messages/ports'
import type { AttachmentRow } from '../messages/records'
import type { Extraction } from '../ports'
import { keepText, type ReadAttachment, readKeptText } from './kept-texts'
import { withOcr } from './ocr'

/** Texts that are being read now, by account and content: all who want the same file share the work. */
const running = new WeakMap<object, Map<string, Promise<Extraction>>>()

/** Reads the text of a file, unless it is stored, or somebody reads it now. */
export async function readOnce(
  ports: ExtractionPorts,
  row: AttachmentRow,
  content: Uint8Array,
): Promise<ReadAttachment> {
  const hash = await sha256InTurns(content)
  const own = running.get(ports.extractor) ?? new Map<string, Promise<Extraction>>()
  running.set(ports.extractor, own)
  const key = `${row.tenant_id} ${hash}`
  const known = own.get(key)
  if (known) return { id: row.id, hash, extraction: await known }
  const work = readAndKeep(ports, row, content, hash).finally(() => own.delete(key))
  own.set(key, work)
  return { id: row.id, hash, extraction: await work }
}

async function readAndKeep(
  ports: ExtractionPorts,
  row: AttachmentRow,
  content: Uint8Array,
  hash: string,
): Promise<Extraction> {
  const kept = { tenantId: row.tenant_id, hash }
  const stored = await readKeptText(ports.store, kept)
  const read = stored ?? (await ports.extractor.extract(content, hintsOf(row)))
  const extraction = await withOcr(ports, row, content, read)
  // A busy machine may be the reason for a timeout.
  if (extraction.status !== 'timed_out')
    await keepText(ports.store, kept, row.id, extraction === stored ? undefined : extraction)
  return extraction
}
