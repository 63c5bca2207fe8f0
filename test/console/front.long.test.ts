import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { JumpClock } from '../support/jump-clock'
import { type QuietService, startService, type TestService } from '../support/service'

const password = 'correct horse battery'

/** Has an agent sign up. */
async function signUp(service: QuietService, letter: string) {
  const { body } = await service.call('POST', '/agent-signups', {
    key: null,
    headers: { 'idempotency-key': letter.repeat(43) },
    body: { name: `Agent ${letter}` },
  })
  return body as {
    tenant_id: string
    claim_url: string
    api_key: string
    inbox: { id: string; address: string }
  }
}

describe.skipIf(noBrowser)('the entry page of the console', () => {
  let service: TestService
  let browser: Browser
  let console_: string
  const links: { email: string; url: string }[] = []
  beforeAll(async () => {
    service = await startService({ delivery: 'capture' }, { signInLink: (link) => void links.push(link) })
    console_ = service.url.replace('/v1', '/console')
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  async function makeLogin({ page }: Tab, email: string, url = console_) {
    await page.goto(url)
    await page.getByRole('button', { name: 'I am new' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create login' }).click()
  }

  it('leads somebody who knows nothing from a login to what an agent does next', async () => {
    await using tab = await openTab(browser)
    await makeLogin(tab, 'new@example.com')
    await tab.page.getByRole('heading', { name: 'No account yet' }).waitFor()
    expect(await tab.page.locator('main').innerText()).toContain('/agent-signups')
    expect(tab.errors).toEqual([])
  })

  it('keeps nobody out by a fault that axe knows, from a forgotten password to its new one', async () => {
    await using tab = await openTab(browser)
    const { page } = tab
    const expectNoFaults = async (heading: string) => {
      await page.getByRole('heading', { name: heading }).waitFor()
      expect(await seriousFaults(page), heading).toEqual([])
    }
    await page.goto(console_)
    await expectNoFaults('Sign in')
    await page.getByRole('button', { name: 'I am new' }).click()
    await expectNoFaults('Create your login')
    await makeLogin(tab, 'kept@example.com')
    await expectNoFaults('No account yet')
    await page.goto(`${console_}/you`)
    await expectNoFaults('Profile')
    await page.getByRole('button', { name: 'Sign out here' }).click()
    await page.getByRole('button', { name: 'Send me a link instead' }).click()
    await expectNoFaults('Sign in with a link')
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await expectNoFaults('Set a new password')
    await page.getByLabel('Email').fill('kept@example.com')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('A link is on its way').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.goto('about:blank')
    await page.goto(links.at(-1)!.url)
    await page.getByRole('button', { name: 'Set password' }).waitFor()
    await expectNoFaults('Set a new password')
    await page.goto('about:blank')
    await page.goto(`${console_}#link=nothing`)
    await expectNoFaults('This link no longer works')
  })

  it('takes a claim link from the fragment, which is in no address and no request, to an account that is yours', async () => {
    const agent = await signUp(service, 'c')
    const token = agent.claim_url.split('=')[1]!
    await using tab = await openTab(browser)
    const { page } = tab
    await page.goto(agent.claim_url)
    await page.getByRole('heading', { name: 'Create your login' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(page.url()).toBe(`${console_}/claim`)
    await page.getByLabel('Email').fill('claims@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create login' }).click()
    await page.getByText(agent.inbox.address).waitFor()
    await page.getByRole('button', { name: 'Claim this account' }).click()
    await page.getByRole('heading', { name: 'Account claimed' }).waitFor()
    expect(tab.asked.filter((url) => url.includes(token))).toEqual([])
    expect(await page.evaluate(() => history.length)).toBeLessThan(4)
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(page.url()).toBe(`${console_}/keys`)
    // Used up: it says what to do, and to its owner that it is theirs.
    await page.goto('about:blank')
    await page.goto(agent.claim_url)
    await page.getByRole('heading', { name: 'This account is yours already' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await using other = await openTab(browser)
    await makeLogin(other, 'late@example.com')
    await other.page.getByRole('heading', { name: 'No account yet' }).waitFor()
    await other.page.goto('about:blank')
    await other.page.goto(agent.claim_url)
    await other.page.getByRole('heading', { name: 'Somebody else has claimed this account' }).waitFor()
    expect(await seriousFaults(other.page)).toEqual([])
    await other.page.goto('about:blank')
    await other.page.goto(`${console_}/claim#token=nothing`)
    await other.page.getByRole('heading', { name: 'This link is unknown' }).waitFor()
    // It stands in the way of no other page.
    await other.page.goto(`${console_}/you`)
    await other.page.getByRole('heading', { name: 'Profile' }).waitFor()
    expect(tab.errors).toEqual([])
  })

  it('says of a link that is too old, and of an account that is gone, what to do', async () => {
    const clock = new JumpClock()
    await using old = await startService({ delivery: 'capture' }, { clock })
    const { claim_url } = await signUp(old, 'e')
    await using tab = await openTab(browser)
    await makeLogin(tab, 'slow@example.com', old.url.replace('/v1', '/console'))
    await tab.page.getByRole('heading', { name: 'No account yet' }).waitFor()
    for (const [laterMs, title] of [
      [31 * 60_000, 'This link has expired'],
      [40 * 86_400_000, 'The account has expired'],
    ] as const) {
      clock.jump(laterMs)
      await tab.page.goto('about:blank')
      await tab.page.goto(claim_url)
      await tab.page.getByRole('heading', { name: title }).waitFor()
      expect(await tab.page.getByRole('alert').innerText()).toMatch(/agent/)
      expect(await seriousFaults(tab.page), title).toEqual([])
    }
    await tab.page.getByRole('button', { name: 'Go to your accounts' }).click()
    await tab.page.getByRole('heading', { name: 'No account yet' }).waitFor()
  })

  it('signs in by the link that the service gives, each once, with the account that it has', async () => {
    for (const path of ['/keys', '/approvals']) {
      await using tab = await openTab(browser)
      await tab.page.goto(service.service.ownerLink())
      await tab.page.getByRole('navigation', { name: 'Pages' }).waitFor()
      await tab.page.goto(console_ + path)
      await tab.page.getByRole('heading').first().waitFor()
      // Each place can be opened directly, and loaded anew.
      await tab.page.reload()
      await tab.page.locator('a[aria-current=page]').waitFor()
      expect(tab.page.url()).toBe(console_ + path)
      expect(tab.errors).toEqual([])
    }
    const { body } = await service.call('POST', '/agent-signups', {
      key: null,
      headers: { 'idempotency-key': 'o'.repeat(43) },
      body: {},
    })
    expect(body.inbox.address).not.toContain('console.invalid')
  })

  it('signs in by a link in a mail, and ends every session at once', async () => {
    await using tab = await openTab(browser)
    const { page } = tab
    await makeLogin(tab, 'mail@example.com')
    await page.getByRole('heading', { name: 'No account yet' }).waitFor()
    await using second = await openTab(browser)
    await second.page.goto(console_)
    await second.page.getByRole('button', { name: 'Send me a link instead' }).click()
    await second.page.getByLabel('Email').fill('mail@example.com')
    await second.page.getByRole('button', { name: 'Send me a link' }).click()
    await second.page.getByText('A link is on its way').waitFor()
    await second.page.goto(links.at(-1)!.url)
    await second.page.getByRole('heading', { name: 'No account yet' }).waitFor()
    expect(new URL(second.page.url()).hash).toBe('')
    await second.page.getByRole('link', { name: 'Profile' }).click()
    await second.page.getByRole('button', { name: 'End all sessions' }).click()
    await second.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect([...tab.errors, ...second.errors]).toEqual([])
  })

  it('gives every sign-in a session of its own, whatever cookie there was before', async () => {
    await using tab = await openTab(browser)
    const { page, context } = tab
    const planted = { name: 'restante.session_token', value: 'planted.by-somebody-else', url: console_ }
    await context.addCookies([planted])
    await makeLogin(tab, 'fixed@example.com')
    await page.getByRole('heading', { name: 'No account yet' }).waitFor()
    const session = async () => (await context.cookies()).find(({ name }) => name === planted.name)!
    const first = await session()
    expect(first).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    expect(first.value).not.toContain('planted')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Email').fill('fixed@example.com')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'No account yet' }).waitFor()
    expect((await session()).value).not.toBe(first.value)
  })

  it('says what is wrong where the service does not answer, and goes on when it does', async () => {
    await using tab = await openTab(browser)
    const { page, context } = tab
    await page.goto(console_)
    await page.getByLabel('Email').fill('a@example.com')
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await context.route('**/console/auth/session', (route) => route.abort())
    await page.reload()
    await page.getByText('cannot be reached').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await context.unroute('**/console/auth/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})
