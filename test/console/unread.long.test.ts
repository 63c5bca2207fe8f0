import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

describe.skipIf(noBrowser)('what is read, archived and thrown away at the console', () => {
  let service: TestService
  let browser: Browser
  let url: string
  let tab: Tab
  let page: Page
  let other: string
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    url = service.url.replace('/v1', '/console')
    browser = await launchChromium()
    other = (await service.call('POST', '/inboxes', { body: { local_part: 'other' } })).body.address
    for (const subject of ['One', 'Two', 'Three']) await service.mail({ subject })
    await service.mail({ subject: 'For other', to: other })
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('link', { name: 'All messages' }).click()
    await row('One').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  const row = (subject: string) => page.getByRole('listitem').filter({ hasText: subject })
  const subjects = () => page.getByRole('listitem').locator('.subject').allInnerTexts()
  const title = () => page.title()
  const counted = (inbox: string) =>
    page.getByLabel('Filter by inbox').locator('option').filter({ hasText: inbox }).innerText()
  const labelsOf = async (subject: string) =>
    (await service.call('GET', '/messages?include=all')).body.messages.find(
      (one: { subject: string }) => one.subject === subject,
    ).labels

  it('counts what is unread in the title, in the list of inboxes and beside the page, as it changes', async () => {
    await expect.poll(title).toBe('(4) All messages · Restante')
    expect(await counted(other)).toBe(`${other} (1)`)
    expect(await page.getByRole('link', { name: 'Conversations 4 unread' }).count()).toBe(1)
    await row('Two').getByRole('button').click()
    await expect.poll(title).toBe('(3) All messages · Restante')
    expect(await labelsOf('Two')).toEqual([])
    await service.mail({ subject: 'Four' })
    await expect.poll(title).toBe('(4) All messages · Restante')
    await page.getByLabel('Folder').selectOption('unread')
    await expect.poll(subjects).toEqual(['Four', 'For other', 'Three', 'One'])
    await page.getByLabel('Filter by inbox').selectOption({ label: `${other} (1)` })
    await expect.poll(subjects).toEqual(['For other'])
    // Opened by its address it is read, too; a tab that looked at it stays at what it shows.
    const { id } = (await service.call('GET', '/messages?label=unread')).body.messages.at(-1)
    await page.goto(`${url}/messages?message=${id}`)
    await page.getByRole('article', { name: 'One' }).waitFor()
    await expect.poll(title).toBe('(3) All messages · Restante')
    expect(await labelsOf('One')).toEqual([])
    // A page that keeps no mailbox open counts it too.
    await page.goto(`${url}/keys`)
    await expect.poll(title).toBe('(3) API keys · Restante')
  })

  /** Opens a message that was read before. */
  const openOne = async () => {
    await page.goto(`${url}/messages`)
    await row('One').waitFor()
    await row('One').getByRole('button').click()
    await page.getByRole('article', { name: 'One' }).waitFor()
    await expect.poll(() => row('One').getAttribute('class')).not.toContain('unread')
  }

  it('does by keys what it does by buttons, and undoes what was done last', async () => {
    await openOne()
    await page.keyboard.press('u')
    await page.getByText('Message marked as unread.').waitFor()
    expect(await labelsOf('One')).toEqual(['unread'])
    await page.keyboard.press('u')
    await expect.poll(() => labelsOf('One')).toEqual([])
    await page.keyboard.press('Shift+U')
    await page.getByText('No message selected').waitFor()
    await expect.poll(() => labelsOf('One')).toEqual(['unread'])
    for (const [key, label, said] of [
      ['#', 'trash', 'Message moved to the trash.'],
      ['e', 'archived', 'Message archived.'],
      ['!', 'spam', 'Message marked as spam.'],
    ] as const) {
      await row('Two').getByRole('button').click()
      await page.getByRole('article', { name: 'Two' }).waitFor()
      await page.keyboard.press(key)
      await page.getByText(said).waitFor()
      await expect.poll(() => row('Two').count()).toBe(0)
      expect(await labelsOf('Two')).toContain(label)
      await page.getByLabel('Folder').selectOption(label)
      await row('Two').waitFor()
      await page.getByLabel('Folder').selectOption('inbox')
      await page.locator('body').press('z')
      await row('Two').waitFor()
      expect(await labelsOf('Two')).toEqual([])
    }
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const words of [
      'archive, or move',
      'move to the trash',
      'mark as unread, and close',
      'mark as spam, or not spam',
      'undo the last action',
    ])
      await keys.getByText(words).waitFor()
    await page.keyboard.press('Escape')
    expect(tab.errors).toEqual([])
  })

  it('begins at the other end by a key', async () => {
    await page.goto(`${url}/messages`)
    await row('One').waitFor()
    await page.keyboard.press('End')
    await expect.poll(subjects).toEqual(['One', 'Two', 'Three', 'For other', 'Four'])
    await service.mail({ subject: 'Five' })
    await expect.poll(subjects).toEqual(['One', 'Two', 'Three', 'For other', 'Four', 'Five'])
    await page.keyboard.press('Home')
    await expect.poll(subjects).toEqual(['Five', 'Four', 'For other', 'Three', 'Two', 'One'])
  })

  it('shows what comes in while the list is read', async () => {
    await page.goto(`${url}/messages`)
    await row('One').waitFor()
    const before = await title()
    let answer: (() => void) | undefined
    await page.route('**/v1/messages?**', async (route) => {
      const response = await route.fetch()
      answer = () => void route.fulfill({ response })
    })
    await page.getByLabel('Folder').selectOption('all')
    await expect.poll(() => answer).toBeDefined()
    await service.mail({ subject: 'Six' })
    await expect.poll(title).not.toBe(before)
    answer!()
    await row('Six').waitFor()
    expect(await subjects()).toEqual(['Six', 'Five', 'Four', 'For other', 'Three', 'Two', 'One'])
    await page.unroute('**/v1/messages?**')
  })

  /** Opens it as above; what the service tells from now on is told in pieces, each up to an event of a type. */
  const openUntold = async () => {
    let isHeld = false
    const held: { frame: string; send: () => void }[] = []
    await page.routeWebSocket('**/realtime', (socket) => {
      socket.connectToServer().onMessage((frame) => {
        if (isHeld) held.push({ frame: String(frame), send: () => socket.send(frame) })
        else socket.send(frame)
      })
    })
    await openOne()
    isHeld = true
    const placeOf = (type: string) => held.findIndex(({ frame }) => frame.includes(`"${type}"`))
    return async (type: string) => {
      await expect.poll(() => placeOf(type)).toBeGreaterThan(-1)
      for (const { send } of held.splice(0, placeOf(type) + 1)) send()
    }
  }

  it('does what is asked for last, before what was asked for earlier is answered', async () => {
    await openUntold()
    await page.keyboard.press('u')
    await page.getByText('Message marked as unread.').waitFor()
    let answer = () => {}
    await page.route('**/labels/*/unassign', async (route) => {
      const response = await route.fetch()
      answer = () => void route.fulfill({ response })
    })
    await page.keyboard.press('u')
    await expect.poll(() => labelsOf('One')).toEqual([])
    await page.keyboard.press('Shift+U')
    await page.getByText('No message selected').waitFor()
    answer()
    await expect.poll(() => labelsOf('One')).toEqual(['unread'])
    await page.unroute('**/labels/*/unassign')
  })

  it('does what is asked for last, when events come after the answers to later changes', async () => {
    const tell = await openUntold()
    await page.keyboard.press('u')
    await page.getByText('Message marked as unread.').waitFor()
    await page.keyboard.press('u')
    await page.getByText('Message marked as read.').waitFor()
    await tell('label.assigned')
    await page.keyboard.press('Shift+U')
    await page.getByText('No message selected').waitFor()
    await expect.poll(() => labelsOf('One')).toEqual(['unread'])
  })
})
