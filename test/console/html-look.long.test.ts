import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseMail } from '../../src/mail/parse'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { compareHtml } from '../support/compare-html'
import { startService, type TestService } from '../support/service'
import { looks } from './html-looks'

/**
 * A folder of messages and HTML files to compare as well. The pictures of those that differ go to
 * `RESTANTE_TEST_PICTURES`.
 */
const folder = process.env.RESTANTE_TEST_HTML
const pictures = process.env.RESTANTE_TEST_PICTURES
/** Share of the pixels that may differ: a line that breaks elsewhere is more. */
const maxShare = 0.002

/** Reads the HTML of a file, which is HTML or a message; undefined if there is none. */
async function htmlOf(path: string): Promise<string | undefined> {
  const raw = await readFile(path)
  if (/\.html?$/i.test(path)) return raw.toString()
  return (await parseMail(raw).catch(() => undefined))?.html ?? undefined
}

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
    const { share, differences } = await compareHtml(browser, page, consoleUrl, html)
    expect(differences).toEqual([])
    expect(share).toBeLessThanOrEqual(maxShare)
  })

  it.runIf(folder)('every file of RESTANTE_TEST_HTML', { timeout: 1_200_000 }, async () => {
    const names = (await readdir(folder!, { recursive: true })).sort()
    const rows: string[] = []
    let compared = 0
    for (const name of names) {
      const path = join(folder!, name)
      const html = (await stat(path)).isFile() ? await htmlOf(path) : undefined
      if (!html) continue
      compared += 1
      const { share, differences, ...shown } = await compareHtml(browser, page, consoleUrl, html)
      if (share <= maxShare && differences.length === 0) continue
      rows.push(`${(share * 100).toFixed(2)} %  ${name}: ${differences.slice(0, 5).join('; ')}`)
      if (!pictures) continue
      await mkdir(pictures, { recursive: true })
      for (const [kind, picture] of Object.entries(shown))
        await writeFile(join(pictures, `${name.replaceAll('/', '-')}.${kind}.png`), picture)
    }
    console.info(`${compared - rows.length} of ${compared} look alike\n${rows.join('\n')}`)
  })
})
