import { expect, it } from 'vitest'
import { Browser, secretOf, signedIn } from '../../support/console'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openBeside } from '../../support/open-beside'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const minuteMs = 60_000
const password = 'correct horse battery'

describeDatabases('sign-in', (openDatabase) => {
  const links: { email: string; url: string }[] = []
  const clock = new JumpClock()
  const signInLink = (link: { email: string; url: string }) => void links.push(link)
  const { service, database } = useService(
    openDatabase,
    (options) => openService({ delivery: 'capture', ...options }, { clock, signInLink }),
    perBlock,
  )
  const open = () => new Browser(service.service)
  const whoIs = async (browser: Browser) =>
    (await browser.ask('GET', '/console/auth/session')).body.operator?.email ?? null
  async function sendLink(email: string, step = 'send-link'): Promise<string> {
    clock.jump(10 * minuteMs)
    expect((await open().sign(step, { email })).status).toBe(200)
    const link = links.at(-1)!
    expect(link.email).toBe(email)
    return secretOf(link.url)
  }

  it('is by password, in a cookie that no script and no other site can use', async () => {
    const email = 'password@example.com'
    expect((await open().sign('sign-up', { email, password })).status).toBe(200)
    const browser = open()
    expect(await browser.sign('sign-in', { email, password: 'wrong password' })).toMatchObject({
      status: 401,
      body: { error: 'sign_in_required', message: expect.stringContaining('wrong') },
    })
    expect(await whoIs(browser)).toBeNull()
    const answer = await browser.sign('sign-in', { email: 'PassWord@example.com', password })
    expect(answer).toMatchObject({ status: 200, body: { operator: { email } } })
    const cookie = answer.headers.getSetCookie().join()
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=(Lax|Strict)/i)
    expect(await whoIs(browser)).toBe(email)
    expect(JSON.stringify(answer.body)).not.toContain(
      browser.cookies.get('restante.session_token')!.slice(0, 20),
    )
  })

  it('answers a wrong address as a wrong password', async () => {
    const email = 'known@example.com'
    await open().sign('sign-up', { email, password })
    const [known, unknown] = [
      await open().sign('sign-in', { email, password: 'x' }),
      await open().sign('sign-in', { email: 'unknown@example.com', password: 'x' }),
    ]
    expect(known.status).toBe(401)
    expect(unknown).toMatchObject({ status: known.status, body: known.body })
  })

  it('is by a link that works once', async () => {
    const email = 'link@example.com'
    const token = await sendLink(email)
    const browser = open()
    expect((await browser.sign('use-link', { token })).status).toBe(200)
    expect(await whoIs(browser)).toBe(email)
    const again = open()
    expect(await again.sign('use-link', { token })).toMatchObject({
      status: 401,
      body: { error: 'sign_in_required', message: expect.stringContaining('new one') },
    })
    expect(await whoIs(again)).toBeNull()
  })

  it('by the first link proves the address, and ends what nobody had proven before', async () => {
    const email = 'squatted@example.com'
    const stranger = open()
    expect((await stranger.sign('sign-up', { email, password })).status).toBe(200)
    const owner = open()
    expect((await owner.sign('use-link', { token: await sendLink(email) })).status).toBe(200)
    expect([await whoIs(stranger), await whoIs(owner)]).toEqual([null, email])
    expect((await open().sign('sign-in', { email, password })).status).toBe(401)
    // From then on a link ends nothing.
    expect((await open().sign('use-link', { token: await sendLink(email) })).status).toBe(200)
    expect(await whoIs(owner)).toBe(email)
  })

  it('sets a new password by mail, which ends the one before and every session', async () => {
    const email = 'forgotten@example.com'
    const before = open()
    await before.sign('sign-up', { email, password })
    const token = await sendLink(email, 'send-reset')
    const reset = (body: object) => open().sign('reset-password', body)
    expect(await reset({ token, password: 'short' })).toMatchObject({ status: 400 })
    expect((await reset({ token, password: 'another good one' })).status).toBe(200)
    expect(await reset({ token, password: 'and another one' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', message: expect.stringContaining('new one') },
    })
    expect(await whoIs(before)).toBeNull()
    expect((await open().sign('sign-in', { email, password })).status).toBe(401)
    expect((await open().sign('sign-in', { email, password: 'another good one' })).status).toBe(200)
    // The mail has proven the address: a link does not end this password.
    expect((await open().sign('use-link', { token: await sendLink(email) })).status).toBe(200)
    expect((await open().sign('sign-in', { email, password: 'another good one' })).status).toBe(200)
  })

  it('gives a password to who signed in by a link only, or lost theirs by it', async () => {
    for (const email of ['never@example.com', 'lost@example.com']) {
      if (email.startsWith('lost')) await open().sign('sign-up', { email, password })
      expect((await open().sign('use-link', { token: await sendLink(email) })).status).toBe(200)
      expect((await open().sign('sign-in', { email, password })).status).toBe(401)
      const token = await sendLink(email, 'send-reset')
      expect((await open().sign('reset-password', { token, password })).status).toBe(200)
      expect((await open().sign('sign-in', { email, password })).status).toBe(200)
    }
  })

  it('does the same for every address where a new password is asked for: a link is sent', async () => {
    await open().sign('sign-up', { email: 'here@example.com', password })
    const answers = []
    for (const email of ['here@example.com', 'nobody-here@example.com']) {
      const sent = links.length
      const { status, body } = await open().sign('send-reset', { email })
      answers.push([status, body, links.length - sent])
    }
    expect(answers).toEqual([
      [200, { operator: null }, 1],
      [200, { operator: null }, 1],
    ])
  })

  it('after ten wrong passwords takes no password from unknown devices, and a link from all', async () => {
    const email = 'guessed@example.com'
    const known = open()
    await known.sign('sign-up', { email, password })
    await known.sign('sign-out')
    clock.jump(10 * minuteMs)
    const guesser = open()
    for (const whose of [email, 'nobody-guessed@example.com']) {
      for (let count = 0; count < 10; count++)
        expect((await guesser.sign('sign-in', { email: whose, password: 'wrong password' })).status).toBe(401)
      expect(await guesser.sign('sign-in', { email: whose, password })).toMatchObject({
        status: 429,
        body: { message: expect.stringContaining('emailed link') },
      })
      // One place on the network may try ten passwords a minute, whatever the address.
      clock.jump(minuteMs)
    }
    expect((await open().sign('sign-in', { email, password })).status).toBe(429)
    expect((await known.sign('sign-in', { email, password })).status).toBe(200)
    // The cookie of a device is of one address.
    const other = open()
    for (const [name, value] of known.cookies)
      other.cookies.set(name, name.startsWith('restante.device') ? `${value}x` : value)
    await other.sign('sign-out')
    expect((await other.sign('sign-in', { email, password })).status).toBe(429)
    expect((await open().sign('use-link', { token: await sendLink(email) })).status).toBe(200)
  })

  it('by the link of the owner works once, and then by another', async () => {
    const link = service.service.ownerLink()
    expect(service.service.ownerLink()).toBe(link)
    const token = secretOf(link)
    const owner = open()
    expect((await owner.sign('use-link', { token })).status).toBe(200)
    expect(await whoIs(owner)).toBe('owner@console.invalid')
    expect((await open().sign('use-link', { token })).status).toBe(401)
    const next = service.service.ownerLink()
    expect(next).not.toBe(link)
    const again = open()
    expect((await again.sign('use-link', { token: secretOf(next) })).status).toBe(200)
    expect((await again.call('GET', '/accounts')).body.accounts).toHaveLength(1)
  })

  it('keeps no secret of a link', async () => {
    await open().sign('sign-up', { email: 'kept@example.com', password })
    const tokens = [await sendLink('kept@example.com'), await sendLink('kept@example.com', 'send-reset')]
    const db = await openBeside(database.options)
    const proofs = JSON.stringify(await db.selectFrom('operator_proofs').selectAll().execute())
    await db.destroy()
    for (const token of tokens) expect(proofs).not.toContain(token)
  })

  it('refuses a link that is too old', async () => {
    const token = await sendLink('late@example.com')
    const db = await openBeside(database.options)
    // The library asks the machine's clock: the link is aged instead.
    const past = new Date(Date.now() - 1_000).toISOString()
    await db
      .updateTable('operator_proofs')
      .set({ expires_at: past })
      .execute()
      .finally(() => db.destroy())
    expect(await open().sign('use-link', { token })).toMatchObject({
      status: 401,
      body: { error: 'sign_in_required', message: expect.stringContaining('too old') },
    })
  })

  it('refuses a link that nobody was sent', async () => {
    const token = await sendLink('whole@example.com')
    for (const wrong of [token.slice(0, -1), `${token}x`, 'nothing'])
      expect(await open().sign('use-link', { token: wrong })).toMatchObject({
        status: 401,
        body: { error: 'sign_in_required' },
      })
    expect((await open().sign('use-link', { token })).status).toBe(200)
  })

  it('lets an address be tried ten times in ten minutes', async () => {
    const email = 'tried@example.com'
    await open().sign('sign-up', { email, password })
    const attempt = (secret: string) => open().sign('sign-in', { email, password: secret })
    clock.jump(10 * minuteMs)
    for (let count = 0; count < 10; count++) expect((await attempt('wrong password')).status).toBe(401)
    const refused = await attempt(password)
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBe(600)
    clock.jump(10 * minuteMs - 1)
    expect((await attempt(password)).status).toBe(429)
    clock.jump(1)
    expect((await attempt(password)).status).toBe(200)
  })

  it('sends ten links in ten minutes and answers others alike, so nobody locks an operator out', async () => {
    const email = 'flooded@example.com'
    await open().sign('sign-up', { email, password })
    await sendLink(email)
    const sent = links.length
    for (const step of ['send-link', 'send-reset'])
      for (let count = 0; count < 30; count++)
        expect(await open().sign(step, { email })).toMatchObject({ status: 200, body: { operator: null } })
    expect(links.length - sent).toBe(9 + 10)
    expect((await open().sign('use-link', { token: secretOf(links[sent]!.url) })).status).toBe(200)
  })

  it('ends with the sign-out, for whoever kept the cookie too', async () => {
    clock.jump(10 * minuteMs)
    const browser = await signedIn(service.service)
    const thief = open()
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
    expect((await thief.call('GET', '/accounts')).status).toBe(200)
    expect((await browser.sign('sign-out')).status).toBe(200)
    for (const one of [browser, thief])
      expect(await one.call('GET', '/accounts')).toMatchObject({
        status: 401,
        body: { error: 'sign_in_required' },
      })
  })

  it.each(['https://evil.example', 'null', ''])('takes nothing from the pages of %j', async (origin) => {
    const email = 'origin@example.com'
    const headers: Record<string, string> = origin === '' ? {} : { origin }
    const browser = await signedIn(service.service)
    for (const [path, body] of [
      ['/console/auth/sign-in', { email, password }],
      ['/console/auth/sign-up', { email, password }],
      ['/console/auth/sign-out', {}],
      ['/v1/console/claim', { token: 'x' }],
    ] as const)
      expect(await browser.ask('POST', path, body, headers), path).toMatchObject({
        status: 403,
        body: { error: 'origin_refused' },
      })
    const answer = await browser.ask('GET', '/v1/console/accounts', undefined, headers)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect((await browser.call('GET', '/accounts')).status).toBe(200)
  })
})
