import type { ComposeAttachment } from '../../../mail/compose'
import { attachmentTypeOf } from '../../../mail/mime/attachment'
import type { AttachmentInput } from '../../../protocol/records/message'
import { maxMailBytes } from '../../../protocol/records/upload-limit'
import type { Scope } from '../../accounts/keys'
import { refuse } from '../../base/refuse'
import { type Original, readStored, storeOriginal } from '../../messages/originals'
import type { MessagePorts } from '../../messages/ports'
import { uploadRow } from '../../messages/uploads'

/** @throws ServiceError `message_too_large` */
export function requireSize(bytes: number): void {
  if (bytes <= maxMailBytes) return
  throw refuse(
    'message_too_large',
    `The message has ${bytes} bytes, but the limit is ${maxMailBytes}. Send a link instead of the file.`,
  )
}

/** A file with its bytes, or their place. */
export interface StoredFile extends Original {
  filename: string
  content_type: string
  content_id: string | null
  size: number
}

async function readFile(ports: MessagePorts, scope: Scope, input: AttachmentInput): Promise<StoredFile> {
  const upload = input.upload_id === undefined ? null : await uploadRow(ports, scope, input.upload_id)
  const bytes = upload ? null : Buffer.from(input.content_base64 ?? '', 'base64')
  return {
    filename: input.filename ?? upload?.filename ?? 'attachment',
    content_type: attachmentTypeOf(input.content_type ?? upload?.content_type ?? ''),
    content_id: input.content_id ?? null,
    size: upload?.size ?? bytes!.byteLength,
    raw: upload ? upload.raw : bytes,
    blob_hash: upload?.blob_hash ?? null,
  }
}

async function readFiles(
  ports: MessagePorts,
  scope: Scope,
  inputs: readonly AttachmentInput[],
): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for (const input of inputs) files.push(await readFile(ports, scope, input))
  requireSize(files.reduce((sum, file) => sum + file.size, 0))
  return files
}

const readyFile = ({ filename, contentType, contentId, content }: ComposeAttachment): StoredFile => ({
  filename,
  content_type: attachmentTypeOf(contentType ?? ''),
  content_id: contentId ?? null,
  size: content.byteLength,
  raw: content,
  blob_hash: null,
})

/**
 * Stores files for a message that is sent later.
 *
 * @param ready Additional files, already read.
 * @throws ServiceError `not_found`, `message_too_large`
 */
export async function storeFiles(
  ports: MessagePorts,
  scope: Scope,
  inputs: readonly AttachmentInput[],
  ready: readonly ComposeAttachment[] = [],
): Promise<StoredFile[]> {
  const files = [...(await readFiles(ports, scope, inputs)), ...ready.map(readyFile)]
  requireSize(files.reduce((sum, file) => sum + file.size, 0))
  const store = async (file: StoredFile) => ({
    ...file,
    ...(file.raw && (await storeOriginal(ports, file.raw))),
  })
  return Promise.all(files.map(store))
}

async function openStoredFile(ports: MessagePorts, file: StoredFile): Promise<ComposeAttachment> {
  const content = await readStored(ports, file)
  if (!content) throw refuse('internal_error', `The file ${file.filename} is missing from the store.`)
  const { filename, content_type: contentType, content_id } = file
  return { filename, contentType, content, ...(content_id !== null && { contentId: content_id }) }
}

/** Reads stored files for sending. @throws ServiceError `internal_error` if one was lost */
export const openStored = (ports: MessagePorts, files: readonly StoredFile[]): Promise<ComposeAttachment[]> =>
  Promise.all(files.map((file) => openStoredFile(ports, file)))

/** Reads the files of a message that is sent now. @throws ServiceError `not_found`, `message_too_large` */
export async function openFiles(
  ports: MessagePorts,
  scope: Scope,
  inputs: readonly AttachmentInput[],
): Promise<ComposeAttachment[]> {
  return openStored(ports, await readFiles(ports, scope, inputs))
}
