import type { Page } from 'playwright-core'
import { launchChromium, openTab } from '../../test/support/chromium'

/** Two texts as wide as each other, digit by digit: where they are drawn, pixels tell them apart, and nothing else moves. */
const texts = ['8181881188188', '1818118811811'] as const
const frame = { width: 600, height: 120 }
const columnCount = 2
const atOnce = 60
/** The difference of a channel that an eye sees, and the number of such pixels that are a text and no dust. */
const minDifference = 30
const minPixels = 12

interface Sight extends AsyncDisposable {
  /** Tells of each page whether a person sees the text that stands for `HIDE` in it. Without scripts and pictures. */
  see(pages: readonly string[]): Promise<boolean[]>
}

const maxLooks = 4

const escaped = (html: string): string => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Lays pages out in frames of one page, each of which says a text. */
function sheetOf(pages: readonly string[], text: string): string {
  const frames = pages.map((html, at) => {
    const place = `left:${(at % columnCount) * frame.width}px;top:${Math.floor(at / columnCount) * frame.height}px`
    const page = escaped(html.replaceAll('HIDE', text))
    return `<iframe style="${place}" srcdoc="${page}"></iframe>`
  })
  const style = `body{margin:0}iframe{position:absolute;border:0;background:#fff;width:${frame.width}px;height:${frame.height}px}`
  return `<!doctype html><meta charset=utf-8><style>${style}</style>${frames.join('')}`
}

/** Counts in each frame the pixels in which two pictures differ. Runs in the browser. */
async function countPixels(
  pictures: readonly string[],
  {
    width,
    height,
    columns,
    count,
    least,
  }: Record<'width' | 'height' | 'columns' | 'count' | 'least', number>,
): Promise<number[]> {
  const canvases = await Promise.all(
    pictures.map(async (picture) => {
      const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const context = canvas.getContext('2d')!
      context.drawImage(bitmap, 0, 0)
      return context
    }),
  )
  return Array.from({ length: count }, (_, at) => {
    const place = [(at % columns) * width, Math.floor(at / columns) * height] as const
    const [one, other] = canvases.map((canvas) => canvas.getImageData(...place, width, height).data)
    let found = 0
    for (let pixel = 0; pixel < one!.length; pixel += 4) {
      const differs = [0, 1, 2].some((part) => Math.abs(one![pixel + part]! - other![pixel + part]!) >= least)
      if (differs) found++
    }
    return found
  })
}

/** Opens a browser that tells what a person sees. */
export async function openSight(): Promise<Sight> {
  const browser = await launchChromium()
  const rows = atOnce / columnCount
  const viewport = { width: frame.width * columnCount, height: frame.height * rows }
  const paper = await openTab(browser, { viewport, javaScriptEnabled: false, offline: true })
  const desk = await openTab(browser)
  const pictureOf = async (page: Page, pages: readonly string[], text: string): Promise<string> => {
    await page.setContent(sheetOf(pages, text))
    return (await page.screenshot({ animations: 'allow', timeout: 60_000 })).toString('base64')
  }
  const countsOf = (pictures: readonly string[], count: number): Promise<number[]> => {
    const measures = { ...frame, columns: columnCount, count, least: minDifference }
    return desk.page.evaluate(`(${countPixels})(${JSON.stringify(pictures)}, ${JSON.stringify(measures)})`)
  }
  const seenAtOnce = async (pages: readonly string[]): Promise<boolean[]> => {
    for (let look = 0; look < maxLooks; look++) {
      const [one, other, again] = [
        await pictureOf(paper.page, pages, texts[0]),
        await pictureOf(paper.page, pages, texts[1]),
        await pictureOf(paper.page, pages, texts[0]),
      ]
      // A busy machine may draw a frame after it was looked at.
      if ((await countsOf([one, again], pages.length)).some((count) => count > 0)) continue
      return (await countsOf([one, other], pages.length)).map((count) => count >= minPixels)
    }
    if (pages.length === 1) throw new Error(`The browser does not draw the same twice: ${pages[0]}`)
    // What moves keeps its neighbours waiting.
    const half = Math.ceil(pages.length / 2)
    return [...(await seenAtOnce(pages.slice(0, half))), ...(await seenAtOnce(pages.slice(half)))]
  }
  return {
    async see(pages) {
      const seen: boolean[] = []
      for (let at = 0; at < pages.length; at += atOnce)
        seen.push(...(await seenAtOnce(pages.slice(at, at + atOnce))))
      return seen
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
