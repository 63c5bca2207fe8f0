import { MarkdownWriter } from '../parts/markdown-writer'
import type { Pages } from '../parts/pages'
import { readRelationships } from '../parts/relationships'
import { readXml, type XmlAttributes, type XmlHandler } from '../parts/xml'
import type { Zip } from '../parts/zip'

const main = 'ppt/presentation.xml'

/** Walks over one slide or its notes. */
class SlideHandler implements XmlHandler {
  readonly #writer: MarkdownWriter
  readonly #links: ReadonlyMap<string, string>
  #placeholder = ''
  #level = 0
  #isText = false
  #url = ''
  #start = 0
  isHidden = false

  constructor(writer: MarkdownWriter, links: ReadonlyMap<string, string>) {
    this.#writer = writer
    this.#links = links
  }

  isDone(): boolean {
    return this.#writer.isFull
  }

  open(name: string, attributes: XmlAttributes): void {
    const writer = this.#writer
    if (name === 'sld' && attributes.show === '0') this.isHidden = true
    else if (name === 'sp') this.#placeholder = ''
    else if (name === 'ph') this.#placeholder = attributes.type ?? 'body'
    else if (name === 'p') {
      this.#level = 0
      writer.openParagraph()
    } else if (name === 'pPr') this.#level = Math.min(9, Number(attributes.lvl) || 0)
    else if (name === 'r') {
      this.#url = ''
      this.#start = writer.position
    } else if (name === 'hlinkClick') this.#url = this.#links.get(attributes['r:id'] ?? '') ?? ''
    else if (name === 't') this.#isText = true
    else if (name === 'br') writer.text('\n')
    else if (name === 'tbl') writer.openTable()
    else if (name === 'tr') writer.openRow()
    else if (name === 'tc') writer.openCell()
  }

  text(text: string): void {
    if (this.#isText && this.#placeholder !== 'sldNum') this.#writer.text(text)
  }

  close(name: string): void {
    if (name === 't') this.#isText = false
    else if (name === 'r' && this.#url !== '') this.#writer.linkFrom(this.#start, this.#url)
    else if (name === 'p') this.#writer.closeParagraph(this.#prefix())
    else if (name === 'tc') this.#writer.closeCell()
    else if (name === 'tbl') this.#writer.closeTable()
    else if (name === 'sp') this.#placeholder = ''
  }

  #prefix(): string {
    if (/title/i.test(this.#placeholder)) return this.#placeholder === 'subTitle' ? '' : '## '
    return this.#placeholder === 'body' ? `${'  '.repeat(this.#level)}- ` : ''
  }
}

/** Returns the slides in their order. */
async function slidesOf(zip: Zip): Promise<string[]> {
  const targets = await readRelationships(zip, main)
  const slides: string[] = []
  await readXml(zip.named(main), {
    open(name, attributes) {
      const target = name === 'sldId' && targets.get(attributes['r:id'] ?? '')
      if (target) slides.push(target)
    },
  })
  return slides
}

/** Reads a presentation: a page for each slide, with the speaker's notes marked. */
export async function readPptx(zip: Zip, pages: Pages): Promise<void> {
  const slides = await slidesOf(zip)
  pages.total = slides.length
  for (const slide of slides) {
    if (pages.isFull) return
    const writer = new MarkdownWriter(pages)
    const links = await readRelationships(zip, slide)
    const handler = new SlideHandler(writer, links)
    await readXml(zip.named(slide), handler)
    if (handler.isHidden) writer.block('This slide is hidden.')
    const notes = [...links.values()].find((target) => /^ppt\/notesSlides\//.test(target))
    if (notes) {
      writer.block('Speaker notes, which the audience does not see:')
      await readXml(zip.named(notes), new SlideHandler(writer, new Map()))
    }
    writer.endPage()
  }
}
