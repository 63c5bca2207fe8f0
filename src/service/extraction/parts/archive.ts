import { gunzipSync } from 'node:zlib'
import { filenameOf, type ParsedAttachment } from '../../../mail/mime/attachment'
import { typeOfFilename } from '../../../mail/mime/file-type'
import { ExtractionFailure } from './extracted'
import { listingOf } from './markdown-writer'
import type { Pages } from './pages'
import { type ArchiveFile, filesOfTar, isTar } from './tar'
import type { Zip } from './zip'

const maxGunzippedBytes = 64 * 1024 * 1024
/** Files of an archive that are attachments; its list names more. */
const maxFiles = 200

/** Returns the files of a ZIP archive, without folders. */
export const filesOfZip = (zip: Zip): ArchiveFile[] =>
  zip.members
    .filter(({ name }) => !name.endsWith('/'))
    .map((member) => ({ name: member.name, size: member.size, read: () => zip.read(member) }))

/** Returns the files of a compressed TAR archive. @throws ExtractionFailure `unsupported` for other content */
export function filesOfGzip(bytes: Uint8Array): ArchiveFile[] {
  const content = gunzipSync(bytes, { maxOutputLength: maxGunzippedBytes })
  if (!isTar(content)) throw new ExtractionFailure('unsupported')
  return filesOfTar(content)
}

const attachmentOf = ({ name, size }: ArchiveFile, index: number): ParsedAttachment => ({
  index,
  filename: filenameOf(name),
  contentType: typeOfFilename(name) ?? 'application/octet-stream',
  size,
  inline: false,
  contentId: null,
})

/** Adds the list of the files of an archive as a page. */
export function addArchive(files: readonly ArchiveFile[], pages: Pages): void {
  pages.add(listingOf(files))
  pages.files = files.slice(0, maxFiles).map(attachmentOf)
}
