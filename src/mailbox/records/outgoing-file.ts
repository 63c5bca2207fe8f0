import { readFile } from '#files'
import { abortable } from '../../client/abort'
import type { Client } from '../../client/client'
import { typeOfFilename } from '../../mail/mime/file-type'
import { isRestanteError, UsageError } from '../../protocol/errors/error'
import { checkOptions, type OptionNames } from '../../protocol/options'
import { maxUploadBytes } from '../../protocol/records/upload-limit'
import type { RouteInput } from '../../protocol/routes/route'
import type { Routes } from '../../protocol/routes/routes'
import { chunksOf, encodeBase64, joinChunks } from '../base/bytes'

/** Bytes or their source: text is sent as UTF-8, and a stream is read to its end, once. */
export type AttachmentContent =
  | string
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>

/** A file to send: its content, or its path on this machine. */
export type OutgoingAttachment = {
  /** Default: the name of the `File`, or the last part of `path`. */
  filename?: string | undefined
  /** Such as `text/calendar; method=REQUEST`. Default: the type of the `Blob`, or by the file name. */
  contentType?: string | undefined
  /** For an inline image: the `cid:` in the HTML. */
  contentId?: string | undefined
} & ({ content: AttachmentContent; path?: undefined } | { path: string | URL; content?: undefined })

const attachmentNames: OptionNames<OutgoingAttachment> = {
  filename: true,
  content: true,
  path: true,
  contentType: true,
  contentId: true,
}

type WireAttachment = NonNullable<RouteInput<Routes['messages']['send']>['attachments']>[number]

/**
 * Largest file that is sent in the request of the message, in bytes. A larger one is uploaded first: it needs
 * no base64, and a retry of the send does not transfer it again.
 */
const maxInlineBytes = 512 * 1024

const encoder = new TextEncoder()

const tooLarge = (name: string): UsageError =>
  new UsageError(
    'attachment_too_large',
    `the attachment ${name} is over ${maxUploadBytes / 1024 / 1024} MiB, which is too large for email: send a link to it`,
  )

const bytesOf = async (content: AttachmentContent, name: string): Promise<Uint8Array> => {
  if (typeof content === 'string') return encoder.encode(content)
  if (content instanceof Uint8Array) return content
  if (content instanceof ArrayBuffer) return new Uint8Array(content)
  if (content instanceof Blob && content.size > maxUploadBytes) throw tooLarge(name)
  if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer())
  if (!(Symbol.asyncIterator in Object(content) || 'getReader' in Object(content)))
    throw new UsageError(
      'invalid_options',
      `the attachment ${name} needs content (text, bytes, a stream) or a path`,
    )
  const chunks = 'getReader' in content ? chunksOf(content) : content
  return joinChunks(chunks, maxUploadBytes, () => tooLarge(name))
}

const bytesIn = async (path: string | URL, name: string): Promise<Uint8Array> => {
  try {
    return await readFile(path, maxUploadBytes)
  } catch (cause) {
    if (isRestanteError(cause)) throw cause
    const message = `the attachment ${name} could not be read from ${path}: ${(cause as Error).message}`
    throw new UsageError('unreadable_attachment', message, { cause })
  }
}

/** Returns the type of a file, from its `Blob` or its name. A text from a string is UTF-8. */
function typeOf({ content, contentType }: OutgoingAttachment, filename: string): string | undefined {
  const type = contentType ?? ((content instanceof Blob && content.type) || typeOfFilename(filename))
  const isOurs = typeof content === 'string' && type?.startsWith('text/') && !/;\s*charset=/i.test(type)
  return isOurs ? `${type}; charset=utf-8` : type
}

const nameOf = ({ filename, path, content }: OutgoingAttachment): string => {
  const parts = path === undefined ? [] : String(path).split(/[\\/]/)
  const last = path instanceof URL ? decodeURIComponent(parts.at(-1)!) : parts.at(-1)
  const name = filename ?? last ?? (content as Partial<File>).name
  if (typeof name === 'string' && name !== '') return name
  throw new UsageError(
    'invalid_options',
    'an attachment needs a filename, such as { filename: "a.pdf", content }',
  )
}

/** Options of {@link attachmentFields}. */
interface HandOverOptions {
  signal?: AbortSignal | undefined
  /** Sends files in the request of the message, whatever their size. */
  inline?: boolean
}

const toWire = async (
  client: Client,
  attachment: OutgoingAttachment,
  { signal, inline = false }: HandOverOptions,
): Promise<WireAttachment> => {
  checkOptions('an attachment', attachment, attachmentNames)
  const { path, content, contentId: content_id } = attachment
  const filename = nameOf(attachment)
  const reading = path === undefined ? bytesOf(content, filename) : bytesIn(path, filename)
  const bytes = await abortable(reading, signal)
  if (bytes.length > maxUploadBytes) throw tooLarge(filename)
  const content_type = typeOf(attachment, filename)
  if (inline || bytes.length <= maxInlineBytes)
    return { filename, content_base64: encodeBase64(bytes), content_type, content_id }
  const { id } = await client.uploads.create({ filename, content: bytes, content_type }, { signal })
  return { filename, upload_id: id, content_type, content_id }
}

/**
 * Converts files for the wire, one after the other, so that only one is in memory twice.
 *
 * @throws UsageError `invalid_options`, `unreadable_attachment`, `attachment_too_large`, `no_files`; the
 *   error of a stream; ServiceError, NetworkError of an upload
 */
export const attachmentFields = async (
  client: Client,
  attachments: readonly OutgoingAttachment[],
  options: HandOverOptions,
): Promise<WireAttachment[]> => {
  const wire: WireAttachment[] = []
  for (const attachment of attachments) wire.push(await toWire(client, attachment, options))
  return wire
}
