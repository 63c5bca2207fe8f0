import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

/** CRC-32 by a table, since Node 20 has none. */
const crcTable = Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})
const crcOf = (bytes: Uint8Array): number => {
  if (typeof crc32 === 'function') return crc32(bytes)
  let crc = 0xffffffff
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** Makes a ZIP archive of members by name. `flags` 1 marks them as encrypted. */
export function zipOf(members: Record<string, string | Buffer>, flags = 0): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(members)) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crcOf(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, Buffer.from(name)]),
    )
    parts.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** Makes a PDF: each page is a list of texts at places, or a scan if it is null. */
export function pdfOf(
  pages: ([x: number, y: number, text: string, size?: number][] | null)[],
  more: string[] = [],
): Buffer {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  pages.forEach((texts, at) => {
    const stream = (texts ?? [])
      .map(
        ([x, y, text, size = 12]) =>
          `BT /F1 ${size} Tf ${x} ${y} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`,
      )
      .join('\n')
    const resources = '/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 595 842]'
    objects.push(`<< /Type /Page /Parent 2 0 R ${resources} /Contents ${5 + at * 2} 0 R >>`)
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`)
  })
  objects.push(...more)
  let text = '%PDF-1.4\n'
  const offsets: number[] = []
  objects.forEach((object, at) => {
    offsets.push(text.length)
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
  })
  const start = text.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`
  return Buffer.from(text, 'latin1')
}

/** RC4, which Node's OpenSSL no longer has. */
function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, at) => at)
  const swap = (one: number, other: number) => {
    ;[state[one], state[other]] = [state[other]!, state[one]!]
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return bytes.map((byte) => {
    i = (i + 1) & 255
    j = (j + state[i]!) & 255
    swap(i, j)
    return byte ^ state[(state[i]! + state[j]!) & 255]!
  }) as Buffer
}

const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest()
const passwordPadding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** Makes a PDF of one line that a password opens (ISO 32000-1 section 7.6, revision 2). */
export function lockedPdfOf(line: string, password: string): Buffer {
  const padded = Buffer.concat([Buffer.from(password), passwordPadding]).subarray(0, 32)
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const id = Buffer.alloc(16, 7)
  const key = md5(padded, owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), id).subarray(0, 5)
  const user = rc4(key, passwordPadding)
  const content = Buffer.from(`BT /F1 12 Tf 50 700 Td (${line}) Tj ET`)
  const stream = rc4(md5(key, Buffer.from([5, 0, 0, 0, 0])).subarray(0, 10), content)
  const lock = `/Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 595 842] /Contents 5 0 R >>',
    `<< /Length ${stream.length} >>\nstream\n${stream.toString('latin1')}\nendstream`,
    `<< ${lock} >>`,
  ].map((body, at) => `${at + 1} 0 obj\n${body}\nendobj\n`)
  const trailer = `trailer\n<< /Root 1 0 R /Encrypt 6 0 R /ID [<${id.toString('hex')}> <${id.toString('hex')}>] >>\n%%EOF`
  return Buffer.from(`%PDF-1.4\n${objects.join('')}${trailer}`, 'latin1')
}

const relation = (id: string, target: string, more = '') =>
  `<Relationship Id="${id}" Type="t" Target="${target}"${more}/>`
export const relationsOf = (...relations: [id: string, target: string, more?: string][]): string =>
  `<Relationships xmlns="r">${relations.map((one) => relation(...one)).join('')}</Relationships>`

/** Makes a Word document of the XML of its body. */
export const docxOf = (body: string, more: Record<string, string> = {}): Buffer =>
  zipOf({
    'word/document.xml': `<w:document xmlns:w="w" xmlns:r="r"><w:body>${body}</w:body></w:document>`,
    ...more,
  })

/** Makes a workbook of the XML of the rows of each sheet. */
export const xlsxOf = (
  sheets: Record<string, string>,
  { states = {}, more = {} }: { states?: Record<string, string>; more?: Record<string, string> } = {},
): Buffer => {
  const names = Object.keys(sheets)
  const listed = names.map(
    (name, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" state="${states[name] ?? 'visible'}" r:id="rId${at}"/>`,
  )
  return zipOf({
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsOf(
      ...names.map((_, at): [string, string] => [`rId${at}`, `worksheets/sheet${at}.xml`]),
    ),
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  })
}
