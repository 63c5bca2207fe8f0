import { decodeText } from '../charsets/charset'
import { typeOfFilename } from './file-type'
import { type MapiProperties, MapiReader, mapi } from './mapi'
import type { MimePart } from './mime-part'
import { contentOf } from './part-content'

/** Attributes of a `winmail.dat` by their ids (`MS-OXTNEF` section 2.1.3.3). */
const attribute = {
  ...{ subject: 0x18004, body: 0x2800c },
  ...{ properties: 0x69003, recipients: 0x69004, charset: 0x69007 },
  ...{ file: 0x69002, title: 0x18010, data: 0x6800f, fileProperties: 0x69005 },
}
const recordHeadBytes = 9
const checksumBytes = 2
const maxFiles = 100
const maxRecipients = 1_000
/** Id of the interface before a message that is a file. */
const interfaceBytes = 16
/** Type of an inner message. As `application/ms-tnef`, its files would be listed a second time. */
const messageType = 'application/vnd.ms-outlook'

interface Person {
  name: string
  address: string
}

/** File in a `winmail.dat`. */
interface TnefFile {
  name: string | null
  type: string
  contentId: string | null
  content: Uint8Array
}

/** Content of a `winmail.dat`. Fields without a value are empty. */
export interface Tnef {
  from: Person
  to: Person[]
  cc: Person[]
  /** As in a Date field. */
  date: string
  subject: string
  messageId: string
  text: string
  html: string | Uint8Array | undefined
  /** Compressed rich text. */
  rtf: Uint8Array | undefined
  files: TnefFile[]
}

/** Returns whether bytes are a `winmail.dat` of Outlook. */
export const isTnef = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x78 && bytes[1] === 0x9f && bytes[2] === 0x3e && bytes[3] === 0x22

const textIn = (properties: MapiProperties, ...ids: number[]): string => {
  const found = ids.map((id) => properties.get(id)).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : ''
}

const bytesIn = (properties: MapiProperties, id: number): Uint8Array | undefined => {
  const value = properties.get(id)
  return value instanceof Uint8Array ? value : undefined
}

function dateIn(properties: MapiProperties): string {
  const time = properties.get(mapi.submitTime) ?? properties.get(mapi.deliveryTime)
  return time instanceof Date && !Number.isNaN(time.getTime()) ? time.toUTCString() : ''
}

/** Reads the attributes of a `winmail.dat` in one pass. */
class TnefReader {
  readonly files: (TnefFile & { properties: MapiProperties })[] = []
  subject = ''
  text = ''
  properties: MapiProperties = new Map()
  recipients: MapiProperties[] = []
  #charset = 'windows-1252'

  #textOf(bytes: Uint8Array): string {
    const end = bytes.indexOf(0)
    return decodeText(end < 0 ? bytes : bytes.subarray(0, end), null)
  }

  #readRecipients(content: Uint8Array): void {
    const reader = new MapiReader(content, this.#charset)
    const count = content.length < 4 ? 0 : Math.min(reader.number(), maxRecipients)
    for (let row = 0; row < count; row++) this.recipients.push(reader.properties())
  }

  /** Returns false for a file that is one too many. */
  take(id: number, content: Uint8Array): boolean {
    const file = this.files.at(-1)
    if (id === attribute.file) {
      if (this.files.length === maxFiles) return false
      const empty = { name: null, type: '', contentId: null, content: new Uint8Array(0) }
      this.files.push({ ...empty, properties: new Map() })
    } else if (id === attribute.title && file) file.name = this.#textOf(content)
    else if (id === attribute.data && file) file.content = content
    else if (id === attribute.fileProperties && file)
      file.properties = new MapiReader(content, this.#charset).properties()
    else if (id === attribute.body) this.text = this.#textOf(content)
    else if (id === attribute.subject) this.subject = this.#textOf(content)
    else if (id === attribute.recipients) this.#readRecipients(content)
    else if (id === attribute.properties)
      this.properties = new MapiReader(content, this.#charset).properties()
    else if (id === attribute.charset && content.length >= 4)
      this.#charset = `windows-${new DataView(content.buffer, content.byteOffset).getUint32(0, true)}`
    return true
  }
}

function fileOf({ name, content, properties }: TnefReader['files'][number]): TnefFile {
  const inner = bytesIn(properties, mapi.data)?.subarray(interfaceBytes)
  const isMessage = content.length === 0 && inner !== undefined && isTnef(inner)
  const named = textIn(properties, mapi.filename) || name || textIn(properties, mapi.displayName) || null
  const type = isMessage ? messageType : (typeOfFilename(named ?? '') ?? 'application/octet-stream')
  const contentId = textIn(properties, mapi.contentId) || null
  return { name: named, type, contentId, content: isMessage ? inner : content }
}

/** Reads a `winmail.dat`: a message and its files. One pass; never throws. */
export function readTnef(bytes: Uint8Array): Tnef {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reader = new TnefReader()
  let at = 6
  while (at + recordHeadBytes <= bytes.length) {
    const id = view.getUint32(at + 1, true)
    const size = view.getUint32(at + 5, true)
    const start = at + recordHeadBytes
    if (!reader.take(id, bytes.subarray(start, start + size))) break
    at = start + size + checksumBytes
  }
  const { properties, recipients } = reader
  const ofType = (type: number) =>
    recipients
      .filter((one) => one.get(mapi.recipientType) === type)
      .map((one) => ({
        name: textIn(one, mapi.displayName),
        address: textIn(one, mapi.smtpAddress, mapi.address),
      }))
  const html = properties.get(mapi.html)
  return {
    from: {
      name: textIn(properties, mapi.senderName),
      address: textIn(properties, mapi.senderSmtpAddress, mapi.senderAddress),
    },
    ...{ to: ofType(1), cc: ofType(2), date: dateIn(properties) },
    subject: textIn(properties, mapi.subject) || reader.subject,
    messageId: textIn(properties, mapi.messageId),
    text: textIn(properties, mapi.body) || reader.text,
    html: typeof html === 'string' || html instanceof Uint8Array ? html : undefined,
    rtf: bytesIn(properties, mapi.rtf),
    files: reader.files.map(fileOf),
  }
}

/** Returns the files in a part that is a `winmail.dat`, as parts; none for any other part. */
export function filesOfTnef(part: MimePart): MimePart[] {
  const isDeclared =
    /^application\/(?:vnd\.)?ms-tnef$/.test(part.type) || /^winmail\.dat$/i.test(part.name ?? '')
  const bytes = isDeclared ? contentOf(part) : new Uint8Array(0)
  if (!isTnef(bytes)) return []
  return readTnef(bytes).files.map(({ name, type, content }) => ({
    ...part,
    ...{ type, typeField: '', charset: null },
    ...{ disposition: 'attachment', encoding: 'identity', name, contentId: null, body: content, parts: [] },
  }))
}
