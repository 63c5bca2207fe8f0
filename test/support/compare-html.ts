import type { Browser, Page } from 'playwright-core'

/** How alike the two pictures of one document are. */
export interface Compared {
  /** Share of the pixels that differ visibly, 0 to 1; what only one picture has counts as different. */
  share: number
  plain: Buffer
  framed: Buffer
}

const width = 800
const maxHeight = 4_000
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
/** The styles that the frame puts below those of the message: `ground` in `frame.ts`. */
const ground = `:root { color-scheme: light; background: #fff; color: #111; }
body { margin: 12px; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
img { max-width: 100%; }`

/** The document as its sender wrote it, with our styles below its own. Nothing in it runs, and every picture is one pixel. */
async function plainPicture(browser: Browser, html: string): Promise<Buffer> {
  const context = await browser.newContext({ viewport: { width, height: 600 } })
  const page = await context.newPage()
  // Clients for the web show every message in standards mode, and so does the frame.
  const body = html.replace(/^\s*<!doctype[^>]*>/i, '').replace(/\bcid:/gi, 'http://cid.example/')
  const policy = "script-src 'none'; frame-src 'none'; object-src 'none'; form-action 'none'"
  await context.route('**/*', (route) => {
    if (route.request().isNavigationRequest())
      return route.fulfill({
        contentType: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': policy },
        body: `<!doctype html><style>${ground}</style>${body}`,
      })
    return route.request().resourceType() === 'image'
      ? route.fulfill({ contentType: 'image/gif', body: gif })
      : route.abort()
  })
  await page.goto('http://plain.example/')
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.min(height, maxHeight) })
  const picture = await page.screenshot()
  await context.close()
  return picture
}

/** The same in the document in which the console shows it. */
async function framedPicture(page: Page, consoleUrl: string, html: string): Promise<Buffer> {
  await page.evaluate(
    ([address, html, width]) =>
      new Promise<void>((resolve) => {
        const frame = document.createElement('iframe')
        frame.id = 'compared'
        Object.assign(frame.style, { position: 'fixed', inset: '0', border: '0', zIndex: '9' })
        Object.assign(frame.style, { width: `${width}px`, height: '600px' })
        frame.setAttribute('sandbox', 'allow-scripts')
        frame.onload = () => {
          frame.onload = null
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = ({ data }) => data.kind === 'shown' && resolve()
          frame.contentWindow!.postMessage(null, '*', [port2])
          port1.postMessage({ kind: 'show', html })
        }
        frame.src = address!
        document.body.append(frame)
      }),
    [`${consoleUrl}/html`, html, String(width)],
  )
  const element = (await page.$('#compared'))!
  const frame = (await element.contentFrame())!
  const height = Math.min(await frame.evaluate(() => document.documentElement.scrollHeight), maxHeight)
  await page.setViewportSize({ width, height })
  await element.evaluate((one: HTMLElement, height) => {
    one.style.height = `${height}px`
  }, height)
  const picture = await element.screenshot()
  await element.evaluate((one) => one.remove())
  return picture
}

/** Counts the pixels that differ by more than smoothing of letters does. */
const shareOf = (page: Page, pictures: Buffer[]): Promise<number> =>
  page.evaluate(
    async (sources) => {
      const [a, b] = await Promise.all(
        sources.map(async (source) =>
          createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob()),
        ),
      )
      const [width, height] = [Math.max(a!.width, b!.width), Math.max(a!.height, b!.height)]
      const [one, other] = [a!, b!].map((bitmap) => {
        const context = new OffscreenCanvas(width, height).getContext('2d')!
        context.fillStyle = '#fff'
        context.fillRect(0, 0, width, height)
        context.drawImage(bitmap, 0, 0)
        return context.getImageData(0, 0, width, height).data
      })
      let different = 0
      for (let at = 0; at < one!.length; at += 4)
        if ([0, 1, 2].some((channel) => Math.abs(one![at + channel]! - other![at + channel]!) > 24))
          different++
      return different / (width * height)
    },
    pictures.map((picture) => picture.toString('base64')),
  )

/** Shows a document with and without the frame of the console. `signedIn` is any page of the console. */
export async function compareHtml(
  browser: Browser,
  signedIn: Page,
  consoleUrl: string,
  html: string,
): Promise<Compared> {
  const plain = await plainPicture(browser, html)
  const framed = await framedPicture(signedIn, consoleUrl, html)
  const blank = await (await browser.newContext()).newPage()
  const share = await shareOf(blank, [plain, framed])
  await blank.context().close()
  return { share, plain, framed }
}
