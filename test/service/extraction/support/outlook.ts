import { createRequire } from 'node:module'
import type { Entry } from '@kenjiuno/msgreader/lib/Burner'

const { burn } = createRequire(import.meta.url)('@kenjiuno/msgreader/lib/Burner') as {
  burn(entries: Entry[]): Uint8Array
}
const [directory, document, root] = [1, 2, 5]

/** Message that a test writes as a program of Microsoft does. */
export interface OutlookMail {
  subject: string
  body?: string
  html?: string
  from?: { name: string; address: string }
  to?: { name: string; address: string }[]
  headers?: string
  files?: { name: string; content: Buffer | OutlookMail; contentId?: string }[]
}

type Folder = { [name: string]: Buffer | Folder }

const streams = (texts: Record<string, string | undefined>): Folder =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([id, text]) =>
      text === undefined ? [] : [[`__substg1.0_${id}001F`, Buffer.from(text, 'utf16le')]],
    ),
  )

const numbers = (headBytes: number, values: Record<number, number>): Folder => {
  const entries = Object.entries(values).map(([id, value]) => {
    const entry = Buffer.alloc(16)
    entry.writeUInt32LE(Number(id) * 0x10000 + 3, 0)
    entry.writeUInt32LE(6, 4)
    entry.writeUInt32LE(value, 8)
    return entry
  })
  return { '__properties_version1.0': Buffer.concat([Buffer.alloc(headBytes), ...entries]) }
}

const numbered = (kind: string, at: number) => `__${kind}_version1.0_#${String(at).padStart(8, '0')}`

function folderOf(mail: OutlookMail, headBytes: number): Folder {
  const { from, to = [], files = [] } = mail
  const texts = {
    ...{ '0037': mail.subject, '1000': mail.body, '1013': mail.html, '007D': mail.headers },
    ...{ '0C1A': from?.name, '5D01': from?.address },
  }
  const recipients = to.map(({ name, address }, at) => [
    numbered('recip', at),
    { ...numbers(8, { 3093: 1 }), ...streams({ '3001': name, '39FE': address }) },
  ])
  const attachments = files.map(({ name, content, contentId }, at) => [
    numbered('attach', at),
    {
      ...numbers(8, { 14085: Buffer.isBuffer(content) ? 1 : 5 }),
      ...streams({ '3707': name, '3001': name, '3712': contentId }),
      ...(Buffer.isBuffer(content)
        ? { '__substg1.0_37010102': content }
        : { '__substg1.0_3701000D': folderOf(content, 24) }),
    },
  ])
  return {
    ...numbers(headBytes, {}),
    ...streams(texts),
    ...Object.fromEntries([...recipients, ...attachments]),
  }
}

/** Makes a `.msg` file. */
export function msgOf(mail: OutlookMail): Buffer {
  const entries: Entry[] = [{ name: 'Root Entry', type: root, length: 0, children: [] }]
  const add = (folder: Folder, parent: Entry) => {
    for (const [name, content] of Object.entries(folder)) {
      const isFile = Buffer.isBuffer(content)
      const entry: Entry = isFile
        ? { name, type: document, length: content.length, binaryProvider: () => Array.from(content) }
        : { name, type: directory, length: 0, children: [] }
      parent.children!.push(entries.push(entry) - 1)
      if (!isFile) add(content, entry)
    }
  }
  add(folderOf(mail, 32), entries[0]!)
  return Buffer.from(burn(entries))
}

const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const padded = (bytes: Buffer) =>
  Buffer.concat([number(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

/** Properties of TNEF: texts by id, and bytes by id as objects. */
function properties(
  texts: Record<number, string | undefined>,
  objects: Record<number, Buffer> = {},
  numbers: Record<number, number> = {},
): Buffer {
  const given = Object.entries(texts).filter(([, text]) => text !== undefined)
  return Buffer.concat([
    number(given.length + Object.keys(objects).length + Object.keys(numbers).length),
    ...given.map(([id, text]) =>
      Buffer.concat([
        number(Number(id) * 0x10000 + 0x1f),
        number(1),
        padded(Buffer.from(`${text}\0`, 'utf16le')),
      ]),
    ),
    ...Object.entries(objects).map(([id, bytes]) =>
      Buffer.concat([number(Number(id) * 0x10000 + 0x0d), number(1), padded(bytes)]),
    ),
    ...Object.entries(numbers).map(([id, value]) =>
      Buffer.concat([number(Number(id) * 0x10000 + 3), number(value)]),
    ),
  ])
}

const record = (level: number, id: number, content: Buffer) =>
  Buffer.concat([Buffer.from([level]), number(id), number(content.length), content, Buffer.alloc(2)])

/** Makes a `winmail.dat`. */
export function tnefOf(mail: OutlookMail): Buffer {
  const { from, to = [], files = [] } = mail
  const texts = {
    ...{ 55: mail.subject, 4096: mail.body, 4115: mail.html },
    ...{ 3098: from?.name, 23809: from?.address },
  }
  const rows = to.map(({ name, address }) => properties({ 12289: name, 14846: address }, {}, { 3093: 1 }))
  const attached = files.flatMap(({ name, content, contentId }) => {
    const isFile = Buffer.isBuffer(content)
    const inner: Record<number, Buffer> = isFile
      ? {}
      : { 14081: Buffer.concat([Buffer.alloc(16), tnefOf(content)]) }
    return [
      record(2, 0x69002, Buffer.alloc(14)),
      ...(isFile ? [record(2, 0x6800f, content)] : []),
      record(2, 0x69005, properties({ 14087: name, 14098: contentId }, inner)),
    ]
  })
  return Buffer.concat([
    Buffer.from([0x78, 0x9f, 0x3e, 0x22, 0, 0]),
    record(1, 0x69003, properties(texts)),
    record(1, 0x69004, Buffer.concat([number(rows.length), ...rows])),
    ...attached,
  ])
}
