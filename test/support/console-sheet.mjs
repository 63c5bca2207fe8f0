// node test/support/console-sheet.mjs [--each FOLDER]   (after npm run build; needs Chromium)
// Writes docs/console.webp: every page of the console with real mail, light, dark and at the width of a phone. With --each it also saves each picture as it is.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { createService } from 'restante/service'

const { values: given } = parseArgs({ options: { each: { type: 'string' } } })
const sheet = fileURLToPath(new URL('../../docs/console.webp', import.meta.url))
const service = await createService({
  http: '127.0.0.1:0',
  smtp: '127.0.0.1:0',
  log: 'silent',
  delivery: 'capture',
  webhooksAllowPrivate: true,
})
const { url } = await service.listen()
const { address, apiKey, inboxId, tenantId } = await service.home()
const consoleUrl = url.replace(/\/v1$/, '/console')

async function call(method, path, body, key = apiKey) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = response.status === 204 ? {} : await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

let count = 0
async function mail(from, subject, body, headers = []) {
  const [domain] = /[^@<]+(?=>?$)/.exec(from)
  const lines = [
    `From: ${from}`,
    `To: ${address}`,
    `Subject: ${subject}`,
    `Message-ID: <${++count}@${domain}>`,
    `Date: ${new Date().toUTCString()}`,
    ...headers,
    '',
    body,
  ]
  const raw = new TextEncoder().encode(lines.join('\r\n'))
  await service.receive({ mailFrom: `sender@${domain}`, recipients: [address] }, raw)
  return (await call('GET', '/messages?limit=1')).messages[0]
}

/** Mail, drafts that wait, and what stands still. */
async function fill() {
  await call('POST', '/consumers', { name: 'support-bot' })
  await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/hooks/mail', events: ['message.received'] })
  await call('POST', '/domains', { hostname: 'agents.example.com' })
  for (const gone of [
    'gone@example.net',
    'nobody.reads.this.address.any.more@a-rather-long-name.example.org',
  ])
    await call('POST', '/suppressions', { address: gone })
  await mail(
    'Ida Berg <ida@orchard.example>',
    'Late invoice for October',
    'The invoice of October is still open.',
  )
  for (let attempt = 1; attempt <= 10; attempt++) {
    const { deliveries } = await call('POST', '/consumers/support-bot/lease', { max: 10 })
    const leases = deliveries.map(({ lease }) => lease)
    if (leases.length > 0) await call('POST', '/consumers/support-bot/nack', { leases, delay_ms: 0 })
  }
  const question = await mail(
    'Kim Okafor <kim@bicycles.example>',
    'Seventeen bicycles by Friday?',
    'Hello,\r\n\r\ncould you send us seventeen bicycles by Friday, and what would they cost?\r\n\r\nKim',
  )
  await mail('Out of office <max@example.org>', 'Away until Monday', 'I am away.', [
    'Auto-Submitted: auto-replied',
  ])
  const news = await mail(
    'Orchard News <news@orchard.example>',
    'What is ripe in autumn',
    '<h1 style="color:#0b6650">Ripe now</h1><p>Pears, quinces and <b>late apples</b>. <a href="https://orchard.example/ripe">See all</a>.</p>',
    ['Content-Type: text/html'],
  )
  const writer = await service.keys.create({
    account_id: tenantId,
    name: 'careful agent',
    scopes: ['read', 'manage'],
  })
  for (const [subject, text] of [
    [
      'Re: Seventeen bicycles by Friday?',
      'Dear Kim,\n\nseventeen bicycles are 8,500 EUR, and will be with you on Thursday.',
    ],
    ['An order of seventeen bicycles', 'Please deliver seventeen bicycles to Kim Okafor by Thursday.'],
  ]) {
    const draft = await call(
      'POST',
      '/drafts',
      {
        inbox_id: inboxId,
        to: ['kim@bicycles.example'],
        subject,
        text,
        reply_to_message_id: question.id,
        read_message_ids: [question.id],
        approval_reason: 'it names a price',
        attachments: [{ filename: 'offer.pdf', content_type: 'application/pdf', content_base64: 'JVBERg==' }],
      },
      writer.api_key,
    )
    await call('POST', `/drafts/${draft.id}/send`, {}, writer.api_key)
  }
  await call('POST', `/messages/${question.id}/reply`, { text: 'We look into it at once.' })
  const [draft] = (await call('GET', '/drafts')).drafts
  await call('PATCH', `/inboxes/${inboxId}`, { agent: 'suggests' })
  await call('POST', `/messages/${question.id}/reply`, {
    text: 'Dear Kim,\n\nwe have twelve bicycles in stock, and five more on Thursday. Shall we send them together?',
  })
  await call('POST', `/threads/${question.thread_id}/notes`, { text: 'Kim buys for the city every autumn.' })
  await call('POST', `/threads/${question.thread_id}/hold`, { reason: 'Large orders are mine' })
  return { question, news, draft }
}

