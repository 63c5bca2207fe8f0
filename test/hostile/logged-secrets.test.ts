import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger, Service, ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { Browser, secretOf } from '../support/console'
import { describeDatabases } from '../support/databases'
import { openBeside } from '../support/open-beside'
import { caller, openService } from '../support/service'
import { startServe } from '../support/service-process'
import { useDatabase } from '../support/use-service'

type Fetch = Pick<Service, 'fetch'>

const secret = 'service-secret-7d1c9f24e8b3'
const password = 'password-5b0e93aa41cf'
const settings: ServiceOptions = {
  secret,
  log: 'debug',
  delivery: 'capture',
  webhooksAllowPrivate: true,
  consoleUrl: 'http://restante.test/console',
  // The operator reads the links in an inbox of the service itself.
  verifyOperators: false,
}

/** The links are in the mails to an inbox of this very service. */
async function readToken(
  call: ReturnType<typeof caller>,
  key: string,
  subject: string,
  pattern: RegExp,
): Promise<string> {
  const read = async () => (await call('GET', `/messages?q="${subject}"`, { key })).body.messages[0]
  await expect.poll(read).toBeDefined()
  const { body_text } = (await call('GET', `/messages/${(await read()).id}`, { key })).body
  return pattern.exec(body_text)![1]!
}

