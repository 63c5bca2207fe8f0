import type { Browser, Page } from 'playwright-core'
import { Mailbox } from 'restante'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

describe.skipIf(noBrowser)('taking a conversation over at the console', () => {
  let service: TestService
  let browser: Browser
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' })
    browser = await launchChromium()
    await service.mail({ subject: 'A refund, please', text: 'The chair broke on the first day.' })
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('listitem').filter({ hasText: 'A refund, please' }).getByRole('button').click()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  const messageId = () => new URL(page.url()).searchParams.get('message')!
  const reply = async () =>
    (await service.call('POST', `/messages/${messageId()}/reply`, { body: { text: 'From the agent.' } })).body
  const bar = () => page.getByRole('region', { name: 'Hold' })

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
    const folder = process.env.RESTANTE_TEST_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/held.png` })
    await bar().getByRole('button', { name: 'Release' }).click()
    await bar().getByRole('button', { name: 'Hold' }).waitFor()
  })

  it('keeps agents out while a person types, and lets them in where the box closes', async () => {
    await page.keyboard.press('r')
    const box = page.getByRole('region', { name: 'Reply' })
    await box.getByRole('textbox').fill('I will look at it')
    await expect.poll(async () => (await reply()).details?.reason).toBe('typing')
    await box.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(async () => (await reply()).message_id).toBeTruthy()
  })

  it('is held by a reply, and handed back by "Send and hand back"', async () => {
    await page.keyboard.press('r')
    const box = page.getByRole('region', { name: 'Reply' })
    await box.getByRole('textbox').fill('You get your money back.')
    await box.getByRole('button', { name: 'Send', exact: true }).click()
    // The agent had answered meanwhile, which is shown first.
    await box.getByRole('button', { name: 'Send anyway' }).click()
    await bar().getByText('Held by Owner of this service').waitFor()
    await page.keyboard.press('r')
    await box.getByRole('textbox').fill('Anything else?')
    await box.getByRole('button', { name: 'Send and hand back' }).click()
    await box.getByRole('button', { name: 'Send and hand back' }).click()
    await page.getByText('the agent has the conversation again').waitFor()
    await bar().getByRole('button', { name: 'Hold' }).waitFor()
  })

  it('sends what an agent suggests, which holds nothing, or dismisses it', async () => {
    await service.call('PATCH', `/inboxes/${service.home.inboxId}`, { body: { agent: 'suggests' } })
    await using mailbox = await Mailbox.open({ service: service.service })
    const message = await mailbox.messages.get(messageId())
    const suggest = (text: string) => message.reply({ text, key: text })
    expect(await suggest('The money is on its way.')).toMatchObject({ suggested: true })
    await suggest('No refunds.')
    await page.keyboard.press('r')
    const suggestion = (text: string) =>
      page.getByRole('region', { name: 'Suggested reply' }).filter({ hasText: text })
    await suggestion('No refunds.').getByRole('button', { name: 'Dismiss' }).click()
    await suggestion('No refunds.').waitFor({ state: 'detached' })
    await suggestion('The money is on its way.').getByRole('button', { name: 'Use' }).click()
    await page
      .getByRole('region', { name: 'Reply' })
      .getByRole('button', { name: 'Send', exact: true })
      .click()
    // The notice of the reply before may still be visible.
    const newest = async () =>
      (await service.call('GET', '/messages?direction=outbound&limit=1')).body.messages[0]
    const sent = { reply_text: 'The money is on its way.', sent_by: { kind: 'key' } }
    await expect.poll(newest).toMatchObject(sent)
    expect((await service.call('GET', `/threads/${message.threadId}`)).body.hold).toBeNull()
    expect(tab.errors).toEqual([])
  })
})
