import { sha256InTurns } from '../base/turns'
import { hintsOf } from '../messages/attachments'
import type { ExtractionPorts } from '../messages/ports'
import type { AttachmentRow } from '../messages/records'
import type { Extraction } from '../ports'
import { keepText, type ReadAttachment, readKeptText } from './kept-texts'
import { type OcrBudget, withOcr } from './ocr'

/** Work that runs now, by its name: all who want the same share it. */
const running = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Does some work, unless the same runs now; then returns its result. */
export function shared<T>({ extractor }: ExtractionPorts, name: string, work: () => Promise<T>): Promise<T> {
  const own = running.get(extractor) ?? new Map<string, Promise<unknown>>()
  running.set(extractor, own)
  const known = own.get(name) as Promise<T> | undefined
  if (known) return known
  const begun = work().finally(() => own.delete(name))
  own.set(name, begun)
  return begun
}

/** Reads the text of a file, unless it is stored, or somebody reads it now. */
export async function readOnce(
  ports: ExtractionPorts,
  row: AttachmentRow,
  content: Uint8Array,
  budget?: OcrBudget,
): Promise<ReadAttachment> {
  const hash = await sha256InTurns(content)
  const extraction = await shared(ports, `${row.tenant_id} ${hash}`, () =>
    readAndKeep(ports, { row, content, hash, budget }),
  )
  return { id: row.id, hash, extraction }
}

interface FileToRead {
  row: AttachmentRow
  content: Uint8Array
  hash: string
  budget: OcrBudget | undefined
}

async function readAndKeep(
  ports: ExtractionPorts,
  { row, content, hash, budget }: FileToRead,
): Promise<Extraction> {
  const kept = { tenantId: row.tenant_id, hash }
  const stored = await readKeptText(ports.store, kept)
  const read = stored ?? (await ports.extractor.extract(content, hintsOf(row)))
  const extraction = await withOcr(ports, row, content, read, budget)
  const isKnown = extraction === stored && row.content_hash === hash
  // A busy machine may be the reason for a timeout.
  if (extraction.status !== 'timed_out' && !isKnown)
    await keepText(ports.store, kept, row.id, extraction === stored ? undefined : extraction)
  return extraction
}
