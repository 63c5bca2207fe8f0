import type { Pages } from '../parts/pages'
import { readXml, type XmlAttributes, type XmlHandler } from '../parts/xml'
import type { Zip } from '../parts/zip'
import { maxColumns, Sheet } from './sheet'

/** Repetitions of a row that are written; programs repeat an empty one to the end of the sheet. */
const maxRepeatedRows = 100

/** Walks over the content of a spreadsheet. */
class OdsHandler implements XmlHandler {
  readonly #pages: Pages
  /** Styles of sheets that are not shown. */
  readonly #hiddenStyles = new Set<string>()
  #style = ''
  #sheet: Sheet | undefined
  #cells: string[] = []
  #rowRepeats = 1
  #isRowHidden = false
  #cellRepeats = 1
  #value: string | undefined
  #text = ''
  #inCell = false
  #inNote = 0

  constructor(pages: Pages) {
    this.#pages = pages
  }

  isDone(): boolean {
    return this.#pages.isFull
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'style') this.#style = attributes.name ?? ''
    else if (name === 'table-properties' && attributes.display === 'false')
      this.#hiddenStyles.add(this.#style)
    else if (name === 'table') {
      const isHidden = this.#hiddenStyles.has(attributes['style-name'] ?? '')
      this.#pages.total++
      this.#sheet = new Sheet(attributes.name ?? '', isHidden, this.#pages.left)
    } else if (name === 'table-row') {
      this.#cells = []
      this.#rowRepeats = Math.min(maxRepeatedRows, Number(attributes['number-rows-repeated']) || 1)
      this.#isRowHidden = /^(?:collapse|filter)$/.test(attributes.visibility ?? '')
    } else if (name === 'table-cell' || name === 'covered-table-cell') this.#openCell(attributes)
    else if (name === 'annotation') this.#inNote++
    else if (name === 'p' && this.#text !== '') this.#text += ' '
  }

  #openCell(attributes: XmlAttributes): void {
    this.#inCell = true
    this.#text = ''
    this.#cellRepeats = Number(attributes['number-columns-repeated']) || 1
    const { 'value-type': type, value } = attributes
    this.#value = type === 'date' ? attributes['date-value'] : type === 'float' ? value : undefined
  }

  text(text: string): void {
    if (this.#inCell && this.#inNote === 0) this.#text += text
  }

  close(name: string): void {
    if (name === 'annotation') this.#inNote--
    else if (name === 'table-cell' || name === 'covered-table-cell') {
      this.#inCell = false
      const count = Math.min(this.#cellRepeats, maxColumns - this.#cells.length)
      for (let at = 0; at < count; at++) this.#cells.push((this.#value ?? this.#text).trim())
    } else if (name === 'table-row') {
      for (let at = 0; at < this.#rowRepeats; at++) this.#sheet?.add(trimmed(this.#cells), this.#isRowHidden)
    } else if (name === 'table') {
      this.#sheet?.write(this.#pages)
      this.#sheet = undefined
    }
  }
}

/** Returns the cells of a row without the empty ones at its end. */
function trimmed(cells: readonly string[]): string[] {
  let end = cells.length
  while (end > 0 && cells[end - 1] === '') end--
  return cells.slice(0, end)
}

/** Reads an OpenDocument spreadsheet: a page for each sheet, as a table of cached values with ISO dates. */
export async function readOds(zip: Zip, pages: Pages): Promise<void> {
  await readXml(zip.named('content.xml'), new OdsHandler(pages))
}
