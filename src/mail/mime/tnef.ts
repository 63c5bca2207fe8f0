import { decodeText } from '../charsets/charset'
import { typeOfFilename } from './file-type'
import type { MimePart } from './mime-part'
import { contentOf } from './part-content'

/** Attributes of a `winmail.dat` by their ids (`MS-OXTNEF` section 2.1.3.3). */
const attribute = { body: 0x2800c, subject: 0x18004, file: 0x69002, title: 0x18010, data: 0x6800f }
const recordHeadBytes = 9
const checksumBytes = 2
const maxFiles = 100

/** Content of a `winmail.dat`. */
export interface Tnef {
  subject: string
  text: string
  files: { name: string | null; content: Uint8Array }[]
}

/** Returns whether bytes are a `winmail.dat` of Outlook. */
export const isTnef = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x78 && bytes[1] === 0x9f && bytes[2] === 0x3e && bytes[3] === 0x22

const textOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0)
  return decodeText(end < 0 ? bytes : bytes.subarray(0, end), null)
}

/** Reads a `winmail.dat`: its subject, its plain text, and its files. One pass; never throws. */
export function readTnef(bytes: Uint8Array): Tnef {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: Tnef = { subject: '', text: '', files: [] }
  let at = 6
  while (at + recordHeadBytes <= bytes.length) {
    const id = view.getUint32(at + 1, true)
    const size = view.getUint32(at + 5, true)
    const content = bytes.subarray(at + recordHeadBytes, at + recordHeadBytes + size)
    const file = found.files.at(-1)
    if (id === attribute.file && found.files.length === maxFiles) break
    if (id === attribute.file) found.files.push({ name: null, content: new Uint8Array(0) })
    else if (id === attribute.title && file) file.name = textOf(content)
    else if (id === attribute.data && file) file.content = content
    else if (id === attribute.body) found.text = textOf(content)
    else if (id === attribute.subject) found.subject = textOf(content)
    at += recordHeadBytes + size + checksumBytes
  }
  return found
}

/** Returns the files in a part that is a `winmail.dat`, as parts; none for any other part. */
export function filesOfTnef(part: MimePart): MimePart[] {
  const isDeclared =
    /^application\/(?:vnd\.)?ms-tnef$/.test(part.type) || /^winmail\.dat$/i.test(part.name ?? '')
  const bytes = isDeclared ? contentOf(part) : new Uint8Array(0)
  if (!isTnef(bytes)) return []
  return readTnef(bytes).files.map(({ name, content }) => ({
    ...part,
    ...{ type: typeOfFilename(name ?? '') ?? 'application/octet-stream', typeField: '', charset: null },
    ...{ disposition: 'attachment', encoding: 'identity', name, contentId: null, body: content, parts: [] },
  }))
}
