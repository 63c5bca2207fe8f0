import { generateKeyPairSync } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { createFakeResolver } from '../support/fake-resolver'
import { type QuietService, startService, type TestService } from '../support/service'
import { signMail } from '../support/sign-mail'

const password = 'correct horse battery'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const resolver = createFakeResolver({
  's1._domainkey.bank.example': { txt: [[`v=DKIM1; k=rsa; p=${p}`]] },
  '_dmarc.bank.example': { txt: [['v=DMARC1; p=reject']] },
  'eve.example': { txt: [['v=spf1 ip4:127.0.0.1 -all']] },
})

describe.skipIf(noBrowser)('what nobody proves, at the console', () => {
  let service: TestService
  let browser: Browser
  let url: string
  let tab: Tab
  let page: Page
  beforeAll(async () => {
    service = await startService({ delivery: 'capture', webhooksAllowPrivate: true }, { resolver })
    url = service.url.replace('/v1', '/console')
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
  const article = (subject: string) => page.getByRole('article', { name: subject })
  async function open(subject: string) {
    await page.goto(`${url}/messages`)
    const row = page.getByRole('listitem').filter({ hasText: subject })
    await row.getByRole('button').click()
    await article(subject).waitFor()
  }
  const send = (raw: string) =>
    service.mail({ envelope: { from: 'eve@eve.example', to: service.home.address }, raw })
  const signed = (subject: string, h: string) =>
    signMail(
      `From: Ann <ann@bank.example>\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@bank.example>\r\n\r\nHi\r\n`,
      'bank.example',
      privateKey,
      { h },
    )

  it('marks each field that its sender did not sign, and no other', async () => {
    const added = [
      'To: to@eve.example',
      'Cc: cc@eve.example',
      'Reply-To: reply@eve.example',
      'List-Id: <talk.bank.example>',
      'List-Post: <mailto:list@eve.example>',
      'X-Original-From: author@eve.example',
      'In-Reply-To: <other@bank.example>',
    ]
    await send(`${added.join('\r\n')}\r\n${signed('Replayed', 'from:message-id')}`)
    await send(signed('Honest', 'from:subject:message-id'))
    const marked = async (subject: string) => {
      await open(subject)
      const lines = article(subject)
        .locator('p')
        .filter({ has: page.getByText('ignored: not signed') })
      return (await lines.allInnerTexts()).map((text) => text.replace(/\s*ignored: not signed.*/s, '').trim())
    }
    expect(await marked('Replayed')).toEqual([
      'to to@eve.example',
      'cc cc@eve.example',
      'reply to reply@eve.example',
      'list list@eve.example',
      'subject',
      'position in the conversation',
    ])
    expect(await seriousFaults(page)).toEqual([])
    expect(await marked('Honest')).toEqual([])
    // A reply goes to the sender, whom the box names.
    await open('Replayed')
    await page.keyboard.press('r')
    await page.getByLabel('Reply to ann@bank.example').waitFor()
  })

  it('shows of a webhook its origin and a masked path', async () => {
    const hook = {
      url: 'https://hooks.example/services/T0/secret-of-this-path',
      events: ['message.received'],
    }
    const { body } = await service.call('POST', '/webhooks', { body: hook })
    await page.goto(`${url}/operations?webhook=${body.id}`)
    await page.getByText('https://hooks.example/••••').first().waitFor()
    const text = await page.locator('body').innerText()
    expect(text).not.toContain('secret-of-this')
    expect(await page.content()).not.toContain('secret-of-this')
  })

  it('shows the ASCII form of a link in other letters before anybody follows it', async () => {
    await service.mail({
      ...{ from: 'x@eve.example', subject: 'Letters', text: 'x' },
      html: '<p><a href="https://bаnk.example/login">https://bank.example/login</a></p>', // a Cyrillic а
    })
    await open('Letters')
    await article('Letters').getByRole('tab', { name: 'HTML' }).click()
    const frame = article('Letters').locator('iframe').contentFrame()
    await frame.getByRole('link').hover()
    await article('Letters').getByText('Leads to xn--bnk-6cd.example').waitFor()
    await frame.getByRole('link').click()
    const dialog = page.getByRole('dialog', { name: 'This link opens another site' })
    await dialog.waitFor()
    const text = await dialog.innerText()
    expect(text).toContain('xn--bnk-6cd.example')
    expect(text).not.toContain('bаnk')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  it('clears the page once the service says that nobody is signed in', async () => {
    await open('Replayed')
    await page.getByText('cc@eve.example').waitFor()
    await tab.context.clearCookies()
    const signIn = page.getByRole('heading', { name: 'Sign in' })
    // A request of the page itself may be refused before the click is.
    const click = page.getByRole('link', { name: 'Keys' }).click()
    await Promise.race([signIn.waitFor(), click.catch(() => undefined)])
    await signIn.waitFor()
    expect(await page.content()).not.toContain('eve.example')
    await page.goBack()
    await signIn.waitFor()
    expect(await page.content()).not.toContain('eve.example')
  })
})

describe.skipIf(noBrowser)('the claim page of a service that verifies operators', () => {
  it('has the claim wait until the address is verified, in the same browser', async () => {
    const links: { email: string; url: string }[] = []
    await using service = await startService(
      { delivery: 'capture', verifyOperators: true },
      { signInLink: (link) => void links.push(link) },
    )
    const browser = await launchChromium()
    try {
      await using tab = await openTab(browser)
      const { page } = tab
      await page.goto(await claimUrlOf(service))
      await page.getByLabel('Email').fill('claims@example.com')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Create login' }).click()
      const claim = page.getByRole('button', { name: 'Claim this account' })
      await page.getByRole('note').filter({ hasText: 'is not verified' }).waitFor()
      expect(await claim.isDisabled()).toBe(true)
      expect(await page.getByRole('note').innerText()).toContain(
        'restante admin verify-operator claims@example.com',
      )
      expect(await seriousFaults(page)).toEqual([])
      // Before that, nothing changes.
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByRole('button', { name: 'Check again', disabled: false }).waitFor()
      expect(await claim.isDisabled()).toBe(true)
      await service.service.admin.verifyOperator('claims@example.com')
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByRole('note').waitFor({ state: 'detached' })
      await claim.click()
      await page.getByRole('heading', { name: 'Account claimed' }).waitFor()
      expect(tab.errors).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

async function claimUrlOf(service: QuietService): Promise<string> {
  const { body } = await service.call('POST', '/agent-signups', {
    key: null,
    headers: { 'idempotency-key': 'v'.repeat(43) },
    body: { name: 'Agent' },
  })
  return body.claim_url
}
