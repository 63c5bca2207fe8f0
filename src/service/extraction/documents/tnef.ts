import { decodeText } from '../../../mail/charsets/charset'
import { ExtractionFailure } from '../parts/extracted'
import { messageText } from '../parts/message-text'

/** Attributes of a `winmail.dat` by their ids (`MS-OXTNEF` section 2.1.3.3). */
const attribute = { body: 0x2800c, subject: 0x18004, file: 0x69002, title: 0x18010, data: 0x6800f }
const recordHeadBytes = 9
const checksumBytes = 2
const maxFiles = 1_000

/** Returns whether bytes are a `winmail.dat` of Outlook. */
export const isTnef = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x78 && bytes[1] === 0x9f && bytes[2] === 0x3e && bytes[3] === 0x22

const textOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0)
  return decodeText(end < 0 ? bytes : bytes.subarray(0, end), null)
}

/** Reads a `winmail.dat`: its subject, its plain text, and a list of its files. */
export function readTnef(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const texts = new Map<number, string>()
  const files: { name: string; size: number }[] = []
  let at = 6
  while (at + recordHeadBytes <= bytes.length && files.length < maxFiles) {
    const id = view.getUint32(at + 1, true)
    const size = view.getUint32(at + 5, true)
    const content = bytes.subarray(at + recordHeadBytes, at + recordHeadBytes + size)
    const file = files.at(-1)
    if (id === attribute.file) files.push({ name: 'unnamed', size: 0 })
    else if (id === attribute.title && file) file.name = textOf(content)
    else if (id === attribute.data && file) file.size = content.length
    else if (id === attribute.body || id === attribute.subject) texts.set(id, textOf(content))
    at += recordHeadBytes + size + checksumBytes
  }
  const text = messageText({
    fields: [['Subject', texts.get(attribute.subject) ?? '']],
    text: texts.get(attribute.body) ?? '',
    files,
  })
  if (text === '') throw new ExtractionFailure('unsupported')
  return text
}
