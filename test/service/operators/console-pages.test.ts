import { afterAll, beforeAll, expect, it } from 'vitest'
import { signedIn } from '../../support/console'
import { openService, type QuietService } from '../../support/service'
import { claimedTenant } from '../../support/tenant'

let service: QuietService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service[Symbol.asyncDispose]())

const get = (path: string, headers: Record<string, string> = {}) =>
  service.service.fetch(new Request(new URL(path, 'http://restante.test'), { headers }))

it('every path of the console is the same page, which loads what is named by its content, compressed', async () => {
  const pages = await Promise.all(
    ['/console', '/console/mail', '/console/keys?account=x'].map((path) => get(path)),
  )
  const [text, ...others] = await Promise.all(pages.map((page) => page.text()))
  for (const other of others) expect(other).toBe(text)
  const loaded = [...text!.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!)
  expect(loaded.length).toBeGreaterThan(2)
  for (const path of loaded) {
    const plain = await get(path)
    expect(plain.status, path).toBe(200)
    expect(plain.headers.get('cache-control')).toContain('immutable')
    const whole = new Uint8Array(await plain.arrayBuffer())
    const small = await get(path, { 'accept-encoding': 'gzip, br' })
    expect(small.headers.get('content-encoding')).toBe('br')
    expect((await small.arrayBuffer()).byteLength).toBeLessThanOrEqual(whole.byteLength + 16)
    const refused = await get(path, { 'accept-encoding': 'br;q=0, gzip' })
    expect(refused.headers.get('content-encoding')).toBe('gzip')
  }
  expect((await get('/console/assets/..%2fmanifest.json')).status).toBe(404)
  expect((await get('/console/assets/manifest.json')).status).toBe(404)
})

it('no page can frame it, and no script or style runs in it but its own', async () => {
  const { headers } = await get('/console/mail')
  const policy = headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe-|\*|https?:/)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')
})

it('the document that shows HTML fetches nothing: the two scripts that it may run stand in it', async () => {
  const answer = await get('/console/html')
  const policy = answer.headers.get('content-security-policy')!
  const page = await answer.text()
  const nonce = /script-src 'nonce-([^']{20,})';/.exec(policy)?.[1]
  expect(page.match(/<script/g)).toHaveLength(2)
  expect(page.split(`<script nonce="${nonce}">`)).toHaveLength(3)
  expect(policy).toContain("default-src 'none'")
})

it('an operator asks what an agent asks, for the accounts that they claimed and no others', async () => {
  const { browser, key } = await claimedTenant(service, 'p')
  const { tenant_id } = (await service.call('GET', '/account', { key })).body
  const ask = (as: typeof browser, method: string, path: string, body?: unknown, more: object = {}) =>
    as.ask(method, `/v1${path}`, body, {
      origin: 'http://restante.test',
      'restante-account': tenant_id,
      ...more,
    })
  expect((await ask(browser, 'GET', '/account')).body).toMatchObject({
    tenant_id,
    capabilities: { read: true, send: true, manage: true },
  })
  expect(await ask(browser, 'POST', '/labels', { name: 'seen' })).toMatchObject({ status: 201 })
  const stranger = await signedIn(service.service)
  expect(await ask(stranger, 'GET', '/messages')).toMatchObject({ status: 404, body: { error: 'not_found' } })
  // Another page cannot set the header without being asked about it, and its origin is refused besides.
  expect(
    await ask(browser, 'POST', '/labels', { name: 'no' }, { origin: 'https://evil.example' }),
  ).toMatchObject({
    status: 403,
    body: { error: 'origin_refused' },
  })
  const without = await browser.ask('GET', '/v1/messages')
  expect(without).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
  // A key goes before: nobody borrows an operator's rights by a header.
  const both = await ask(browser, 'GET', '/account', undefined, { authorization: 'Bearer rst_wrong' })
  expect(both).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
  await browser.sign('sign-out-everywhere')
  expect(await ask(browser, 'GET', '/account')).toMatchObject({
    status: 401,
    body: { error: 'sign_in_required' },
  })
})

it('nobody signs up as the owner of the service', async () => {
  const browser = await signedIn(service.service)
  for (const step of ['sign-up', 'sign-in', 'send-link', 'send-reset'])
    expect(
      await browser.sign(step, { email: 'owner@console.invalid', password: 'correct horse battery' }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})
