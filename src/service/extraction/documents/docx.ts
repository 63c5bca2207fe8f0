import { MarkdownWriter } from '../parts/markdown-writer'
import type { Pages } from '../parts/pages'
import { readRelationships } from '../parts/relationships'
import { readXml, type XmlAttributes, type XmlHandler } from '../parts/xml'
import type { Zip } from '../parts/zip'

const main = 'word/document.xml'

/** Reads the levels of heading styles, from 1, by their id. */
async function readHeadings(zip: Zip): Promise<Map<string, number>> {
  const levels = new Map<string, number>()
  let style = ''
  await readXml(zip.named('word/styles.xml'), {
    open(name, { styleId, val }) {
      if (name === 'style') style = styleId ?? ''
      const [, level] = (name === 'name' && /^heading ([1-9])$/i.exec(val ?? '')) || []
      if (level) levels.set(style, Number(level))
      else if (name === 'name' && val?.toLowerCase() === 'title') levels.set(style, 1)
      else if (name === 'outlineLvl' && Number(val) < 9) levels.set(style, Number(val) + 1)
    },
  })
  return levels
}

/** Reads which levels of which lists are numbered, as `list/level`. */
async function readNumbered(zip: Zip): Promise<Set<string>> {
  const abstract = new Set<string>()
  const numbered = new Set<string>()
  let [list, level, num] = ['', '', '']
  await readXml(zip.named('word/numbering.xml'), {
    open(name, { abstractNumId, ilvl, numId, val }) {
      if (name === 'abstractNum') list = abstractNumId ?? ''
      else if (name === 'lvl') level = ilvl ?? ''
      else if (name === 'numFmt' && val !== 'bullet' && val !== 'none') abstract.add(`${list}/${level}`)
      else if (name === 'num') num = numId ?? ''
      else if (name === 'abstractNumId')
        for (let at = 0; at < 9; at++) if (abstract.has(`${val}/${at}`)) numbered.add(`${num}/${at}`)
    },
  })
  return numbered
}

interface Paragraph {
  style: string
  list: string
  level: string
  isFilled: boolean
  isBesidePage: boolean
}

/** Indent in twentieths of a point, to the left, beyond which a text stands beside every page. */
const maxOutdent = 12_000
/** Colours that cannot be told from white. */
const isWhite = (val: string | undefined): boolean => /^(?:f[0-9a-f]){3}$/i.test(val ?? '')
/** Returns whether a shading has a colour other than white. */
const isFill = (fill: string | undefined): boolean =>
  fill !== undefined && !/^auto$/i.test(fill) && !isWhite(fill)

const skipped = new Set(['del', 'moveFrom', 'Fallback', 'instrText', 'delText', 'pict'])
const isOn = (val: string | undefined): boolean => val === undefined || !/^(?:0|false|off)$/.test(val)

/** Walks over one part of a document. */
class DocxHandler implements XmlHandler {
  readonly #writer: MarkdownWriter
  readonly #headings: ReadonlyMap<string, number>
  readonly #numbered: ReadonlySet<string>
  readonly #links: ReadonlyMap<string, string>
  readonly #path: string[] = []
  readonly #paragraphs: Paragraph[] = []
  readonly #hyperlinks: { url: string; start: number }[] = []
  #skipping = 0
  #isHidden = false
  /** Colours of the current run: white text, and a background of its own other than white. */
  #run = { isWhite: false, isFilled: false }
  readonly #filledCells: boolean[] = []
  #breaksPage = false

  constructor(
    writer: MarkdownWriter,
    headings: ReadonlyMap<string, number>,
    numbered: ReadonlySet<string>,
    links: ReadonlyMap<string, string>,
  ) {
    this.#writer = writer
    this.#headings = headings
    this.#numbered = numbered
    this.#links = links
  }

  isDone(): boolean {
    return this.#writer.isFull
  }

