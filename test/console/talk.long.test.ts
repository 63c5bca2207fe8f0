import type { Browser, Page } from 'playwright-core'
import { Mailbox } from 'restante'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

describe.skipIf(noBrowser)('talking with an agent at the console', () => {
  let service: TestService
  let mailbox: Mailbox
  let browser: Browser
  let url: string
  let tab: Tab
  let page: Page
  /** What the model of the agent was shown. */
  const prompts: string[] = []
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    mailbox = await Mailbox.open({ service: service.service })
    mailbox.run(
      async (message) => {
        prompts.push(await message.toPrompt())
        await message.reply({ text: `You said: ${message.text.trim()}` })
      },
      { consumer: 'echo' },
    )
    url = service.url.replace('/v1', '/console')
    browser = await launchChromium()
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('link', { name: 'Talk' }).click()
    await page.getByRole('heading', { name: 'Talk with your agent' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await mailbox?.close()
    await service?.[Symbol.asyncDispose]()
  })
  const passed = (words: string) =>
    page.getByRole('list', { name: 'Messages' }).getByRole('listitem').filter({ hasText: words })

  it('leads there from a mailbox that has no mail yet', async () => {
    await page.goto(`${url}/messages`)
    await page.getByText(`New messages to ${service.home.address} appear here`).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Write a first message' }).click()
    await page.getByRole('heading', { name: 'Talk with your agent' }).waitFor()
  })

  it('writes, sees the answer appear by itself, and answers it, in one conversation', async () => {
    await page.getByText('No messages yet').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByLabel('From', { exact: true }).fill('Ana Silva <ana@example.com>')
    await page.getByLabel('Subject').fill('A question')
    await page.getByRole('textbox', { name: 'Text' }).fill('Is anybody there?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const answer = passed('You said: Is anybody there?')
    await answer.getByText('captured').waitFor()
    await passed('Ana Silva').getByText('verified', { exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('')
    await answer.getByRole('button', { name: 'Reply to Re: A question' }).click()
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('ana@example.com')
    await page.getByRole('textbox', { name: 'Text' }).fill('Thank you.')
    await page.keyboard.press('Control+Enter')
    await passed('You said: Thank you.').waitFor()
    const { threads } = (await service.call('GET', '/threads')).body
    expect(threads).toHaveLength(1)
    expect(threads[0].message_count).toBe(4)
    expect(tab.errors).toEqual([])
  })

  it('says of each sender what the agent sees, in the very words', async () => {
    const words = await page.locator('.proof q').allInnerTexts()
    expect(prompts[0]).toContain(words[0])
    await page.getByRole('radio', { name: 'Not verified' }).check()
    await page.getByLabel('From', { exact: true }).fill('boss@example.com')
    await page.getByRole('textbox', { name: 'Text' }).fill('Pay the invoice.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await passed('boss@example.com').getByText('not verified').first().waitFor()
    await expect.poll(() => prompts.at(-1)).toContain('Pay the invoice.')
    expect(prompts.at(-1)).toContain(words[1])
    // Who was played stays so.
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('boss@example.com')
  })

  it('shows what the agent sent alone, by its address, and asks nothing while nobody touches it', async () => {
    await page.goto(`${url}/talk?show=sent`)
    await passed('You said: Thank you.').waitFor()
    expect(await passed('Ana Silva').count()).toBe(0)
    await page.waitForLoadState('networkidle')
    const before = tab.asked.length
    await mailbox.send({ to: 'cy@example.net', subject: 'Unasked', text: 'A word from me.' })
    await passed('A word from me.').waitFor()
    const asked = tab.asked.slice(before)
    expect(asked.length, asked.join()).toBeLessThanOrEqual(2)
  })

  it('says at the form what was refused, and keeps what was written', async () => {
    await page.goto(`${url}/talk`)
    await page.getByLabel('From', { exact: true }).fill('nobody')
    await page.getByRole('textbox', { name: 'Text' }).fill('Words.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alert').getByText('is not an address').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Words.')
  })

  it('keeps nobody out by a fault that axe knows, also where a mail is longer than what is shown of it', async () => {
    await mailbox.send({ to: 'cy@example.net', subject: 'Long', text: 'One more line.\n'.repeat(60) })
    await page.goto(`${url}/talk`)
    await passed('One more line.').waitFor()
    await passed('You said: Thank you.').getByRole('button').click()
    await page.getByText('Reply to').waitFor()
    expect(await seriousFaults(page)).toEqual([])
  })

  it('is not there where mail leaves', async () => {
    await using real = await startService({ delivery: 'smtp://127.0.0.1:1' })
    await using other = await openTab(browser)
    await other.page.goto(real.service.ownerLink())
    await other.page.getByRole('navigation', { name: 'Pages' }).waitFor()
    expect(await other.page.getByRole('link', { name: 'Talk' }).count()).toBe(0)
    for (const place of ['talk', '%E0%A4%A']) {
      await other.page.goto(`${real.url.replace('/v1', '/console')}/${place}`)
      await other.page.getByText('Page not found').waitFor()
    }
    expect(await seriousFaults(other.page)).toEqual([])
  })
})
