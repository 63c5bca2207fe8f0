import { isUtf8 } from 'node:buffer'
import { generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signedGet } from '../../../../src/service/inbound/http/providers/ses'
import { corpusFiles, hasCorpora } from '../../../mail/corpora'
import { createFakeResolver } from '../../../support/fake-resolver'
import { JumpClock } from '../../../support/jump-clock'
import { longBody } from '../../../support/long-body'
import { openService, parser, type QuietService } from '../../../support/service'
import { signMail } from '../../../support/sign-mail'
import { claimedTenant } from '../../../support/tenant'
import { quickly } from '../../../support/timing'
import {
  boundary,
  certificateUrl,
  files,
  form,
  formType,
  type Mail,
  type Posted,
  rows,
  seconds,
  sendgridKeys,
  sesNotice,
  sns,
  snsPost,
  topic,
} from '../support/provider-posts'

const hourMs = 3_600_000
const dkim = generateKeyPairSync('rsa', { modulusLength: 2048 })
const dkimText = dkim.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const clock = new JumpClock()
const fetched: string[] = []
/** The providers whose posts a thread read. */
const readByThread: string[] = []
let service: QuietService
const keys: Record<string, { id: string; apiKey: string }> = {}
const resolver = createFakeResolver({
  's1._domainkey.signed.example': { txt: [[`v=DKIM1; k=rsa; p=${dkimText}`]] },
  '_dmarc.signed.example': { txt: [['v=DMARC1; p=reject']] },
})

