import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startScriptedMailbox } from '../service/connections/support/scripted-mailbox'
import { launchChromium, noBrowser, openTab } from '../support/chromium'
import { startService, type TestService } from '../support/service'

describe.skipIf(noBrowser)('what is pressed twice at the console', () => {
  let service: TestService
  let browser: Browser
  let url: string
  let page: Page
  /** Types of the events that a webhook brought. */
  const reported: string[] = []
  beforeAll(async () => {
    service = await startService(
      { delivery: 'capture', connectionsAllowPrivate: true },
      {
        postToEndpoint: async ({ body }) => {
          reported.push(JSON.parse(body).type)
          return { httpStatus: 200, error: null, responseBody: null }
        },
      },
    )
    url = service.url.replace('/v1', '/console')
    browser = await launchChromium()
    page = (await openTab(browser)).page
    await page.goto(service.service.ownerLink())
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  /** Saves what the page looks like, if `RESTANTE_TEST_PICTURES` names a folder. */
  const picture = async (name: string) => {
    const folder = process.env.RESTANTE_TEST_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }
  const messages = async (query: string) => (await service.call('GET', `/messages?${query}`)).body.messages
  /** Lets the first such request reach the service, and cuts the network before its answer. */
  const cutOnce = async (path: string, method = 'POST', keys: unknown[] = []) => {
    const statuses: number[] = []
    let isCut = false
    await page.route(path, async (route) => {
      if (route.request().method() !== method) return route.fallback()
      keys.push(route.request().headers()['idempotency-key'])
      const response = await route.fetch()
      statuses.push(response.status())
      if (isCut) return route.fulfill({ response })
      isCut = true
      return route.abort('connectionfailed')
    })
    return statuses
  }

  const openConversation = async (subject: string) => {
    await page.goto(`${url}/conversations`)
    await page.getByRole('listitem').filter({ hasText: subject }).getByRole('button').click()
  }
  /** Presses a button, after each lost answer again, until something else appears. */
  const pressUntil = (button: Locator, done: Locator) =>
    expect
      .poll(async () => {
        if (await done.isVisible()) return true
        await button.click({ timeout: 1_000 }).catch(() => {})
        return false
      })
      .toBe(true)

  it('sends one mail by the form that plays a person', async () => {
    const statuses = await cutOnce('**/accounts/*/talk')
    await page.goto(`${url}/talk`)
    await page.getByLabel('Subject').fill('Bicycle')
    await page.getByRole('textbox', { name: 'Text' }).fill('Is it blue?')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await send.click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    await picture('repeat-talk-cut')
    await send.click()
    await page.getByText('Message received').waitFor()
    expect(statuses).toHaveLength(2)
    expect(await messages('direction=inbound&q=subject:Bicycle')).toHaveLength(1)
  })

  it('sends a dead letter round once, and says so', async () => {
    await service.mail({ subject: 'An order', text: 'Ten please.' })
    const at = '/consumers/desk'
    await service.call('POST', '/consumers', { body: { name: 'desk' } })
    for (let attempt = 1; attempt <= 10; attempt++) {
      const { deliveries } = (await service.call('POST', `${at}/lease`, { body: { max: 10 } })).body
      const leases = deliveries.map(({ lease }: { lease: string }) => lease)
      await service.call('POST', `${at}/nack`, { body: { leases, delay_ms: 0 } })
    }
    const statuses = await cutOnce('**/redrive')
    await page.goto(`${url}/operations?consumer=desk&list=dead`)
    const round = page.getByRole('button', { name: 'Redrive An order' })
    await round.click()
    await page.getByText('cannot be reached').waitFor()
    await round.click()
    await page.getByText('One message redriven.').waitFor()
    expect(statuses).toEqual([200, 200])
  })

  it('answers once, and shows what came meanwhile before it does', async () => {
    await service.mail({ subject: 'Lunch?', text: 'At noon?', messageId: '<lunch@example.com>' })
    await openConversation('Lunch?')
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    const box = page.getByRole('region', { name: 'Reply' })
    await box.getByRole('textbox').fill('Noon is fine.')
    await service.mail({ subject: 'Re: Lunch?', text: 'Make it one.', references: ['<lunch@example.com>'] })
    await box.getByRole('button', { name: 'Send', exact: true }).click()
    await box.getByText('the conversation has newer messages').waitFor()
    await page.getByRole('list', { name: 'Messages' }).getByText('Make it one.').waitFor()
    await picture('reply-meanwhile')
    expect(await messages('direction=outbound')).toEqual([])
    const statuses = await cutOnce('**/v1/drafts/*', 'PATCH')
    await box.getByRole('button', { name: 'Send anyway' }).click()
    await box.getByRole('alert').getByText('cannot be reached').waitFor()
    await box.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sending in 10 seconds.').waitFor()
    expect(new Set(statuses)).toEqual(new Set([200]))
    await page.unroute('**/v1/drafts/*')
    await expect.poll(() => messages('direction=outbound'), { timeout: 20_000 }).toHaveLength(1)
  })

  const outbound = (subject: string) => messages(`direction=outbound&q=subject:${subject}`)
  const draftOf = async (subject: string, key?: string) => {
    const mail = { inbox_id: service.home.inboxId, to: ['bo@example.com'], subject, text: 'Hello.' }
    return (await service.call('POST', '/drafts', { body: mail, ...(key && { key }) })).body.id as string
  }
  /** A draft of a key that may not send: it waits for the operator. */
  const waiting = async (subject: string) => {
    const { api_key: key } = await service.service.keys.create({
      account_id: service.home.tenantId,
      name: subject,
      scopes: ['read', 'manage'],
    })
    const id = await draftOf(subject, key)
    await service.call('POST', `/drafts/${id}/send`, { key })
    return id
  }

  it.each([
    ['Approve and send', waiting, '**/approve'],
    ['Send now', (subject: string) => draftOf(subject), '**/send'],
  ])('sends one mail by “%s”, and says that it was sent', async (button, made, path) => {
    const subject = button.replace(/ /g, '')
    const id = await made(subject)
    const statuses = await cutOnce(path)
    await page.goto(`${url}/approvals?draft=${id}`)
    await page.getByRole('button', { name: button }).dblclick()
    await page.getByText('cannot be reached').waitFor()
    await page.getByText('It was sent.').waitFor()
    await picture(`repeat-${subject}`)
    expect(await page.getByRole('button', { name: button }).count()).toBe(0)
    expect(statuses).toEqual([200])
    expect(await outbound(subject)).toHaveLength(1)
    await page.unroute(path)
  })

  it('sends one mail as changed, though the answers to the change and to the send are lost', async () => {
    const id = await waiting('Offer')
    const changes = await cutOnce(`**/v1/drafts/${id}`, 'PATCH')
    const sends = await cutOnce(`**/v1/drafts/${id}/send`)
    await page.goto(`${url}/approvals?draft=${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello, by hand.')
    const send = page.getByRole('button', { name: 'Send edited version' })
    for (const lost of [changes, sends]) {
      await send.click()
      await expect.poll(() => lost.length).toBe(1)
      await page.getByRole('alert').getByText('cannot be reached').waitFor()
    }
    await send.click()
    await page.getByText('Your edited version is being sent.').waitFor()
    expect([changes, sends]).toEqual([[200, 409, 409], [200]])
    expect(await outbound('Offer')).toMatchObject([{ body_text: expect.stringContaining('by hand') }])
  })

  it('does not send what somebody else changed meanwhile', async () => {
    const id = await waiting('Price')
    const changes = await cutOnce(`**/v1/drafts/${id}`, 'PATCH')
    await page.goto(`${url}/approvals?draft=${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Text' }).fill('Ten euros.')
    const send = page.getByRole('button', { name: 'Send edited version' })
    await send.click()
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    await service.call('PATCH', `/drafts/${id}`, { body: { to: ['eve@example.com'] } })
    await send.click()
    await page.getByRole('alert').getByText('was changed meanwhile').waitFor()
    expect(changes).toEqual([200, 409])
    expect(await outbound('Price')).toEqual([])
  })

  it('brings one event again by a webhook, and one test event', async () => {
    const hook = { url: 'https://hooks.example/mail', events: ['message.received'] }
    const { id } = (await service.call('POST', '/webhooks', { body: hook })).body
    await service.mail({ subject: 'For the webhook' })
    await expect.poll(() => reported).toEqual(['message.received'])
    await page.goto(`${url}/operations?webhook=${id}`)
    const press = async (name: string, path: string, news: string) => {
      const keys: unknown[] = []
      const statuses = await cutOnce(path, 'POST', keys)
      const button = page.getByRole('button', { name })
      await button.click()
      await page.getByText('cannot be reached').waitFor()
      await button.click()
      await page.getByText(news).waitFor()
      expect(statuses[1]).toBe(statuses[0])
      expect(statuses).toHaveLength(2)
      expect(new Set(keys).size).toBe(1)
    }
    await page.locator('summary', { hasText: 'message.received' }).click()
    await press('Redeliver', '**/redeliver', 'The event is being delivered again.')
    await expect.poll(() => reported.length).toBe(2)
    await press('Send test event', '**/test', 'Test event sent')
    await expect.poll(() => reported.length).toBe(3)
    expect(reported.slice(0, 2)).toEqual(['message.received', 'message.received'])
    const { deliveries } = (await service.call('GET', `/webhooks/${id}/deliveries`)).body
    const attempts = deliveries.flatMap((one: { attempts: object[] }) => one.attempts)
    expect(attempts).toHaveLength(3)
  })

  it('asks once for another try of a connection', async () => {
    await using server = await startScriptedMailbox()
    const { id } = (await service.call('POST', '/connections', { body: server.body() })).body
    await page.route('**/v1/connections?*', async (route) => {
      const response = await route.fetch()
      const { connections, ...rest } = await response.json()
      const failing = connections.map((one: object) => ({ ...one, state: 'failing', error: 'It is away.' }))
      return route.fulfill({ response, json: { connections: failing, ...rest } })
    })
    const keys: unknown[] = []
    const statuses = await cutOnce('**/retry', 'POST', keys)
    await page.goto(`${url}/operations?connection=${id}`)
    const retry = page.getByRole('button', { name: 'Retry now' })
    await retry.click()
    await page.getByText('cannot be reached').waitFor()
    await retry.click()
    await page.getByText('Retry started').waitFor()
    expect(statuses).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toEqual(expect.any(String))
  })

  it('adds one note to a conversation', async () => {
    await service.mail({ subject: 'A chair', text: 'It broke.' })
    await openConversation('A chair')
    const notes = page.getByRole('region', { name: 'Notes' })
    await notes.getByRole('button', { name: 'Add note' }).click()
    await notes.getByRole('textbox').fill('A customer since 2019.')
    const keys: unknown[] = []
    const statuses = await cutOnce('**/v1/threads/*/notes', 'POST', keys)
    const add = notes.getByRole('button', { name: 'Add note' })
    await add.click()
    await notes.getByRole('alert').getByText('cannot be reached').waitFor()
    await picture('repeat-note-cut')
    await add.click()
    await notes.getByText('Note by Owner of this service').waitFor()
    expect(statuses).toEqual([201, 201])
    expect(new Set(keys).size).toBe(1)
    const threadId = new URL(page.url()).searchParams.get('thread')
    expect((await service.call('GET', `/threads/${threadId}/notes`)).body.notes).toHaveLength(1)
  })

  it('sends one new message, though the answers to its creation and to its time are lost', async () => {
    const keys: unknown[] = []
    const created = await cutOnce('**/v1/drafts', 'POST', keys)
    const changed = await cutOnce('**/v1/drafts/*', 'PATCH')
    await page.goto(`${url}/conversations`)
    await page.getByRole('button', { name: 'New message' }).click()
    const box = page.getByRole('region', { name: 'New message' })
    await box.getByRole('textbox', { name: 'To' }).fill('bo@example.com')
    await box.getByRole('textbox', { name: 'Subject' }).fill('Parcel')
    await box.getByRole('textbox', { name: 'Text' }).fill('It is on its way.')
    const send = box.getByRole('button', { name: 'Send', exact: true })
    await pressUntil(send, page.getByText('Sending in 10 seconds.'))
    for (const path of ['**/v1/drafts', '**/v1/drafts/*']) await page.unroute(path)
    expect(created).toEqual([201, 201])
    expect(new Set(keys).size).toBe(1)
    expect(new Set(changed)).toEqual(new Set([200]))
    await expect.poll(() => outbound('Parcel'), { timeout: 20_000 }).toHaveLength(1)
    const { drafts } = (await service.call('GET', '/drafts?status=draft')).body
    expect(drafts.filter(({ subject }: { subject: string }) => subject === 'Parcel')).toEqual([])
  })

  it('answers once and hands back, though the answer to the send is lost', async () => {
    await service.mail({ subject: 'An invoice', text: 'Where is it?' })
    await openConversation('An invoice')
    await page.getByRole('button', { name: 'Reply', exact: true }).click()
    const box = page.getByRole('region', { name: 'Reply' })
    await box.getByRole('textbox').fill('Here it is.')
    const keys: unknown[] = []
    const statuses = await cutOnce('**/v1/drafts/*/send', 'POST', keys)
    const send = box.getByRole('button', { name: 'Send and hand back' })
    await send.click()
    await box.getByRole('alert').getByText('cannot be reached').waitFor()
    await page.getByRole('list', { name: 'Messages' }).getByText('Here it is.').waitFor()
    await picture('repeat-hand-back-cut')
    await send.click()
    await page.getByText('the agent has the conversation again').waitFor()
    expect(statuses[1]).toBe(statuses[0])
    expect(new Set(keys).size).toBe(1)
    expect(await messages('direction=outbound&q=subject:invoice')).toHaveLength(1)
    await page.unroute('**/v1/drafts/*/send')
  })
})
