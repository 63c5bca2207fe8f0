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

  const expectNoFaults = async (page: Page) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await seriousFaults(page)).toEqual([])
    }
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
    ['/mail', 'One'],
    ['/mail?open', 'For the model'],
    ['/approvals', 'Nothing waits for you'],
    ['/approvals?waits', 'What the agent had read'],
    ['/operations', 'Suppressions'],
    ['/talk', 'Talk with your agent'],
    ['/keys', 'API keys'],
    ['/you', 'Your login'],
  ])('reaches everything on %s, and sees where it is', async (path, words) => {
    const { messages } = (await service.call('GET', '/messages')).body
    if (path === '/approvals?waits') await makeWaiting('An order')
    await page.goto(url + path.replace('?open', `?message=${messages.at(-1).id}`))
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
    await page.getByText('No mail has come in yet.').waitFor()
    await expectNoFaults(page)
    const { reached, unseen } = await walk(page)
    expect(reached.size).toBeGreaterThan(1)
    expect([unseen, await missed(page)]).toEqual([[], []])
    await page.getByRole('button', { name: 'Claim this account' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'It is yours now' }).waitFor()
    await expectNoFaults(page)
    await page.goto('about:blank')
    await page.goto(`${url}/claim#token=nothing`)
    await page.getByRole('heading', { name: 'This link is not known' }).waitFor()
    await expectNoFaults(page)
    await page.getByRole('button', { name: 'To your accounts' }).click()
  })

  it('decides on a mail that waits, where axe knows no fault', async () => {
    await makeWaiting('Another order')
    await page.goto(`${url}/approvals?account=${service.home.tenantId}`)
    await page.getByText('Another order').first().click()
    await page.getByRole('button', { name: 'order.txt' }).waitFor()
    await page.getByLabel('Select Another order').check()
    await expectNoFaults(page)
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByRole('button', { name: 'Send as changed' }).waitFor()
    await expectNoFaults(page)
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
