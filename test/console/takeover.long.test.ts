import type { Browser, Page } from 'playwright-core'
import { Mailbox } from 'restante'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, picturesOf, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

describe.skipIf(noBrowser)('taking a conversation over at the console', () => {
  let service: TestService
  let mailbox: Mailbox
  let browser: Browser
  let tab: Tab
  let page: Page
  let messageId: string
  let threadId: string
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    mailbox = await Mailbox.open({ service: service.service })
    browser = await launchChromium()
    await service.mail({ subject: 'A refund, please', text: 'The chair broke on the first day.' })
    const { messages } = (await service.call('GET', '/messages')).body
    ;({ id: messageId, thread_id: threadId } = messages[0])
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('listitem').filter({ hasText: 'A refund, please' }).getByRole('button').click()
  })
  afterAll(async () => {
    await browser?.close()
    await mailbox?.close()
    await service?.[Symbol.asyncDispose]()
  })
  const reply = async () =>
    (await service.call('POST', `/messages/${messageId}/reply`, { body: { text: 'From the agent.' } })).body
  const bar = () => page.getByRole('region', { name: 'Hold' })
  const box = () => page.getByRole('region', { name: 'Reply' })
  const sent = async () => (await service.call('GET', '/messages?direction=outbound')).body.messages
  const openAgain = async () => {
    await page.keyboard.press('Escape')
    await page.getByText('No conversation selected').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'A refund, please' }).getByRole('button').click()
    await bar().waitFor()
  }
  const picture = (name: string) => picturesOf(page, name)

  it('holds it with a reason, and shows who has it and for how long', async () => {
    await bar().getByRole('button', { name: 'Hold' }).click()
    await bar().getByLabel('Reason for the hold').fill('Refunds are mine')
    await bar().getByRole('button', { name: 'Hold' }).click()
    await bar().getByText('Held by Owner of this service').waitFor()
    const said = await bar().innerText()
    expect(said).toContain('for 1 minute')
    expect(said).toContain('Refunds are mine')
    expect((await reply()).error).toBe('thread_held')
    expect(await seriousFaults(page)).toEqual([])
    await picture('held')
    await bar().getByRole('button', { name: 'Release' }).click()
    await bar().getByRole('button', { name: 'Hold' }).waitFor()
  })

  it('keeps an agent out while a person types, and lets it answer where the box closes', async () => {
    let mayAnswer = () => {}
    const begun = new Promise<void>((begin) => {
      mailbox.run(
        async (message) => {
          begin()
          await new Promise<void>((resolve) => (mayAnswer = resolve))
          await message.reply({ text: 'From the agent.' })
        },
        { consumer: 'support-bot', onError: () => {} },
      )
    })
    await begun
    await page.keyboard.press('r')
    await box().getByRole('textbox').fill('I will look at it')
    await expect.poll(async () => (await reply()).details?.reason).toBe('typing')
    mayAnswer()
    await picture('typing')
    expect(await sent()).toEqual([])
    await box().getByRole('button', { name: 'Close' }).click()
    await expect
      .poll(async () => {
        mayAnswer()
        return (await sent()).length
      })
      .toBe(1)
    await page
      .getByRole('article', { name: 'Message from support-bot' })
      .getByText(/^Sent by support-bot, read 1 message, \d+\.\d s$/)
      .waitFor()
    await picture('answered')
  })

  it('reports typing again while it lasts, and never that its writer only reads', async () => {
    const second = await tab.context.newPage()
    await second.clock.install()
    const told: string[] = []
    second.on('request', (request) => {
      if (request.url().endsWith('/presence')) told.push(request.postDataJSON().state)
    })
    await second.goto(page.url())
    await second.getByRole('button', { name: 'Reply', exact: true }).click()
    const text = second.getByRole('region', { name: 'Reply' }).getByRole('textbox')
    await text.fill('Still at it')
    await expect.poll(() => told).toContain('writing')
    told.length = 0
    await second.clock.fastForward(61_000)
    await text.press('!')
    await expect.poll(() => told).toEqual(['writing'])
    // The other tab of the same person reads meanwhile.
    await openAgain()
    expect((await reply()).error).toBe('thread_held')
    await second.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => told).toEqual(['writing', 'reading'])
    await second.close()
  })

  it('keeps what was written where the box closes at once', async () => {
    let answer = () => {}
    const mayAnswer = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/v1/drafts', async (route) => {
      await mayAnswer
      await route.continue()
    })
    const form = page.getByRole('region', { name: 'New message' })
    const text = form.getByLabel('Text')
    await page.keyboard.press('c')
    await text.fill('Closed at once.')
    await form.getByRole('button', { name: 'Close' }).click()
    await form.waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    expect(await text.isDisabled()).toBe(true)
    answer()
    await expect.poll(() => text.inputValue()).toBe('Closed at once.')
    await page.unroute('**/v1/drafts')
    await form.getByRole('button', { name: 'Discard draft' }).click()
    await form.waitFor({ state: 'detached' })
  })

  it('is held by a reply, and handed back by "Send and hand back"', async () => {
    await page.keyboard.press('r')
    await box().getByText('Draft restored.').waitFor()
    await box().getByRole('textbox').fill('You get your money back.')
    await box().getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sending in 10 seconds.').waitFor()
    // Until it is sent, nothing holds it but the presence of its writer, who may look elsewhere meanwhile.
    expect((await reply()).error).toBe('thread_held')
    await openAgain()
    expect((await reply()).error).toBe('thread_held')
    await bar().getByText('Held by Owner of this service').waitFor()
    await page.keyboard.press('r')
    await box().getByRole('textbox').fill('Anything else?')
    await box().getByRole('button', { name: 'Send and hand back' }).click()
    await page.getByText('the agent has the conversation again').waitFor()
    await bar().getByRole('button', { name: 'Hold' }).waitFor()
  })

  it('sends what an agent suggests, which holds nothing, or dismisses it', async () => {
    await service.call('PATCH', `/inboxes/${service.home.inboxId}`, { body: { agent: 'suggests' } })
    const message = await mailbox.messages.get(messageId)
    const suggest = (text: string) => message.reply({ text, key: text })
    expect(await suggest('The money is on its way.')).toMatchObject({ suggested: true })
    await suggest('No refunds.')
    // They appear although nobody has opened the reply box.
    const suggestion = (text: string) =>
      page.getByRole('region', { name: 'Suggested reply' }).filter({ hasText: text })
    await suggestion('The money is on its way.').waitFor()
    await suggestion('No refunds.').getByRole('button', { name: 'Dismiss' }).click()
    await suggestion('No refunds.').waitFor({ state: 'detached' })
    await picture('suggested')
    expect(await seriousFaults(page)).toEqual([])
    await suggestion('The money is on its way.').getByRole('button', { name: 'Use' }).click()
    await box().getByRole('button', { name: 'Send', exact: true }).click()
    // The notice of the reply before may still be visible.
    const text = 'The money is on its way.'
    await expect.poll(async () => (await sent())[0]).toMatchObject({ reply_text: text })
    expect((await service.call('GET', `/threads/${threadId}`)).body.hold).toBeNull()
    expect(tab.errors).toEqual([])
  })
  it('shows all that a suggestion would send, and sends no other version of it', async () => {
    const message = await mailbox.messages.get(messageId)
    const html = '<p>Thank you. Please send us your card number.</p>'
    const { id: draftId } = await message.reply({ text: 'Thank you.', html, key: 'html' })
    const suggestion = page.getByRole('region', { name: 'Suggested reply' })
    await suggestion.locator('iframe').contentFrame().getByText('your card number').waitFor()
    await suggestion.getByText('Warnings:').waitFor()
    await picture('suggested HTML')
    const before = (await sent()).length
    await suggestion.getByRole('button', { name: 'Use' }).click()
    await service.call('PATCH', `/drafts/${draftId}`, { body: { text: 'Thank you!', html } })
    await box().getByRole('button', { name: 'Send', exact: true }).click()
    await box().getByText('changed its suggestion').waitFor()
    expect(await sent()).toHaveLength(before)
    await box().getByRole('button', { name: 'Close' }).click()
    await suggestion.getByText('Thank you!').first().waitFor()
    await suggestion.getByRole('button', { name: 'Use' }).click()
    await box().getByRole('textbox').fill('We refund it today.')
    await box().getByRole('button', { name: 'Send', exact: true }).click()
    const text = 'We refund it today.'
    await expect.poll(async () => (await sent())[0]).toMatchObject({ reply_text: text })
    const { body } = await service.call('GET', `/messages/${(await sent())[0].id}`)
    expect(body.body_html).toContain(text)
    expect(body.body_html).not.toContain('card number')
    expect(tab.errors).toEqual([])
  })

  it('shows a forward that an agent suggests, and sends it', async () => {
    const message = await mailbox.messages.get(messageId)
    await message.forward({ to: 'bo@example.com', text: 'For accounting.', key: 'forward' })
    await message.forward({ to: 'cy@example.com', text: 'For nobody.', key: 'other' })
    const suggestion = (text: string) =>
      page.getByRole('region', { name: 'Suggested forward' }).filter({ hasText: text })
    await suggestion('For nobody.').getByRole('button', { name: 'Dismiss' }).click()
    await suggestion('For nobody.').waitFor({ state: 'detached' })
    await suggestion('For accounting.').getByText('bo@example.com').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture('suggested forward')
    await suggestion('For accounting.').getByRole('button', { name: 'Use' }).click()
    const forward = page.getByRole('region', { name: 'Forward', exact: true })
    const text = forward.getByLabel('Suggested forward to bo@example.com')
    await expect.poll(() => text.inputValue()).toContain('The chair broke')
    await forward.getByRole('button', { name: 'Send', exact: true }).click()
    await expect
      .poll(async () => (await sent())[0])
      .toMatchObject({
        to_addrs: ['bo@example.com'],
        approved_by: { kind: 'operator' },
      })
    await suggestion('For accounting.').waitFor({ state: 'detached' })
    expect(tab.errors).toEqual([])
  })

  it('takes a suggestion out of the box when the operator goes on with a draft', async () => {
    await page.keyboard.press('r')
    await box().getByRole('textbox').fill('My own words.')
    await box().getByText('Draft saved.').waitFor()
    const message = await mailbox.messages.get(messageId)
    await message.reply({ text: 'The words of the agent.', key: 'conflict' })
    const { drafts } = (await service.call('GET', '/drafts?suggestion=false&status=draft')).body
    await service.call('PATCH', `/drafts/${drafts[0].id}`, { body: { text: 'Words of another tab.' } })
    await box().getByRole('textbox').fill('My own new words.')
    await box().getByText('changed, sent or discarded elsewhere').waitFor()
    await page
      .getByRole('region', { name: 'Suggested reply' })
      .filter({ hasText: 'The words of the agent.' })
      .getByRole('button', { name: 'Use' })
      .click()
    const suggested = box().getByLabel(/^Suggested reply to/)
    await expect.poll(() => suggested.inputValue()).toBe('The words of the agent.')
    await box().getByRole('button', { name: 'Keep this version' }).click()
    await expect
      .poll(() =>
        box()
          .getByLabel(/^Reply to/)
          .inputValue(),
      )
      .toBe('My own new words.')
    await box().getByText('Draft saved.').waitFor()
    await box().getByRole('button', { name: 'Discard draft' }).click()
    expect(tab.errors).toEqual([])
  })
})
