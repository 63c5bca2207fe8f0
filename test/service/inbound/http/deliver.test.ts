import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { describeDatabases } from '../../../support/databases'
import { createFakeResolver } from '../../../support/fake-resolver'
import { JumpClock } from '../../../support/jump-clock'
import { longBody } from '../../../support/long-body'
import { type Answer, openService, type QuietService } from '../../../support/service'
import { signMail } from '../../../support/sign-mail'
import { claimedTenant } from '../../../support/tenant'
import { perBlock, useService } from '../../../support/use-service'

const dayMs = 86_400_000
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const resolver = createFakeResolver({
  's1._domainkey.signed.example': { txt: [[`v=DKIM1; k=rsa; p=${p}`]] },
  '_dmarc.signed.example': { txt: [['v=DMARC1; p=reject']] },
  'spf.example': { txt: [['v=spf1 ip4:192.0.2.1 -all']] },
  '_dmarc.spf.example': { txt: [['v=DMARC1; p=reject']] },
})

let count = 0
const mailOf = (from: string, more = '') =>
  `From: ${from}\r\nTo: agent@restante.localhost\r\nSubject: n${count}\r\nMessage-ID: <${count++}@x.example>\r\n${more}\r\nHello\r\n`

describeDatabases('the endpoint for mail that others bring', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(
    openDatabase,
    (options) => openService({ ...options, checkSenders: true }, { clock, resolver }),
    perBlock,
  )
  const keys: Record<'own' | 'trusted' | 'everywhere' | 'tenant' | 'inbox', string> = {} as never
  let tenant: { key: string; address: string }
  let second: { id: string; address: string }
  beforeAll(async () => {
    const made = await claimedTenant(service, 'd')
    const account = (await service.call('GET', '/account', { key: made.key })).body
    tenant = { key: made.key, address: account.inboxes[0].address }
    second = (await service.call('POST', '/inboxes', { body: {} })).body
    const account_id = service.home.tenantId
    const make = async (more: object) =>
      (await service.service.keys.create({ account_id, name: 'in', scopes: ['inbound'], ...more })).api_key
    keys.own = await make({})
    keys.trusted = await make({ trusted: true })
    keys.everywhere = await make({ everywhere: true })
    keys.tenant = await make({ account_id: account.tenant_id })
    keys.inbox = await make({ inbox_id: second.id })
  })

  interface Bringing {
    key?: string
    from?: string
    to?: string[]
    id?: string
    more?: string
    at?: QuietService
  }
  const bring = (raw: string | Uint8Array, options: Bringing = {}): Promise<Answer> => {
    const { key = keys.own, from = 'ana@example.net', to = [service.home.address], id, more = '' } = options
    const query = new URLSearchParams([['from', from], ...to.map((one) => ['to', one])])
    return (options.at ?? service).call('POST', `/inbound?${query}${more}`, {
      key,
      body: typeof raw === 'string' ? raw : Buffer.from(raw).toString('latin1'),
      headers: { 'content-type': 'message/rfc822', ...(id && { 'idempotency-key': id }) },
    })
  }
  const idsOf = ({ status, body }: Answer) => {
    expect(status, JSON.stringify(body)).toBe(200)
    return body.messages.map(({ id }: { id: string }) => id)
  }
  const read = async (id: string, key?: string) =>
    (await service.call('GET', `/messages/${id}`, key === undefined ? {} : { key })).body

  it('takes a mail byte for byte, and says where it is', async () => {
    const raw = Buffer.from(mailOf('ana@example.net', 'X-Odd: \x80\xff\r\n'), 'latin1')
    const url = `http://restante.test/v1/inbound?from=ana@example.net&to=${service.home.address}`
    const headers = { authorization: `Bearer ${keys.own}`, 'content-type': 'message/rfc822' }
    const answer = await service.service.fetch(new Request(url, { method: 'POST', headers, body: raw }))
    const { messages, idempotent, refused } = await answer.json()
    expect({ idempotent, refused }).toEqual({ idempotent: false, refused: [] })
    const message = await read(messages[0].id)
    expect(messages).toEqual([
      { id: message.id, inbox_id: service.home.inboxId, thread_id: message.thread_id },
    ])
    const stored = await service.service.fetch(
      new Request(`http://restante.test/v1/messages/${message.id}/raw`, {
        headers: { authorization: `Bearer ${service.home.apiKey}` },
      }),
    )
    expect(Buffer.from(await stored.arrayBuffer()).equals(raw)).toBe(true)
  })

  it('opens to keys with the scope inbound only, which open nothing else', async () => {
    expect((await bring(mailOf('a@example.net'), { key: service.home.apiKey })).body.error).toBe(
      'insufficient_scope',
    )
    for (const path of ['/account', '/messages', '/inboxes', '/events?after=0'])
      expect((await service.call('GET', path, { key: keys.own })).body.error, path).toBe('insufficient_scope')
    const socket = service.service.socket({ apiKey: keys.own })
    const closed = new Promise((resolve) => {
      socket.onclose = ({ code }) => resolve(code)
    })
    expect(await closed).toBe(4403)
    await expect(
      service.service.keys.create({
        account_id: service.home.tenantId,
        name: 'x',
        scopes: ['read'],
        trusted: true,
      }),
    ).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it("reaches the inboxes of the key's account, or its one inbox; the host's key reaches all", async () => {
    const home = service.home.address
    const refusal = (to: string) => ({
      status: 422,
      body: { error: 'mailbox_unavailable', message: `No inbox here has the address ${to}.` },
    })
    for (const to of [tenant.address, `nobody@${home.split('@')[1]}`])
      expect(await bring(mailOf('a@example.net'), { to: [to] })).toMatchObject(refusal(to))
    expect(await bring(mailOf('a@example.net'), { key: keys.inbox })).toMatchObject(refusal(home))
    expect(await bring(mailOf('a@example.net'), { key: keys.tenant })).toMatchObject(refusal(home))
    expect(
      idsOf(await bring(mailOf('a@example.net'), { key: keys.inbox, to: [second.address] })),
    ).toHaveLength(1)
    const both = await bring(mailOf('a@example.net'), { key: keys.everywhere, to: [home, tenant.address] })
    expect(idsOf(both)).toHaveLength(2)
    const some = await bring(mailOf('a@example.net'), { to: [tenant.address, home] })
    expect(idsOf(some)).toHaveLength(1)
    expect(some.body.refused).toMatchObject([{ to: tenant.address, error: 'mailbox_unavailable' }])
  })

  it('knows a repeat by the id of its source, also in another process', async () => {
    const raw = mailOf('a@example.net')
    const first = await bring(raw, { id: 'one' })
    expect(first.body.idempotent).toBe(false)
    const again = await bring(raw, { id: 'one' })
    expect(again.body).toEqual({ ...first.body, idempotent: true })
    clock.jump(2 * dayMs)
    const many = await Promise.all([1, 2, 3].map(() => bring(raw, { id: 'one' })))
    expect(many.map(({ body }) => body)).toEqual(many.map(() => again.body))
    expect(await bring(mailOf('a@example.net'), { id: 'one' })).toMatchObject({
      status: 409,
      body: { error: 'idempotency_key_reused' },
    })
    // Ids are those of one source.
    const other = await bring(raw, { id: 'one', key: keys.trusted })
    expect(idsOf(other)).not.toEqual(idsOf(first))
  })

  it('knows a repeat by its content, as long as servers repeat one', async () => {
    const raw = `From: a@example.net\r\nSubject: without id ${count++}\r\n\r\nHello\r\n`
    const all = await Promise.all([bring(raw), bring(`Received: from x\r\n${raw}`), bring(raw)])
    const ids = new Set(all.flatMap(idsOf))
    expect(ids.size).toBe(1)
    expect(all.filter(({ body }) => body.idempotent)).toHaveLength(2)
    clock.jump(4 * dayMs)
    expect((await bring(raw)).body.idempotent).toBe(true)
    expect((await bring(raw, { to: [second.address] })).body.idempotent).toBe(false)
    clock.jump(2 * dayMs)
    const late = await bring(raw)
    expect(late.body.idempotent).toBe(false)
    expect((await bring(raw)).body).toEqual({ ...late.body, idempotent: true })
  })

  it('after a restart, or on another node, too', async () => {
    const { options, drop } = await openDatabase()
    const raw = mailOf('a@example.net')
    const once = async (id: string) => {
      const node = await openService(options, { clock })
      const request = { account_id: node.home.tenantId, name: 'in', scopes: ['inbound' as const] }
      const key = (await node.service.keys.create(request)).api_key
      const { body } = await bring(raw, { at: node, key, to: [node.home.address], id })
      await node[Symbol.asyncDispose]()
      return body
    }
    // Each run has a key of its own, whose ids are its own: what is the same then is the content.
    const first = await once('')
    expect(await once('')).toEqual({ ...first, idempotent: true })
    await drop()
  })

  it('judges DKIM by the bytes, and believes what it is told of the client of trusted keys only', async () => {
    const signed = signMail(mailOf('ana@signed.example'), 'signed.example', privateKey)
    const proofOf = async (answer: Answer) => (await read(idsOf(answer)[0])).authentication
    expect(await proofOf(await bring(signed, { from: 'x@signed.example' }))).toMatchObject({
      spf: 'none',
      dkim: 'pass',
      dmarc: 'pass',
      from_verified: true,
      spf_aligned: false,
      source: 'key',
    })
    const from = 'ana@spf.example'
    const more = '&client_ip=192.0.2.1&helo=mail.spf.example'
    expect(await proofOf(await bring(mailOf(from), { from, more }))).toMatchObject({
      spf: 'none',
      dmarc: 'fail',
      from_verified: false,
    })
    const key = keys.trusted
    expect(await proofOf(await bring(mailOf(from), { from, more, key }))).toMatchObject({
      spf: 'pass',
      dmarc: 'pass',
      from_verified: true,
      spf_aligned: true,
      source: 'key',
    })
    const elsewhere = '&client_ip=192.0.2.9'
    expect(await proofOf(await bring(mailOf(from), { from, more: elsewhere, key }))).toMatchObject({
      spf: 'fail',
      from_verified: false,
    })
  })

  it('refuses what is too large, empty or wrongly named, in words', async () => {
    const large = await bring('x'.repeat(25 * 1024 * 1024 + 1))
    expect(large).toMatchObject({ status: 413, body: { message: expect.stringMatching(/26214400 bytes/) } })
    expect((await bring('')).body.message).toMatch(/no mail in the body/)
    const plus = await service.call('POST', `/inbound?from=a+b@example.net&to=${service.home.address}`, {
      key: keys.own,
      body: 'x',
    })
    expect(plus).toMatchObject({ status: 400, body: { message: expect.stringMatching(/%2B/) } })
    expect((await bring(mailOf('a@example.net'), { from: '' })).status).toBe(200)
  })

  it('reads no body without a good key, and of one that does not say its length no more than may be', async () => {
    const at = `http://restante.test/v1`
    const post = async (path: string, key: string) => {
      const { reported, init } = longBody(100)
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'message/rfc822' }
      const answer = await service.service.fetch(new Request(`${at}${path}`, { ...init, headers }))
      const { error } = await answer.json()
      return [reported.pulled, answer.status, error]
    }
    const path = `/inbound?from=a@example.net&to=${service.home.address}`
    expect(await post(path, 'rst_wrong')).toEqual([0, 401, 'unauthorized'])
    expect(await post('/inbound/keys/key_none/mailgun', '')).toEqual([0, 503, 'signature_invalid'])
    expect(await post('/uploads', 'rst_wrong')).toEqual([0, 401, 'unauthorized'])
    expect(await post(path, keys.own)).toEqual([26, 413, 'message_too_large'])
    expect(await post('/uploads', service.home.apiKey)).toEqual([26, 413, 'payload_too_large'])
  })

  it('keeps to the lists of the account', async () => {
    await service.call('POST', '/lists', { key: tenant.key, body: { pattern: 'bad@example.net' } })
    const raw = mailOf('bad@example.net')
    const refused = await bring(raw, { key: keys.tenant, to: [tenant.address], from: 'bad@example.net' })
    expect(refused).toMatchObject({ status: 403, body: { error: 'sender_blocked' } })
    const late = await bring(raw, { key: keys.tenant, to: [tenant.address], from: 'other@example.net' })
    expect(late).toMatchObject({ status: 403, body: { error: 'sender_blocked' } })
  })
})
