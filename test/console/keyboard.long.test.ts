import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

describe.skipIf(noBrowser)('the console by the keyboard alone', () => {
  let service: TestService
  let browser: Browser
  let url: string
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    url = service.url.replace('/v1', '/console')
    browser = await launchChromium()
    await service.mail({ subject: 'One', attachments: [{ filename: 'a.txt', content: 'a' }] })
    await service.mail({ subject: 'Two' })
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByText('One', { exact: true }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  /** Walks by Tab until it begins anew: what was come to, and what of that did not show that it was. */
  async function walk(page: Page): Promise<{ reached: Set<string>; unseen: string[] }> {
    const reached = new Set<string>()
    const unseen: string[] = []
    for (let i = 0; i < 200; i++) {
      await page.keyboard.press('Tab')
      const one = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement | null
        if (!element || element === document.body) return null
        element.dataset.walked ??= String(document.querySelectorAll('[data-walked]').length)
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        const isSeen =
          (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
        return { mark: element.dataset.walked, isSeen, html: element.outerHTML.slice(0, 150) }
      })
      if (one === null || reached.has(one.mark)) {
        if (reached.size > 0) break
        continue
      }
      reached.add(one.mark)
      if (!one.isSeen) unseen.push(one.html)
    }
    return { reached, unseen }
  }

  /** Has the agent ask for a draft to be sent, with a key that may not. */
  async function makeWaiting(subject: string): Promise<void> {
    const { tenantId, inboxId } = service.home
    const scopes: ['read', 'manage'] = ['read', 'manage']
    const made = await service.service.keys.create({ account_id: tenantId, name: subject, scopes })
    const [{ id: answered }] = (await service.call('GET', '/messages')).body.messages
    const body = {
      inbox_id: inboxId,
      subject,
      text: 'Two tables, please.',
      html: '<p>Two tables, please.</p>',
      reply_to_message_id: answered,
      read_message_ids: [answered],
      attachments: [{ filename: 'order.txt', content_base64: 'dHdv' }],
    }
    const draft = await service.call('POST', '/drafts', { key: made.api_key, body })
    await service.call('POST', `/drafts/${draft.body.id}/send`, { key: made.api_key })
  }

  /** Controls that somebody sees and that no Tab came to; rows of a list, and choices, are reached from the one that is. */
  const missed = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')]
        .filter(
          (one) =>
            one.checkVisibility() && !one.matches(':disabled, .messages *, [type=radio]:not(:checked)'),
        )
        .filter((one) => !('walked' in one.dataset))
        .map((one) => one.outerHTML.slice(0, 150)),
    )

  it.each([
    ['/conversations', 'One'],
    ['/conversations?thread', 'Add note'],
    ['/messages', 'One'],
    ['/messages?open', 'For the model'],
    ['/approvals', 'Nothing to approve'],
    ['/approvals?waits', 'Messages that the agent had read'],
    ['/operations', 'Suppressions'],
    ['/talk', 'Talk with your agent'],
    ['/keys', 'API keys'],
    ['/you', 'Profile'],
  ])('reaches everything on %s, and sees where it is', async (path, words) => {
    const { messages } = (await service.call('GET', '/messages')).body
    if (path === '/approvals?waits') await makeWaiting('An order')
    const { id, thread_id } = messages.at(-1)
    await page.goto(url + path.replace('?open', `?message=${id}`).replace('?thread', `?thread=${thread_id}`))
    await page.getByText(words, { exact: true }).first().waitFor()
    const { reached, unseen } = await walk(page)
    expect(reached.size).toBeGreaterThan(5)
    expect(unseen).toEqual([])
    expect(await missed(page)).toEqual([])
  })

  it('claims an account, and is kept out by no fault that axe knows', async () => {
    const { body } = await service.call('POST', '/agent-signups', {
      key: null,
      headers: { 'idempotency-key': 'w'.repeat(43) },
      body: { name: 'An agent' },
    })
    await page.goto('about:blank')
    await page.goto(body.claim_url)
    await page.getByText('No messages received yet.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    const { reached, unseen } = await walk(page)
    expect(reached.size).toBeGreaterThan(1)
    expect([unseen, await missed(page)]).toEqual([[], []])
    await page.getByRole('button', { name: 'Claim this account' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Account claimed' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.goto('about:blank')
    await page.goto(`${url}/claim#token=nothing`)
    await page.getByRole('heading', { name: 'This link is unknown' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Go to your accounts' }).click()
  })

  it('decides on a mail that waits, where axe knows no fault', async () => {
    await makeWaiting('Another order')
    await page.goto(`${url}/approvals?account=${service.home.tenantId}`)
    await page.getByText('Another order').first().click()
    await page.getByRole('button', { name: 'order.txt' }).waitFor()
    await page.getByLabel('Select Another order').check()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Send edited version' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    // What was pressed is gone: whoever goes on by keys is at the form, and then at the mail again.
    await page.locator('input[name=to]:focus').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).press('Enter')
    await page.locator('h2:focus', { hasText: 'Another order' }).waitFor()
  })

  it.each([
    ['/keys', 'Create key', 'Cancel'],
    ['/keys', 'Revoke Home key', 'Cancel'],
    ['/messages', 'Shortcuts', null],
    ['/approvals', 'Reject', 'Cancel'],
    ['/operations?webhook', 'Retry failed deliveries…', 'Cancel'],
  ])('on %s opens the dialog of “%s” around the focus, and gives it back', async (path, name, close) => {
    if (path === '/approvals') await makeWaiting('An order to reject')
    const hook = { url: 'https://hooks.example/', events: ['message.received'] }
    const { id } = (await service.call('POST', '/webhooks', { body: hook })).body
    await page.goto(`${url}${path.replace('?webhook', '')}?account=${service.home.tenantId}&webhook=${id}`)
    const opener = page.getByRole('button', { name, exact: true }).first()
    const dialog = page.getByRole('dialog')
    const hasFocus = () => opener.evaluate((one) => one === document.activeElement)
    const holdsFocus = () => dialog.evaluate((one) => one.contains(document.activeElement))
    for (const way of ['Escape', close]) {
      if (way === null) continue
      await opener.press('Enter')
      await dialog.waitFor()
      await expect.poll(holdsFocus).toBe(true)
      expect(await seriousFaults(page)).toEqual([])
      await page.keyboard.press('Tab')
      // Behind the last control comes the browser itself; what lies behind the dialog never does.
      expect(await page.evaluate(() => document.activeElement!.matches('body, dialog *'))).toBe(true)
      if (way === 'Escape') await page.keyboard.press(way)
      else await dialog.getByRole('button', { name: way }).press('Enter')
      await expect.poll(() => dialog.count()).toBe(0)
      expect(await hasFocus(), way).toBe(true)
    }
  })

  it.each([
    ['/conversations', 'Reply', 'Close'],
    ['/messages', 'Label', 'Add or remove'],
  ])('on %s, brings the focus into what “%s” opens, and back from “%s”', async (path, name, close) => {
    await page.goto(`${url}${path}?account=${service.home.tenantId}`)
    await page.getByRole('listitem').filter({ hasText: 'Two' }).getByRole('button').press('Enter')
    const opener = page.getByRole('article', { name: 'Two' }).getByRole('button', { name, exact: true })
    await opener.press('Enter')
    await page.locator('article').locator('input:focus, textarea:focus').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: close }).press('Enter')
    await expect.poll(() => page.getByRole('button', { name: close }).count()).toBe(0)
    expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  it('leaves the focus on what was pressed while it is done, and does it once', async () => {
    await page.goto(`${url}/operations?account=${service.home.tenantId}`)
    const button = page.getByRole('button', { name: 'Refresh' })
    await button.waitFor()
    const hasFocus = () => button.evaluate((one) => one === document.activeElement)
    let asked = 0
    let answer = () => {}
    await page.route('**/v1/domains*', (route) => {
      asked++
      answer = () => void route.continue()
    })
    await button.press('Enter')
    await expect.poll(() => asked).toBe(1)
    await page.keyboard.press('Enter')
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    expect(await hasFocus()).toBe(true)
    expect(await button.isDisabled()).toBe(true)
    answer()
    await expect.poll(() => button.isDisabled()).toBe(false)
    expect(await hasFocus()).toBe(true)
    expect(asked).toBe(1)
    await page.unroute('**/v1/domains*')
  })

  it('has the choice of account on a phone, too', async () => {
    await page.setViewportSize({ width: 390, height: 780 })
    await page.goto(`${url}/keys?account=${service.home.tenantId}`)
    await page.getByText('programs use these keys to access Home').waitFor()
    await page.getByLabel('Account', { exact: true }).selectOption({ index: 1 })
    await page.getByText('programs use these keys to access An agent').waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('comes past the list of pages by the first link', async () => {
    await page.goto(`${url}/keys?account=${service.home.tenantId}`)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.keyboard.press('Tab')
    await page.locator('a:focus', { hasText: 'Skip to content' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.locator('main:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.locator('main button:focus', { hasText: 'Create key' }).waitFor()
  })

  it('reaches everything on the page of signing in', async () => {
    await using fresh = await openTab(browser)
    await fresh.page.goto(url)
    // Who listens hears where they are before they walk on.
    await fresh.page.locator('h1:focus', { hasText: 'Sign in' }).waitFor()
    const { reached, unseen } = await walk(fresh.page)
    expect(reached.size).toBeGreaterThan(2)
    expect([unseen, await missed(fresh.page)]).toEqual([[], []])
  })
})
