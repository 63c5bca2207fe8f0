/**
 * Records a database with rows in every table, and what the interface says of them, for the versions that come
 * later to open: `node test/support/record-database.mjs FILE`, after a build of the version that is to be recorded.
 */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import hoodiecrow from 'hoodiecrow-imap'
import Database from 'libsql'
import { createTransport } from 'nodemailer'
import { createService } from 'restante/service'
import { SMTPServer } from 'smtp-server'

const [target] = process.argv.slice(2)
const secret = 'a secret of the tests'
const data = mkdtempSync(join(tmpdir(), 'restante-record-'))
const options = {
  data,
  secret,
  http: '127.0.0.1:0',
  smtp: '127.0.0.1:0',
  log: 'silent',
  delivery: 'smtp://127.0.0.1:9',
  webhooksAllowPrivate: true,
  connectionsAllowPrivate: true,
  plans: { standard: { messagesPerDay: 100 } },
}
const endpoint = createServer((request, response) => {
  response.writeHead(request.url === '/good' ? 200 : 500).end('heard')
}).listen(0, '127.0.0.1')
await once(endpoint, 'listening')

const service = await createService(options)
const { smtp } = await service.listen()
const home = await service.home()

async function call(method, path, { body, key = home.apiKey, headers } = {}) {
  const response = await service.fetch(
    new Request(`http://restante.test/v1${path}`, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && (typeof body === 'string' ? body : JSON.stringify(body)),
    }),
  )
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return /json/.test(response.headers.get('content-type') ?? '') && text ? JSON.parse(text) : text
}

const [host, port] = smtp.split(':')
const transport = createTransport({ host, port: Number(port), tls: { rejectUnauthorized: false } })

/** An operator, with the cookies of their browser. */
const operator = { email: 'owner@example.com', password: 'correct horse battery' }
const cookies = []
async function console(path, body) {
  const response = await service.fetch(
    new Request(`http://restante.test${path}`, {
      method: 'POST',
      headers: {
        origin: 'http://restante.test',
        'content-type': 'application/json',
        cookie: cookies.join('; '),
      },
      body: JSON.stringify(body),
    }),
  )
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  cookies.push(...response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]))
  return response.json()
}
const mail = (one) => transport.sendMail({ from: 'Ana <ana@example.com>', to: home.address, ...one })
const until = async (look) => {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 50))
}

