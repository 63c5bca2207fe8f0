import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { senderDomain } from '../../src/mail/headers/address'
import { startScriptedMailbox } from '../service/connections/support/scripted-mailbox'
import { certificateUrl, files, rows, sns } from '../service/inbound/support/provider-posts'
import { Browser, secretOf } from '../support/console'
import { createFakeResolver } from '../support/fake-resolver'
import { attacker, type ForgedSender, forgedSenders, victim } from '../support/forged-senders'
import { openService, type QuietService } from '../support/service'
import { signMail } from '../support/sign-mail'
import { openDialog } from '../support/smtp-dialog'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const reject = { txt: [['v=DMARC1; p=reject']] }
/** The DNS lets this machine send for the attacker, whose key signs, too; for the victim it lets nobody. */
const resolver = createFakeResolver({
  'evil.example': { txt: [['v=spf1 ip4:127.0.0.1 -all']] },
  '_dmarc.evil.example': reject,
  's1._domainkey.evil.example': { txt: [[`v=DKIM1; k=rsa; p=${p}`]] },
  'bank.example': { txt: [['v=spf1 -all']] },
  '_dmarc.bank.example': reject,
})
const plain: ForgedSender = {
  name: 'an honest message',
  raw: `From: ${attacker}\r\nMessage-ID: <n@evil.example>\r\nTo: box@mx.test\r\nSubject: Hi\r\n\r\nHello\r\n`,
  isMalformed: false,
}
/** Each has a Message-ID of its own. */
const variants = [plain, ...forgedSenders].map((one, index) => ({
  ...one,
  raw: one.raw.replace('<n@evil.example>', `<n${index}@evil.example>`),
}))
const octets = (raw: string) => Buffer.from(raw, 'latin1')
/** A variant with a signature of the attacker's domain. */
const signed = ({ raw }: ForgedSender) => signMail(raw, 'evil.example', privateKey, { h: 'from' }, 'latin1')

interface Shown {
  from_addr: string
  flaws: string[]
  authentication: { spf: string; dkim_aligned?: boolean; from_verified: boolean } | null
}

/** Holds that a stored message proves nobody but the attacker, and nobody at all if its lines are malformed. */
function requireHonest({ name, isMalformed }: ForgedSender, { from_addr, flaws, authentication }: Shown) {
  expect(authentication, name).not.toBeNull()
  const { spf, dkim_aligned, from_verified } = authentication!
  const isProven = from_verified || dkim_aligned === true
  if (isProven) expect(from_addr, name).toMatch(/@evil\.example\.?$/i)
  expect(flaws.includes('header-malformed'), name).toBe(isMalformed)
  if (isMalformed) expect({ isProven, spf }, name).toEqual({ isProven: false, spf: 'permerror' })
  if (name === plain.name) expect(isProven, name).toBe(true)
}

const shown = async (service: QuietService, id: string): Promise<Shown> =>
  (await service.call('GET', `/messages/${id}`)).body

async function originalOf(service: QuietService, id: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${service.home.apiKey}` }
  const request = new Request(`http://restante.test/v1/messages/${id}/raw`, { headers })
  return Buffer.from(await (await service.service.fetch(request)).arrayBuffer())
}

/** Sends one message by SMTP; resolves with the reply to its last dot. */
async function sent(port: number, to: string, raw: string): Promise<string> {
  const dialog = openDialog(port)
  await dialog.expect(220)
  await dialog.say('EHLO mx.evil.example', 250)
  await dialog.say(`MAIL FROM:<${attacker}>`, 250)
  await dialog.say(`RCPT TO:<${to}>`, 250)
  await dialog.say('DATA', 354)
  dialog.write(octets(raw))
  dialog.write('.\r\n')
  const { code, text } = await dialog.reply()
  dialog.destroy()
  return `${code} ${text}`
}

const openChecked = (options: object = {}) => openService({ checkSenders: true, ...options }, { resolver })

describe('a sender that is forged by lines that programs read differently', () => {
  it('has enough variants', () => {
    expect(forgedSenders.length).toBeGreaterThanOrEqual(60)
    expect(forgedSenders.some(({ raw }) => raw.includes(victim))).toBe(true)
  })

  it.each([
    ['refuse', 'direct'],
    ['accept', 'direct'],
    ['accept', 'capture'],
  ] as const)(
    'proves nobody else by SMTP, where bare CRs are: %s, and the delivery is: %s',
    async (smtpBareCr, delivery) => {
      await using service = await openChecked({
        ...{ smtpBareCr, delivery },
        smtpMailsPerMinute: 10_000,
        smtpConnectsPerMinute: 10_000,
      })
      const port = Number((await service.listen()).smtp.split(':')[1])
      for (const one of variants) {
        const reply = await sent(port, service.home.address, one.raw)
        if (one.isMalformed && smtpBareCr === 'refuse') {
          expect(reply, one.name).toMatch(/^550 5\.6\.0 /)
          continue
        }
        const id = /Accepted as (\S+)/.exec(reply)?.[1]
        expect(id, `${one.name}: ${reply}`).toBeDefined()
        requireHonest(one, await shown(service, id!))
      }
    },
  )

  it('is refused for no line end of a body', async () => {
    await using service = await openChecked()
    const port = Number((await service.listen()).smtp.split(':')[1])
    for (const end of ['\r', '\n', '\r\r\n', '\0', '\r\r'])
      expect(await sent(port, service.home.address, `${plain.raw}a${end}.${end}b\r\n`)).toMatch(/^250 /)
  })

  it('proves nobody else by a trusted inbound key, and the original stays', async () => {
    await using service = await openChecked()
    const { api_key } = await service.service.keys.create({
      ...{ account_id: service.home.tenantId, name: 'in', scopes: ['inbound'], trusted: true },
    })
    const query = new URLSearchParams({ from: attacker, to: service.home.address, client_ip: '127.0.0.1' })
    for (const one of variants) {
      const answer = await service.service.fetch(
        new Request(`http://restante.test/v1/inbound?${query}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${api_key}`, 'content-type': 'message/rfc822' },
          body: octets(one.raw),
        }),
      )
      expect(answer.status, one.name).toBe(200)
      const { id } = (await answer.json()).messages[0]
      requireHonest(one, await shown(service, id))
      expect((await originalOf(service, id)).equals(octets(one.raw)), one.name).toBe(true)
    }
  })
})

