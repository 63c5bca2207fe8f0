import { expect } from 'vitest'
import { page } from '../../../bench/faulty-proxy.mjs'
import { fast, type Kind, outlives, outlivesPage } from './kind'

const upgradesMeet = (answer: ReturnType<typeof page>) => ({
  before: (proxy: { behave(next: (request: { isUpgrade: boolean }) => object | undefined): void }) =>
    proxy.behave(({ isUpgrade }) => (isUpgrade ? { page: answer } : undefined)),
})

/** A proxy lets no WebSocket through, for good: the mailbox polls. */
const polls = (name: string, source: Kind['source'], answer: ReturnType<typeof page>): Kind => ({
  ...{ name, source, holds: 'the mailbox polls, and receives mail' },
  async run({ behind }) {
    const { mailbox, mail, received } = await behind(upgradesMeet(answer))
    await mail('by poll')
    await expect.poll(() => received).toEqual(['by poll'])
    await expect.poll(() => mailbox.state).toMatchObject({ status: 'live', source: 'poll' })
  },
})

const outlivesStatus = (name: string, source: Kind['source'], status: number): Kind => ({
  ...{ name, source, holds: 'the mailbox goes on when the page is gone, and has missed nothing' },
  run: async ({ behind }) => outlivesPage(await behind({ source: 'poll' }), page(status)),
})

