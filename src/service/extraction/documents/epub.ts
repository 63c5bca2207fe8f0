import { charsetOfHtml, decodeText } from '../../../mail/charsets/charset'
import { ExtractionFailure } from '../parts/extracted'
import type { Pages } from '../parts/pages'
import { resolvePath } from '../parts/relationships'
import { readXml } from '../parts/xml'
import type { Zip } from '../parts/zip'
import { htmlPage } from './html'

/** Returns the chapters of a book in reading order (EPUB 3.3 section 5). */
async function chaptersOf(zip: Zip): Promise<string[]> {
  let book = ''
  await readXml(zip.named('META-INF/container.xml'), {
    open(name, attributes) {
      if (name === 'rootfile') book ||= attributes['full-path'] ?? ''
    },
  })
  const paths = new Map<string, string>()
  const chapters: string[] = []
  await readXml(zip.named(book), {
    open(name, { id, href, idref }) {
      if (name === 'item' && id !== undefined && href !== undefined) paths.set(id, resolvePath(book, href))
      const path = name === 'itemref' && paths.get(idref ?? '')
      if (path) chapters.push(path)
    },
  })
  return chapters
}

/** Reads a book: a page for each chapter. */
export async function readEpub(zip: Zip, pages: Pages): Promise<void> {
  const chapters = await chaptersOf(zip)
  pages.total = chapters.length
  for (const chapter of chapters) {
    const member = zip.find(chapter)
    if (pages.isFull) return
    if (!member) continue
    const bytes = await zip.read(member)
    pages.add(htmlPage(decodeText(bytes, charsetOfHtml(bytes)), pages.left))
  }
  if (chapters.length === 0) throw new ExtractionFailure('unreadable')
}
