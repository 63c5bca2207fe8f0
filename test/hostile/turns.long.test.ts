import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { htmlToText } from '../../src/mail/html/html-to-text'
import { postgresSchema, reachable } from '../support/databases'
import { openService, type QuietService } from '../support/service'
import { bytesOf, givesTurns } from '../support/timing'
import { useService } from '../support/use-service'

// One anonymous message or request never keeps the main thread from others for long.

const maxSilenceMs = 150
const mb = 1024 * 1024

/** Reads the original of the newest message to its end. */
async function readLast({ service, home, call }: QuietService, size: number): Promise<void> {
  const { messages } = (await call('GET', '/messages?limit=1')).body
  const headers = { authorization: `Bearer ${home.apiKey}` }
  const url = `http://restante.test/v1/messages/${messages[0].id}/raw`
  const answer = await service.fetch(new Request(url, { headers }))
  let read = 0
  for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) read += piece.length
  expect(read).toBe(size)
}

const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ type: 'spki', format: 'der' })
  .toString('base64')

describe('one hostile message gives the event loop its turns', () => {
  let service: QuietService
  const recipients: string[] = []
  beforeAll(async () => {
    service = await openService({}, { parser: undefined as never })
    for (let i = 0; i < 30; i++)
      recipients.push(
        (await service.call('POST', '/inboxes', { body: { local_part: `in${i}` } })).body.address,
      )
  })
  afterAll(() => service[Symbol.asyncDispose]())

  let number = 0
  const receive = (to: readonly string[], raw: Uint8Array<ArrayBuffer>) =>
    service.service.receive(
      { mailFrom: 'eve@evil.example', recipients: to, remoteAddress: '192.0.2.1', heloName: 'evil.example' },
      raw,
    )
  const message = (head: string, body: string) =>
    new Uint8Array(bytesOf(`From: eve@evil.example\r\nSubject: ${number++}\r\n${head}\r\n${body}`))

  it('of 11 MB of text to 30 inboxes, and each has it in order', async () => {
    const text = `${'word '.repeat(180)}\r\n`.repeat((11 * mb) / 902)
    const html = '<p>A paragraph of some words.</p>\r\n'.repeat((2 * mb) / 35)
    const parts = `--b\r\n\r\n${text}\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--`
    await givesTurns(
      maxSilenceMs,
      () => receive(recipients, message('Content-Type: multipart/alternative; boundary=b\r\n', parts)),
      'the message',
    )
    const { messages } = (await service.call('GET', '/messages?limit=30')).body
    expect(new Set(messages.map((one: { inbox_id: string }) => one.inbox_id)).size).toBe(30)
  })

  it('of 50 MB, and whoever reads it', async () => {
    const raw = message('Content-Type: application/pdf\r\n', 'x'.repeat(49 * mb))
    await givesTurns(maxSilenceMs, () => receive([service.home.address], raw), 'the message')
    await givesTurns(maxSilenceMs, () => readLast(service, raw.length), 'its original')
  })

  it.each([
    ['mailgun', 'form', '\r\n\r', { signing_key: 'a key of this test' }],
    ['mailgun', 'form of line ends', '\r\n', { signing_key: 'a key of this test' }],
    ['sendgrid', 'signed form', 'x', { public_key: publicKey }],
  ] as const)('of a request of 79 MB to the endpoint of %s: a %s', async (type, _what, unit, secret) => {
    const { id } = await service.service.keys.create({
      account_id: service.home.tenantId,
      name: type,
      scopes: ['inbound'],
      provider: { type, ...secret } as never,
    })
    const chunk = bytesOf(unit.repeat(Math.ceil((64 * 1024) / unit.length)))
    const post = async () => {
      let left = (79 * mb) / chunk.length
      const body = new ReadableStream<Uint8Array>({
        pull(stream) {
          if (left-- > 0) stream.enqueue(chunk.slice())
          else stream.close()
        },
      })
      const headers = {
        'content-type': 'multipart/form-data; boundary="x"',
        'x-twilio-email-event-webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'x-twilio-email-event-webhook-signature': 'AAAA',
      }
      const url = `http://restante.test/v1/inbound/keys/${id}/${type}`
      const answer = await service.service.fetch(
        new Request(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit),
      )
      expect(await answer.json()).toMatchObject({ error: 'signature_invalid' })
    }
    await givesTurns(maxSilenceMs, post, 'the request')
  })
})

describe('one hostile style sheet takes a bounded time', () => {
  const page = (start: string, unit: string) => start + unit.repeat((mb - start.length) / unit.length)
  it.each([
    ['rules for many classes', page('<style>', '.a .b>.c{color:red} ')],
    ['rules in rules', page('<style>', 'p{color:red;font:12px x;')],
    [
      'rules with many settings',
      page('<style>', 'p{font:12px/1 x;background:url(a) red;margin:1px 2px 3px}'),
    ],
  ])('of %s', async (_what, html) => {
    await givesTurns(2 * maxSilenceMs, async () => htmlToText(html), 'the page')
  })
})

describe.skipIf(!reachable)('without a folder and a bucket, on PostgreSQL, one message', () => {
  const { service } = useService(postgresSchema, (options) =>
    openService(options, { parser: undefined as never }),
  )

  it('of 50 MB gives the event loop its turns, and whoever reads it', async () => {
    const raw = new Uint8Array(
      bytesOf(`From: eve@evil.example\r\nSubject: large\r\n\r\n${'x '.repeat(24 * mb)}`),
    )
    const envelope = { mailFrom: 'eve@evil.example', remoteAddress: '192.0.2.1', heloName: 'evil.example' }
    const receive = () => service.service.receive({ ...envelope, recipients: [service.home.address] }, raw)
    await givesTurns(maxSilenceMs, receive, 'the message')
    await givesTurns(maxSilenceMs, () => readLast(service, raw.length), 'its original')
  })
})
