import { typeOfFilename } from '../../mail/mime/file-type'
import { parseMail, readAttachments } from '../../mail/parse'
import { loadLater } from '../base/load-later'
import type { FileHints, FileWithin, OpenedMail } from '../ports'
import { binaryFormatOf, messageKindOf } from './detect'
import { filesOfGzip, filesOfZip } from './parts/archive'
import { failureOf } from './parts/extracted'
import { type ArchiveFile, filesOfTar } from './parts/tar'
import { Zip } from './parts/zip'

const loadOutlook = loadLater(() => import('#outlook'))

/** UTF-16 code units of the text and of the HTML of an attached message. */
const maxBodyLength = 512 * 1024

/** Returns the message that a file is, as RFC 5322; null for any other file. */
export async function mailIn(bytes: Uint8Array, hints: FileHints): Promise<Uint8Array | null> {
  const kind = messageKindOf(bytes, hints)
  if (kind === 'msg') return (await loadOutlook()).mailOfOutlook(bytes)
  if (kind === 'winmail') return (await loadOutlook()).mailOfWinmail(bytes)
  return kind === 'message' ? bytes : null
}

/** Opens a file that is a message; any other file is `unsupported`. */
export async function openMessage(bytes: Uint8Array, hints: FileHints): Promise<OpenedMail> {
  try {
    const mail = await mailIn(bytes, hints)
    return mail
      ? { status: 'ready', mail: await parseMail(mail, { maxBodyLength }) }
      : { status: 'unsupported' }
  } catch (error) {
    return { status: failureOf(error) }
  }
}

function filesOfArchive(bytes: Uint8Array): ArchiveFile[] {
  const kind = binaryFormatOf(bytes)
  if (kind === 'zip') return filesOfZip(new Zip(bytes))
  if (kind === 'gzip') return filesOfGzip(bytes)
  return kind === 'tar' ? filesOfTar(bytes) : []
}

/** Returns a file in an archive or a message. Takes time and memory as `extractFile`. */
export async function readFileWithin(
  bytes: Uint8Array,
  hints: FileHints,
  index: number,
): Promise<FileWithin> {
  try {
    const mail = await mailIn(bytes, hints)
    const [found] = mail ? await readAttachments(mail, [index]) : []
    if (found) return { status: 'ready', contentType: found.contentType, content: found.content }
    const file = mail ? undefined : filesOfArchive(bytes)[index]
    if (!file) return { status: 'unreadable' }
    const contentType = typeOfFilename(file.name) ?? 'application/octet-stream'
    return { status: 'ready', contentType, content: await file.read() }
  } catch (error) {
    return { status: failureOf(error) }
  }
}
