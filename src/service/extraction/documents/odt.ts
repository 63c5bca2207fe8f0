import { MarkdownWriter } from '../parts/markdown-writer'
import type { Pages } from '../parts/pages'
import { readXml, type XmlAttributes, type XmlHandler } from '../parts/xml'
import type { Zip } from '../parts/zip'

const skipped = new Set(['tracked-changes', 'annotation', 'forms', 'settings'])
const maxSpaces = 100

/** Walks over the content of a text document. */
class OdtHandler implements XmlHandler {
  readonly #writer: MarkdownWriter
  readonly #levels: number[] = []
  readonly #links: { url: string; start: number }[] = []
  #lists = 0
  #isItemNew = false
  #isBody = false
  #skipping = 0

  constructor(writer: MarkdownWriter) {
    this.#writer = writer
  }

  isDone(): boolean {
    return this.#writer.isFull
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'body') this.#isBody = true
    if (skipped.has(name)) this.#skipping++
    if (!this.#isBody || this.#skipping > 0) return
    const writer = this.#writer
    if (name === 'p' || name === 'h') {
      this.#levels.push(name === 'h' ? Number(attributes['outline-level']) || 1 : 0)
      writer.openParagraph()
    } else if (name === 'list') this.#lists++
    else if (name === 'list-item') this.#isItemNew = true
    else if (name === 'table') writer.openTable()
    else if (name === 'table-row') writer.openRow()
    else if (name === 'table-cell') writer.openCell()
    else if (name === 'a') this.#links.push({ url: attributes.href ?? '', start: writer.position })
    else if (name === 's') writer.text(' '.repeat(Math.min(maxSpaces, Number(attributes.c) || 1)))
    else if (name === 'tab') writer.text('\t')
    else if (name === 'line-break') writer.text('\n')
    else if (name === 'soft-page-break' && !writer.isInTable && !writer.isPageEmpty) writer.endPage()
  }

  text(text: string): void {
    if (this.#isBody && this.#skipping === 0 && this.#levels.length > 0)
      this.#writer.text(text.replace(/\s+/g, ' '))
  }

  close(name: string): void {
    if (skipped.has(name)) {
      this.#skipping--
      return
    }
    if (!this.#isBody || this.#skipping > 0) return
    if (name === 'p' || name === 'h') this.#writer.closeParagraph(this.#prefixOf(this.#levels.pop() ?? 0))
    else if (name === 'list') this.#lists--
    else if (name === 'table') this.#writer.closeTable()
    else if (name === 'table-cell') this.#writer.closeCell()
    else if (name === 'a') {
      const { url = '', start = 0 } = this.#links.pop() ?? {}
      this.#writer.linkFrom(start, url)
    }
  }

  #prefixOf(level: number): string {
    if (level > 0) return `${'#'.repeat(Math.min(6, level))} `
    if (this.#lists === 0) return ''
    const indent = '  '.repeat(Math.min(9, this.#lists - 1))
    const mark = this.#isItemNew ? '- ' : '  '
    this.#isItemNew = false
    return indent + mark
  }
}

/** Reads an OpenDocument text: headings, lists, tables, links. Comments and deleted text are left out. */
export async function readOdt(zip: Zip, pages: Pages): Promise<void> {
  const writer = new MarkdownWriter(pages)
  await readXml(zip.named('content.xml'), new OdtHandler(writer))
  writer.endPage()
}
