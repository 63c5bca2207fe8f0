import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

const folder = process.env.RESTANTE_TEST_PICTURES

describe.skipIf(noBrowser)("a day's work at the console", () => {
  let service: TestService
  let browser: Browser
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    browser = await launchChromium()
    await service.mail({
      from: 'Ana Silva <ana@example.com>',
      subject: 'A refund, please',
      text: 'The chair broke, see https://bücher.example/chair.\n\nOn Monday, Bo wrote:\n> How is the chair?',
    })
    await service.mail({ from: 'bo@example.com', subject: 'Opening hours', text: 'When do you open?' })
    await service.mail({ from: 'cy@example.net', subject: 'Newsletter', text: 'News of the week.' })
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('link', { name: 'Conversations' }).click()
    await row('A refund, please').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  const row = (subject: string) =>
    page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').filter({ hasText: subject })
  const open = async (subject: string) => {
    await row(subject).getByRole('button').click()
    await page.getByRole('article', { name: subject }).waitFor()
  }
  const threadId = () => new URL(page.url()).searchParams.get('thread')!
  const thread = async () => (await service.call('GET', `/threads/${threadId()}`)).body
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const sent = async () =>
    (await service.call('GET', '/messages?direction=outbound')).body.messages.map(
      (one: { subject: string; reply_text: string }) => [one.subject, one.reply_text],
    )
  const picture = async (name: string) => {
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

  it('opens a conversation in place, with quotes folded and links that show their host', async () => {
    await open('A refund, please')
    const message = page.getByRole('article', { name: 'Message from Ana Silva' })
    const link = message.getByRole('link', { name: 'https://xn--bcher-kva.example/chair' })
    expect(await link.getAttribute('rel')).toContain('noopener')
    expect(await message.getByText('How is the chair?').count()).toBe(0)
    await message.getByRole('button', { name: 'Show whole text' }).click()
    await message.getByText('How is the chair?').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture('open')
  })

  it('takes a conversation over while the agent is at work, and writes notes', async () => {
    await region('Hold').getByRole('button', { name: 'Hold' }).click()
    await region('Hold').getByLabel('Reason for the hold').fill('Refunds are mine')
    await region('Hold').getByRole('button', { name: 'Hold' }).click()
    await row('A refund, please').getByText('Held by Owner of this service').waitFor()
    await button('Add note').click()
    await region('Notes').getByRole('textbox').fill('She is a customer since 2019.')
    await region('Notes').getByLabel('For the agent').check()
    await region('Notes').getByText('The flow rule does not count it').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await region('Notes').getByRole('button', { name: 'Add note' }).click()
    await region('Notes').getByText('Note by Owner of this service').waitFor()
    await page.getByLabel('Assignee').selectOption({ label: 'Me' })
    await row('A refund, please').getByText('Assigned to Owner of this service').waitFor()
    for (const [filter, title, other] of [
      ['mine', 'A refund, please', 'Opening hours'],
      ['held', 'A refund, please', 'Opening hours'],
      ['unassigned', 'Opening hours', 'A refund, please'],
      ['waiting', 'Opening hours', 'A refund, please'],
    ] as const) {
      await page.getByLabel('Filter').selectOption(filter)
      await row(title).waitFor()
      await expect.poll(() => row(other).count(), { message: filter }).toBe(0)
    }
    await page.getByLabel('Filter').selectOption('open')
  })

  it('keeps what is written as a draft, and restores it with its file', async () => {
    await button('Reply').click()
    await region('Reply').getByRole('textbox').fill('You get your money back.')
    await region('Reply')
      .locator('input[type=file]')
      .setInputFiles({ name: 'refund.txt', mimeType: 'text/plain', buffer: Buffer.from('40 EUR') })
    await region('Reply').getByText('refund.txt').waitFor()
    await region('Reply').getByText('Draft saved.').waitFor()
    await page.reload()
    await button('Reply').click()
    await region('Reply').getByText('Draft restored.').waitFor()
    expect(await region('Reply').getByRole('textbox').inputValue()).toBe('You get your money back.')
    expect(await seriousFaults(page)).toEqual([])
    await picture('reply')
  })

  it('takes a reply back within ten seconds, and sends it', async () => {
    const send = () => region('Reply').getByRole('button', { name: 'Send', exact: true }).click()
    await send()
    await page.getByText('Sending in 10 seconds.').waitFor()
    await button('Undo').click()
    await page.getByText('Not sent. The draft is kept').waitFor()
    expect(await sent()).toEqual([])
    await button('Reply').click()
    await region('Reply').getByText('Draft restored.').waitFor()
    await send()
    await page.getByText('Sending in 10 seconds.').waitFor()
    // The service sends it, although the page is gone.
    await page.goto('about:blank')
    await expect
      .poll(sent, { timeout: 20_000 })
      .toEqual([['Re: A refund, please', 'You get your money back.']])
    await page.goBack()
    await row('A refund, please').getByText('Answered by Owner of this service').waitFor()
    await page.getByText('Sent by Owner of this service').waitFor()
    await button('refund.txt')
      .or(page.getByRole('button', { name: 'refund.txt' }))
      .first()
      .waitFor()
  })

  it('hands it back, snoozes another, and opens it again', async () => {
    await region('Hold').getByRole('button', { name: 'Release' }).click()
    await expect.poll(async () => (await thread()).hold).toBeNull()
    await open('Opening hours')
    await page.getByLabel('Snooze').selectOption({ label: 'For 1 hour' })
    await expect.poll(async () => (await thread()).status).toBe('snoozed')
    await expect.poll(() => row('Opening hours').count()).toBe(0)
    await button('Reopen').click()
    await row('Opening hours').waitFor()
  })

  it('writes a new message with a file', async () => {
    await page.keyboard.press('c')
    const form = region('New message')
    await form.getByLabel('To').fill('dana@example.org')
    await form.getByLabel('Subject').fill('The contract')
    await form.getByLabel('Text').fill('Here it is.')
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: 'contract.txt', mimeType: 'text/plain', buffer: Buffer.from('We agree.') })
    await form.getByText('contract.txt').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture('new')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sending in 10 seconds.').waitFor()
    await expect.poll(sent, { timeout: 20_000 }).toContainEqual(['The contract', 'Here it is.'])
  })

  it('archives several at once, and shows its keys', async () => {
    await page.getByLabel('Select Newsletter').check()
    await page.getByLabel('Select Opening hours').check()
    const bar = page.getByRole('toolbar', { name: 'Selected conversations' })
    expect(await seriousFaults(page)).toEqual([])
    await picture('bulk')
    await bar.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('2 conversations archived.').waitFor()
    await expect.poll(() => row('Newsletter').count()).toBe(0)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('write a new message').waitFor()
    await page.keyboard.press('Escape')
  })

  it('reads who did what, and exports it', async () => {
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('cell', { name: 'Snoozed a conversation' }).waitFor()
    await page.getByLabel('Action').selectOption('thread.held')
    await expect.poll(() => page.getByRole('cell', { name: 'Snoozed a conversation' }).count()).toBe(0)
    expect(await seriousFaults(page)).toEqual([])
    await picture('audit')
    const download = page.waitForEvent('download')
    await button('Export').click()
    expect((await download).suggestedFilename()).toBe('audit.ndjson')
    expect(tab.errors).toEqual([])
  })
})
