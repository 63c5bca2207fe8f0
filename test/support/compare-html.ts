import type { Browser, Frame, Page } from 'playwright-core'

/** Where an element is and how it looks, by the names of its properties. */
type Look = Record<string, string | number>

/** A document as it is shown: its picture, and the look of each element that has a mark. */
interface Shown {
  picture: Buffer
  looks: Record<string, Look>
}

/** How alike the two pictures of one document are. */
export interface Compared {
  /** Share of the pixels that differ visibly, 0 to 1; what only one picture has counts as different. */
  share: number
  /** Elements that the frame removed, and properties that differ, such as `td width: 80, 200`. */
  differences: string[]
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

/** Marks each element of the body, in the attribute that the frame keeps and styles do not use. */
const marked = (blank: Page, html: string): Promise<string> =>
  blank.evaluate((html) => {
    const { documentElement, body } = new DOMParser().parseFromString(html, 'text/html')
    body.querySelectorAll('*:not(style, script, noscript *)').forEach((one, at) => {
      one.setAttribute('title', `element ${at}`)
    })
    return documentElement.outerHTML
  }, html)

const looksIn = (shown: Page | Frame): Promise<Record<string, Look>> =>
  shown.evaluate(() => {
    const properties = [
      ...['direction', 'textAlign', 'verticalAlign', 'display', 'visibility', 'float', 'whiteSpace'],
      ...['color', 'backgroundColor', 'fontFamily', 'fontSize', 'fontWeight', 'listStyleType'],
      ...['borderTopWidth', 'borderTopColor', 'borderLeftWidth', 'paddingTop', 'paddingLeft'],
    ] as const
    const lookOf = (element: HTMLElement): [string, Look] => {
      const style = getComputedStyle(element)
      const { x, y, width, height } = element.getBoundingClientRect()
      const { colSpan = 1, rowSpan = 1 } = element as HTMLTableCellElement
      return [
        element.title,
        {
          ...{ tag: element.localName, x, y, width, height, colSpan, rowSpan },
          ...Object.fromEntries(properties.map((name) => [name, style[name]])),
        },
      ]
    }
    return Object.fromEntries([...document.querySelectorAll<HTMLElement>('[title^="element "]')].map(lookOf))
  })

const isSame = (a: string | number | undefined, b: string | number | undefined) =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= 1 : a === b

/** Returns the differences between the looks of the elements of a document, each kind once. */
function differencesOf(plain: Shown['looks'], framed: Shown['looks']): string[] {
  const all = Object.entries(plain).flatMap(([mark, look]) => {
    const other = framed[mark]
    if (!other) return [`${look.tag} is removed`]
    return Object.keys(look)
      .filter((name) => !isSame(look[name], other[name]))
      .map((name) => `${look.tag} ${name}: ${look[name]}, ${other[name]}`)
  })
  return [...new Set(all)]
}

/** The document as its sender wrote it, with our styles below its own. Nothing in it runs, and every picture is one pixel. */
async function showPlain(browser: Browser, html: string): Promise<Shown> {
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
  const shown = { picture: await page.screenshot(), looks: await looksIn(page) }
  await context.close()
  return shown
}

/** The same in the document in which the console shows it. */
async function showFramed(page: Page, consoleUrl: string, html: string): Promise<Shown> {
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
  const shown = { picture: await element.screenshot(), looks: await looksIn(frame) }
  await element.evaluate((one) => one.remove())
  return shown
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
  const blank = await (await browser.newContext()).newPage()
  const document = await marked(blank, html)
  const plain = await showPlain(browser, document)
  const framed = await showFramed(signedIn, consoleUrl, document)
  const pictures = { plain: plain.picture, framed: framed.picture }
  const share = await shareOf(blank, Object.values(pictures))
  await blank.context().close()
  return { share, differences: differencesOf(plain.looks, framed.looks), ...pictures }
}
