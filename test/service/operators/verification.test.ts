import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, onTestFinished, vi } from 'vitest'
import { administer } from '../../../src/service/admin/administer'
import { readSettings } from '../../../src/service/settings'
import { Browser, secretOf } from '../../support/console'
import { describeDatabases } from '../../support/databases'
import { openService, type QuietService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const password = 'correct horse battery'

describeDatabases('the verification of operators', (openDatabase) => {
  const links: { email: string; url: string }[] = []
  const { service, database } = useService(
    openDatabase,
    (options) =>
      openService(
        { delivery: 'capture', verifyOperators: true, ...options },
        { signInLink: (link) => void links.push(link) },
      ),
    perBlock,
  )
  let count = 0
  async function agent(of: QuietService = service) {
    const { body } = await of.call('POST', '/agent-signups', {
      key: null,
      headers: { 'idempotency-key': `${count++}`.padStart(43, 'v') },
      body: {},
    })
    return {
      token: secretOf(body.claim_url),
      address: body.inbox.address as string,
      key: body.api_key as string,
    }
  }
  async function unverified(email: string) {
    const browser = new Browser(service.service)
    expect((await browser.sign('sign-up', { email, password })).status).toBe(200)
    return browser
  }
  const claim = (browser: Browser, token: string) => browser.call('POST', '/claim', { token })
  const verificationOf = async (browser: Browser, token: string) =>
    (await browser.call('POST', '/claim/preview', { token })).body.verification
  async function linkTo(browser: Browser, email: string) {
    await browser.sign('send-link', { email })
    expect(links.at(-1)!.email).toBe(email)
    return secretOf(links.at(-1)!.url)
  }

  it('lets no bot claim with an address that it does not own, and the link stays valid until it is verified', async () => {
    const { token, key } = await agent()
    const email = 'ceo@bank.example'
    const bot = await unverified(email)
    expect(await verificationOf(bot, token)).toBe('unverified')
    expect(await claim(bot, token)).toMatchObject({
      status: 403,
      body: { error: 'operator_unverified', message: expect.stringContaining('emailed link') },
    })
    expect((await service.call('GET', '/account', { key })).body.onboarding_state).toBe('unclaimed')
    const owner = new Browser(service.service)
    const secret = await linkTo(owner, email)
    expect((await owner.sign('use-link', { token: secret })).status).toBe(200)
    // The password of whoever signed up before the owner of the address is gone, and so is their session.
    expect((await claim(bot, token)).status).toBe(401)
    expect(await verificationOf(owner, token)).toBe('verified')
    expect((await claim(owner, token)).status).toBe(200)
  })

  it('keeps the password of an operator who opens the link where they are signed in', async () => {
    const email = 'keeps@example.com'
    const browser = await unverified(email)
    expect((await browser.sign('use-link', { token: await linkTo(browser, email) })).status).toBe(200)
    const again = new Browser(service.service)
    expect((await again.sign('sign-in', { email, password })).status).toBe(200)
    expect((await claim(again, (await agent()).token)).status).toBe(200)
  })

  it('counts a new password set by an emailed link', async () => {
    const email = 'resets@example.com'
    const browser = await unverified(email)
    await browser.sign('send-reset', { email })
    const token = secretOf(links.at(-1)!.url)
    expect((await new Browser(service.service).sign('reset-password', { token, password })).status).toBe(200)
    const again = new Browser(service.service)
    await again.sign('sign-in', { email, password })
    expect((await claim(again, (await agent()).token)).status).toBe(200)
  })

  it('never counts an address that this service receives mail for', async () => {
    const { token, address } = await agent()
    for (const email of [address, address.replace('@', '+tag@'), 'not-yet-there@restante.localhost']) {
      const browser = new Browser(service.service)
      expect((await browser.sign('use-link', { token: await linkTo(browser, email) })).status, email).toBe(
        200,
      )
      expect(await verificationOf(browser, token)).toBe('own_address')
      expect(await claim(browser, token)).toMatchObject({
        status: 403,
        body: { error: 'operator_unverified', message: expect.stringContaining('another provider') },
      })
    }
  })

  it('takes the word of the administrator, but not for an address of this service', async () => {
    const email = 'offline@example.com'
    const browser = await unverified(email)
    const { token, address } = await agent()
    const place = readSettings({ verifyOperators: true, ...database.options })
    const answer = (whose: string) =>
      administer(place, 'verify-operator', { email: whose }).catch((error) => error)
    if (place.databaseUrl !== undefined) {
      expect(await answer('nobody@example.com')).toMatchObject({ code: 'not_found' })
      expect(await answer(address)).toMatchObject({ code: 'invalid_request' })
      expect(await answer('Offline@Example.com')).toEqual({ email })
    } else {
      expect(
        await service.service.admin.verifyOperator('nobody@example.com').catch((error) => error),
      ).toMatchObject({
        code: 'not_found',
      })
      expect(await service.service.admin.verifyOperator(address).catch((error) => error)).toMatchObject({
        code: 'invalid_request',
      })
      expect(await service.service.admin.verifyOperator('Offline@Example.com')).toEqual({ email })
    }
    expect((await claim(browser, token)).status).toBe(200)
  })

  it('lets the person at the machine claim, by the link of the owner', async () => {
    const owner = new Browser(service.service)
    await owner.sign('use-link', { token: secretOf(service.service.ownerLink()) })
    expect((await claim(owner, (await agent()).token)).status).toBe(200)
  })
})

it('makes a login by an emailed link only, where mail leaves: no answer tells who has one', async () => {
  await using service = await openService({ delivery: 'smtp://127.0.0.1:1', verifyOperators: true })
  const known = 'known@example.com'
  const answers = []
  for (const email of [known, known, 'unknown@example.com'])
    for (const step of ['sign-up', 'send-link', 'send-reset', 'sign-in']) {
      const body = step === 'sign-up' || step === 'sign-in' ? { email, password } : { email }
      const answer = await new Browser(service.service).sign(step, body)
      answers.push([step, answer.status, answer.body])
    }
  expect(answers.slice(0, 4)).toEqual(answers.slice(4, 8))
  expect(answers.slice(0, 4)).toEqual(answers.slice(8))
  expect(answers[0]).toMatchObject(['sign-up', 400, { error: 'invalid_request' }])
})

it('hashes as many passwords for an address without a login as for one with it, whatever is asked', async () => {
  const scrypt = vi.spyOn(crypto, 'scrypt')
  syncBuiltinESMExports()
  onTestFinished(() => {
    scrypt.mockRestore()
    syncBuiltinESMExports()
  })
  await using service = await openService({ delivery: 'capture' })
  const known = 'known@example.com'
  expect((await new Browser(service.service).sign('sign-up', { email: known, password })).status).toBe(200)
  const work = async (step: string, body: object) => {
    const before = scrypt.mock.calls.length
    const { status } = await new Browser(service.service).sign(step, body)
    return [step, status, scrypt.mock.calls.length - before]
  }
  const workFor = async (email: string) => [
    await work('sign-in', { email, password: 'wrong password' }),
    await work('send-link', { email }),
    await work('send-reset', { email }),
  ]
  const all = await workFor(known)
  expect(await workFor('unknown@example.com')).toEqual(all)
  expect(all).toEqual([
    ['sign-in', 401, 1],
    ['send-link', 200, 0],
    ['send-reset', 200, 0],
  ])
})
