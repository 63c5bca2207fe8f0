import { estimateTokens } from '../../mail/prompt/token-estimate'
import { loadLater } from '../base/load-later'
import type { Extraction, FileHints } from '../ports'
import {
  binaryFormatOf,
  decodeFile,
  messageKindOf,
  oleFormatOf,
  textFormatOf,
  type ZipFormat,
  zipFormatOf,
} from './detect'
import { readDocx } from './documents/docx'
import { readEpub } from './documents/epub'
import { htmlPage } from './documents/html'
import { readNestedMessage } from './documents/message'
import { readOdt } from './documents/odt'
import { readPptx } from './documents/pptx'
import { readRtf } from './documents/rtf'
import { mailIn } from './open'
import { addArchive, filesOfGzip, filesOfZip } from './parts/archive'
import { ExtractionFailure, failureOf, withoutText } from './parts/extracted'
import { Pages } from './parts/pages'
import { filesOfTar } from './parts/tar'
import { Zip } from './parts/zip'
import { readCsv } from './sheets/csv'
import { readOds } from './sheets/ods'
import { readXlsx } from './sheets/xlsx'

const loadPdf = loadLater(() => import('#pdf'))

/** Reader of a format; returns the name of the format. */
type Read = (bytes: Uint8Array, hints: FileHints, pages: Pages) => Promise<string>

const documents: Record<Exclude<ZipFormat, 'zip'>, (zip: Zip, pages: Pages) => Promise<void>> = {
  ...{ docx: readDocx, pptx: readPptx, xlsx: readXlsx, odt: readOdt, ods: readOds, epub: readEpub },
}

const readZip: Read = async (bytes, _hints, pages) => {
  const zip = new Zip(bytes)
  const format = await zipFormatOf(zip)
  if (format !== 'zip') await documents[format](zip, pages)
  else {
    addArchive(filesOfZip(zip), pages)
    if (zip.isCut) pages.isCut = true
  }
  return format
}

const readMail: Read = async (bytes, hints, pages) => {
  const mail = await mailIn(bytes, hints)
  const { text, files } = await readNestedMessage(mail!, mailIn)
  if (text === '') throw new ExtractionFailure('unsupported')
  pages.add(text)
  pages.files = files
  return messageKindOf(bytes, hints)!
}

const readText: Read = async (bytes, hints, pages) => {
  const text = decodeFile(bytes, hints.contentType)
  const format = textFormatOf(text, hints)
  if (format === 'html') pages.add(htmlPage(text, pages.left))
  else if (format === 'csv') readCsv(text, hints.filename, pages)
  // A line may be folded (RFC 6350 section 3.2), and a photo is no text.
  else if (format === 'vcard')
    pages.add(text.replace(/\r?\n[ \t]/g, '').replace(/^(?:photo|logo|key)[;:].*$/gim, ''))
  else pages.add(text)
  return format
}

const readers: Record<Exclude<ReturnType<typeof binaryFormatOf>, null | 'winmail'>, Read> = {
  pdf: async (bytes, { password }, pages) => {
    const { readPdf } = await loadPdf()
    await readPdf(bytes, password, pages)
    return 'pdf'
  },
  zip: readZip,
  ole: async (bytes) => {
    throw new ExtractionFailure(oleFormatOf(bytes) === 'encrypted' ? 'encrypted' : 'unsupported')
  },
  rtf: async (bytes, _hints, pages) => {
    readRtf(bytes, pages)
    return 'rtf'
  },
  gzip: async (bytes, _hints, pages) => {
    addArchive(filesOfGzip(bytes), pages)
    return 'tar'
  },
  tar: async (bytes, _hints, pages) => {
    addArchive(filesOfTar(bytes), pages)
    return 'tar'
  },
  picture: async () => {
    throw new ExtractionFailure('needs_ocr')
  },
  binary: async () => {
    throw new ExtractionFailure('unsupported')
  },
}

/** Finds the reader of a file, and the format if the first bytes decide it. */
function readerOf(bytes: Uint8Array, hints: FileHints): { read: Read; format: string | null } {
  const message = messageKindOf(bytes, hints)
  if (message !== null) return { read: readMail, format: message }
  const kind = binaryFormatOf(bytes)
  if (kind === null || kind === 'winmail') return { read: readText, format: null }
  return { read: readers[kind], format: kind === 'zip' || kind === 'ole' ? null : kind }
}

/**
 * Reads the text of a file. Its content decides the format, not its name. It takes time and memory without a
 * bound: run it in a process that may be killed.
 */
export async function extractFile(bytes: Uint8Array, hints: FileHints): Promise<Extraction> {
  const pages = new Pages()
  const reader = readerOf(bytes, hints)
  try {
    const format = await reader.read(bytes, hints, pages)
    const pageCount = Math.max(pages.total, pages.texts.length)
    const isCut = pages.isCut || pages.texts.length < pageCount
    const tokens = pages.texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    const { texts, files } = pages
    return { status: 'ready', format, pages: texts, pageCount, isCut, tokens, ...(files && { files }) }
  } catch (error) {
    return { ...withoutText(failureOf(error)), format: reader.format, pageCount: pages.total }
  }
}
