import { gunzipSync } from 'node:zlib'
import { estimateTokens } from '../../mail/prompt/token-estimate'
import { loadLater } from '../base/load-later'
import type { Extraction, FileHints } from '../ports'
import { binaryFormatOf, decodeFile, oleFormatOf, textFormatOf, type ZipFormat, zipFormatOf } from './detect'
import { readDocx } from './documents/docx'
import { readEpub } from './documents/epub'
import { htmlPage } from './documents/html'
import { readNestedMessage } from './documents/message'
import { readOdt } from './documents/odt'
import { readPptx } from './documents/pptx'
import { readRtf } from './documents/rtf'
import { readWinmail } from './documents/winmail'
import { ExtractionFailure, withoutText } from './parts/extracted'
import { listingOf } from './parts/markdown-writer'
import { Pages } from './parts/pages'
import { isTar, listTar } from './parts/tar'
import { Zip } from './parts/zip'
import { readCsv } from './sheets/csv'
import { readOds } from './sheets/ods'
import { readXlsx } from './sheets/xlsx'

const loadPdf = loadLater(() => import('#pdf'))
const loadOutlook = loadLater(() => import('#outlook'))

const maxGunzippedBytes = 64 * 1024 * 1024

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
    pages.add(listingOf(zip.members.filter(({ name }) => !name.endsWith('/'))))
    if (zip.isCut) pages.isCut = true
  }
  return format
}

const readOle: Read = async (bytes, _hints, pages) => {
  const format = oleFormatOf(bytes)
  if (format === 'encrypted') throw new ExtractionFailure('encrypted')
  if (format === 'other') throw new ExtractionFailure('unsupported')
  const { readOutlookMessage } = await loadOutlook()
  pages.add(readOutlookMessage(bytes))
  return 'msg'
}

const readText: Read = async (bytes, hints, pages) => {
  const text = decodeFile(bytes, hints.contentType)
  const format = textFormatOf(text, hints)
  if (format === 'html') pages.add(htmlPage(text, pages.left))
  else if (format === 'csv') readCsv(text, hints.filename, pages)
  else if (format === 'message') pages.add(await readNestedMessage(bytes))
  // A line may be folded (RFC 6350 section 3.2), and a photo is no text.
  else if (format === 'vcard')
    pages.add(text.replace(/\r?\n[ \t]/g, '').replace(/^(?:photo|logo|key)[;:].*$/gim, ''))
  else pages.add(text)
  return format
}

const readGzip: Read = async (bytes, _hints, pages) => {
  const content = gunzipSync(bytes, { maxOutputLength: maxGunzippedBytes })
  if (!isTar(content)) throw new ExtractionFailure('unsupported')
  pages.add(listingOf(listTar(content)))
  return 'tar'
}

const readers: Record<Exclude<ReturnType<typeof binaryFormatOf>, null>, Read> = {
  pdf: async (bytes, { password }, pages) => {
    const { readPdf } = await loadPdf()
    await readPdf(bytes, password, pages)
    return 'pdf'
  },
  zip: readZip,
  ole: readOle,
  rtf: async (bytes, _hints, pages) => {
    readRtf(bytes, pages)
    return 'rtf'
  },
  gzip: readGzip,
  tar: async (bytes, _hints, pages) => {
    pages.add(listingOf(listTar(bytes)))
    return 'tar'
  },
  winmail: async (bytes, _hints, pages) => {
    pages.add(readWinmail(bytes))
    return 'winmail'
  },
  picture: async () => {
    throw new ExtractionFailure('needs_ocr')
  },
  binary: async () => {
    throw new ExtractionFailure('unsupported')
  },
}

const failureOf = (error: unknown) => {
  if (error instanceof ExtractionFailure) return error.failure
  return (error as { code?: string } | null)?.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable'
}

/**
 * Reads the text of a file. Its content decides the format, not its name. It takes time and memory without a
 * bound: run it in a process that may be killed.
 */
export async function extractFile(bytes: Uint8Array, hints: FileHints): Promise<Extraction> {
  const pages = new Pages()
  const kind = binaryFormatOf(bytes)
  try {
    const format = await (kind === null ? readText : readers[kind])(bytes, hints, pages)
    const pageCount = Math.max(pages.total, pages.texts.length)
    const isCut = pages.isCut || pages.texts.length < pageCount
    const tokens = pages.texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    return { status: 'ready', format, pages: pages.texts, pageCount, isCut, tokens }
  } catch (error) {
    const format = kind === 'zip' || kind === 'ole' ? null : kind
    return { ...withoutText(failureOf(error)), format, pageCount: pages.total }
  }
}