const { question, news, draft } = await fill()
const signup = await fetch(`${url}/agent-signups`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': 's'.repeat(43) },
  body: JSON.stringify({ name: 'Support agent' }),
})
const { claim_url } = await signup.json()

/** What is opened, and what has to be there; from the claim on somebody is signed in. */
const places = {
  'sign-in': { path: '/', there: 'Sign in' },
  claim: { path: claim_url.slice(consoleUrl.length), there: 'Claim this account' },
  conversations: { path: '/conversations', there: 'Seventeen bicycles by Friday?' },
  conversation: { path: `/conversations?thread=${question.thread_id}`, there: 'The agent suggests a reply' },
  reply: {
    path: `/conversations?thread=${question.thread_id}&reply=${question.id}`,
    there: 'Send and hand back',
  },
  list: { path: '/messages', there: 'Seventeen bicycles by Friday?' },
  mail: { path: `/messages?message=${question.id}`, there: 'could you send us' },
  model: { path: `/messages?message=${question.id}&show=model`, there: 'at most 8000 tokens' },
  html: { path: `/messages?message=${news.id}&show=html`, there: 'Ripe now', within: 'article iframe' },
  approvals: { path: '/approvals', there: 'An order of seventeen bicycles' },
  draft: { path: `/approvals?draft=${draft.id}`, there: 'Messages that the agent had read' },
  operations: { path: '/operations', there: 'Problems' },
  consumer: { path: '/operations?consumer=support-bot&list=dead', there: 'Late invoice for October' },
  talk: { path: '/talk', there: 'Talk with your agent' },
  audit: { path: '/audit', there: 'Held a conversation' },
  keys: { path: '/keys', there: 'careful agent' },
  you: { path: '/you', there: 'Profile' },
}
const looks = {
  light: { viewport: { width: 1200, height: 780 }, colorScheme: 'light' },
  dark: { viewport: { width: 1200, height: 780 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 780 }, colorScheme: 'light' },
}

const browser = await chromium.launch({
  executablePath:
    process.env.RESTANTE_TEST_CHROMIUM ??
    ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((one) => existsSync(one)),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
})
if (given.each) await mkdir(given.each, { recursive: true })

/** Saves what is in sight and, where there is more, all of it. */
async function saveEach(page, viewport, name, taken) {
  await writeFile(join(given.each, `${name}.png`), taken)
  const below = await page.evaluate(() => {
    const box = [...document.querySelectorAll('main, .right')].find(
      (one) => one.scrollHeight > one.clientHeight,
    )
    return box ? box.scrollHeight - box.clientHeight : 0
  })
  if (below === 0) return
  await page.setViewportSize({ width: viewport.width, height: Math.min(viewport.height + below, 4_000) })
  await page.screenshot({ path: join(given.each, `${name}-whole.png`) })
  await page.setViewportSize(viewport)
}

const pictures = []
for (const [look, options] of Object.entries(looks)) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  for (const [name, { path, there, within }] of Object.entries(places)) {
    if (name === 'claim') {
      await page.goto(service.ownerLink())
      await page.getByRole('navigation', { name: 'Pages' }).waitFor()
      await page.goto('about:blank')
    }
    await page.goto(consoleUrl + path)
    const place = within ? page.frameLocator(within) : page
    await place.getByText(there).filter({ visible: true }).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    const taken = await page.screenshot()
    pictures.push({ name, look, source: `data:image/png;base64,${taken.toString('base64')}` })
    if (given.each) await saveEach(page, options.viewport, `${name}-${look}`, taken)
    if (name === 'claim') await page.getByRole('button', { name: 'Not now' }).click()
  }
  await context.close()
}

const page = await browser.newPage({ viewport: { width: 1500, height: 800 } })
const cell = ({ name, look, source }) =>
  `<figure class="${look}"><img src="${source}"><figcaption>${name}, ${look}</figcaption></figure>`
await page.setContent(`<style>
  body { margin: 0; padding: 12px; width: max-content; background: #888; font: 11px system-ui, sans-serif; color: #fff }
  main { display: grid; grid-template-columns: repeat(6, auto); gap: 10px }
  figure { margin: 0 } img { display: block; height: 180px; margin-bottom: 2px }
</style><main>${Object.keys(places)
  .flatMap((name) => pictures.filter((one) => one.name === name).map(cell))
  .join('')}</main>`)
const { width, height } = await page.evaluate(() => {
  const { offsetWidth: width, offsetHeight: height } = document.body
  return { width, height }
})
await page.setViewportSize({ width, height })
const devtools = await page.context().newCDPSession(page)
const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 50 })
await writeFile(sheet, Buffer.from(data, 'base64'))
console.log(`${sheet}: ${width} x ${height}, ${Math.round((data.length * 3) / 4 / 1024)} KB`)
await browser.close()
await service.close()
