import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Restante from 'restante'
import type { Mailbox, MailboxSettings } from 'restante'
import type { Service } from 'restante/service'
import type * as Webhooks from 'restante/webhook'
import { expect, onTestFinished } from 'vitest'
import { type FaultyProxy, type Page, startFaultyProxy } from '../../../bench/faulty-proxy.mjs'
import { installTarball } from '../../support/tarball'

/** A kind of public bug report about another client, receiver or loop, and what must hold here. */
export interface Kind {
  name: string
  /** Repository and thread of one such report. */
  source: `${string}/${string}#${number}`
  holds: string
  run(scene: Scene): Promise<void>
}

/** A mailbox of the packed package behind a proxy, on an inbox of its own. */
export interface Behind {
  proxy: FaultyProxy
  mailbox: Mailbox
  inbox: { id: string; address: string }
  /** Subjects that a loop has received. */
  received: string[]
  /** Codes of reported errors. */
  errors: string[]
  mail(subject: string, headers?: Record<string, string>): Promise<void>
}

/** The packed package, and a service of it with one account. */
export interface Scene {
  restante: typeof Restante
  webhooks: typeof Webhooks
  url: string
  apiKey: string
  service: Service
  newInbox(): Promise<{ id: string; address: string }>
  mail(to: string, subject: string, headers?: Record<string, string>): Promise<void>
  behind(options?: Partial<MailboxSettings> & { before?(proxy: FaultyProxy): void }): Promise<Behind>
}

const importByNode: <Module>(path: string) => Promise<Module> = createRequire(import.meta.url)(
  '../../snippets/import.cjs',
)

const plain = (delayMs: number, callback: () => void) => {
  const timer = setTimeout(callback, delayMs)
  return { timer, cancel: () => clearTimeout(timer) }
}

/** A clock by which waits between attempts are short; limits on time stay. */
export const hurried: Restante.Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, callback) => plain(delayMs < 5_000 ? Math.min(20, delayMs) : delayMs, callback).cancel,
  background(delayMs, callback) {
    const { timer, cancel } = plain(delayMs, callback)
    timer.unref()
    return cancel
  },
  random: () => Math.random(),
}

/** A clock that runs so many times as fast as that of the machine. */
export const fast = (times: number): Restante.Clock => ({
  ...hurried,
  monotonic: () => performance.now() * times,
  after: (delayMs, callback) => plain(delayMs / times, callback).cancel,
  background: (delayMs, callback) => hurried.background(delayMs / times, callback),
})

/** Installs the tarball once, and starts a service of it. */
export async function openScene(): Promise<Scene & { close(): Promise<void> }> {
  const folder = await installTarball()
  const entry = <Module>(name: string) =>
    importByNode<Module>(pathToFileURL(join(folder, `node_modules/restante/dist/${name}.js`)).href)
  const [restante, webhooks, { createService }] = await Promise.all([
    entry<typeof Restante>('index'),
    entry<typeof Webhooks>('webhook'),
    entry<typeof import('restante/service')>('service'),
  ])
  const ports = { http: '127.0.0.1:0', smtp: '127.0.0.1:0' }
  const settings = { requestsPerMinute: 1_000_000, webhooksAllowPrivate: true, log: 'silent' } as const
  const service = await createService({ ...ports, ...settings })
  const { url } = await service.listen()
  const { apiKey } = await service.home()
  const client = restante.createClient({ url, apiKey })
  const newInbox = () => client.inboxes.create({})
  let mails = 0
  const mail: Scene['mail'] = async (to, subject, headers = {}) => {
    mails += 1
    const fields = Object.entries({ 'Message-ID': `<${mails}@example.com>`, ...headers })
    const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const raw = `From: Ana <ana@example.com>\r\nTo: ${to}\r\nSubject: ${subject}\r\n${head}\r\nIs it?\r\n`
    const from = { mailFrom: 'ana@example.com', remoteAddress: '127.0.0.1', heloName: 'example.com' }
    await service.receive({ ...from, recipients: [to] }, new TextEncoder().encode(raw))
  }
  const behind: Scene['behind'] = async ({ before, ...options } = {}) => {
    const inbox = await newInbox()
    const proxy = await startFaultyProxy(url)
    onTestFinished(() => proxy.close())
    before?.(proxy)
    const mailbox = await restante.Mailbox.open({
      ...{ url: proxy.url, apiKey, inbox: inbox.id, clock: hurried, openTimeoutMs: 30_000 },
      ...options,
    })
    onTestFinished(() => mailbox.close())
    const received: string[] = []
    const errors: string[] = []
    mailbox.on('error', ({ code }) => errors.push(code))
    void (async () => {
      for await (const { subject } of mailbox.incoming()) received.push(subject)
    })().catch(() => {})
    return {
      ...{ proxy, mailbox, inbox, received, errors },
      mail: (subject, headers) => mail(inbox.address, subject, headers),
    }
  }
  return {
    ...{ restante, webhooks, url, apiKey, service, newInbox, mail, behind },
    close: () => service.close(),
  }
}

/** A fault meets requests until it has met some, and passes; the mail that came meanwhile is received once. */
export async function outlives(behind: Behind, begin: (proxy: FaultyProxy) => void): Promise<void> {
  const { proxy, mailbox, received, mail } = behind
  begin(proxy)
  proxy.cut()
  const before = proxy.requests.length
  await mail('meanwhile')
  await expect.poll(() => proxy.requests.length).toBeGreaterThan(before + 3)
  proxy.behave()
  await expect.poll(() => received).toEqual(['meanwhile'])
  await expect.poll(() => mailbox.state.status).toBe('live')
}

/** Every request gets this page for a while. */
export const outlivesPage = (behind: Behind, page: Page) =>
  outlives(behind, (proxy) => proxy.behave(() => ({ page })))

/** The receiver of a webhook at a port of its own, behind a proxy; gives the address to post to. */
export async function serve(
  handle: Parameters<typeof createServer>[1],
): Promise<{ url: string; proxy: FaultyProxy }> {
  const server = createServer(handle)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const proxy = await startFaultyProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(async () => {
    await proxy.close()
    server.closeAllConnections()
    server.close()
  })
  return { url: proxy.url, proxy }
}

export const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZg=='

/** The newest event of an inbox, signed as the service signs it. */
export async function signedEvent({ restante, webhooks, url, apiKey }: Scene, inbox_id: string) {
  const { events } = await restante.createClient({ url, apiKey }).events.list({ after: 0, inbox_id })
  const body = JSON.stringify(events.at(-1))
  const { id } = events.at(-1)!
  return {
    id,
    body,
    headers: { ...(await webhooks.signWebhook([secret], { id, timestampMs: Date.now(), body })) },
  }
}

export const post = (url: string, { body, headers }: { body: string; headers: Record<string, string> }) =>
  fetch(url, { method: 'POST', body, headers })
