import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousFaults } from '../support/axe'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { startService, type TestService } from '../support/service'
import { temporaryFolder } from '../support/temporary-folder'
import { leaksTo, scripts } from './hostile-html'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** In place of DOMPurify: lets everything through, and has scripts run where nothing else forbids it. */
const noPurifier = `window.DOMPurify = {
  addHook() {}, removeAllHooks() {},
  sanitize(html) {
    const [root, body] = ['html', 'body'].map((name) => document.createElement(name))
    body.append(document.createRange().createContextualFragment(html))
    root.append(body)
    return root
  },
}`

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.skipIf(noBrowser)('the HTML of a mail at the console', () => {
  let service: TestService
  let browser: Browser
  let console_: string
  let outside: string
  let pictures: string
  let connections = 0
  const asked: string[] = []
  const stranger = createServer((socket) => {
    connections += 1
    socket.on('error', () => {}).destroy()
  })
  const host = createHttpServer((request, response) => {
    asked.push(request.url!)
    if (request.url === '/moved.png') return response.writeHead(302, { location: '/real.png' }).end()
    const isVector = request.url!.endsWith('.svg')
    response.setHeader('content-type', isVector ? 'image/svg+xml' : 'image/png')
    response.end(isVector ? '<svg xmlns="http://www.w3.org/2000/svg"/>' : png)
  })
  beforeAll(async () => {
    outside = await listen(stranger)
    pictures = await listen(host)
    service = await startService({ delivery: 'capture', webhooksAllowPrivate: true })
    console_ = service.url.replace('/v1', '/console')
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    for (const server of [stranger, host]) server.close()
  })

  async function signedIn(tab: Tab) {
    await tab.page.goto(service.service.ownerLink())
    await tab.page.getByRole('navigation', { name: 'Pages' }).waitFor()
  }

  let shown = 0
  /** Shows HTML as the console does, by the document alone; what was shown before stays. */
  async function show(
    page: Page,
    html: string,
  ): Promise<{ frame: Frame; said: { kind: string; height: number } }> {
    const id = `tested-${++shown}`
    const said = await page.evaluate(
      ([address, html, id]) =>
        new Promise<{ kind: string; height: number }>((resolve) => {
          const frame = document.createElement('iframe')
          frame.id = id!
          frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
          frame.onload = () => {
            frame.onload = null
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = ({ data }) => data.kind === 'shown' && resolve(data)
            frame.contentWindow!.postMessage(null, '*', [port2])
            port1.postMessage({ kind: 'show', html })
          }
          frame.src = address!
          document.body.append(frame)
        }),
      [`${console_}/html`, html, id],
    )
    const frame = await (await page.$(`#${id}`))!.contentFrame()
    await settle(page)
    return { frame: frame!, said }
  }

  /** What the browser does by itself has begun when it was idle, and has asked others in between. */
  const settle = (page: Page) =>
    page.evaluate(async (address) => {
      for (let round = 0; round < 5; round++) {
        await new Promise((resolve) => requestIdleCallback(resolve))
        await fetch(address, { cache: 'no-store' })
      }
    }, `${console_}/keys`)

  const leaks = () => leaksTo((name) => `${outside}/${encodeURIComponent(name)}`)
  const strangers = ({ asked }: Tab) =>
    asked.filter((url) => !url.startsWith(new URL(console_).origin) && !/^(?:data|about|blob):/.test(url))

  it('has nothing leave the browser', async () => {
    await using tab = await openTab(browser)
    await signedIn(tab)
    const before = connections
    for (const [at, html] of leaks().entries()) {
      const { frame, said } = await show(tab.page, `<p>Dear reader</p>${html}<p>Yours</p>`)
      const text = await frame.innerText('body')
      expect(text).toContain('Dear reader')
      // All of it was gone through: nothing in it took in the rest.
      if (at === 0) expect(text).toContain('Yours')
      expect(said.height).toBeGreaterThan(40)
      const left = await frame.evaluate(() => document.documentElement.outerHTML)
      expect(left.replace(/<script[^>]*>/g, '')).not.toContain(new URL(outside).host)
    }
    expect(strangers(tab)).toEqual([])
    expect(connections - before).toBe(0)
    // Little is left for the policy to forbid: a track is asked for while DOMPurify still reads.
    expect(tab.errors.filter((line) => !line.includes('/track'))).toEqual([])
  })

  /** What scripts of a mail did; fails in a document that does not note it, which would have none for certain. */
  const effectsIn = (frame: Frame) =>
    frame.evaluate(() => [...new Set((window as unknown as { effects: string[] }).effects.values())].sort())
  /** Puts something in the place of DOMPurify, which stands in the document as the first of its two scripts. */
  const withoutPurifier = ({ context }: Tab) =>
    context.route('**/console/html', async (route) => {
      const response = await route.fetch()
      const [head, tag, purifier, ...rest] = (await response.text()).split(/(<script nonce="[^"]+">)/)
      expect([purifier!.includes('DOMPurify'), rest.length]).toEqual([true, 2])
      const notes = 'window.effects = []; window.ran = (how) => window.effects.push(how)'
      const body = [head, tag, `${noPurifier}; ${notes}</script>`, ...rest].join('')
      await route.fulfill({ response, body })
    })

  it('runs no script, connects to nobody and reaches nothing of the console, also where DOMPurify is off', async () => {
    await using tab = await openTab(browser)
    const { page, context } = tab
    await withoutPurifier(tab)
    await signedIn(tab)
    const url = page.url()
    const before = connections
    for (const html of [scripts, ...leaks()]) {
      const { frame } = await show(page, html)
      if (html === scripts) await frame.locator('#link').click({ force: true })
      await settle(page)
      expect(await effectsIn(frame)).toEqual([])
      expect(await frame.evaluate(() => window.origin)).toBe('null')
    }
    expect(connections - before).toBe(0)
    expect(page.url()).toBe(url)
    expect(context.pages()).toHaveLength(1)
  })

  it('would have effects and connect in a page of no protection: what is tried above does something', async () => {
    await using tab = await openTab(browser)
    const noted = '<script>window.effects = []; window.ran = (how) => window.effects.push(how)</script>'
    // Of one name, a slow browser would ask for both over one connection.
    const again = outside.replace('127.0.0.1', 'localhost')
    const body = `<!doctype html>${noted}${scripts}<img src="${outside}/a"><iframe src="${again}/b"></iframe>`
    await tab.context.route('http://plain.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body }),
    )
    const before = connections
    await tab.page.goto('http://plain.example/', { waitUntil: 'commit' })
    const certain = ['body', 'data', 'module', 'onerror', 'onload', 'script', 'srcdoc', 'svg', 'toggle']
    await expect.poll(() => effectsIn(tab.page.mainFrame())).toEqual(expect.arrayContaining(certain))
    await expect.poll(() => connections - before).toBeGreaterThan(1)
  })

  it('asks for no name of the mail, purified or not, as the log of the network of the browser tells', async () => {
    const log = join(await temporaryFolder(), 'net.json')
    const watched = await launchChromium([`--log-net-log=${log}`, '--net-log-capture-mode=Everything'])
    for (const isPurified of [true, false]) {
      await using tab = await openTab(watched)
      if (!isPurified) await withoutPurifier(tab)
      await signedIn(tab)
      const named = leaksTo((name) => `http://${name.replace(/[^a-z\d]/g, '-')}.leak.example/`)
      for (const html of [scripts, ...named]) await show(tab.page, html)
    }
    // What is asked for here is in the log, so that the log would tell of the others.
    await using plain = await openTab(watched)
    await plain.page.setContent('<link rel="dns-prefetch" href="//control.leak-control.example">')
    await plain.page.evaluate(() => fetch('http://asked.leak-control.example/').catch(() => {}))
    await watched.close()
    const reported = await readFile(log, 'utf8')
    expect(reported).toContain('asked.leak-control.example')
    expect([...new Set(reported.match(/[\w.-]+\.leak\.example/g))]).toEqual([])
  })

  /** Waits for the document that is ready before a mail is opened. */
  async function spareReady(page: Page) {
    const spare = page.locator('body > iframe[hidden]')
    await spare.waitFor({ state: 'attached' })
    await (await (await spare.elementHandle())!.contentFrame())!.waitForLoadState()
    await settle(page)
  }

  it('shows each mail in a document that was ready before it was opened, and that showed no other', async () => {
    for (const name of ['First', 'Second', 'Third'])
      await service.mail({ subject: `${name} news`, html: `<h1>${name}</h1>` })
    await using tab = await openTab(browser)
    const { page, asked } = tab
    await signedIn(tab)
    await page.goto(`${console_}/messages?show=html`)
    const documents = () => asked.filter((url) => url.endsWith('/console/html')).length
    const shown = page.frameLocator('article iframe')
    const seen: string[] = []
    for (const [at, name] of ['First', 'Second', 'Third'].entries()) {
      // One document for each mail before, and the one that is ready.
      await expect.poll(documents).toBe(at + 1)
      await spareReady(page)
      await page
        .getByRole('listitem')
        .filter({ hasText: `${name} news` })
        .getByRole('button')
        .click()
      await shown.getByRole('heading', { name }).waitFor()
      const box = (await shown.getByRole('heading', { name }).boundingBox())!
      expect(Math.min(box.width, box.height)).toBeGreaterThan(20)
      seen.push(
        ...(await shown.locator('body').evaluate((body, name) => {
          const before = (window as unknown as { was?: string }).was
          Object.assign(window, { was: name })
          return [(body as HTMLElement).innerText.trim(), before ?? 'nothing before']
        }, name)),
      )
    }
    expect(seen).toEqual(['First', 'Second', 'Third'].flatMap((name) => [name, 'nothing before']))
    expect(tab.errors).toEqual([])
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
  })

  it.for(['aborted', 'answered by 502'])(
    'opens HTML mail by another document where the one made ready was %s, and says so where none can be had',
    async (how) => {
      await service.mail({ subject: `Mail ${how}`, html: `<h1>Come ${how}</h1>` })
      await using tab = await openTab(browser)
      const { page, context } = tab
      await signedIn(tab)
      const refuse = () =>
        context.route('**/console/html', (route) =>
          how === 'aborted' ? route.abort() : route.fulfill({ status: 502, body: 'Bad gateway' }),
        )
      await refuse()
      await page.goto(`${console_}/messages?show=html`)
      await spareReady(page)
      await context.unroute('**/console/html')
      const open = () =>
        page
          .getByRole('listitem')
          .filter({ hasText: `Mail ${how}` })
          .getByRole('button')
          .click()
      const heading = page.frameLocator('article iframe').getByRole('heading', { name: `Come ${how}` })
      await open()
      await heading.waitFor()

      await refuse()
      await page.goto(`${console_}/messages?show=html`)
      await spareReady(page)
      await open()
      await page.getByText('could not be loaded').waitFor()
      await context.unroute('**/console/html')
      await page.getByRole('button', { name: 'Try again' }).click()
      await heading.waitFor()
    },
  )

  it('shows pictures of the mail, those from outside when asked and by the service, and says where links lead', async () => {
    await using tab = await openTab(browser)
    const { page } = tab
    await signedIn(tab)
    const html = `<body bgcolor="#fffff0"><h1>News</h1>
      <img id="inside" src="cid:logo@here"><img id="outside" src="${pictures}/moved.png?a=1&amp;b=2"><img src="${pictures}/moved.png">
      <img id="vector" src="${pictures}/vector.svg">
      <a id="honest" href="https://shop.example/sale">shop.example</a>
      <a id="liar" href="https://evil.example/login">https://bank.example/login</a>`
    await service.mail({
      html,
      text: 'News',
      attachments: [{ filename: 'logo.png', content: png, contentType: 'image/png', cid: 'logo@here' }],
    })
    const { messages } = (await service.call('GET', '/messages?direction=inbound')).body
    const made = await page.evaluate(async (base) => {
      const { accounts } = await (await fetch(`${base}/accounts`)).json()
      const keys = `${base}/accounts/${accounts[0].tenant_id}/keys`
      const body = JSON.stringify({ name: 'writes', scopes: ['read', 'manage'] })
      const headers = { 'content-type': 'application/json' }
      const key = await (await fetch(keys, { method: 'POST', body, headers })).json()
      return { key: key.api_key as string, tenant: accounts[0].tenant_id as string }
    }, `${service.url}/console`)
    const body = { inbox_id: messages[0].inbox_id, reply_to_message_id: messages[0].id, text: 'Thanks' }
    const draft = await service.call('POST', '/drafts', { key: made.key, body })
    const waiting = await service.call('POST', `/drafts/${draft.body.id}/send`, { key: made.key })
    expect(waiting.status, JSON.stringify([draft.body, waiting.body])).toBe(202)
    await page.goto(`${console_}/approvals?draft=${draft.body.id}`)
    await page.getByText('Show HTML').click()
    const frame = page.frameLocator('iframe[title="HTML of the message"]')
    await frame.getByRole('heading', { name: 'News' }).waitFor()
    const isShown = (id: string) =>
      frame
        .locator(`#${id}`)
        .evaluate((one: HTMLImageElement) => one.complete && one.src.startsWith('data:image/png'))
    await expect.poll(() => isShown('inside')).toBe(true)
    await page.getByText('3 images from 127.0.0.1').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Show images' }).click()
    await page.getByText('One image could not be fetched').waitFor()
    expect(asked).toContain('/real.png')
    await expect.poll(() => isShown('outside')).toBe(true)
    expect(await isShown('vector')).toBe(false)

    await frame.locator('#honest').hover()
    await page.getByText('Leads to shop.example').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(await frame.locator('#honest').getAttribute('rel')).toBe('noopener noreferrer')
    await frame.locator('#liar').click()
    await page.getByRole('heading', { name: 'This link opens another site' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(tab.context.pages()).toHaveLength(1)
    expect(strangers(tab)).toEqual([])
    expect(tab.errors.filter((line) => !line.includes('status of 502'))).toEqual([])

    // The service fetches what the mail shows, for its operator, and nothing else.
    const path = `/console/accounts/${made.tenant}/messages/${messages[0].id}/picture?url=`
    const ask = (address: string) =>
      page.evaluate(
        (url) => fetch(url).then((answer) => answer.status),
        service.url + path + encodeURIComponent(address),
      )
    expect(await ask(`${pictures}/real.png`)).toBe(404)
    expect(await ask(`${pictures}/vector.svg`)).toBe(502)
    expect(await ask(`${pictures}/moved.png`)).toBe(200)
    const without = await service.call('GET', `${path}${encodeURIComponent(`${pictures}/moved.png`)}`)
    expect(without.status).toBe(401)
  })
})