  open(name: string, attributes: XmlAttributes): void {
    const parent = this.#path.at(-1)
    this.#path.push(name)
    if (skipped.has(name)) this.#skipping++
    if (this.#skipping > 0) return
    this.#openBlock(name)
    this.#readProperty(name, attributes, parent)
    if (name === 'hyperlink')
      this.#hyperlinks.push({
        url: this.#links.get(attributes['r:id'] ?? '') ?? '',
        start: this.#writer.position,
      })
    else if (name === 'br' && attributes.type === 'page') this.#breaksPage = true
    else if (name === 'lastRenderedPageBreak') this.#breaksPage = true
    else if (name === 'br' || name === 'cr') this.#writer.text('\n')
    else if (name === 'tab' && parent === 'r') this.#writer.text('\t')
    else if (name === 'noBreakHyphen') this.#writer.text('-')
    else if (name === 'footnoteReference') this.#writer.text(`[^${attributes.id ?? ''}]`)
  }

  #openBlock(name: string): void {
    if (name === 'p') {
      this.#paragraphs.push({ style: '', list: '', level: '0', isFilled: false, isBesidePage: false })
      this.#writer.openParagraph()
    } else if (name === 'r') {
      this.#isHidden = false
      this.#run = { isWhite: false, isFilled: false }
    } else if (name === 'tbl') this.#writer.openTable()
    else if (name === 'tr') this.#writer.openRow()
    else if (name === 'tc') {
      this.#filledCells.push(false)
      this.#writer.openCell()
    }
  }

  #readColours(name: string, { val, fill }: XmlAttributes, parent: string | undefined): void {
    const paragraph = this.#paragraphs.at(-1)
    if (parent === 'rPr' && name === 'color') this.#run.isWhite = isWhite(val)
    else if (parent === 'rPr' && name === 'highlight')
      this.#run.isFilled ||= val !== 'none' && val !== 'white'
    else if (name !== 'shd' || !isFill(fill)) return
    else if (parent === 'rPr') this.#run.isFilled = true
    else if (parent === 'pPr' && paragraph) paragraph.isFilled = true
    else if (parent === 'tcPr' && this.#filledCells.length > 0) this.#filledCells.splice(-1, 1, true)
  }

  /** Returns whether a reader of the document does not see the text of the run. */
  get #isUnseen(): boolean {
    const { isFilled = false, isBesidePage = false } = this.#paragraphs.at(-1) ?? {}
    const isOnColour = this.#run.isFilled || isFilled || this.#filledCells.includes(true)
    return this.#isHidden || isBesidePage || (this.#run.isWhite && !isOnColour)
  }

  #readProperty(name: string, attributes: XmlAttributes, parent: string | undefined): void {
    const { val } = attributes
    this.#readColours(name, attributes, parent)
    const paragraph = this.#paragraphs.at(-1)
    if (name === 'vanish' && parent === 'rPr' && isOn(val)) this.#isHidden = true
    // Half points: nobody reads a point.
    else if (name === 'sz' && parent === 'rPr' && Number(val) <= 2) this.#isHidden = true
    if (!paragraph) return
    if (name === 'ind' && parent === 'pPr')
      paragraph.isBesidePage = Number(attributes.left ?? attributes.start ?? 0) < -maxOutdent
    else if (name === 'pStyle') paragraph.style = val ?? ''
    else if (name === 'numId' && parent === 'numPr') paragraph.list = val === '0' ? '' : (val ?? '')
    else if (name === 'ilvl' && parent === 'numPr') paragraph.level = val ?? '0'
  }

  text(text: string): void {
    if (this.#skipping > 0 || this.#path.at(-1) !== 't') return
    if (this.#isUnseen) this.#writer.hiddenText(text)
    else this.#writer.text(text)
  }

  close(name: string): void {
    this.#path.pop()
    if (skipped.has(name)) this.#skipping--
    else if (this.#skipping > 0) return
    else if (name === 'p') this.#closeParagraph()
    else if (name === 'tc') {
      this.#filledCells.pop()
      this.#writer.closeCell()
    } else if (name === 'tbl') this.#writer.closeTable()
    else if (name === 'hyperlink') {
      const { url = '', start = 0 } = this.#hyperlinks.pop() ?? {}
      this.#writer.linkFrom(start, url)
    }
  }

  #closeParagraph(): void {
    const { style = '', list = '', level = '0' } = this.#paragraphs.pop() ?? {}
    const heading = this.#headings.get(style)
    const depth = Math.min(9, Number(level) || 0)
    const mark = this.#numbered.has(`${list}/${level}`) ? '1. ' : '- '
    const item = list === '' ? '' : `${'  '.repeat(depth)}${mark}`
    this.#writer.closeParagraph(heading ? `${'#'.repeat(Math.min(6, heading))} ` : item)
    // A page ends after the paragraph in which Word began the next one.
    if (!this.#breaksPage || this.#writer.isInTable || this.#paragraphs.length > 0) return
    this.#breaksPage = false
    if (!this.#writer.isPageEmpty) this.#writer.endPage()
  }
}

/** Parts after the text, with the heading of each. */
const parts: readonly [RegExp, string][] = [
  [/^word\/header\d*\.xml$/, 'Page header:'],
  [/^word\/footer\d*\.xml$/, 'Page footer:'],
  [/^word\/(?:foot|end)notes\.xml$/, 'Notes:'],
  [/^word\/comments\.xml$/, 'Comments, which are not part of the text:'],
]

/** Reads a Word document: headings, lists, tables, links; headers, notes and comments after the text. */
export async function readDocx(zip: Zip, pages: Pages): Promise<void> {
  const writer = new MarkdownWriter(pages)
  const [headings, numbered] = [await readHeadings(zip), await readNumbered(zip)]
  const read = async (part: string) =>
    readXml(zip.named(part), new DocxHandler(writer, headings, numbered, await readRelationships(zip, part)))
  await read(main)
  for (const [pattern, title] of parts)
    for (const { name } of zip.members.filter((member) => pattern.test(member.name)).slice(0, 20)) {
      writer.block(title)
      await read(name)
    }
  writer.endPage()
}
