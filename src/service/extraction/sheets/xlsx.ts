import type { Pages } from '../parts/pages'
import { readRelationships } from '../parts/relationships'
import { readXml, type XmlAttributes, type XmlHandler } from '../parts/xml'
import type { Zip } from '../parts/zip'
import { maxColumns, Sheet } from './sheet'
import { columnOf, isDateFormat, isoDate } from './sheet-values'

const main = 'xl/workbook.xml'
/** UTF-16 code units of the texts that cells share. */
const maxSharedLength = 16 * 1024 * 1024

interface Workbook {
  sheets: { name: string; isHidden: boolean; part: string }[]
  calendar: 1900 | 1904
  shared: string[]
  /** For each style, by its number: true if it shows dates. */
  dates: boolean[]
}

/** Reads the texts that cells refer to by number, without phonetic guides. */
async function readShared(zip: Zip): Promise<string[]> {
  const texts: string[] = []
  let length = 0
  let current = ''
  let isText = false
  let isPhonetic = false
  await readXml(zip.named('xl/sharedStrings.xml'), {
    open(name) {
      if (name === 'si') current = ''
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't') isText = !isPhonetic
    },
    text(text) {
      if (isText) current += text
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'si') {
        texts.push(current)
        length += current.length + 1
      }
    },
    isDone: () => length > maxSharedLength,
  })
  return texts
}

/** Reads which styles show dates. */
async function readDates(zip: Zip): Promise<boolean[]> {
  const codes = new Map<number, string>()
  const dates: boolean[] = []
  let isCells = false
  await readXml(zip.named('xl/styles.xml'), {
    open(name, { numFmtId, formatCode }) {
      const id = Number(numFmtId)
      if (name === 'numFmt' && formatCode !== undefined) codes.set(id, formatCode)
      else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) dates.push(isDateFormat(id, codes.get(id)))
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return dates
}

async function readWorkbook(zip: Zip): Promise<Workbook> {
  const targets = await readRelationships(zip, main)
  const sheets: Workbook['sheets'] = []
  let calendar: 1900 | 1904 = 1900
  await readXml(zip.named(main), {
    open(tag, attributes) {
      const { name = '', state = 'visible', date1904 } = attributes
      if (tag === 'workbookPr' && /^(?:1|true)$/.test(date1904 ?? '')) calendar = 1904
      const part = tag === 'sheet' && targets.get(attributes['r:id'] ?? '')
      if (part) sheets.push({ name, isHidden: state !== 'visible', part })
    },
  })
  return { sheets, calendar, shared: await readShared(zip), dates: await readDates(zip) }
}

/** Walks over the cells of one sheet. */
class SheetHandler implements XmlHandler {
  readonly #sheet: Sheet
  readonly #book: Workbook
  #cells: string[] = []
  #isRowHidden = false
  #column = -1
  #type = ''
  #style = 0
  #value = ''
  #isValue = false

  constructor(sheet: Sheet, book: Workbook) {
    this.#sheet = sheet
    this.#book = book
  }

  isDone(): boolean {
    return this.#sheet.isCut
  }

  open(name: string, { r = '', t = 'n', s = '0', hidden = '' }: XmlAttributes): void {
    if (name === 'row') {
      this.#cells = []
      this.#column = -1
      this.#isRowHidden = /^(?:1|true)$/.test(hidden)
    } else if (name === 'c') {
      this.#column = columnOf(r) ?? this.#column + 1
      this.#type = t
      this.#style = Number(s)
      this.#value = ''
    } else if (name === 'v' || name === 't') this.#isValue = true
  }

  text(text: string): void {
    if (this.#isValue) this.#value += text
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isValue = false
    else if (name === 'c' && this.#column < maxColumns) this.#cells[this.#column] = this.#shown()
    else if (name === 'row') this.#sheet.add(Array.from(this.#cells), this.#isRowHidden)
  }

  /** Returns the cached value of a cell. */
  #shown(): string {
    const { shared, dates, calendar } = this.#book
    if (this.#type === 's') return shared[Number(this.#value)] ?? ''
    if (this.#type === 'b') return this.#value === '1' ? 'TRUE' : 'FALSE'
    return this.#type === 'n' && dates[this.#style] ? isoDate(this.#value, calendar) : this.#value
  }
}

/** Reads a workbook: a page for each sheet, as a table of cached values with ISO dates. */
export async function readXlsx(zip: Zip, pages: Pages): Promise<void> {
  const book = await readWorkbook(zip)
  pages.total = book.sheets.length
  for (const { name, isHidden, part } of book.sheets) {
    if (pages.isFull) return
    const sheet = new Sheet(name, isHidden, pages.left)
    await readXml(zip.named(part), new SheetHandler(sheet, book))
    sheet.write(pages)
  }
}
