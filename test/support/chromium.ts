import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const given = process.env.RESTANTE_TEST_CHROMIUM
// The same without its windows takes half of the time.
const installed = ['chromium-headless-shell', 'chromium', 'chromium-browser'].map((one) => `/usr/bin/${one}`)
const places = given ? [given] : installed
const path = places.find((one) => existsSync(one))

/** Why no browser can be driven; null where one can. */
export const noBrowser =
  path === undefined
    ? `Chromium is not ${given ? `at ${given}, as RESTANTE_TEST_CHROMIUM says` : 'installed (apt install chromium-headless-shell)'}`
    : null
if (noBrowser) console.warn(`skipped: tests of the console: ${noBrowser}`)

/** Starts the browser; nothing of it asks the network for anything of its own. */
export const launchChromium = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: path!,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...more,
    ],
  })

/** A tab of a person, and what went wrong in it. */
export interface Tab extends AsyncDisposable {
  page: Page
  context: BrowserContext
  /** Scripts that failed, and what the policy of the page forbade. */
  errors: string[]
  /** Addresses that were asked for, in their order. */
  asked: string[]
}

/** Saves what the page looks like at three widths, light and dark, if `RESTANTE_TEST_PICTURES` names a folder. */
export async function picturesOf(page: Page, name: string): Promise<void> {
  const folder = process.env.RESTANTE_TEST_PICTURES
  if (!folder) return
  const before = page.viewportSize()!
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 1024, 390]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 860 })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
    }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(before)
}

/** Opens a tab with cookies of its own. */
export async function openTab(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const errors: string[] = []
  const asked: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  // A refusal that the page shows is logged by the browser too.
  page.on('console', (line) => {
    if (line.type() === 'error' && !/status of 4\d\d/.test(line.text())) errors.push(line.text())
  })
  context.on('request', (request) => asked.push(request.url()))
  return { page, context, errors, asked, [Symbol.asyncDispose]: () => context.close() }
}