/** What proxies answer in place of a service. */
export const kindsOfProxies: readonly Kind[] = [
  outlivesStatus('a 401 page is taken for a refused key', 'socketio/socket.io-client#1263', 401),
  outlivesStatus(
    'after a 403 page the client stays in one state for ever',
    'socketio/socket.io-client#506',
    403,
  ),
  outlivesStatus('an HTML page of 502 ends the program by a parse error', 'cgrossde/Pullover#52', 502),
  outlivesStatus('503 at a restart is never recovered from', 'socketio/socket.io-client-swift#857', 503),
  outlivesStatus('one 500 stops a stream for good', 'Yaffle/EventSource#88', 500),
  outlivesStatus('522 of Cloudflare is not repeated', 'PaddleHQ/paddle-python-sdk#157', 522),
  outlivesStatus('an error page arrives as 404', 'rtCamp/Frappe-Manager#416', 404),
  outlivesStatus('a captive portal answers 200 with HTML', 'ksharma-xyz/KRAIL#1993', 200),
  {
    name: 'a captive portal redirects',
    source: 'mozilla-mobile/mozilla-vpn-client#736',
    holds: 'nothing is sent to the portal, and a reply arrives once it is gone',
    async run({ behind }) {
      const { proxy, mailbox, mail } = await behind()
      await mail('Bicycle')
      const message = (await mailbox.incoming({ consumer: 'portal' }).next()).value!
      proxy.behave(() => ({ page: page(302, { location: 'http://portal.invalid/login' }) }))
      const reply = message.reply({ text: 'Yes.' })
      await expect
        .poll(() => proxy.requests.filter(({ path }) => path.endsWith('/reply')).length)
        .toBeGreaterThan(1)
      proxy.behave()
      expect(await reply).toMatchObject({ threadId: message.threadId })
    },
  },
  {
    name: 'a redirect to another origin takes the key along',
    source: 'node-fetch/node-fetch#274',
    holds: 'the redirect is not followed, and the error names the right address',
    async run({ behind, restante, apiKey }) {
      const { proxy } = await behind()
      const other = await behind()
      const before = other.proxy.requests.length
      proxy.behave(() => ({ page: page(308, { location: `${other.proxy.url}/v1/account` }) }))
      const client = restante.createClient({ url: proxy.url, apiKey })
      await expect(client.account.get()).rejects.toMatchObject({
        code: 'unexpected_answer',
        message: expect.stringContaining(`use ${other.proxy.url} in url`),
      })
      expect(other.proxy.requests.slice(before).filter(({ path }) => path === '/v1/account')).toEqual([])
    },
  },
  {
    name: 'a wrong address is tried again and again before anybody hears of it',
    source: 'enisdenjo/graphql-ws#354',
    holds: 'an address that never answered as a service fails at once',
    async run({ behind, restante, apiKey }) {
      const { proxy } = await behind()
      proxy.behave(() => ({ page: page(404) }))
      const before = proxy.requests.length
      await expect(restante.Mailbox.open({ url: proxy.url, apiKey })).rejects.toMatchObject({
        code: 'unexpected_answer',
        message: expect.stringContaining('check that url'),
      })
      expect(proxy.requests.filter(({ path }) => path === '/v1/account').length).toBeGreaterThan(0)
      expect(proxy.requests.slice(before).filter(({ path }) => path === '/v1/account')).toHaveLength(1)
    },
  },
  {
    name: 'a 403 to an upgrade is an unhandled error event',
    source: 'adiwajshing/Baileys#1773',
    holds: 'nothing is thrown past the mailbox, which opens a socket once the page is gone',
    async run({ behind }) {
      const it = await behind({ source: 'socket' })
      await outlives(it, (proxy) =>
        proxy.behave(({ isUpgrade }) => (isUpgrade ? { page: page(403) } : undefined)),
      )
      expect(it.mailbox.state.source).toBe('socket')
    },
  },
  {
    name: 'a 401 to an upgrade ends the program',
    source: 'denoland/deno#33358',
    holds: 'the mailbox asks the service by HTTP whether it accepts the key',
    async run({ behind }) {
      const it = await behind({ source: 'socket' })
      await outlives(it, (proxy) =>
        proxy.behave(({ isUpgrade }) => (isUpgrade ? { page: page(401) } : undefined)),
      )
      expect(it.errors).not.toContain('unauthorized')
    },
  },
  {
    name: 'a key that the service refuses is tried for ever',
    source: 'enisdenjo/graphql-ws#244',
    holds: 'opening rejects at the first refusal',
    async run({ behind, restante }) {
      const { proxy } = await behind()
      const before = proxy.requests.length
      await expect(restante.Mailbox.open({ url: proxy.url, apiKey: 'rst_wrong' })).rejects.toMatchObject({
        code: 'unauthorized',
      })
      expect(proxy.requests.slice(before).filter(({ path }) => path === '/v1/account')).toHaveLength(1)
    },
  },
  {
    name: 'a refusal at a reconnect is reported to nobody',
    source: 'socketio/socket.io#640',
    holds: 'the mailbox closes, and says once why',
    async run({ behind, service }) {
      const { tenantId } = await service.home()
      const { id, api_key } = await service.keys.create({
        ...{ account_id: tenantId, name: 'revoked', scopes: ['read'] },
      })
      const { proxy, mailbox, errors } = await behind({ apiKey: api_key } as never)
      await service.keys.revoke({ account_id: tenantId, key_id: id })
      proxy.cut()
      await expect.poll(() => mailbox.state.status).toBe('closed')
      expect(errors).toEqual(['unauthorized'])
    },
  },
  {
    name: '429 is repeated at once',
    source: 'modelcontextprotocol/typescript-sdk#1892',
    holds: 'no request of the mailbox before the time of Retry-After',
    async run({ behind }) {
      const { proxy, mail, received } = await behind({ source: 'poll', clock: fast(1) })
      proxy.behave(() => ({ page: page(429, { 'retry-after': '2' }) }))
      proxy.cut()
      const before = proxy.requests.length
      const asked = () => proxy.requests.slice(before).filter(({ path }) => path.startsWith('/v1/events'))
      await expect.poll(() => asked().length).toBeGreaterThan(2)
      const [first, second, third] = asked().map(({ atMs }) => atMs)
      // The first may have been on its way already.
      expect(Math.max(second! - first!, third! - second!)).toBeGreaterThanOrEqual(1_990)
      proxy.behave()
      await mail('later')
      await expect.poll(() => received).toEqual(['later'])
    },
  },
  {
    name: 'a date in Retry-After is read by a wrong clock',
    source: 'modelcontextprotocol/typescript-sdk#1965',
    holds: 'the date counts from the date of the answer',
    async run({ behind, restante, apiKey }) {
      const { proxy } = await behind()
      const hourAgoMs = Date.now() - 3_600_000
      const at = (plusMs: number) => new Date(hourAgoMs + plusMs).toUTCString()
      const answer = page(503, { date: at(0), 'retry-after': at(7_000) })
      proxy.behave(() => ({ page: answer }))
      const client = restante.createClient({ url: proxy.url, apiKey, retry: false })
      await expect(client.account.get()).rejects.toMatchObject({ retryAfterMs: 7_000 })
    },
  },
  polls('an upgrade is answered 400', 'Arch1tect/Chatbox#3', page(400)),
  polls('an upgrade is answered 426', 'pusher/pusher-websocket-dotnet#26', page(426)),
  polls(
    'an upgrade is redirected',
    'ryo-ma/deno-websocket#2',
    page(302, { location: 'http://elsewhere.invalid/' }),
  ),
  polls('an upgrade is answered 200', 'websockets/ws#1093', page(200)),
  polls('an upgrade is answered 407', 'pusher/atom-pair#127', page(407)),
  {
    name: 'an upgrade is never answered',
    source: 'socketio/socket.io#1277',
    holds: 'after 5 seconds the mailbox polls',
    async run({ behind }) {
      const { mailbox, mail, received } = await behind({
        clock: fast(10),
        before: (proxy) => proxy.behave(({ isUpgrade }) => (isUpgrade ? { hangs: true } : undefined)),
      })
      expect(mailbox.state).toMatchObject({ source: 'poll' })
      await mail('by poll')
      await expect.poll(() => received).toEqual(['by poll'])
    },
  },
  {
    name: 'a WebSocket dies shortly after it opened, always',
    source: 'phoenixframework/phoenix#6766',
    holds: 'the mailbox polls after three of them',
    async run({ behind }) {
      const { mailbox, mail, received } = await behind({
        before: (proxy) => proxy.behave(({ isUpgrade }) => (isUpgrade ? { cutsAfterMs: 100 } : undefined)),
      })
      await expect.poll(() => mailbox.state).toMatchObject({ status: 'live', source: 'poll' })
      await mail('by poll')
      await expect.poll(() => received).toEqual(['by poll'])
    },
  },
  {
    name: 'the proxy closes each WebSocket as too big',
    source: 'rocicorp/mono#5982',
    holds: 'the mailbox polls instead of opening it again and again',
    async run({ behind }) {
      const { mailbox, mail, received } = await behind({
        before: (proxy) =>
          proxy.behave(({ isUpgrade }) =>
            // A close frame with code 1009 (RFC 6455 section 7.4.1).
            isUpgrade ? { sends: Uint8Array.of(0x88, 2, 0x03, 0xf1) } : undefined,
          ),
      })
      await expect.poll(() => mailbox.state).toMatchObject({ status: 'live', source: 'poll' })
      await mail('by poll')
      await expect.poll(() => received).toEqual(['by poll'])
    },
  },
  {
    name: 'a proxy holds answers back',
    source: 'yaoweibin/nginx_tcp_proxy_module#82',
    holds: 'whatever comes late comes once, and in order',
    async run({ behind }) {
      const { mail, received, mailbox } = await behind({
        before: (proxy) => proxy.behave(() => ({ delayMs: 150 })),
      })
      for (const subject of ['one', 'two', 'three']) await mail(subject)
      await expect.poll(() => received).toEqual(['one', 'two', 'three'])
      expect(mailbox.state.status).toBe('live')
    },
  },
]