const inbox_id = home.inboxId
const agent = await call('POST', '/agent-signups', {
  key: null,
  headers: { 'idempotency-key': 'k'.repeat(43) },
  body: { local_part: 'agent-of-old' },
})
const desk = await call('POST', '/inboxes', { body: { local_part: 'desk', name: 'Desk', client_id: 'desk' } })
const gone = await call('POST', '/inboxes', { body: { local_part: 'gone' } })
await call('DELETE', `/inboxes/${gone.id}`)
const hooks = [
  await call('POST', '/webhooks', {
    body: { url: `http://127.0.0.1:${endpoint.address().port}/good`, events: ['message.received'] },
  }),
  await call('POST', '/webhooks', {
    body: { url: `http://127.0.0.1:${endpoint.address().port}/bad`, events: ['label.created'] },
  }),
]
await mail({ subject: 'Plain', text: 'first\n\n> quoted', messageId: '<plain@example.com>' })
await mail({ subject: 'Re: Plain', text: 'second', inReplyTo: '<plain@example.com>' })
await mail({
  subject: 'Große Datei',
  text: 'see file',
  html: '<p>see <b>file</b></p>',
  headers: { 'X-Custom': 'yes' },
  attachments: [{ filename: 'Bild ü.txt', content: 'ä'.repeat(60_000) }],
})
const { api_key: bringer } = await service.keys.create({
  account_id: home.tenantId,
  name: 'brings mail',
  scopes: ['inbound'],
})
await call('POST', `/inbound?from=ana@example.com&to=${home.address}`, {
  key: bringer,
  body: 'From: ana@example.com\r\nSubject: Brought\r\n\r\nbrought',
  headers: { 'content-type': 'message/rfc822', 'idempotency-key': 'brought' },
})
await mail({ subject: 'Erased', text: `erased ${'z'.repeat(80_000)}` })
await mail({ subject: 'To the desk', to: desk.address, cc: 'Bo <bo@example.com>', text: 'hello desk' })
await mail({ subject: 'To the agent', to: agent.inbox.address, text: 'your code is 123456' })
await mail({ subject: 'One', text: 'one', messageId: '<one@example.com>' })
await mail({ subject: 'Other', text: 'two', messageId: '<two@example.com>' })
await mail({ subject: 'Both', text: 'three', references: '<one@example.com> <two@example.com>' })
const { messages } = await call('GET', '/messages')
const named = (subject) => messages.find((one) => one.subject === subject)
await call('DELETE', `/messages/${named('Erased').id}`)
const label = await call('POST', '/labels', { body: { name: 'Wichtig' } })
await call('POST', `/labels/${label.id}/assign`, { body: { message_id: named('Plain').id } })
await call('POST', '/lists', { body: { pattern: '*@spam.example.com' } })
await call('POST', '/lists', { body: { pattern: '*@example.com', kind: 'allow', direction: 'send' } })
const upload = await call('POST', '/uploads?filename=a.bin', {
  body: 'u'.repeat(100),
  headers: { 'content-type': 'application/octet-stream' },
})
const draft = await call('POST', '/drafts', {
  body: {
    inbox_id,
    to: ['cy@example.com'],
    subject: 'Draft',
    text: 'unfinished',
    attachments: [{ filename: 'small.txt', content_base64: Buffer.from('small').toString('base64') }],
  },
})
const later = await call('POST', '/drafts', {
  body: {
    inbox_id,
    to: ['cy@example.com'],
    subject: 'Later',
    text: 'at its time',
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  },
})
const sent = await call('POST', '/messages', {
  body: { inbox_id, to: ['cy@example.com'], subject: 'Waits', text: 'queued', client_id: 'old-send' },
})
await console('/console/auth/sign-up', operator)
await console('/console/auth/send-link', { email: 'other@example.com' })
const claimed = await call('POST', '/agent-signups', {
  key: null,
  headers: { 'idempotency-key': 'c'.repeat(43) },
  body: { local_part: 'claimed-of-old' },
})
await console('/v1/console/claim', { token: claimed.claim_url.split('=')[1] })
await call('POST', '/messages', {
  key: claimed.api_key,
  body: { to: ['cy@example.com'], subject: 'Counted', text: 'counted' },
})
await call('POST', '/domains', { body: { hostname: 'old.example.net' } })
await call('POST', '/suppressions', { body: { address: 'gone@example.org' } })
await call('POST', '/consumers', { body: { name: 'worker', inbox_id } })
const { deliveries: leased } = await call('POST', '/consumers/worker/lease', { body: { max: 3 } })
await call('POST', '/consumers/worker/ack', {
  body: { leases: [leased[2].lease], message_ids: [named('Both').id] },
})
await call('POST', '/consumers/worker/nack', {
  body: { leases: [leased[1].lease], delay_ms: 3_600_000 },
})
const status = async (id) => (await call('GET', `/messages/${id}`)).delivery_status
const imap = hoodiecrow({
  users: { kim: { password: 'password' } },
  storage: { INBOX: { messages: [{ raw: 'From: ana@example.net\r\nSubject: Old\r\n\r\nHi' }] } },
})
await new Promise((resolve) => imap.listen(0, '127.0.0.1', resolve))
const taker = new SMTPServer({
  hideSTARTTLS: true,
  allowInsecureAuth: true,
  onAuth: (_auth, _session, done) => done(null, { user: 'kim' }),
})
taker.listen(0, '127.0.0.1')
await once(taker.server, 'listening')
for (const server of [imap.server, taker.server]) server.unref()
const mailServer = (server) => ({ host: '127.0.0.1', port: server.address().port, tls: 'off' })
const connected = await call('POST', '/connections', {
  body: {
    address: 'kim@example.org',
    user: 'kim',
    imap: mailServer(imap.server),
    smtp: mailServer(taker.server),
    login: { type: 'password', password: 'password' },
    since: 'all',
  },
})
await until(async () => (await call('GET', `/connections/${connected.id}`)).state === 'live')
await until(async () => (await status(sent.id)) === 'deferred')
const attempted = async (id) => {
  const { deliveries } = await call('GET', `/webhooks/${id}/deliveries`)
  return deliveries.length > 0 && deliveries.every(({ attempts }) => attempts.length > 0)
}
for (const { id } of hooks) await until(() => attempted(id))

