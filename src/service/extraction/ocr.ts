import { estimateTokens } from '../../mail/prompt/token-estimate'
import type { ExtractionPorts } from '../messages/ports'
import type { AttachmentRow } from '../messages/records'
import type { Extraction } from '../ports'
import { Pages } from './parts/pages'

const maxOcrMs = 120_000
/** Pages of one file that are given to the engine. */
const maxOcrPages = 200

/** Time of the engine that is left for one file, or for all files of a job. */
export interface OcrBudget {
  leftMs: number
}

/** Creates the budget of one file, or of all files of one job: its job occupies a place of the queue meanwhile. */
export const createOcrBudget = (): OcrBudget => ({ leftMs: maxOcrMs })

/** Rejects when the engine takes too long, whose result is then ignored. */
async function inTime<T>({ clock }: ExtractionPorts, budget: OcrBudget, work: () => Promise<T>): Promise<T> {
  const start = clock.now()
  try {
    return await new Promise((resolve, reject) => {
      const cancel = clock.after(budget.leftMs, () => reject(new Error('OCR took too long')))
      work().then(resolve, reject).finally(cancel)
    })
  } finally {
    budget.leftMs -= clock.now() - start
  }
}

/** Returns whether the engine of the installation, if it has one, may read a file that was read without it. */
export const needsEngine = (
  { ocr }: ExtractionPorts,
  { decorative }: Pick<AttachmentRow, 'decorative'>,
  { status, isWithoutWords = false }: Extraction,
): boolean => ocr !== undefined && status === 'needs_ocr' && decorative !== 1 && !isWithoutWords

/**
 * Gives a picture or a scan to the engine of the installation, if it has one. Returns the same extraction for
 * other files, for pictures of the layout, and if the engine fails or the budget is exhausted.
 */
export async function withOcr(
  ports: ExtractionPorts,
  row: Pick<AttachmentRow, 'content_type' | 'decorative' | 'id'>,
  bytes: Uint8Array,
  extraction: Extraction,
  budget: OcrBudget = createOcrBudget(),
): Promise<Extraction> {
  const { ocr, logger } = ports
  if (!ocr || !needsEngine(ports, row, extraction) || budget.leftMs <= 0) return extraction
  const isPdf = extraction.format === 'pdf'
  const pageCount = Math.max(1, extraction.pageCount)
  const numbers = Array.from({ length: Math.min(pageCount, maxOcrPages) }, (_, at) => at + 1)
  const contentType = isPdf ? 'application/pdf' : row.content_type
  try {
    const found = await inTime(ports, budget, () => ocr({ bytes, contentType, pages: numbers }))
    const pages = new Pages()
    for (const text of found.slice(0, numbers.length)) pages.add(String(text))
    if (pages.texts.every((text) => text === '')) return { ...extraction, isWithoutWords: true }
    const tokens = pages.texts.reduce((sum, text) => sum + estimateTokens(text), 0)
    const isCut = pages.isCut || pages.texts.length < pageCount
    return { ...extraction, status: 'ready', pages: pages.texts, pageCount, isCut, tokens }
  } catch (error) {
    logger.warn({ err: error, attachment: row.id }, 'OCR failed')
    return extraction
  }
}
