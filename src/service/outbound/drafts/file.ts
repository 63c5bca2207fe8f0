import { notFound, refuse } from '../../base/refuse'
import type { LogPorts } from '../../log/ports'
import { readStored } from '../../messages/originals'
import type { BlobStore } from '../../ports'
import { draftFileAt } from '../submit/draft-records'

/** A whole file of a draft. */
export interface DraftFile {
  filename: string
  content_type: string
  content: Uint8Array
}

/**
 * Reads a file of a draft, of one account or of any, by its position, for the person who decides on it.
 *
 * @throws ServiceError `not_found`, also once it was sent; `internal_error` if it was lost
 */
export async function readWaitingFile(
  ports: Pick<LogPorts, 'store'> & { readonly blobs: BlobStore },
  tenantId: string | undefined,
  id: string,
  position: number,
): Promise<DraftFile> {
  const file = await draftFileAt(ports.store.db, tenantId, id, position)
  // The files of a sent draft belong to the message.
  if (!file || (file.raw === null && file.blob_hash === null))
    throw notFound('file', `${position} of the draft ${id}`)
  const content = await readStored(ports, file)
  if (!content) throw refuse('internal_error', `The file ${file.filename} is missing from the store.`)
  return { filename: file.filename, content_type: file.content_type, content }
}
