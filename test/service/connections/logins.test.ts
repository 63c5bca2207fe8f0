import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFakeResolver } from '../../support/fake-resolver'
import { JumpClock } from '../../support/jump-clock'
import { openService, type QuietService } from '../../support/service'
import { mailOf, type ScriptedMailbox, startScriptedMailbox } from './support/scripted-mailbox'

const poll = (what: () => unknown) => expect.poll(what, { interval: 20 })

/** An authorization server that exchanges refresh tokens (RFC 6749 section 6), each once. */
async function startTokens() {
  const asked: URLSearchParams[] = []
  let refreshToken = 'refresh-0'
  let refusal: { status: number; body: string } | null = null
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const form = new URLSearchParams(text)
    asked.push(form)
    if (refusal) return void response.writeHead(refusal.status, { location: '/other' }).end(refusal.body)
    if (form.get('refresh_token') !== refreshToken)
      return void response.writeHead(400).end('{"error":"invalid_grant"}')
    refreshToken = `refresh-${asked.length}`
    const access_token = `access-${asked.length}`
    response.end(JSON.stringify({ access_token, refresh_token: refreshToken, expires_in: 3_600 }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/token`,
    refuse(status: number, body: string) {
      refusal = { status, body }
    },
    /** Accepts `refresh-0` again, as after a new sign-in. */
    signIn() {
      refusal = null
      refreshToken = 'refresh-0'
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const oauth = (token_url: string) => ({
  type: 'oauth',
  client_id: 'the-client',
  client_secret: 'the-secret',
  refresh_token: 'refresh-0',
  token_url,
  scope: 'imap smtp',
})

describe('a mailbox that is logged in to by OAuth', () => {
  const clock = new JumpClock()
  let service: QuietService
  let mailbox: ScriptedMailbox
  let tokens: Awaited<ReturnType<typeof startTokens>>
  let id: string
  const state = async () => (await service.call('GET', `/connections/${id}`)).body
  const loginsOf = () => mailbox.imap.logins.map((login) => /access-\d+/.exec(login)?.[0])
  beforeAll(async () => {
    service = await openService({ connectionsAllowPrivate: true }, { clock })
    mailbox = await startScriptedMailbox()
    tokens = await startTokens()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await mailbox[Symbol.asyncDispose]()
    await tokens[Symbol.asyncDispose]()
  })

  it('keeps an access token, and asks for the next one with the refresh token that it was given last', async () => {
    const answer = await service.call('POST', '/connections', {
      body: mailbox.body({ login: oauth(tokens.url) }),
    })
    expect(answer).toMatchObject({ status: 201, body: { login: 'oauth', error: null } })
    id = answer.body.id
    expect(JSON.stringify(answer.body)).not.toMatch(/refresh-|the-secret|access-/)
    await poll(async () => (await state()).state).toBe('live')
    expect(Object.fromEntries(tokens.asked[0]!)).toEqual({
      grant_type: 'refresh_token',
      client_id: 'the-client',
      client_secret: 'the-secret',
      refresh_token: 'refresh-0',
      scope: 'imap smtp',
    })
    mailbox.imap.kickAll()
    await poll(async () => (await state()).state).toBe('failing')
    clock.jump(10_000)
    await poll(async () => (await state()).state).toBe('live')
    // That of the trial is good for an hour.
    expect(loginsOf()).toEqual(['access-1', 'access-1', 'access-1'])
    expect(tokens.asked.length).toBe(1)
    expect(mailbox.imap.logins[0]).toMatch(/^user=kim-\d+ auth=Bearer access-1$/)
    mailbox.imap.append(mailOf('by OAuth'))
    const messages = async () => (await service.call('GET', '/messages')).body.messages
    await poll(async () => (await messages())[0]?.subject).toBe('by OAuth')
  })

  it('replaces an access token before its end, once for all who need it at that time', async () => {
    const asked = tokens.asked.length
    const [{ id: message }] = (await service.call('GET', '/messages')).body.messages
    clock.jump(56 * 60_000)
    // Each refresh token is good once: two requests with one would end the sign-in.
    const sending = Array.from({ length: 3 }, (_, i) =>
      service.call('POST', `/messages/${message}/reply`, { body: { text: `Answer ${i}` } }),
    )
    mailbox.imap.kickAll()
    const sent = (await Promise.all(sending)).map(({ body }) => body.id)
    const statusOf = async (one: string) =>
      (await service.call('GET', `/messages/${one}`)).body.delivery_status
    await poll(async () => {
      clock.jump(1_000)
      return Promise.all(sent.map(statusOf))
    }).toEqual(sent.map(() => 'sent'))
    await poll(() => {
      clock.jump(1_000)
      return loginsOf().at(-1)
    }).toBe(`access-${asked + 1}`)
    await poll(async () => {
      clock.jump(1_000)
      return (await state()).state
    }).toBe('live')
    expect(tokens.asked.slice(asked).map((one) => one.get('refresh_token'))).toEqual(['refresh-1'])
  })

  it('asks for another access token where the server refuses one that has not ended', async () => {
    const asked = tokens.asked.length
    mailbox.imap.admits = (login) => !login.includes(`access-${asked} `) && !login.endsWith(`access-${asked}`)
    mailbox.imap.kickAll()
    await poll(async () => {
      clock.jump(2_000)
      return loginsOf().at(-1)
    }).toBe(`access-${asked + 1}`)
    mailbox.imap.admits = () => true
    await poll(async () => {
      clock.jump(2_000)
      return (await state()).state
    }).toBe('live')
  })

  it('says in words that the refresh token is refused, and goes on with a new one', async () => {
    tokens.refuse(400, '{"error":"invalid_grant","error_description":"Token was revoked"}')
    mailbox.imap.kickAll()
    clock.jump(60 * 60_000)
    await poll(async () => {
      clock.jump(2_000)
      return (await state()).error
    }).toMatch(
      /gave no access token \(invalid_grant: Token was revoked\): connect the mailbox again with a new refresh token/,
    )
    expect(await state()).toMatchObject({ state: 'needs_sign_in' })
    const body = mailbox.body({ login: oauth(tokens.url) })
    expect(await service.call('POST', '/connections', { body })).toMatchObject({
      status: 422,
      body: { error: 'connection_failed', message: expect.stringContaining('invalid_grant') },
    })
  })

  it('goes on after a new sign-in, with what came meanwhile, once', async () => {
    const { address, user } = await state()
    mailbox.imap.append(mailOf('while it was away'))
    tokens.signIn()
    const body = mailbox.body({ address, user, login: oauth(tokens.url) })
    expect(await service.call('POST', '/connections', { body })).toMatchObject({ status: 200, body: { id } })
    await poll(async () => {
      clock.jump(1_000)
      return (await state()).state
    }).toBe('live')
    const subjects = (await service.call('GET', '/messages?direction=inbound')).body.messages.map(
      ({ subject }: { subject: string }) => subject,
    )
    expect(subjects.sort()).toEqual(['by OAuth', 'while it was away'])
  })

  it.each([
    { status: 302, body: '', words: /cannot be reached/ },
    { status: 200, body: '<html>', words: /not JSON/ },
    { status: 500, body: '{}', words: /gave no access token/ },
    { status: 200, body: '{"access_token":7}', words: /gave no access token/ },
  ])('is refused where the answer is no token: $status $body', async ({ status, body, words }) => {
    tokens.refuse(status, body)
    const asked = tokens.asked.length
    const answer = await service.call('POST', '/connections', {
      body: mailbox.body({ login: oauth(tokens.url) }),
    })
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringMatching(words) } })
    // Secrets follow nobody elsewhere.
    expect(tokens.asked.length).toBe(asked + 1)
  })

  it('is told of a wrong password, and the server is left alone for a while', async () => {
    const body = mailbox.body()
    const made = await service.call('POST', '/connections', { body })
    const other = async () => (await service.call('GET', `/connections/${made.body.id}`)).body
    await poll(async () => (await other()).state).toBe('live')
    mailbox.imap.admits = (login) => !login.includes('right')
    mailbox.imap.kickAll()
    await poll(async () => {
      if ((await other()).state === 'failing') clock.jump(2_000)
      return (await other()).error
    }).toMatch(/refused the login.*app password/)
    const { next_attempt_at } = await other()
    expect(Date.parse(next_attempt_at) - clock.now()).toBeGreaterThan(5_000)
  })
})

describe('a token endpoint that a stranger names', () => {
  const resolver = createFakeResolver({
    'imap.example.com': { addresses: ['8.8.8.8'] },
    'inside.example.com': { addresses: ['169.254.169.254'] },
    'here.example.com': { addresses: ['127.0.0.1'] },
  })
  let service: QuietService
  beforeAll(async () => {
    service = await openService({ connectionsAllowPrivate: false }, { resolver })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  it.each([
    { url: 'http://inside.example.com/', words: /https:\/\// },
    { url: 'https://169.254.169.254/', words: /must name a host/ },
    { url: 'https://[::1]/', words: /must name a host/ },
    { url: 'https://inside.example.com/', words: /cannot be reached/ },
    { url: 'https://here.example.com/', words: /cannot be reached/ },
    { url: 'https://u:p@inside.example.com/', words: /no user name/ },
  ])('stays outside of the network of the service: $url', async ({ url, words }) => {
    const body = {
      address: 'kim@example.com',
      imap: { host: 'imap.example.com' },
      smtp: { host: 'imap.example.com' },
      login: oauth(url),
    }
    const answer = await service.call('POST', '/connections', { body })
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringMatching(words) } })
  })

  it('leaves mail servers inside of it alone too', async () => {
    const login = { type: 'password', password: 'x' }
    for (const host of ['inside.example.com', 'here.example.com']) {
      const answer = await service.call('POST', '/connections', {
        body: { address: 'kim@example.com', imap: { host }, login },
      })
      expect(answer).toMatchObject({
        status: 422,
        body: { message: expect.stringMatching(/public internet/) },
      })
    }
  })
})
