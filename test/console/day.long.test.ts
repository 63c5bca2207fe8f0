import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, picturesOf, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

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
      html: '<p>The chair broke, see <a href="https://other.example/chair">https://bücher.example/chair</a>.</p>',
    })
    await service.mail({ from: 'bo@example.com', subject: 'Opening hours', text: 'When do you open?' })
    await service.mail({ from: 'cy@example.net', subject: 'Newsletter', text: 'News of the week.' })
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
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
  const picture = (name: string) => picturesOf(page, name)

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
    // Its HTML is shown in the sandbox, which asks before a link that leads elsewhere.
    await message.getByRole('button', { name: 'Show HTML' }).click()
    await message.locator('iframe').contentFrame().getByRole('link').click()
    const asked = page.getByRole('dialog', { name: 'This link opens another site' })
    await asked.getByRole('button', { name: 'Open other.example' }).waitFor()
    await picture('html')
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await message.getByRole('button', { name: 'Show text' }).click()
  })

  it('finds a conversation, also one that is closed', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('subject:hours')
    await page.keyboard.press('Enter')
    await row('Opening hours').waitFor()
    await expect.poll(() => row('Newsletter').count()).toBe(0)
    expect(await page.getByLabel('Filter', { exact: true }).inputValue()).toBe('all')
    expect(await seriousFaults(page)).toEqual([])
    await picture('find')
    await page.getByLabel('Search mail').fill('')
    await page.keyboard.press('Enter')
    await row('Newsletter').waitFor()
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
      await page.getByLabel('Filter', { exact: true }).selectOption(filter)
      await row(title).waitFor()
      await expect.poll(() => row(other).count(), { message: filter }).toBe(0)
    }
    await page.getByLabel('Filter', { exact: true }).selectOption('open')
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

  it('lets no tab overwrite what another one wrote', async () => {
    const text = () => region('Reply').getByRole('textbox')
    const second = await tab.context.newPage()
    // Nobody can edit the draft before it is there.
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
    await second.route('**/v1/drafts/*?include=content', async (route) => {
      await mayAnswer
      await route.continue()
    })
    await second.goto(page.url())
    const other = second.getByRole('region', { name: 'Reply' })
    await other.waitFor()
    expect(await other.getByRole('textbox').isDisabled()).toBe(true)
    answer()
    await expect.poll(() => other.getByRole('textbox').isEnabled()).toBe(true)
    await other.getByRole('textbox').fill('The other tab says no.')
    await other.getByText('Draft saved.').waitFor()
    await text().fill('You get it back today.')
    const alert = region('Reply').getByRole('alert')
    await alert.getByText('changed, sent or discarded elsewhere').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture('conflict')
    await alert.getByRole('button', { name: 'Load the other version' }).click()
    await expect.poll(() => text().inputValue()).toBe('The other tab says no.')
    await other.getByRole('textbox').fill('The other tab says maybe.')
    await other.getByText('Draft saved.').waitFor()
    await text().fill('You get your money back.')
    await alert.getByRole('button', { name: 'Keep this version' }).click()
    await region('Reply').getByText('Draft saved.').waitFor()
    await expect.poll(() => alert.count()).toBe(0)
    await second.close()
    await page.reload()
    await expect.poll(() => text().inputValue()).toBe('You get your money back.')
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
    await form.getByText(`From ${service.home.address}`).waitFor()
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/v1/uploads?*', async (route) => {
      await mayAnswer
      await route.continue()
    })
    await form
      .locator('input[type=file]')
      .setInputFiles({ name: 'contract.txt', mimeType: 'text/plain', buffer: Buffer.from('We agree.') })
    await form.getByText('Uploading…').waitFor()
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await form.getByText('a file is still being uploaded').waitFor()
    answer()
    await form.getByText('contract.txt').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture('new')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sending in 10 seconds.').waitFor()
    await expect.poll(sent, { timeout: 20_000 }).toContainEqual(['The contract', 'Here it is.'])
  })

  it('writes by a saved reply, with its variables filled', async () => {
    await page.keyboard.press('c')
    const form = region('New message')
    const replies = page.getByRole('dialog', { name: 'Saved replies' })
    const press = (name: string) => replies.getByRole('button', { name, exact: true }).click()
    const saves = async (name: string, text: string) => {
      await replies.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
      await replies.getByRole('textbox', { name: /^Text/ }).fill(text)
      await press('Save')
    }
    await form.getByRole('button', { name: 'Saved replies' }).click()
    await replies.getByText('No saved replies').waitFor()
    await press('New saved reply')
    await saves('Thanks', 'Dear {{first_name}}, thank you.')
    await press('New saved reply')
    await saves('Thanks', 'Another text.')
    await replies.getByText('another saved reply has this name').waitFor()
    await saves('Sorry', 'Sorry, {{nobody}}.')
    await replies.getByText('may contain').waitFor()
    await saves('Sorry', 'Sorry.')
    expect(await seriousFaults(page)).toEqual([])
    await picture('saved replies')
    await press('Edit Thanks')
    await saves('Many thanks', 'Dear {{first_name}}, many thanks. {{operator}}')
    await press('Delete Sorry')
    await press('Delete “Sorry”')
    await expect.poll(() => replies.getByText('Sorry').count()).toBe(0)
    // Nobody is named yet.
    await press('Insert Many thanks')
    const text = () => form.getByLabel('Text').inputValue()
    await expect.poll(text).toBe('Dear {{first_name}}, many thanks. Owner of this service')
    await page.getByText('No value for {{first_name}}').waitFor()
    await form.getByLabel('To').fill('Ana Silva <ana@example.com>')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await form.getByText('the text has {{first_name}}').waitFor()
    await picture('unfilled')
    await form.getByLabel('Text').fill('')
    await form.getByRole('button', { name: 'Saved replies' }).click()
    await press('Insert Many thanks')
    await expect.poll(text).toBe('Dear Ana, many thanks. Owner of this service')
    await form.getByRole('button', { name: 'Discard draft' }).click()
    expect((await service.call('GET', '/saved-replies')).body.saved_replies).toMatchObject([
      { name: 'Many thanks' },
    ])
  })

  it('names the inbox that the draft of a new message began in', async () => {
    const other = (await service.call('POST', '/inboxes', { body: { local_part: 'other' } })).body
    await page.reload()
    const form = region('New message')
    const write = async (inbox: string) => {
      await page.getByLabel('Filter by inbox').selectOption(inbox)
      await button('New message').click()
    }
    await write(service.home.inboxId)
    await form.getByLabel('Text').fill('From the first.')
    await form.getByText('Draft saved.').waitFor()
    await form.getByRole('button', { name: 'Close' }).click()
    await write(other.id)
    await form.getByText(`From ${service.home.address}`).waitFor()
    await form.getByRole('button', { name: 'Discard draft' }).click()
    await write(other.id)
    await form.getByText(`From ${other.address}`).waitFor()
    await form.getByRole('button', { name: 'Close' }).click()
    await page.getByLabel('Filter by inbox').selectOption('')
  })

  it('approves a draft with an edit, and rejects another', async () => {
    const { api_key: key } = await service.service.keys.create({
      account_id: service.home.tenantId,
      name: 'billing-bot',
      scopes: ['read', 'manage'],
    })
    for (const subject of ['An offer', 'A threat']) {
      const mail = { inbox_id: service.home.inboxId, to: ['bo@example.com'], subject, text: 'Ten euros.' }
      const { id } = (await service.call('POST', '/drafts', { key, body: mail })).body
      await service.call('POST', `/drafts/${id}/send`, { key })
    }
    await page.getByRole('link', { name: 'Approvals' }).click()
    await page.getByRole('button', { name: 'A threat' }).click()
    await button('Reject').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'A threat' }).count()).toBe(0)
    await page.getByRole('button', { name: 'An offer' }).click()
    await button('Edit').click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Nine euros.')
    await picture('approve')
    expect(await seriousFaults(page)).toEqual([])
    await button('Send edited version').click()
    await expect.poll(sent, { timeout: 20_000 }).toContainEqual(['An offer', 'Nine euros.'])
    await page.getByRole('link', { name: 'Conversations' }).click()
  })

  it('pauses an agent, and says who did', async () => {
    await service.call('POST', '/consumers', { body: { name: 'support-bot' } })
    await page.getByRole('link', { name: 'Operations' }).click()
    await button('Pause support-bot').click()
    await page.getByText('Paused by Owner of this service', { exact: true }).waitFor()
    expect((await service.call('GET', '/consumers/support-bot')).body.paused.by.kind).toBe('operator')
    expect(await seriousFaults(page)).toEqual([])
    await picture('paused')
    await button('Resume support-bot').click()
    await button('Pause support-bot').waitFor()
    await page.getByRole('link', { name: 'Conversations' }).click()
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
