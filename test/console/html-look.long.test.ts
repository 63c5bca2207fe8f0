import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { compareHtml } from '../support/compare-html'
import { startService, type TestService } from '../support/service'
import { looks } from './html-looks'

/** A folder of HTML files to compare as well; the pictures of those that differ go to its folder `different`. */
const folder = process.env.RESTANTE_TEST_HTML
/** Share of the pixels that may differ: a line that breaks elsewhere is more. */
const maxShare = 0.002

describe.skipIf(noBrowser)('HTML looks as its sender laid it out', () => {
  let service: TestService
  let browser: Browser
  let tab: Tab
  let page: Page
  let consoleUrl: string
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    consoleUrl = service.url.replace('/v1', '/console')
    browser = await launchChromium()
    tab = await openTab(browser)
    page = tab.page
    await page.goto(consoleUrl)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  it.each(Object.entries(looks))('%s', async (_, html) => {
    expect((await compareHtml(browser, page, consoleUrl, html)).share).toBeLessThanOrEqual(maxShare)
  })

  it.runIf(folder)('every file of RESTANTE_TEST_HTML', { timeout: 1_200_000 }, async () => {
    const names = (await readdir(folder!)).filter((name) => /\.html?$/.test(name)).sort()
    const rows: string[] = []
    for (const name of names) {
      const html = await readFile(join(folder!, name), 'utf8')
      const { share, plain, framed } = await compareHtml(browser, page, consoleUrl, html)
      if (share <= maxShare) continue
      rows.push(`${(share * 100).toFixed(2)} %  ${name}`)
      await mkdir(join(folder!, 'different'), { recursive: true })
      for (const [kind, picture] of Object.entries({ plain, framed }))
        await writeFile(join(folder!, 'different', `${name}.${kind}.png`), picture)
    }
    console.info(`${names.length - rows.length} of ${names.length} look alike\n${rows.join('\n')}`)
  })
})
