import { getDocumentProxy } from 'unpdf'
import { ExtractionFailure } from '../parts/extracted'
import type { Pages } from '../parts/pages'

/** Piece of text at a place of a page, as pdf.js returns it. */
interface Piece {
  str: string
  hasEOL: boolean
  width: number
  transform: number[]
}

/** Gap between two pieces, in heights of a letter, from which they are cells of a table. */
const cellGap = 1.5
const wordGap = 0.15

const isPiece = (item: object): item is Piece => 'str' in item && 'transform' in item

/** Joins the pieces of a page to lines, in the order of the file. Pieces at one height form one line. */
function linesOf(items: readonly Piece[]): string[] {
  const lines: string[] = []
  let line = ''
  let last: { end: number; baseline: number; height: number } | undefined
  const end = () => {
    lines.push(line.trimEnd())
    line = ''
    last = undefined
  }
  for (const item of items) {
    const [a = 0, b = 0, , , x = 0, y = 0] = item.transform
    const height = Math.hypot(a, b) || 1
    if (last && Math.abs(y - last.baseline) > Math.max(height, last.height) * 0.5) end()
    const gap = last ? (x - last.end) / height : 0
    if (item.str.trim() !== '') {
      const isTouching = gap < wordGap || /\s$/.test(line) || item.str.startsWith(' ')
      if (last && gap > cellGap) line = `${line.trimEnd()}  `
      else if (last && !isTouching) line += ' '
      line += item.str
      last = { end: x + item.width, baseline: y, height }
    } else if (line !== '' && !/\s$/.test(line)) line += ' '
  }
  if (line !== '') end()
  return lines
}

/** Height of a letter in points below which nobody reads it. */
const minHeight = 1

/** Returns whether a piece of text is too small to be seen. pdf.js leaves out text beside the page. */
const isUnseen = ({ transform: [a = 0, b = 0] }: Piece): boolean => Math.hypot(a, b) < minHeight

/** Reads the text layer of a PDF, page by page. @throws ExtractionFailure `encrypted`, `needs_ocr` */
export async function readPdf(bytes: Uint8Array, password: string | undefined, pages: Pages): Promise<void> {
  const document = await getDocumentProxy(new Uint8Array(bytes), {
    ...(password !== undefined && { password }),
    ...{ verbosity: 0, isEvalSupported: false, useSystemFonts: false, disableFontFace: true },
  }).catch((error: unknown) => {
    const isLocked = (error as Error | undefined)?.name === 'PasswordException'
    throw isLocked ? new ExtractionFailure('encrypted') : error
  })
  pages.total = document.numPages
  let letters = 0
  for (let number = 1; number <= document.numPages && !pages.isFull; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const pieces = (items as readonly object[]).filter(isPiece)
    const unseen = new Set(pieces.filter(isUnseen))
    const text = linesOf(pieces.filter((piece) => !unseen.has(piece))).join('\n')
    const hidden = linesOf([...unseen])
      .join('\n')
      .trim()
    letters += text.trim().length + hidden.length
    pages.add(hidden === '' ? text : `${text}\n\nHidden text: ${hidden}`)
    page.cleanup()
  }
  if (letters === 0) throw new ExtractionFailure('needs_ocr')
}
