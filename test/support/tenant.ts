import { randomBytes } from 'node:crypto'
import type { Route } from '../../src/protocol/routes/route'
import { type Browser, secretOf, signedIn } from './console'
import { oddMailbox } from './odd-mailbox'
import type { Answer, CallOptions, QuietService } from './service'

/** An account that a human has claimed: its key, and the browser where they are signed in. */
export interface ClaimedTenant {
  key: string
  browser: Browser
}

/** Makes a second account, claimed. */
export async function claimedTenant(service: QuietService, letter: string): Promise<ClaimedTenant> {
  const { body } = await service.call('POST', '/agent-signups', {
    key: null,
    headers: { 'idempotency-key': letter.repeat(43) },
    body: {},
  })
  const browser = await signedIn(service.service)
  const claimed = await browser.call('POST', '/claim', { token: secretOf(body.claim_url) })
  if (claimed.status !== 200) throw new Error(`claim: ${JSON.stringify(claimed.body)}`)
  return { key: body.api_key, browser }
}

/** Asks a route as whoever it is for: the key, or the human. */
export const askAs = (
  { call }: QuietService,
  { key, browser }: ClaimedTenant,
  route: Route,
  path: string,
  options: Omit<CallOptions, 'key'>,
): Promise<Answer> =>
  route.access === 'operator'
    ? browser.ask(route.method, `/v1${path}`, options.body)
    : call(route.method, path, { key, ...options })

type Make = (service: QuietService, key: string, address: string) => Promise<string>

const create =
  (noun: string, body: object): Make =>
  async ({ call }, key) => {
    const answer = await call('POST', `/${noun}`, { key, body })
    if (answer.status !== 201) throw new Error(`POST /${noun}: ${JSON.stringify(answer.body)}`)
    return answer.body.id
  }

const newest = async ({ call, mail }: QuietService, key: string, to: string) => {
  await mail({ to, attachments: [{ filename: 'a.txt', content: 'abc' }] })
  return (await call('GET', '/messages?direction=inbound&limit=1', { key })).body.messages[0]
}

let count = 0

/** How a record of each noun comes to be. A path with a noun that is not here fails its tests. */
const makers: Record<string, Make> = {
  inboxes: create('inboxes', {}),
  labels: (...args) => create('labels', { name: `label ${count++}` })(...args),
  lists: (...args) => create('lists', { pattern: `p${count++}@example.org` })(...args),
  domains: (...args) => create('domains', { hostname: `d${count++}.example.net` })(...args),
  'saved-replies': (...args) => create('saved-replies', { name: `reply ${count++}`, text: 'x' })(...args),
  suppressions: (...args) => create('suppressions', { address: `gone${count++}@example.org` })(...args),
  consumers: async ({ call }, key) =>
    (await call('POST', '/consumers', { key, body: { name: `consumer-${randomBytes(6).toString('hex')}` } }))
      .body.name,
  connections: async (...args) => create('connections', (await oddMailbox()).body())(...args),
  webhooks: create('webhooks', { url: 'https://example.com/hook', events: ['message.rejected'] }),
  messages: async (...args) => (await newest(...args)).id,
  threads: async (...args) => (await newest(...args)).thread_id,
  attachments: async (...args) => (await newest(...args)).attachments[0].id,
  drafts: async (service, key, address) => {
    const { inboxes } = (await service.call('GET', '/account', { key })).body
    const inbox = inboxes.find((one: { address: string }) => one.address === address)
    const attachments = [{ filename: 'a.txt', content_base64: 'YWJj' }]
    return create('drafts', { inbox_id: inbox.id, to: ['bo@example.com'], text: 'hi', attachments })(
      service,
      key,
      '',
    )
  },
  uploads: async ({ call }, key) => {
    const headers = { 'content-type': 'text/plain' }
    return (await call('POST', '/uploads?filename=a.txt', { key, body: 'abc', headers })).body.id
  },
  keys: async ({ call, service }, key) => {
    const account_id = (await call('GET', '/account', { key })).body.tenant_id
    return (await service.keys.create({ account_id, name: 'one', scopes: ['read'] })).id
  },
}

/** A record of its own, for whoever takes it away. */
export async function makeOne(service: QuietService, key: string, noun: string): Promise<string> {
  const address = (await service.call('GET', '/account', { key })).body.inboxes[0].address
  return makers[noun]!(service, key, address)
}

/** One record of each noun, by noun, mail in the inbox that is among them; `deliveries` belong to the webhook, `leases` to the consumer. */
export async function makeAll(service: QuietService, key: string): Promise<Record<string, string>> {
  const made: Record<string, string> = { inboxes: await makers.inboxes!(service, key, '') }
  const { address } = (await service.call('GET', `/inboxes/${made.inboxes}`, { key })).body
  for (const [noun, make] of Object.entries(makers)) made[noun] ??= await make(service, key, address)
  const lease = await service.call('POST', `/consumers/${made.consumers}/lease`, { key, body: {} })
  const tested = await service.call('POST', `/webhooks/${made.webhooks}/test`, { key })
  const account_id = (await service.call('GET', '/account', { key })).body.tenant_id
  return { ...made, leases: lease.body.deliveries[0].lease, deliveries: tested.body.id, accounts: account_id }
}

/** Which noun the id in each `{field}` of a path is of: what stands before it. */
export const nounsIn = (path: string): Record<string, string> =>
  Object.fromEntries([...path.matchAll(/\/([\w-]+)\/\{(\w+)\}/g)].map(([, noun, field]) => [field!, noun!]))

const plural = (noun: string) =>
  noun === 'inbox' ? 'inboxes' : noun === 'delivery' ? 'deliveries' : `${noun}s`

/** The noun of a field such as `reply_to_message_id`; null where it is no id of a record. */
export function nounOf(field: string): string | null {
  if (field === 'label' || field === 'leases') return field === 'label' ? 'labels' : field
  const [, noun] = /(?:^|_)([a-z]+)_ids?$/.exec(field) ?? []
  return noun === undefined || ['authserv', 'client', 'content', 'request'].includes(noun)
    ? null
    : plural(noun)
}