/** Drops what each of these needs, so that they fail inside. */
async function breakInside(options: ServiceOptions, { needing }: Run) {
  for (const [table, request] of needing) {
    const db = await openBeside(options)
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`${table}_gone`)}`
      .execute(db)
      .finally(() => db.destroy())
    expect((await request()).status, table).toBe(500)
  }
}

interface Run {
  /** Values that must never be logged. */
  secrets: Record<string, string>
  /** Requests that need these tables, each with a secret at hand. */
  needing: [table: string, request: () => Promise<{ status: number }>][]
}

/** A whole run. */
async function wholeRun(service: Fetch): Promise<Run> {
  const call = caller(service as Service, '')
  const idempotencyKey = randomBytes(32).toString('base64url')
  const headers = { 'idempotency-key': idempotencyKey }
  const signUp = (body: object = {}) => call('POST', '/agent-signups', { key: null, headers, body })
  expect((await signUp()).status).toBe(201)
  const { status, body: agent } = await signUp()
  expect(status).toBe(200)
  expect((await signUp({ name: 'other' })).status).toBe(409)
  const email = agent.inbox.address
  const browser = new Browser(service)
  expect((await browser.sign('sign-up', { email, password })).status).toBe(200)
  const token = secretOf(agent.claim_url)
  expect((await browser.call('POST', '/claim', { token })).status).toBe(200)
  const session = decodeURIComponent(browser.cookies.get('restante.session_token')!)
  expect((await browser.sign('sign-out')).status).toBe(200)
  expect((await browser.sign('sign-in', { email, password: `${password}x` })).status).toBe(401)
  expect((await browser.sign('sign-in', { email, password })).status).toBe(200)
  expect((await browser.sign('send-link', { email })).status).toBe(200)
  const link = await readToken(call, agent.api_key, 'Sign in to', /#link=(\S+)/)
  // The first link proves the address and ends what was opened before: this browser signs in anew.
  expect((await browser.sign('use-link', { token: link })).status).toBe(200)
  expect((await new Browser(service).sign('use-link', { token: link })).status).toBe(401)
  expect((await browser.sign('send-reset', { email })).status).toBe(200)
  const reset = await readToken(call, agent.api_key, 'A new password', /#reset=(\S+)/)
  const newPassword = { token: reset, password }
  expect((await browser.sign('reset-password', newPassword)).status).toBe(200)
  expect((await browser.sign('reset-password', newPassword)).status).toBe(400)
  expect((await browser.sign('sign-in', { email, password })).status).toBe(200)
  const keys = `/accounts/${agent.tenant_id}/keys`
  const { body: made } = await browser.call('POST', keys, { name: 'one', scopes: ['read'] })
  const key = made.api_key
  expect((await call('GET', '/account', { key })).status).toBe(200)
  expect((await call('POST', '/labels', { key, body: { name: 'x' } })).status).toBe(403)
  expect((await browser.call('DELETE', `${keys}/${made.id}`)).status).toBe(204)
  expect((await call('GET', '/account', { key })).status).toBe(401)
  const as = { key: agent.api_key as string }
  const hook = await call('POST', '/webhooks', { ...as, body: { url: 'http://127.0.0.1:9/', events: ['*'] } })
  expect(hook.status).toBe(201)
  expect((await call('POST', `/webhooks/${hook.body.id}/test`, as)).status).toBeLessThan(300)
  const mail = { to: ['bo@example.com'], subject: 'x', text: 'y' }
  expect((await call('POST', '/messages', { ...as, body: mail })).status).toBe(200)
  expect((await call('POST', '/messages', { ...as, body: { nonsense: 1 } })).status).toBe(400)
  expect((await call('GET', '/messages/msg_none', as)).status).toBe(404)
  const claims = () => browser.call('POST', '/claim/preview', { token })
  const signsIn = () => new Browser(service).sign('sign-in', { email, password })
  const needing: Run['needing'] = [
    ['labels', () => call('GET', `/labels?limit=7`, as)],
    ['claim_tokens', claims],
    ['operator_credentials', signsIn],
    ['operator_sessions', claims],
    ['api_keys', () => call('GET', '/account', as)],
    ['accounts', signUp],
  ]
  const secrets = {
    idempotencyKey,
    first: agent.api_key,
    second: key,
    claim: token,
    session,
    sessionToken: session.split('.')[0]!,
    password,
    link,
    reset,
    webhook: hook.body.secret,
    service: secret,
  }
  return { secrets, needing }
}

function expectClean(log: string, { secrets }: Run): void {
  for (const [name, value] of Object.entries(secrets)) {
    expect(value.length, name).toBeGreaterThan(15)
    for (const form of [value, encodeURIComponent(value), value.replace(/^(rst|whsec)_/, '')])
      expect(log.includes(form), `${name} is in the log`).toBe(false)
  }
  for (const line of ['/agent-signups', '/console/claim', '/console/auth/*', '/account', '/webhooks'])
    expect(log).toContain(line)
}

describeDatabases('the log at debug', (openDatabase) => {
  const database = useDatabase(() => openDatabase('new'))

  it('has no secret, whatever happens in the process', async () => {
    const lines: string[] = []
    const write = (facts: object, message: string) => {
      const { error } = facts as { error?: Error }
      lines.push(JSON.stringify({ ...facts, ...(error && { ...error, stack: error.stack }), message }))
    }
    const logger: Logger = { debug: write, info: write, warn: write, error: write }
    const options = { ...database.options, ...settings }
    const { service } = await database.start(() => openService(options, { logger }))
    const run = await wholeRun(service)
    await breakInside(options, run)
    expectClean(lines.join('\n'), run)
    expect(lines.join('\n')).toContain('request failed')
    expect(lines.join('\n')).not.toContain('limit=7')
  })

  it('has no secret on the standard error of `restante serve`', async () => {
    const options = { ...database.options, ...settings }
    const process = await startServe(options)
    const at = (url: string) => url.replace('http://restante.test', `http://127.0.0.1:${process.httpPort}`)
    const fetchThere = async (request: Request) =>
      fetch(at(request.url), {
        method: request.method,
        headers: request.headers,
        ...(request.body && { body: await request.text() }),
      })
    const run = await wholeRun({ fetch: fetchThere })
    // A file that two processes change is broken in the test above, in one of them.
    if (options.databaseUrl !== undefined) await breakInside(options, run)
    await process.end('SIGTERM')
    expectClean(process.complaints, run)
    // A library that prints by itself goes past the log, and past what keeps secrets out of it.
    for (const line of process.complaints.trim().split('\n'))
      expect(() => JSON.parse(line), line).not.toThrow()
  })
})