beforeAll(async () => {
  files.set(certificateUrl, Buffer.from(sns.cert))
  service = await openService({ checkSenders: true }, {
    clock,
    resolver,
    parser: {
      ...parser,
      posted: (...post: Parameters<typeof parser.posted>) => {
        readByThread.push(post[0])
        return parser.posted(...post)
      },
    },
    fetchBytes: async (url: string) => {
      fetched.push(url)
      const file = files.get(url)
      if (!file) throw new Error(`nothing at ${url}`)
      return file
    },
  } as never)
  for (const [name, { provider }] of Object.entries(rows)) {
    const key = { account_id: service.home.tenantId, name, scopes: ['inbound' as const], provider }
    const { id, api_key: apiKey } = await service.service.keys.create(key)
    keys[name] = { id, apiKey }
  }
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(() => clock.jump(hourMs))

let count = 0
const mailOf = (raw?: Buffer): Mail => {
  const id = `id-${count++}-abcdefgh`
  const text = `From: ana@signed.example\r\nTo: x@y.example\r\nSubject: ${id}\r\nMessage-ID: <${id}@a.example>\r\n\r\nHi \r\n`
  const signed = signMail(text, 'signed.example', dkim.privateKey)
  return { from: 'ana@signed.example', to: service.home.address, raw: raw ?? Buffer.from(signed), id }
}

async function send(name: string, { headers, body, query = '' }: Posted, id = keys[name]!.id) {
  const url = `http://restante.test/v1/inbound/keys/${id}/${rows[name]!.path}${query}`
  const response = await service.service.fetch(
    new Request(url, { method: 'POST', headers, body: new Uint8Array(body) }),
  )
  return { status: response.status, body: await response.json() }
}

const post = (name: string, mail: Mail, { atMs = clock.now(), wrong = false } = {}) =>
  send(name, rows[name]!.post(mail, atMs, keys[name]!, wrong))

const rawOf = async (id: string) => {
  const headers = { authorization: `Bearer ${service.home.apiKey}` }
  const response = await service.service.fetch(
    new Request(`http://restante.test/v1/messages/${id}/raw`, { headers }),
  )
  return Buffer.from(await response.arrayBuffer())
}
const read = async (id: string) => (await service.call('GET', `/messages/${id}`)).body
const total = async () => (await service.call('GET', '/events?after=0&limit=1')).body.head
const keyOf = async (name: string) => {
  const account_id = service.home.tenantId
  const { keys: all } = await service.service.keys.list({ account_id, limit: 100 })
  return all.find(({ id }) => id === keys[name]!.id)!
}

describe.each(Object.keys(rows))('%s', (name) => {
  const row = rows[name]!

  it('brings a mail once, with its proof', async () => {
    const mail = mailOf()
    const first = await post(name, mail)
    expect(first).toMatchObject({ status: 200, body: { idempotent: false, refused: [] } })
    const { id } = first.body.messages[0]
    expect((await rawOf(id)).equals(mail.raw)).toBe(true)
    expect((await read(id)).authentication).toMatchObject({
      ...{ dkim: 'pass', from_verified: true, source: 'key' },
    })
    const again = await post(name, mail)
    expect(again).toMatchObject({ status: 200, body: { ...first.body, idempotent: true } })
  })

  it('is refused with a wrong signature, an old one or another key, so that it sends it again', async () => {
    const before = await total()
    const refused = { status: 503, body: { error: 'signature_invalid' } }
    expect(await post(name, mailOf(), { wrong: true })).toMatchObject(refused)
    if (Number.isFinite(row.maxAgeMs))
      expect(await post(name, mailOf(), { atMs: clock.now() - row.maxAgeMs - 2_000 })).toMatchObject(refused)
    const good = row.post(mailOf(), clock.now(), keys[name]!, false)
    expect(await send(name, good, 'key_none')).toMatchObject(refused)
    expect(await total()).toBe(before)
    expect(await keyOf(name)).toMatchObject({ provider: name, refused_reason: expect.stringMatching(/\w/) })
  })

  it('brings nothing that was changed on the way', async () => {
    const mail = mailOf()
    const posted = row.post(mail, clock.now(), keys[name]!, false)
    const changed = mailOf()
    const swapped = row.post({ ...changed, id: mail.id }, clock.now(), keys[name]!, false)
    if (row.signsBody) {
      const forged = { ...posted, body: swapped.body }
      if (name !== 'ses' && name !== 'resend')
        expect(await send(name, forged)).toMatchObject({ status: 503, body: { error: 'signature_invalid' } })
      const bent = Buffer.from(posted.body)
      bent.writeUInt8(bent.readUInt8(20) ^ 1, 20)
      bent.writeUInt8(bent.readUInt8(bent.length - 3) ^ 1, bent.length - 3)
      expect((await send(name, { ...posted, body: bent })).status).toBe(503)
    }
    if (name === 'mailgun') {
      // The body is not signed: what was seen once cannot be used for another mail.
      expect((await send(name, posted)).status).toBe(200)
      expect(await send(name, swapped)).toMatchObject({ status: 503, body: { error: 'signature_invalid' } })
      const { address } = (await service.call('POST', '/inboxes', { body: {} })).body
      const elsewhere = row.post({ ...changed, to: address, id: mail.id }, clock.now(), keys[name]!, false)
      expect(await send(name, elsewhere)).toMatchObject({ status: 503, body: { error: 'signature_invalid' } })
    }
  })

  it('is told of what will never be taken, and is done with it', async () => {
    const answer = await post(name, { ...mailOf(), to: 'nobody@restante.localhost' })
    expect(answer).toMatchObject({
      status: 200,
      body: { messages: [], refused: [{ to: 'nobody@restante.localhost', error: 'mailbox_unavailable' }] },
    })
  })
})

it('has a mail sent again to an account that is suspended, and takes what others get', async () => {
  const { key: agent } = await claimedTenant(service, 'p')
  const account = (await service.call('GET', '/account', { key: agent })).body
  const { tenant_id: tenantId } = account
  const { address } = account.inboxes[0]
  const key = {
    account_id: service.home.tenantId,
    name: 'everywhere',
    scopes: ['inbound' as const],
    everywhere: true,
  }
  const provider = rows.cloudflare!.provider
  const { id, api_key: apiKey } = await service.service.keys.create({ ...key, provider })
  const { admin } = service.service
  const mail = mailOf()
  const posted = () => {
    const one = rows.cloudflare!.post({ ...mail, to: address }, clock.now(), { apiKey }, false)
    return send('cloudflare', one, id)
  }
  await admin.suspend(tenantId)
  expect(await posted()).toMatchObject({ status: 503, body: { error: 'unavailable' } })
  const query = new URLSearchParams({ from: mail.from, to: service.home.address })
  query.append('to', address)
  const plainKey = (await service.service.keys.create(key)).api_key
  const both = () =>
    service.call('POST', `/inbound?${query}`, {
      key: plainKey,
      body: mail.raw.toString('latin1'),
      headers: { 'content-type': 'message/rfc822' },
    })
  const before = await total()
  expect(await both()).toMatchObject({ status: 403, body: { error: 'account_suspended' } })
  expect(await total()).toBeGreaterThan(before)
  await admin.unsuspend(tenantId)
  expect((await posted()).body).toMatchObject({ messages: [{}], refused: [] })
  expect(await both()).toMatchObject({ status: 200, body: { messages: [{}, {}], idempotent: true } })
  expect((await service.call('GET', '/messages', { key: agent })).body.messages).toHaveLength(1)
})

it('takes no recipient, client or mail that is written into a mail, where the boundary of a provider is known', async () => {
  const victim = (await service.call('POST', '/inboxes', { body: {} })).body
  const envelope = JSON.stringify({ to: [victim.address], from: 'boss@signed.example' })
  const field = (name: string, value: string) =>
    `\r\n--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`
  const text = 'From: eve@evil.example\r\nSubject: x\r\n\r\nHi'
  for (const written of [
    field('envelope', envelope),
    field('sender_ip', '192.0.2.9'),
    field('email', text),
  ]) {
    const mail = mailOf(Buffer.from(`${text}${written}\r\n`))
    // SendGrid names the mail before the rest.
    const { to, from, raw } = mail
    const body = form({ email: raw, envelope: JSON.stringify({ to: [to], from }), sender_ip: '192.0.2.1' })
    const time = seconds(clock.now())
    const signature = sign('sha256', Buffer.concat([Buffer.from(time), body]), sendgridKeys.privateKey)
    const headers = {
      ...formType,
      'x-twilio-email-event-webhook-timestamp': time,
      'x-twilio-email-event-webhook-signature': signature.toString('base64'),
    }
    expect(await send('sendgrid', { headers, body })).toMatchObject({
      status: 503,
      body: { message: expect.stringContaining('more than once') },
    })
  }
  expect((await service.call('GET', `/messages?inbox_id=${victim.id}`)).body.messages).toEqual([])
})

it.each(['null', '[]', '"x"', '7', '{"TopicArn":null}', '{', ''])(
  'takes %s for no mail of any provider',
  async (text) => {
    const said = new Set<number>()
    for (const name of Object.keys(rows))
      said.add((await send(name, { headers: {}, body: Buffer.from(text) })).status)
    expect([...said]).toEqual([503])
  },
)

it('takes a mail of Mailgun for all recipients that it names, and loses none that names nobody', async () => {
  const { address } = (await service.call('POST', '/inboxes', { body: {} })).body
  const to = `${service.home.address}, ${address}`
  const taken = await post('mailgun', { ...mailOf(), to })
  expect(taken).toMatchObject({ status: 200, body: { messages: [{}, {}], refused: [] } })
  const odd = { ...mailOf(), to: 'undisclosed-recipients:;' }
  for (const name of ['mailgun', 'sendgrid', 'resend'])
    expect(await post(name, odd), name).toMatchObject({ status: 503, body: { error: 'unavailable' } })
})

it('keeps the beginning of a mail that is too large, with its proof: nobody could be told', async () => {
  const text = `${mailOf().raw}The first text.\r\n`.replace('DKIM-Signature', 'X-Old-Signature')
  const whole = text + `${'more '.repeat(15)}\r\n`.repeat(355_000)
  const large = Buffer.from(signMail(whole, 'signed.example', dkim.privateKey))
  expect(large.length).toBeGreaterThan(25 * 1024 * 1024)
  for (const name of ['sendgrid', 'resend']) {
    const { status, body } = await post(name, mailOf(large))
    expect([name, status, body.refused]).toEqual([name, 200, []])
    const { id } = body.messages[0]
    expect(await read(id)).toMatchObject({
      size: large.length,
      flaws: expect.arrayContaining(['too_large']),
      body_text: expect.stringContaining('The first text.'),
      authentication: { dkim: 'pass', from_verified: true },
    })
    expect((await rawOf(id)).equals(large.subarray(0, 256 * 1024))).toBe(true)
  }
})

describe.each(['mailgun', 'postmark'])('the mail that %s posts', (name) => {
  it('is read by a thread, once it is known who posts', async () => {
    const mail = mailOf()
    readByThread.length = 0
    const forged = rows[name]!.post(mail, clock.now(), keys[name]!, true)
    expect(await send(name, forged)).toMatchObject({ status: 503, body: { error: 'signature_invalid' } })
    expect(readByThread).toEqual([])
    expect((await post(name, mail)).status).toBe(200)
    expect(readByThread).toEqual([name])
  })
})

describe('a body of a stranger', () => {
  it.each([
    ['separators of a form', '&', {}],
    ['escapes', '%', {}],
    ['fields without a name', '=a&', {}],
    ['parts without a name', '\r\n--b', { 'content-type': 'multipart/form-data; boundary=b' }],
  ])('costs little before its signature is checked: 20 MB of %s', async (_of, unit, headers) => {
    const body = Buffer.from(unit.repeat((20 * 1024 * 1024) / unit.length))
    const answer = await quickly(1_000, () => send('mailgun', { headers: { ...formType, ...headers }, body }))
    expect(answer.status).toBe(503)
  })

  it('costs little before its signature is checked: 1 MB that looks like a very long boundary', async () => {
    const headers = { 'content-type': `multipart/form-data; boundary=${'a'.repeat(12_000)}` }
    const body = Buffer.from(`${`\r\n--${'a'.repeat(2_000)}`.repeat(40)}\r\n-x${'a'.repeat(1024 * 1024)}`)
    const answer = await quickly(1_000, () => send('mailgun', { headers, body }))
    expect(answer.status).toBe(503)
  })

  const urlOf = (name: string, id = keys[name]!.id) =>
    `http://restante.test/v1/inbound/keys/${id}/${rows[name]!.path}`
  /** Sends a body that nothing shows to be of the provider; gives what was read of it, and the answer. */
  async function sendLong(name: string, headers: Record<string, string> = {}) {
    const { reported, init } = longBody(100)
    const answer = await service.service.fetch(new Request(urlOf(name), { ...init, headers }))
    return [reported.pulled, answer.status, (await answer.json()).error]
  }

  it('is read as far as the largest post of its provider may go, or not at all where its head shows nothing', async () => {
    expect(await sendLong('mailgun')).toEqual([81, 413, 'message_too_large'])
    for (const name of ['ses', 'resend']) expect(await sendLong(name)).toEqual([2, 413, 'message_too_large'])
    const old = {
      'x-twilio-email-event-webhook-timestamp': seconds(clock.now() - 74 * hourMs),
      'x-twilio-email-event-webhook-signature': 'AAAA',
    }
    for (const [name, headers] of [
      ['cloudflare', {}],
      ['postmark', { authorization: `Basic ${Buffer.from('x:rst_other').toString('base64')}` }],
      ['sendgrid', {}],
      ['sendgrid', old],
    ] as const)
      expect([name, await sendLong(name, headers)]).toEqual([name, [0, 503, 'signature_invalid']])
  })

  it('that holds all that strangers may at one key keeps no mail from the others, and does not for ever', async () => {
    const piece = new Uint8Array(8 * 1024 * 1024)
    let left = 10
    let held: Promise<Response>
    const stream = await new Promise<ReadableStreamDefaultController<Uint8Array>>((resolve) => {
      const pull = (to: ReadableStreamDefaultController<Uint8Array>) =>
        left-- > 0 ? to.enqueue(piece) : resolve(to)
      const body = new ReadableStream({ pull }, { highWaterMark: 0 })
      const init = { method: 'POST', body, duplex: 'half' as const }
      held = service.service.fetch(new Request(urlOf('mailgun'), init))
    })
    expect((await post('mailgun', mailOf())).body.message).toMatch(/^Too much mail is coming in/)
    for (const name of ['sendgrid', 'cloudflare', 'resend'])
      expect([name, (await post(name, mailOf())).status]).toEqual([name, 200])
    clock.jump(3 * 60_000)
    stream.enqueue(new Uint8Array(1))
    const slow = await held!
    expect([slow.status, (await slow.json()).message]).toEqual([503, expect.stringMatching(/within 120 s/)])
    expect((await post('mailgun', mailOf())).status).toBe(200)
  })
})

it('takes a mail for more people than a mail server hands over at once, and names whom it does not take', async () => {
  const [first, last] = [
    (await service.call('POST', '/inboxes', { body: {} })).body.address,
    (await service.call('POST', '/inboxes', { body: {} })).body.address,
  ]
  const others = Array.from({ length: 120 }, (_, i) => `nobody${i}@restante.localhost`)
  const to = [first, 'no address', ...others, last]
  const mail = mailOf()
  const { status, body } = await send(
    'ses',
    snsPost(
      { ...sesNotice(mail), receipt: { ...sesNotice(mail).receipt, recipients: to } },
      clock.now(),
      'Notification',
      sns.key,
    ),
  )
  expect([status, body.messages.length, body.idempotent]).toEqual([200, 2, false])
  const refused = body.refused.map(({ to, error }: Record<string, string>) => `${to} ${error}`)
  expect(refused.sort()).toEqual(
    ['no address invalid_request', ...others.map((one) => `${one} mailbox_unavailable`)].sort(),
  )
})

describe('Amazon SES', () => {
  it('has its subscription confirmed, at an address of SNS only', async () => {
    const url = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=abc'
    files.set(url, Buffer.from('<ok/>'))
    const confirm = (SubscribeURL: string) =>
      send(
        'ses',
        snsPost('You have chosen', clock.now(), 'SubscriptionConfirmation', sns.key, {
          SubscribeURL,
          Token: 'abc',
        }),
      )
    expect(await confirm(url)).toMatchObject({ status: 200, body: { messages: [] } })
    expect(fetched).toContain(url)
    for (const elsewhere of [
      'https://sns.evil.example/',
      'http://sns.eu-west-1.amazonaws.com/',
      'https://169.254.169.254/',
    ])
      expect((await confirm(elsewhere)).status).toBe(503)
    expect(fetched.filter((one) => /evil|169|^http:/.test(one))).toEqual([])
  })

  it('is not believed by a certificate of elsewhere, nor with another topic', async () => {
    const posted = snsPost(sesNotice(mailOf()), clock.now(), 'Notification', sns.key)
    const fields = JSON.parse(posted.body.toString())
    const changed = (more: object) =>
      send('ses', { ...posted, body: Buffer.from(JSON.stringify({ ...fields, ...more })) })
    for (const host of ['evil.example', 'sns.eu-west-1.amazonaws.com.evil.example', 'x.s3.amazonaws.com'])
      expect(
        (await changed({ SigningCertURL: `https://${host}/SimpleNotificationService-1.pem` })).status,
      ).toBe(503)
    expect((await changed({ TopicArn: topic.replace('mail', 'other') })).status).toBe(503)
    expect(
      fetched.filter(
        (one) => !one.startsWith('https://sns.eu-west-1') && !one.includes('resend') && !one.includes('cdn.'),
      ),
    ).toEqual([])
  })

  it('reads what is in S3 with a signature as AWS has it', () => {
    // "Example: GET Object" of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
    const { headers } = signedGet(
      {
        bucket: 'examplebucket',
        key: 'test.txt',
        region: 'us-east-1',
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      },
      Date.UTC(2013, 4, 24),
      { host: 'examplebucket.s3.amazonaws.com', range: 'bytes=0-9' },
    )
    expect(headers.authorization).toMatch(
      /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/,
    )
  })
})

/** Real mails, most of them with bytes beyond ASCII, every fifth signed: to all addresses, for whom none is a replay. */
const realMails = (addresses: readonly string[]) => {
  const all = ['mime/legacy .eml', 'mime/mime4j .msg', 'mime/malformed .eml', 'bounces/sisimai .eml'].flatMap(
    (place) => {
      const [folder, extension] = place.split(' ') as [string, string]
      return corpusFiles(folder, extension).map(({ raw }) => Buffer.from(raw))
    },
  )
  const odd = all.filter((raw) => !isUtf8(raw))
  const eightBit = all.filter((raw) => isUtf8(raw) && raw.some((byte) => byte > 127))
  const plain = all.filter((raw) => raw.every((byte) => byte <= 127) && raw.length > 0)
  const picked = [...odd.slice(0, 20), ...eightBit.slice(0, 15), ...plain].slice(0, 50)
  return picked.map((raw, index) => {
    if (index % 5 !== 0) return raw
    const head = `From: ana@signed.example\r\nTo: ${addresses.join(',\r\n ')}\r\nSubject: signed\r\n\r\n`
    const signed = signMail(`${head}${raw.toString('latin1')}`, 'signed.example', dkim.privateKey)
    // The body is hashed as the bytes of its characters: those of Latin-1 are the same in UTF-8 only where they are ASCII.
    return raw.every((byte) => byte <= 127) ? Buffer.from(signed) : Buffer.from(signed, 'latin1')
  })
}

it.skipIf(!hasCorpora)(
  'the same real mails are the same messages through every endpoint',
  async () => {
    const names = ['inbound', ...Object.keys(rows)]
    const inboxes: Record<string, string> = {}
    for (const name of names)
      inboxes[name] = (await service.call('POST', '/inboxes', { body: {} })).body.address
    const mails = realMails(Object.values(inboxes))
    expect(mails.length).toBe(50)
    expect(mails.filter((raw) => !isUtf8(raw)).length).toBeGreaterThan(5)
    const { api_key } = await service.service.keys.create({
      account_id: service.home.tenantId,
      name: 'inbound',
      scopes: ['inbound'],
    })
    const byInbound = async (raw: Buffer) => {
      const url = `http://restante.test/v1/inbound?from=ana@signed.example&to=${inboxes.inbound}`
      const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'message/rfc822' }
      const response = await service.service.fetch(
        new Request(url, { method: 'POST', headers, body: new Uint8Array(raw) }),
      )
      return (await response.json()).messages[0].id
    }
    const lost: Record<string, number> = {}
    for (const raw of mails) {
      const stored = await rawOf(await byInbound(raw))
      expect(stored.equals(raw)).toBe(true)
      const proof = (await read((await service.call('GET', '/messages?limit=1')).body.messages[0].id))
        .authentication
      for (const name of Object.keys(rows)) {
        const { status, body } = await post(name, { ...mailOf(raw), to: inboxes[name]! })
        expect(status, `${name}: ${JSON.stringify(body)}`).toBe(200)
        const { id } = body.messages[0]
        const isSame = (await rawOf(id)).equals(raw)
        if (!isSame) lost[name] = (lost[name] ?? 0) + 1
        else expect((await read(id)).authentication, name).toEqual(proof)
        if (rows[name]!.keepsBytes || isUtf8(raw)) expect(isSame, name).toBe(true)
      }
    }
    // JSON has no bytes: what is not UTF-8 does not survive Postmark, and nothing else is lost.
    expect(lost).toEqual({ postmark: mails.filter((raw) => !isUtf8(raw)).length })
  },
  60_000,
)