describe('at the endpoint of a provider, it', () => {
  files.set(certificateUrl, Buffer.from(sns.cert))
  const fetchBytes = async (url: string) => files.get(url)!

  it.each(Object.keys(rows))('proves nobody else: %s', async (name) => {
    await using service = await openService({ checkSenders: true }, { resolver, fetchBytes })
    const { provider, path, post } = rows[name]!
    const { id: keyId, api_key: apiKey } = await service.service.keys.create({
      ...{ account_id: service.home.tenantId, name, scopes: ['inbound'], provider },
    })
    for (const [index, one] of variants.entries()) {
      const mail = { from: attacker, to: service.home.address, raw: octets(signed(one)) }
      const posted = post({ ...mail, id: `id-${index}-abcdefgh` }, Date.now(), { apiKey }, false)
      const { headers, body, query = '' } = posted
      const url = `http://restante.test/v1/inbound/keys/${keyId}/${path}${query}`
      const answer = await service.service.fetch(
        new Request(url, { method: 'POST', headers, body: new Uint8Array(body) }),
      )
      expect(answer.status, one.name).toBe(200)
      requireHonest(one, await shown(service, (await answer.json()).messages[0].id))
    }
  })
})

describe('a person who is played on `dev`', () => {
  it('is the one of the request, whatever its fields hold', async () => {
    await using service = await openService(
      { delivery: 'capture', smtpMailsPerMinute: 10_000, smtpConnectsPerMinute: 10_000 },
      { resolver },
    )
    await service.listen()
    const owner = new Browser(service.service)
    await owner.sign('use-link', { token: secretOf(service.service.ownerLink()) })
    const { tenantId, inboxId } = service.home
    let played = 0
    for (const { name, raw } of variants) {
      const from = /^From[ \t]*:([\s\S]*?)\r\n(?![ \t])/im.exec(raw)?.[1] ?? raw
      const mail = { inbox_id: inboxId, from, subject: raw, text: raw }
      const { status, body } = await owner.call('POST', `/accounts/${tenantId}/talk`, mail)
      if (status !== 201) {
        expect(body.error, name).toBe('invalid_request')
        continue
      }
      played++
      const [, domain] = /@([^@>]+)>$/.exec(body.rfc822_message_id)!
      const record = await shown(service, body.id)
      expect(senderDomain(record.from_addr), name).toBe(domain)
      expect(record.authentication?.from_verified, name).toBe(true)
      expect(record.flaws, name).not.toContain('header-malformed')
    }
    expect(played).toBeGreaterThan(variants.length / 2)
  })
})

describe('in a connected mailbox, it', () => {
  let service: QuietService
  beforeAll(async () => {
    service = await openChecked()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const results =
    'Authentication-Results: mx.company.test; spf=pass smtp.mailfrom=evil.example; dkim=pass header.d=evil.example; dmarc=pass header.from=evil.example\r\n'
  const nameless = results.replace(' header.from=evil.example', '')

  it.each([
    ['proves nobody else by its signature', undefined, ''],
    ['proves nobody else by the results of its server', 'mx.company.test', results],
    ['proves nobody else where these name no domain', 'mx.company.test', nameless],
  ])('%s', async (_, authserv_id, above) => {
    await using mailbox = await startScriptedMailbox()
    for (const one of variants) mailbox.imap.append(octets(above + signed(one)))
    const body = mailbox.body({ since: 'all', ...(authserv_id && { authserv_id }) })
    const { id, inbox_id } = (await service.call('POST', '/connections', { body })).body
    const messages: (Shown & { id: string })[] = []
    await expect
      .poll(async () => (await service.call('GET', `/connections/${id}`)).body.state, {
        interval: 20,
        timeout: 60_000,
      })
      .toBe('live')
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = `/messages?inbox_id=${inbox_id}&limit=100&include=spam${cursor && `&cursor=${cursor}`}`
      const { body: found } = await service.call('GET', page)
      messages.push(...found.messages)
      cursor = found.next_cursor
    }
    expect(messages.length).toBe(variants.length)
    const found = new Set<string>()
    for (const message of messages) {
      const original = (await originalOf(service, message.id)).toString('latin1')
      const one = variants.find(({ raw }) => original.endsWith(raw))!
      found.add(one.name)
      requireHonest(one, await shown(service, message.id))
    }
    expect(found.size).toBe(variants.length)
  })
})
