import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium, noBrowser, openTab, type Tab } from '../support/chromium'
import { openBeside } from '../support/open-beside'
import { startService, type TestService } from '../support/service'

const many = 100_000

/** Makes so many messages of one, each in a conversation of its own, behind the service's back. */
async function multiply(data: string, count: number): Promise<void> {
  const db = await openBeside({ data })
  const columnsOf = async (table: string) =>
    (await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)).rows.map(
      ({ name }) => name,
    )
  const copied = async (table: string, changed: Record<string, string>) => {
    const columns = await columnsOf(table)
    const values = columns.map((column) => changed[column] ?? `one.${column}`)
    await sql
      .raw(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
         insert into ${table} (${columns.join(', ')})
         select ${values.join(', ')} from n, (select * from ${table} limit 1) one`,
      )
      .execute(db)
  }
  const place = `printf('%08d', i)`
  const at = `strftime('%Y-%m-%dT%H:%M:%fZ', '2020-01-01', '+' || i || ' minutes')`
  const shared = { created_at: at, seq: '1000000 + i' }
  await copied('threads', {
    ...shared,
    id: `'thr_0' || ${place}`,
    subject: `'Copy ' || i`,
    last_message_id: `'msg_0' || ${place}`,
    last_message_created_seq: '1000000 + i',
  })
  await copied('messages', {
    ...shared,
    id: `'msg_0' || ${place}`,
    thread_id: `'thr_0' || ${place}`,
    subject: `'Copy ' || i`,
    received_at: at,
    created_seq: '1000000 + i',
    label_ids: `'[]'`,
    rfc822_message_id: `'<copy-' || i || '@example.com>'`,
    content_hash: `'copy-' || i`,
  })
  await sql`update accounts set seq = ${1_000_000 + count + 1}`.execute(db).catch(() => {})
  await db.destroy()
}

describe.skipIf(noBrowser)('much mail at the console', () => {
  let service: TestService
  let browser: Browser
  let url: string
  let tab: Tab
  let page: Page
  let devtools: CDPSession
  let data: string
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'restante-large-'))
    const before = await startService({ data })
    await before.mail({ subject: 'The first', text: 'Some words of a mail.' })
    await before[Symbol.asyncDispose]()
    await multiply(data, many)
    service = await startService({ data })
    url = service.url.replace('/v1', '/console')
    browser = await launchChromium()
    tab = await openTab(browser)
    page = tab.page
    await page.goto(service.service.ownerLink())
    await page.getByRole('link', { name: 'All messages' }).click()
    await page.getByText(`Copy ${many}`, { exact: true }).waitFor()
    devtools = await tab.context.newCDPSession(page)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    await rm(data, { recursive: true, force: true })
  })
  const rows = () => page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  const lists = () => tab.asked.filter((address) => /\/v1\/messages\?/.test(address)).length
  const heapBytes = async () => {
    await devtools.send('HeapProfiler.collectGarbage')
    return (await devtools.send('Runtime.getHeapUsage')).usedSize
  }
  /** Scrolls to the end of what was read, so often. */
  const scrollOn = async (times: number) => {
    for (let i = 0; i < times; i++) {
      const before = await page.locator('.messages').evaluate((box) => {
        box.scrollTop = box.scrollHeight
        return box.scrollHeight
      })
      await page.waitForFunction(
        (height) => document.querySelector('.messages')!.scrollHeight > height,
        before,
      )
    }
  }

  it('scrolls through 100,000 messages with few rows, few requests and bounded memory, and back', async () => {
    const asked = lists()
    await scrollOn(40)
    expect(lists() - asked).toBeLessThan(45)
    expect(await rows().count()).toBeLessThan(60)
    const first = await heapBytes()
    await scrollOn(80)
    expect(await rows().count()).toBeLessThan(60)
    // 8,000 rows further it holds no more of them; what grows is a word for each.
    expect((await heapBytes()) - first).toBeLessThan(4_000_000)
    const subject = async () => rows().locator('.subject').first().innerText()
    const back = lists()
    await page.locator('.messages').evaluate((box) => {
      box.scrollTop = 0
    })
    await expect.poll(subject).toBe(`Copy ${many}`)
    expect(lists() - back).toBeLessThan(4)
    expect(tab.errors).toEqual([])
  })

  it('comes to the other end by one key and one request', async () => {
    await page.goto(`${url}/messages`)
    await page.getByText(`Copy ${many}`, { exact: true }).waitFor()
    const asked = lists()
    await page.keyboard.press('End')
    await page.getByText('The first', { exact: true }).waitFor()
    expect(lists() - asked).toBeLessThan(3)
    await page.keyboard.press('Home')
    await page.getByText(`Copy ${many}`, { exact: true }).waitFor()
  })

  it('asks nothing while nobody touches it, for a quarter of an hour', async () => {
    await using quiet = await openTab(browser, { storageState: await tab.context.storageState() })
    await quiet.page.clock.install()
    await quiet.page.goto(`${url}/messages`)
    await quiet.page.getByText('Live', { exact: true }).waitFor()
    await quiet.page.waitForLoadState('networkidle')
    const asked = quiet.asked.length
    // In steps, in which the socket's answers to its pings can come.
    for (let seconds = 0; seconds < 900; seconds += 5) {
      await quiet.page.clock.runFor(5_000)
      await service.call('GET', '/account')
    }
    expect(quiet.asked.slice(asked)).toEqual([])
    expect(await quiet.page.getByText('Live', { exact: true }).count()).toBe(1)
  })

  it.each(['text', 'html'])('opens a mail of 1 MB of %s', async (kind) => {
    const line = '<p>Some <b>words</b> of a long mail, and <a href="https://shop.example/a">more</a>.</p>'
    const html = `${line.repeat(Math.ceil(1e6 / line.length))}<p>The end of it</p>`
    const text = `${'Some words of a long mail, and more.\n'.repeat(28_000)}The end of it`
    const subject = `Long ${kind}`
    await service.mail(kind === 'html' ? { subject, html } : { subject, text })
    await page.goto(`${url}/messages${kind === 'html' ? '?show=html' : ''}`)
    const row = rows().filter({ hasText: subject })
    await row.waitFor()
    await page.evaluate(
      ([subject, kind]) =>
        new Promise<void>((resolve) => {
          const rowOf = [...document.querySelectorAll('.messages li')].find((one) =>
            one.textContent!.includes(subject!),
          )!
          const look = () => {
            const isThere =
              kind === 'text'
                ? document.querySelector('article pre')?.textContent?.trimEnd().endsWith('The end of it')
                : Number(document.querySelector('article iframe')?.getAttribute('height')) > 1_000
            if (isThere) resolve()
            else requestAnimationFrame(look)
          }
          rowOf.querySelector('button')!.click()
          look()
        }),
      [subject, kind],
    )
    expect(tab.errors).toEqual([])
  })
})
