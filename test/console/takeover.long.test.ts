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

  it('is held by a reply, and handed back by "Send and hand back"', async () => {
    await page.keyboard.press('r')
    await box().getByText('Draft restored.').waitFor()
    await box().getByRole('textbox').fill('You get your money back.')
    await box().getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sending in 10 seconds.').waitFor()
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
})
