import { readTnef } from '../../../mail/mime/tnef'
import { ExtractionFailure } from '../parts/extracted'
import { messageText } from '../parts/message-text'

/** Reads a `winmail.dat`: its subject, its plain text, and a list of its files. */
export function readWinmail(bytes: Uint8Array): string {
  const { subject, text, files } = readTnef(bytes)
  const written = messageText({
    fields: [['Subject', subject]],
    text,
    files: files.map(({ name, content }) => ({ name: name ?? 'unnamed', size: content.length })),
  })
  if (written === '') throw new ExtractionFailure('unsupported')
  return written
}
