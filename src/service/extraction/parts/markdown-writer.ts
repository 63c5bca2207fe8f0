import { singleLine } from '../../../mail/text/safe-text'
import type { Pages } from './pages'

const listItem = /^ {0,40}(?:-|1\.) /

/** Text in one cell of a table. */
const cellText = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')

/** Formats rows as a table. The first row is its head. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const lineOf = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cellText(cells[at] ?? '')).join(' | ')} |`
  const rule = `|${' --- |'.repeat(width)}`
  const [head = [], ...others] = rows
  return width === 0 ? '' : [lineOf(head), rule, ...others.map(lineOf)].join('\n')
}

/** Joins the blocks of a page: the items of a list stand on consecutive lines. */
function joinedBlocks(blocks: readonly string[]): string {
  let text = ''
  let wasItem = false
  for (const block of blocks) {
    const isItem = listItem.test(block)
    text += text === '' ? block : `${isItem && wasItem ? '\n' : '\n\n'}${block}`
    wasItem = isItem
  }
  return text
}

/** Writes paragraphs, lists and tables of a document as Markdown, page by page. */
export class MarkdownWriter {
  readonly #pages: Pages
  #blocks: string[] = []
  #hidden: string[] = []
  #length = 0
  /** Open paragraphs and cells, the innermost last. */
  readonly #open: string[] = []
  readonly #tables: string[][][] = []

  constructor(pages: Pages) {
    this.#pages = pages
  }

  /** True if nothing more fits. */
  get isFull(): boolean {
    return this.#pages.isFull || this.#length > this.#pages.left
  }

  /** Length of the innermost open text: the argument of `linkFrom`. */
  get position(): number {
    return this.#open.at(-1)?.length ?? 0
  }

  text(text: string): void {
    if (this.#open.length === 0 || this.isFull) return
    this.#length += text.length
    this.#open[this.#open.length - 1] += text
  }

  /** Adds text that a reader of the document does not see. */
  hiddenText(text: string): void {
    if (this.isFull) return
    this.#length += text.length
    this.#hidden.push(text)
  }

  /** Makes a link of the text since a position. */
  linkFrom(position: number, url: string): void {
    const open = this.#open.at(-1)
    if (open === undefined || !/^(?:https?:|mailto:)/i.test(url)) return
    const text = open.slice(position)
    if (text.trim() === '' || text.includes(url)) return
    this.#length += url.length
    this.#open[this.#open.length - 1] = `${open.slice(0, position)}[${text}](${url})`
  }

  openParagraph(): void {
    this.#open.push('')
  }

  /** Ends a paragraph. @param prefix such as `## ` of a heading */
  closeParagraph(prefix = ''): void {
    const text = (this.#open.pop() ?? '').trim()
    if (text === '') return
    if (this.#tables.length > 0 && this.#open.length > 0) this.text(`${text} `)
    else this.block(prefix + text)
  }

  /** Adds a whole block. */
  block(text: string): void {
    if (this.#pages.isFull) return
    this.#length += text.length
    this.#blocks.push(text)
  }

  openTable(): void {
    this.#tables.push([])
  }

  openRow(): void {
    this.#tables.at(-1)?.push([])
  }

  openCell(): void {
    this.#open.push('')
  }

  closeCell(): void {
    const text = this.#open.pop() ?? ''
    this.#tables.at(-1)?.at(-1)?.push(text)
  }

  /** Ends a table; one in a cell becomes text of this cell. */
  closeTable(): void {
    const rows = (this.#tables.pop() ?? []).filter((row) => row.some((cell) => cell.trim() !== ''))
    if (rows.length === 0) return
    if (this.#tables.length > 0) this.text(rows.flat().join(' '))
    else this.block(tableOf(rows))
  }

  /** Ends a page. Hidden text stands at its end, under its own heading. */
  endPage(): void {
    const hidden = this.#hidden.join('').trim()
    const blocks = hidden === '' ? this.#blocks : [...this.#blocks, `Hidden text: ${hidden}`]
    this.#pages.add(joinedBlocks(blocks))
    this.#blocks = []
    this.#hidden = []
    this.#length = 0
  }

  get isPageEmpty(): boolean {
    return this.#blocks.length === 0 && this.#hidden.length === 0
  }

  /** True while a table is open. */
  get isInTable(): boolean {
    return this.#tables.length > 0
  }
}

/** Formats the files of an archive or a message as a table. */
export const listingOf = (files: readonly { name: string; size: number | null }[]): string =>
  tableOf([
    ['File', 'Bytes'],
    ...files.map(({ name, size }) => [singleLine(name), size === null ? '' : String(size)]),
  ])
