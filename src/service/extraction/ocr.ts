import { estimateTokens } from '../../mail/prompt/token-estimate'
import type { ExtractionPorts } from '../messages/ports'
import type { AttachmentRow } from '../messages/records'
import type { Extraction } from '../ports'
import { Pages } from './parts/pages'

/** Time of the engine for one file. */
const maxOcrMs = 120_000
/** Pages of one file that are given to the engine. */
const maxOcrPages = 200

/** Rejects when the engine takes too long, whose result is then ignored. */
function inTime<T>({ clock }: ExtractionPorts, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(maxOcrMs, () => reject(new Error('OCR took too long')))
    work.then(resolve, reject).finally(cancel)
  })
}

/**
 * Gives a picture or a scan to the engine of the installation, if it has one. Returns the same extraction for
 * other files, for pictures of the layout, and if the engine fails.
 */
export async function withOcr(
  ports: ExtractionPorts,
  row: Pick<AttachmentRow, 'content_type' | 'decorative' | 'id'>,
  bytes: Uint8Array,
  extraction: Extraction,
): Promise<Extraction> {
  const { ocr, logger } = ports
  if (!ocr || extraction.status !== 'needs_ocr' || row.decorative === 1) return extraction
  const isPdf = extraction.format === 'pdf'
  const pageCount = Math.max(1, extraction.pageCount)
  const numbers = Array.from({ length: Math.min(pageCount, maxOcrPages) }, (_, at) => at + 1)
  const contentType = isPdf ? 'application/pdf' : row.content_type
  try {
    const found = await inTime(ports, ocr({ bytes, contentType, pages: numbers }))
    const pages = new Pages()
    for (const text of found.slice(0, numbers.length)) pages.add(String(text))
    if (pages.texts.every((text) => text === '')) return extraction
    const tokens = pages.texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    const isCut = pages.isCut || pages.texts.length < pageCount
    return { ...extraction, status: 'ready', pages: pages.texts, pageCount, isCut, tokens }
  } catch (error) {
    logger.warn({ err: error, attachment: row.id }, 'OCR failed')
    return extraction
  }
}
