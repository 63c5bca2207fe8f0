import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sizeText } from '../../src/console/core/times'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { hasDovecot } from '../support/dovecot'
import { createFakeResolver, type FakeName } from '../support/fake-resolver'
import { JumpClock } from '../support/jump-clock'
import { startMailboxServer } from '../support/mailbox-server'
import { startService, type TestService } from '../support/service'

describe.skipIf(noBrowser)('what stands still, at the console', () => {
  const clock = new JumpClock()
  const names: Record<string, FakeName> = {}
  let isUp = false
  const reported: { type: string }[] = []
  let service: TestService
  let browser: Browser
  let url: string
  let tab: Tab
  let page: Page
  let webhookId: string

  /** Hands out all that waits, and gives it back at once, until it is given up. */
  async function giveUp() {
    for (let attempt = 1; attempt <= 10; attempt++) {
      const { deliveries } = (await service.call('POST', '/consumers/bot/lease', { body: { max: 10 } })).body
      const leases = deliveries.map(({ lease }: { lease: string }) => lease)
      await service.call('POST', '/consumers/bot/nack', { body: { leases, delay_ms: 0 } })
    }
  }
  const deliveries = async () =>
    (await service.call('GET', `/webhooks/${webhookId}/deliveries`)).body.deliveries
  /** Lets an endpoint that is down be tried until the event is given up. */
  async function untilDead() {
    for (let made = 1; made <= 10; made++) {
      const { next_attempt_at } = await vi.waitFor(async () => {
        const [delivery] = await deliveries()
        if (delivery?.attempts.length !== made) throw new Error(`${made} attempts were awaited`)
        return delivery
      })
      if (next_attempt_at !== null) clock.jump(Date.parse(next_attempt_at) - clock.now())
    }
  }

  beforeAll(async () => {
    service = await startService(
      { delivery: 'capture', webhooksAllowPrivate: true },
      {
        clock,
        resolver: createFakeResolver(names),
        postToEndpoint: async ({ body }) => {
          if (isUp) reported.push(JSON.parse(body))
          return isUp
            ? { httpStatus: 200, error: null, responseBody: 'thanks' }
            : { httpStatus: 503, error: 'The endpoint answered 503.', responseBody: 'closed\n'.repeat(20) }
        },
      },
    )
    url = service.url.replace('/v1', '/console')
    const hook = { url: 'https://hooks.example/mail', events: ['message.received'] }
    webhookId = (await service.call('POST', '/webhooks', { body: hook })).body.id
    await service.call('POST', '/consumers', { body: { name: 'bot' } })
    await service.mail({ from: 'cy@example.net', subject: 'The first' })
    await untilDead()
    for (const subject of ['An order', 'A question', 'Another question'])
      await service.mail({ from: 'cy@example.net', subject })
    await service.mail({ subject: 'Away', headers: { 'Auto-Submitted': 'auto-replied' } })
    await giveUp()
    await service.call('POST', '/domains', { body: { hostname: 'agents.example' } })
    for (const address of ['gone@example.net', 'cross@example.org'])
      await service.call('POST', '/suppressions', { body: { address } })
    browser = await launchChromium()
    tab = await openTab(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const open = async (search = '') => {
    await page.goto(`${url}/operations${search}`)
    await page.getByRole('heading', { name: 'Problems' }).waitFor()
  }

  it('says in words what stands still, and leads to each', async () => {
    await open()
    const all = page.getByRole('list', { name: 'Problems' })
    await all.getByText('agents.example is not verified yet').waitFor()
    await all.getByRole('link', { name: 'bot gave up on 4 messages after ten attempts' }).click()
    await region('Dead letters of bot').getByText('Another question').waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      consumer: 'bot',
      list: 'dead',
    })
    expect(tab.errors).toEqual([])
  })

  it('shows the bytes that the account stores', async () => {
    await open()
    const { used_bytes } = (await service.call('GET', '/account')).body.storage
    const shown = await region('Account').locator('dt:has-text("Storage") + dd').innerText()
    expect(shown).toBe(sizeText(used_bytes))
    expect(used_bytes).toBeGreaterThan(0)
  })

  it('asks nothing while nobody touches it, and says that it is offline', async () => {
    await open()
    await region('Suppressions').getByText('gone@example.net').waitFor()
    await page.waitForLoadState('networkidle')
    const before = tab.asked.length
    await service.mail({ from: 'ed@example.net', subject: 'While nobody looks' })
    await tab.context.setOffline(true)
    await page.getByText('You are offline').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.getByRole('button', { name: 'Refresh' }).isDisabled()).toBe(true)
    await tab.context.setOffline(false)
    await expect.poll(() => page.getByText('You are offline').count()).toBe(0)
    expect(tab.asked.slice(before)).toEqual([])
  })

  it('sends round one dead letter, or all that match, and what was left out', async () => {
    await open('?consumer=bot&list=dead')
    const dead = region('Dead letters of bot')
    await dead.getByRole('button', { name: 'Redrive An order' }).click()
    await page.getByText('One message redriven.').waitFor()
    await dead.getByRole('searchbox').fill('question')
    await expect.poll(() => new URL(page.url()).searchParams.get('find')).toBe('question')
    await dead.getByRole('button', { name: 'Redrive matches: 2' }).click()
    await page.getByText('2 messages redriven.').waitFor()
    await expect.poll(async () => (await service.call('GET', '/consumers/bot')).body.dead).toBe(1)
    await page.getByRole('button', { name: '1 messages that bot skipped' }).click()
    const skipped = region('Skipped by bot')
    await skipped.getByText('a program wrote it').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await skipped.getByRole('button', { name: 'Redrive Away' }).click()
    await skipped.getByText('No messages left.').waitFor()
    const { deliveries } = (await service.call('POST', '/consumers/bot/lease', { body: { max: 10 } })).body
    expect(deliveries.map((one: { message: { subject: string } }) => one.message.subject)).toEqual(
      expect.arrayContaining(['An order', 'A question', 'Another question', 'Away']),
    )
    expect(tab.errors).toEqual([])
  })

  it('shows every attempt at an endpoint, sends one again, a test event, and all that it missed since a time', async () => {
    await open(`?webhook=${webhookId}&status=dead`)
    const webhook = region('The webhook to https://hooks.example/••••')
    await webhook.locator('summary').first().click()
    await webhook.locator('.attempts').getByText('The endpoint answered 503').nth(9).waitFor()
    await webhook.getByText('closed').first().waitFor()
    expect(await seriousFaults(page)).toEqual([])
    isUp = true
    await webhook.getByRole('button', { name: 'Retry failed deliveries…' }).click()
    const dialog = page.getByRole('dialog')
    const soon = new Date(clock.now() + 3_600_000 - new Date().getTimezoneOffset() * 60_000)
    await dialog.getByLabel('Since').fill(soon.toISOString().slice(0, 16))
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('No deliveries have failed since then.').waitFor()
    await webhook.getByRole('button', { name: 'Retry failed deliveries…' }).click()
    await dialog.getByLabel('Since').fill('2020-01-01T00:00')
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('One event is being delivered again.').waitFor()
    await expect.poll(() => reported.map(({ type }) => type)).toEqual(['message.received'])
    await webhook.getByLabel('Filter by status').selectOption('delivered')
    await webhook.locator('summary').first().click()
    await webhook.getByRole('button', { name: 'Redeliver' }).click()
    await page.getByText('The event is being delivered again.').waitFor()
    await expect.poll(() => reported.length).toBe(2)
    await webhook.getByRole('button', { name: 'Send test event' }).click()
    await expect.poll(() => reported.at(-1)?.type).toBe('webhook.test')
    expect(tab.errors).toEqual([])
  })

  it('gives the records of a domain to copy, and looks for them when it is told to', async () => {
    const { domains } = (await service.call('GET', '/domains')).body
    await open(`?domain=${domains[0].id}`)
    const domain = region('DNS records of agents.example')
    await domain.getByRole('button', { name: 'Copy the value of the ownership record' }).click()
    const record = domains[0].records.find(({ purpose }: { purpose: string }) => purpose === 'ownership')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(record.value)
    await domain.getByRole('button', { name: 'Check DNS now' }).click()
    await domain.getByText('Last checked').waitFor()
    for (const { type, name, value } of domains[0].records)
      names[name] =
        type === 'MX'
          ? { mx: [{ priority: Number(value.split(' ')[0]), exchange: value.split(' ')[1] }] }
          : { txt: [[value]] }
    await domain.getByRole('button', { name: 'Check DNS now' }).click()
    await page.getByText('agents.example is verified.').waitFor()
    await expect.poll(() => domain.getByText('ok', { exact: true }).count()).toBeGreaterThan(2)
    expect(tab.errors).toEqual([])
  })

  it('lists whom nothing is sent to, lets mail go to one again, and takes that back', async () => {
    await open()
    const list = region('Suppressions')
    await list.getByRole('searchbox').fill('gone')
    await expect.poll(() => list.getByText('cross@example.org').count()).toBe(0)
    await list.getByRole('button', { name: 'Remove gone@example.net' }).click()
    await page.getByText('Email can be sent to gone@example.net again.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    const addresses = async () =>
      (await service.call('GET', '/suppressions')).body.suppressions.map(
        ({ address }: { address: string }) => address,
      )
    expect(await addresses()).toEqual(['cross@example.org'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(addresses).toEqual(['cross@example.org', 'gone@example.net'])
  })

  it.skipIf(!hasDovecot)('says in words why a connected mailbox is not reached', async () => {
    const server = await startMailboxServer()
    const made = await service.call('POST', '/connections', { body: server.body })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    await open(`?connection=${made.body.id}`)
    const mailbox = region(`The mailbox ${made.body.address}`)
    await mailbox.getByText('INBOX').waitFor()
    await server[Symbol.asyncDispose]()
    const state = async () => (await service.call('GET', `/connections/${made.body.id}`)).body.state
    await expect.poll(state).toBe('failing')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await mailbox.getByText('Failing since').waitFor()
    await page.getByRole('list', { name: 'Problems' }).getByText('cannot be synchronized').waitFor()
    const { error } = (await service.call('GET', `/connections/${made.body.id}`)).body
    await mailbox.getByText(error).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await mailbox.getByRole('button', { name: 'Retry now' }).click()
    await page.getByText('Retry started').waitFor()
  })

  it('says what is wrong where the service does not answer, and shows it once it does', async () => {
    await tab.context.route('**/v1/domains*', (route) => route.abort())
    await page.goto(`${url}/operations`)
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await tab.context.unroute('**/v1/domains*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await region('Domains').getByText('agents.example').waitFor()
    tab.errors.length = 0
  })

  it('keeps nobody out by a fault that axe knows, whatever is opened', async () => {
    const { domains } = (await service.call('GET', '/domains')).body
    for (const search of [
      '?consumer=bot&list=dead',
      '?consumer=bot&list=dead&find=nothing',
      `?webhook=${webhookId}`,
      `?domain=${domains[0].id}`,
    ]) {
      await open(`${search}&address=cross`)
      await region('Suppressions').getByText('cross@example.org').waitFor()
      await page.locator('.detail').locator('li, p').first().waitFor()
      for (const summary of await page.locator('summary').all()) await summary.click()
      expect(await seriousFaults(page), search).toEqual([])
    }
    await service.call('PATCH', `/webhooks/${webhookId}`, { body: { enabled: false } })
    await open(`?webhook=${webhookId}&address=nobody`)
    await page.getByText('No addresses match.').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Send test event' }).waitFor()
  })

  it('warns if two consumers answered the same message', async () => {
    await service.call('POST', '/consumers', { body: { name: 'night' } })
    await service.mail({ from: 'cy@example.net', subject: 'Answered twice' })
    const { messages } = (await service.call('GET', '/messages?q=subject:"Answered twice"')).body
    for (const consumer of ['bot', 'night'])
      await service.call('POST', `/messages/${messages[0].id}/reply`, { body: { text: 'Yes.', consumer } })
    await open()
    await page.getByText('bot and night both replied to 1 message in the last 7 days').waitFor()
    const folder = process.env.RESTANTE_TEST_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/answered-twice.png` })
  })

  it('is worked by keys alone', async () => {
    await open()
    const opener = page.getByRole('button', { name: /hooks\.example/ })
    await opener.focus()
    await page.keyboard.press('Enter')
    await region('The webhook to https://hooks.example/••••').waitFor()
    expect(await opener.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Send test event')
    await opener.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => opener.getAttribute('aria-expanded')).toBe('false')
  })
})