/** What the interface says, by path. */
const answers = {}
const read = async (path) => {
  answers[path] = await call('GET', path)
  return answers[path]
}
for (const path of [
  '/account',
  '/labels',
  '/lists',
  '/webhooks',
  '/drafts',
  '/inboxes',
  '/domains',
  '/suppressions',
  '/consumers',
  '/consumers/worker',
  '/events?after=0&limit=500',
  '/messages?label=wichtig',
  '/messages?has_attachment=true',
  '/messages?has_attachment=false&label=Wichtig',
  '/threads?label=Wichtig',
])
  await read(path)
for (const { id } of (await read('/threads')).threads) await read(`/threads/${id}`)
for (const { id } of (await read('/messages')).messages) {
  await read(`/messages/${id}/raw`)
  for (const attachment of (await read(`/messages/${id}`)).attachments)
    await read(`/attachments/${attachment.id}`)
}
for (const { id } of [draft, later]) await read(`/drafts/${id}?include=content`)
for (const { id } of hooks) await read(`/webhooks/${id}/deliveries`)

await service.close()
transport.close()
endpoint.close()

const database = new Database(join(data, 'restante.sqlite'))
const names = database.prepare("select name from sqlite_master where type = 'table' order by name").all()
const cell = (value) =>
  value instanceof ArrayBuffer ? { base64: Buffer.from(value).toString('base64') } : value
const tables = Object.fromEntries(
  names
    // Left out: what is made anew, as the index of words; what needs the DNS; what only one of the databases has.
    .filter(
      ({ name }) =>
        !/^(kysely|sqlite|search)_|^(transport_policies|domain_hosts|blobs|last_commit)$/.test(name),
    )
    .map(({ name }) => [
      name,
      database
        .prepare(`select * from ${name}`)
        .all()
        .map((row) =>
          Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cell(value)])),
        ),
    ]),
)
const steps = database
  .prepare('select name from kysely_migration order by name')
  .all()
  .map(({ name }) => name)
database.close()
const files = readdirSync(join(data, 'blobs'), { recursive: true, withFileTypes: true }).filter((one) =>
  one.isFile(),
)
const blobs = Object.fromEntries(
  files.map((one) => [one.name, readFileSync(join(one.parentPath, one.name)).toString('base64')]),
)
rmSync(data, { recursive: true })

const empty = Object.keys(tables).filter((name) => tables[name].length === 0)
if (empty.length > 0) throw new Error(`nothing is in ${empty}`)
const facts = {
  home,
  operator,
  claimed: { key: claimed.api_key, accountId: claimed.tenant_id },
  agent: { key: agent.api_key, address: agent.inbox.address, claim_url: agent.claim_url },
  goneAddress: gone.address,
  uploadId: upload.id,
  laterId: later.id,
  sentId: sent.id,
  plainId: named('Plain').id,
}
const record = { madeAt: new Date().toISOString(), secret, steps, facts, answers, tables, blobs }
writeFileSync(target, gzipSync(JSON.stringify(record), { level: 9 }))
