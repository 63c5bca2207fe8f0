// node bench/console.mjs [--messages 10000]   (after npm run build; needs Chromium, or where it is in RESTANTE_TEST_CHROMIUM)
// How soon the console is there in a browser on the same machine, and how soon it opens mail of 1 MB.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { median } from './figures.mjs'
import { fill } from './fill.mjs'
import { runProgram, startProgram } from './processes.mjs'
import { openDialogue } from './smtp-dialogue.mjs'

const { values: given } = parseArgs({ options: { messages: { type: 'string', default: '10000' } } })
const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const few = 1_000
const copies = Math.ceil(Number(given.messages) / few) - 1
const rounds = 5
const bytes = 1_000_000

const repeated = (one) => one.repeat(Math.ceil(bytes / one.length))
const cell = `<tr><td align="center" style="padding: 12px 24px; font-family: Arial, sans-serif; font-size: 15px; line-height: 24px; color: #333333">
<a href="https://shop.example/offers/autumn?utm_source=newsletter&amp;utm_campaign=autumn" style="color: #0b6650; text-decoration: none"><b>Our autumn offers</b></a><br>
Warm coats, scarves and boots, sent without charge until the end of the month.</td></tr>\r\n`
/** Mails of 1 MB, by what they are made of. */
const large = {
  text: ['text/plain', repeated('Some words of a long mail, and more of them behind these.\r\n')],
  newsletter: ['text/html', `<table width="600">${repeated(cell)}</table>`],
  paragraphs: [
    'text/html',
    repeated('<p>Some <b>words</b> of a long mail, and <a href="https://shop.example/a">more</a>.</p>\r\n'),
  ],
}

async function send({ smtp, address }, name) {
  const [type, body] = large[name]
  const { socket, begin, reply } = await openDialogue(smtp)
  await begin('ana@example.com', address)
  const head = `From: Ana <ana@example.com>\r\nTo: ${address}\r\nSubject: Large ${name}\r\nMessage-ID: <large-${name}@example.com>\r\nContent-Type: ${type}`
  socket.write(`${head}\r\n\r\n${body}\r\n.\r\n`)
  await reply()
  socket.end()
}

const data = await mkdtemp(join(tmpdir(), 'restante-console-'))
const start = () => startProgram([at('service.mjs'), data])
const first = await start()
await fill(first.facts, few)
await first.stop()
if (copies > 0) await runProgram(process.execPath, [at('copy-mail.mjs'), String(copies), data])
const program = await start()
const { facts } = program
for (const name of Object.keys(large)) await send(facts, name)
/** Waits until the service has taken all of it into its index: until it takes less than a twentieth of a core. */
async function untilIdle() {
  const ticks = () => {
    const fields = readFileSync(`/proc/${program.pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return Number(fields[11]) + Number(fields[12])
  }
  for (let before = ticks(), spent = 100; spent > 5; ) {
    await pause(1_000)
    spent = ticks() - before
    before += spent
  }
}
await untilIdle()
const consoleUrl = facts.url.replace(/\/v1$/, '/console')

const browser = await chromium.launch({
  executablePath:
    process.env.RESTANTE_TEST_CHROMIUM ??
    ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((one) => existsSync(one)),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
})
const viewport = { width: 1280, height: 800 }
const owner = await browser.newContext({ viewport })
const signingIn = await owner.newPage()
await signingIn.goto(facts.ownerLink)
await signingIn.locator('.message').first().waitFor()
const storageState = await owner.storageState()
await owner.close()

/** Opens the mail in a browser that knows nothing but who is signed in. */
async function openMail() {
  const context = await browser.newContext({ viewport, storageState })
  const page = await context.newPage()
  await page.goto(`${consoleUrl}/messages`)
  // A row can be opened, and what comes in shows up by itself.
  const ms = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = () => {
          const isLive = document.querySelector('.left footer [role=status]')?.textContent === 'Live'
          if (isLive && document.querySelector('.message button')) resolve(performance.now())
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
  const scriptBytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
  return { page, ms, scriptBytes, close: () => context.close() }
}

/** Milliseconds from the press on a row until its mail is on the screen, and until all of it is. */
const open = (page, name) =>
  page.evaluate(
    (name) =>
      new Promise((resolve) => {
        const row = [...document.querySelectorAll('.message')].find((one) =>
          one.textContent.includes(`Large ${name}`),
        )
        const isThere = () =>
          name === 'text'
            ? document.querySelector('article pre')?.textContent.length > 900_000
            : Number(document.querySelector('article iframe')?.getAttribute('height')) > 1_000
        const isWhole = () => document.querySelector('article iframe')?.ariaBusy !== 'true'
        let shownMs
        // What was set before a frame is on the screen after it.
        const look = () => {
          if (isThere()) setTimeout(() => (shownMs ??= performance.now() - begun))
          if (shownMs !== undefined && isWhole()) resolve({ shownMs, wholeMs: performance.now() - begun })
          else requestAnimationFrame(look)
        }
        const begun = performance.now()
        row.querySelector('button').click()
        look()
      }),
    name,
  )

const loads = []
let script = 0
for (let round = 0; round <= rounds; round++) {
  const { ms, scriptBytes, close } = await openMail()
  if (round > 0) loads.push(ms)
  script = scriptBytes
  await close()
}
console.log('| the console in Chromium on the same machine | measured | aim |\n|---|---|---|')
console.log(`| JavaScript of the first load of the mail | ${(script / 1000).toFixed(1)} KB | ≤ 60 KB |`)
console.log(
  `| the mail of an account of ${given.messages} can be used and is live | ${Math.round(median(loads))} ms | ≤ 1,000 ms |`,
)

for (const name of Object.keys(large)) {
  const times = { shownMs: [], wholeMs: [] }
  const { page, close } = await openMail()
  for (let round = 0; round <= rounds; round++) {
    await page.goto(`${consoleUrl}/messages${name === 'text' ? '' : '?show=html'}`)
    await page.getByText(`Large ${name}`, { exact: true }).waitFor()
    await page.waitForLoadState('networkidle')
    const took = await open(page, name)
    if (round > 0) for (const which of Object.keys(times)) times[which].push(took[which])
  }
  const whole = name === 'text' ? '' : `, the last of it after ${Math.round(median(times.wholeMs))} ms`
  console.log(
    `| a mail of 1 MB of ${name} is read and on the screen | ${Math.round(median(times.shownMs))} ms${whole} | ≤ 200 ms |`,
  )
  await close()
}

await browser.close()
await program.stop()
await rm(data, { recursive: true })
