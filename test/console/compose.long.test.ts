import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

describe.skipIf(noBrowser)('the box in which an operator writes', () => {
  let service: TestService
  let browser: Browser
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    browser = await launchChromium()
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    await service.call('PATCH', `/inboxes/${service.home.inboxId}`, { body: { agent: 'suggests' } })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  const box = () => page.getByRole('region', { name: 'Reply', exact: true })
  const text = () => box().locator('textarea')
  const press = (name: string) => box().getByRole('button', { name, exact: true }).click()
  const suggestion = () => page.getByRole('region', { name: 'Suggested reply' })
  const sent = async (subject: string) =>
    (await service.call('GET', `/messages?direction=outbound&q=subject:${subject}`)).body.messages
  /** Receives a message, and opens its conversation. */
  const open = async (subject: string): Promise<string> => {
    await service.mail({ subject, text: 'Where is it?' })
    const { messages } = (await service.call('GET', `/messages?q=subject:${subject}`)).body
    await page.goto(service.url.replace('/v1', `/console/conversations?thread=${messages[0].thread_id}`))
    await page
      .getByRole('article', { name: subject })
      .getByRole('button', { name: 'Reply', exact: true })
      .waitFor()
    return messages[0].id
  }
  const suggest = async (messageId: string, words: string): Promise<string> => {
    const { body } = await service.call('POST', `/messages/${messageId}/reply`, { body: { text: words } })
    await suggestion().getByText(words).first().waitFor()
    return body.id
  }
  /** Lets the first such request reach the service, and cuts the network before its answer. */
  const cutOnce = async (path: string, method: string, when: (body: string) => boolean = () => true) => {
    let isCut = false
    await page.route(path, async (route) => {
      const request = route.request()
      if (isCut || request.method() !== method || !when(request.postData() ?? '')) return route.fallback()
      isCut = true
      await route.fetch()
      return route.abort('connectionfailed')
    })
  }

  it('sends a suggestion once, and never calls it unsent, if the answer is lost', async () => {
    await suggest(await open('Lamp'), 'It is in the post.')
    await suggestion().getByRole('button', { name: 'Use' }).click()
    await cutOnce('**/v1/drafts/*/send', 'POST')
    await press('Send')
    await box().getByText('This may have been sent already').waitFor()
    await expect.poll(() => sent('Lamp')).toHaveLength(1)
    await press('Send')
    await page.getByText('The suggested reply is on its way.').waitFor()
    expect(await sent('Lamp')).toHaveLength(1)
    await page.unroute('**/v1/drafts/*/send')
  })

  it('reports a reply as sent that the service sent while the browser was away', async () => {
    await open('Mirror')
    await page.keyboard.press('r')
    await text().fill('Tomorrow.')
    await box().getByText('Draft saved.').waitFor()
    await cutOnce('**/v1/drafts/*', 'PATCH', (body) => body.includes('scheduled_at'))
    await press('Send')
    await box().getByText('This may have been sent already').waitFor()
    await expect.poll(() => sent('Mirror'), { timeout: 30_000 }).toHaveLength(1)
    await press('Send')
    await page.getByText('Your message was sent.').waitFor()
    await box().waitFor({ state: 'detached' })
    expect(await sent('Mirror')).toHaveLength(1)
    await page.unroute('**/v1/drafts/*')
  })

  it('keeps the edits of a suggestion and the draft of the operator apart', async () => {
    const draftId = await suggest(await open('Table'), 'We will see.')
    await page.keyboard.press('r')
    await text().fill('My own words.')
    await box().getByText('Draft saved.').waitFor()
    await suggestion().getByRole('button', { name: 'Use' }).click()
    await expect.poll(() => text().inputValue()).toBe('We will see.')
    await text().fill('We will see tomorrow.')
    await press('Close')
    await service.call('PATCH', `/drafts/${draftId}`, { body: { text: 'We saw.' } })
    await suggestion().getByText('We saw.').first().waitFor()
    await suggestion().getByRole('button', { name: 'Use' }).click()
    await expect.poll(() => text().inputValue()).toBe('We will see tomorrow.')
    await press('Discard draft')
    await expect.poll(() => text().inputValue()).toBe('My own words.')
    await press('Close')
    const { drafts } = (await service.call('GET', '/drafts?suggestion=false&status=draft')).body
    expect(drafts).toHaveLength(1)
    await suggestion().getByRole('button', { name: 'Use' }).click()
    await expect.poll(() => text().inputValue()).toBe('We saw.')
    await service.call('DELETE', `/drafts/${draftId}`)
    await press('Send')
    await box().getByText('was dismissed or deleted').waitFor()
    await press('Discard draft')
    await press('Discard draft')
    await box().waitFor({ state: 'detached' })
  })

  it('says why a draft is not saved, saves it again, and keeps it if the box closes before', async () => {
    await open('Shelf')
    await page.route('**/v1/drafts', (route) => route.abort('connectionfailed'))
    await page.keyboard.press('r')
    await text().fill('Written offline.')
    await box().getByText('The draft is not saved. The service cannot be reached.').waitFor()
    await press('Close')
    await page.getByText('Open it again.').waitFor()
    await page.keyboard.press('r')
    await expect.poll(() => text().inputValue()).toBe('Written offline.')
    await box().getByText('The draft is not saved.').waitFor()
    await page.unroute('**/v1/drafts')
    await box().getByText('Draft saved.').waitFor()
    await press('Discard draft')
    await box().waitFor({ state: 'detached' })
  })

  it('saves a file whose upload ends after the box closes', async () => {
    await open('Stool')
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/v1/uploads?*', async (route) => {
      await mayAnswer
      await route.continue()
    })
    await page.keyboard.press('r')
    await text().fill('See the file.')
    await box().getByText('Draft saved.').waitFor()
    const file = { name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('40 EUR') }
    await box().locator('input[type=file]').setInputFiles(file)
    await press('Close')
    await box().waitFor({ state: 'detached' })
    const saved = page.waitForResponse((response) => {
      const request = response.request()
      return request.method() === 'PATCH' && /upload_id/.test(request.postData() ?? '')
    })
    answer()
    await saved
    await page.keyboard.press('r')
    await box().getByText('late.txt').waitFor()
    await press('Discard draft')
    await box().waitFor({ state: 'detached' })
    await page.unroute('**/v1/uploads?*')
  })

  it('lets one tab close its box while another one types', async () => {
    await open('Carpet')
    await page.keyboard.press('r')
    await text().fill('I am typing here.')
    const second = await tab.context.newPage()
    const reported: string[] = []
    second.on('request', (request) => {
      if (request.url().endsWith('/presence')) reported.push(request.postDataJSON().state)
    })
    await box().getByText('Draft saved.').waitFor()
    await second.goto(page.url())
    const other = second.getByRole('region', { name: 'Reply', exact: true })
    await other.getByText('Draft restored.').waitFor()
    await expect.poll(() => reported).toEqual(['writing'])
    await other.getByRole('button', { name: 'Close' }).click()
    await other.waitFor({ state: 'detached' })
    await second.close()
    expect(reported).toEqual(['writing'])
    await text().fill('{{name}}')
    await press('Send')
    await box().getByText('Not sent: the text has {{name}}').waitFor()
    await text().fill('Ana')
    await box().getByRole('button', { name: 'Send', exact: true }).waitFor()
    await press('Discard draft')
    await box().waitFor({ state: 'detached' })
  })

  it('keeps an edited saved reply open, and fills no first name of a company', async () => {
    await service.call('POST', '/saved-replies', { body: { name: 'Thanks', text: 'Dear {{first_name}},' } })
    await page.keyboard.press('c')
    const form = page.getByRole('region', { name: 'New message' })
    await form.getByLabel('To').fill('"Acme, Inc." <info@acme.example>')
    await form.getByRole('button', { name: 'Saved replies' }).click()
    const replies = page.getByRole('dialog', { name: 'Saved replies' })
    await replies.getByRole('button', { name: 'Edit Thanks' }).click()
    await replies.getByRole('textbox', { name: 'Name', exact: true }).fill('Greeting')
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key)
    await page.mouse.click(5, 5)
    expect(await replies.isVisible()).toBe(true)
    let isFull = true
    await page.route('**/v1/saved-replies', (route) => {
      if (!isFull || route.request().method() !== 'POST') return route.fallback()
      isFull = false
      return route.fulfill({ status: 409, json: { error: 'saved_reply_limit_reached', message: 'Full.' } })
    })
    await cutOnce('**/v1/saved-replies/*', 'DELETE')
    await replies.getByRole('button', { name: 'Save' }).click()
    await replies.getByText('cannot be reached').waitFor()
    await replies.getByRole('button', { name: 'Save' }).click()
    await replies.getByRole('button', { name: 'Insert Greeting' }).click()
    await expect.poll(() => form.getByLabel('Text').inputValue()).toBe('Dear {{first_name}},')
    expect(tab.errors.filter((error) => !error.includes('ERR_CONNECTION_FAILED'))).toEqual([])
  })
})
