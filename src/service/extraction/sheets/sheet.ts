import { tableOf } from '../parts/markdown-writer'
import type { Pages } from '../parts/pages'

const maxRows = 20_000
export const maxColumns = 256

/** Rows of one sheet, up to a limit; hidden rows are kept apart. */
export class Sheet {
  readonly #name: string
  readonly #isHidden: boolean
  readonly #left: number
  readonly #rows: string[][] = []
  readonly #hiddenRows: string[][] = []
  #length = 0
  isCut = false

  constructor(name: string, isHidden: boolean, left: number) {
    this.#name = name
    this.#isHidden = isHidden
    this.#left = left
  }

  get isFull(): boolean {
    return this.#rows.length + this.#hiddenRows.length >= maxRows || this.#length > this.#left
  }

  /** Adds a row; an empty one is left out. */
  add(cells: readonly string[], isHidden: boolean): void {
    if (cells.every((cell) => (cell ?? '') === '')) return
    if (this.isFull) {
      this.isCut = true
      return
    }
    const row = Array.from(cells, (cell) => cell ?? '')
    this.#length += row.reduce((sum, cell) => sum + cell.length + 3, 0)
    ;(isHidden ? this.#hiddenRows : this.#rows).push(row)
  }

  /** Adds the sheet as a page. */
  write(pages: Pages): void {
    const name = this.#name.replace(/\s+/g, ' ')
    const blocks = [`## ${name}${this.#isHidden ? ' (hidden sheet)' : ''}`, tableOf(this.#rows)]
    if (this.#hiddenRows.length > 0) blocks.push('Hidden rows:', tableOf(this.#hiddenRows))
    pages.add(blocks.filter((block) => block !== '').join('\n\n'))
    if (this.isCut) pages.isCut = true
  }
}
