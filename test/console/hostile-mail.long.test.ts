import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

const turned = 'invoice\u202Efdp.exe'
const thin = `Pay\u200Bpal\u2060 sup\u00ADport\uFEFF`

describe.skipIf(noBrowser)('mail of somebody hostile at the console', () => {
  let service: TestService
  let browser: Browser
  let url: string
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    url = service.url.replace('/v1', '/console')
    browser = await launchChromium()
    await service.mail({
      from: { name: thin, address: 'eve@example.com' },
      subject: `Turned ${turned}`,
      text: 'x',
      attachments: [{ filename: turned, content: 'x' }],
    })
    await service.mail({
      from: { name: 'N'.repeat(900), address: 'n@example.com' },
      subject: `Long ${'W'.repeat(10_000)}`,
    })
    await service.mail({
      subject: 'Blank',
      from: { name: '\u200B\u202E', address: 'blank@example.com' },
      text: '\u200B',
    })
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('link', { name: 'All messages' }).click()
    await row('Blank').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  const row = (subject: string) => page.getByRole('listitem').filter({ hasText: subject })
  const open = async (subject: string) => {
    await page.goto(`${url}/messages`)
    await row(subject).getByRole('button').first().click()
    await page.getByRole('article').waitFor()
  }
  const scrollsSideways = () =>
    page.evaluate(() => document.scrollingElement!.scrollWidth > document.scrollingElement!.clientWidth + 1)

  it('shows names, subjects and files in their own order, with nothing hidden in them', async () => {
    await open('Turned')
    const shown = await page.locator('body').innerText()
    expect(shown).not.toMatch(/[\u200B\u202E\u2060\u00AD\uFEFF]/)
    expect(shown).toContain('invoicefdp.exe')
    expect(shown).toContain('Paypal support')
    const download = page.waitForEvent('download')
    await page.getByRole('article').getByRole('button', { name: 'invoicefdp.exe' }).click()
    expect((await download).suggestedFilename()).toBe('invoicefdp.exe')
    expect(await row('Blank').innerText()).toContain('blank@example.com')
  })

  it.each([
    ['a screen', { width: 1280, height: 800 }],
    ['a phone', { width: 360, height: 740 }],
  ])('neither long names nor long subjects make %s scroll sideways', async (_, size) => {
    await page.setViewportSize(size)
    for (const subject of ['Long', 'Turned', 'Blank']) {
      await page.goto(`${url}/messages`)
      await row(subject).waitFor()
      expect(await scrollsSideways(), `${subject} in the list`).toBe(false)
      await open(subject)
      expect(await scrollsSideways(), subject).toBe(false)
      await page.goto(`${url}/conversations`)
      await row(subject).waitFor()
      expect(await scrollsSideways(), `${subject} among the conversations`).toBe(false)
      await row(subject).getByRole('button').first().click()
      await page.getByRole('article', { name: 'Message from' }).first().waitFor()
      expect(await scrollsSideways(), `${subject} as conversation`).toBe(false)
      expect((await page.locator('article h2').innerText()).length).toBeLessThan(310)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('a mail of 500 files and a conversation of 1,000 mails are shown in part, and whole when asked', async () => {
    const attachments = Array.from({ length: 500 }, (_, i) => ({
      filename: `file-${i}.txt`,
      content: `${i}`,
    }))
    await service.mail({ subject: 'Many files', messageId: '<root@example.com>', attachments })
    for (let i = 0; i < 1_000; i += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, j) =>
          service.mail({
            subject: 'Re: Many files',
            inReplyTo: '<root@example.com>',
            text: `Answer ${i + j}`,
          }),
        ),
      )
    const { messages } = (await service.call('GET', '/messages?order=asc&limit=100')).body
    const root = messages.find((one: { subject: string }) => one.subject === 'Many files')
    await page.goto(`${url}/messages?message=${root.id}`)
    await page.getByText('Conversation: 1001 messages').waitFor()
    const files = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
    const others = page.getByRole('navigation', { name: 'Conversation' }).getByRole('listitem')
    expect([await files.count(), await others.count()]).toEqual([31, 50])
    await page.getByRole('button', { name: 'Show 470 more files' }).click()
    await page.getByRole('button', { name: 'Show 951 earlier messages' }).click()
    await expect.poll(async () => [await files.count(), await others.count()]).toEqual([500, 1_001])
    expect(await scrollsSideways()).toBe(false)
    expect(tab.errors).toEqual([])
  })
})
